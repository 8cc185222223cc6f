"""Least: a beginner's play."""

from typing import Any

from tefuda.engine import bits, verbs
from tefuda.engine.verbs import implements
from tests.contract.least.rules import playable
from tests.contract.least.state import State


@implements(verbs.advise, State)
def advise(state: State, rng: Any) -> int:
    """The lowest card."""
    return bits.lowest(playable(state))
