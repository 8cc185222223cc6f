"""Least: full states that agree with what one seat knows."""

from typing import Any

from tefuda.engine import verbs
from tefuda.engine.kit.session import NOBODY, begin_world, redrawn_chance
from tefuda.engine.kit.tricks import imagine_hands
from tefuda.engine.verbs import implements
from tests.contract.least.state import PACK_SET, State


@implements(verbs.imagine, State)
def imagine(view: State, rng: Any, state: State) -> None:
    """The cards that the viewer has not seen, dealt to the other hands."""
    begin_world(view, state)
    state.chance = redrawn_chance(view, rng, NOBODY)
    imagine_hands(view, rng, state, PACK_SET)
