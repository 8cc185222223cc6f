"""Luk Fu: worlds in which the others' declarations make sense.

Nobody has to say play with a good hand, or pass with a poor one; but who has said it most likely had a reason. What a
beginner is taught (``hints``) is held against the hands that a world deals the others.
"""

from typing import Any

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.raw import copy
from tefuda.engine.verbs import implements, rule
from tefuda.games.luk_fu.hints import Reading, declares
from tefuda.games.luk_fu.rules import next_active
from tefuda.games.luk_fu.state import CARDS, HAND, RANKS, STATE

DRAWS = 8
"""Worlds imagined at most; the last is taken if none makes sense."""


@implements(verbs.believe, STATE)
def believe(view: Any, rng: Any, state: Any) -> None:
    """The first world imagined in which everybody has declared as he should have."""
    before = np.empty(1, STATE)
    lay_back(view, before[0])
    for _ in range(DRAWS):
        verbs.imagine(view, rng, state)
        if declarations_make_sense(view, state, before[0]):
            return


@rule
def lay_back(view: Any, before: Any) -> None:
    """What all knew when they declared: nothing but how many cards each held."""
    copy(view, before)
    before.led_count = before.placed = before.to_throw = 0
    before.bounds[:] = RANKS
    for seat in range(view.seats):
        before.held[seat] = 0 if seat == view.sitter else HAND


@rule
def declarations_make_sense(view: Any, world: Any, before: Any) -> bool:
    """Whether those who have declared (LF-9), the viewer apart, had the hands for what they said."""
    seat = bits.wide(view.eldest)
    for _ in range(view.answers):
        if seat != view.viewer:
            out = bits.without(bits.span(0, CARDS), world.dealt[seat])
            if declares(before, Reading(seat, world.dealt[seat], out)) != (seat == view.declarer):
                return False
        seat = next_active(view, seat)
    return True
