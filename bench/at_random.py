"""The player that makes random legal actions in every seat."""

from typing import NamedTuple

from tefuda.engine.play import decide, random_action
from tefuda.engine.record import Ints, Rng, StateRecord
from tefuda.engine.verbs import implements


class AtRandom(NamedTuple):
    """The player; it needs no data."""


AT_RANDOM = AtRandom()


@implements(decide, AtRandom, inlined=True)
def decide_at_random(player: AtRandom, state: StateRecord, seat: int, rng: Rng, legal: Ints) -> tuple[int, int]:
    """Choose any legal action."""
    return random_action(state, rng, legal)
