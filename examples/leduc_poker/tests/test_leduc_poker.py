"""Leduc poker keeps the contract of every game, and its rules are as the scenarios say."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tefuda
from tefuda.engine.bits import members_of
from tefuda.engine.option import Value
from tefuda.table.scenario import CaseResult, check_file
from tefuda.testing import Hooks, Playout, check_contract, option_sets

GAME = tefuda.load("leduc-poker")


def redeal(played: Playout, moment: int, world: Any) -> tefuda.Deal:
    """LP-2: the deck of an imagined world."""
    hands = [int(cards).bit_length() - 1 for cards in world.hands]
    deck = [*hands, int(world.hidden), *members_of(int(world.undealt))]
    return played.game.deal(deck=np.array(deck), chance=int(world.chance), before=played.deal.before)


HOOKS = Hooks(where_cards_are=("hands", "hidden", "undealt"), redeal=redeal)


@pytest.mark.parametrize(("seats", "options"), option_sets(GAME.description))
def test_contract(seats: int, options: dict[str, Value]) -> None:
    check_contract(tefuda.load("leduc-poker", seats, **options), deals=30, seed=1, hooks=HOOKS)


@pytest.mark.parametrize("case", check_file(Path(__file__).with_name("rules.toml")), ids=lambda case: case.case)
def test_rules(case: CaseResult) -> None:
    assert not case.failures
