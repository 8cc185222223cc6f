"""Luk Fu at random: tables with their options, and deals played to the end."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tefuda.table.deal import Deal
from tefuda.table.game import Game, load
from tefuda.testing import SUMMARY

TABLES: tuple[dict[str, Any], ...] = (
    {},
    {"seats": 4},
    {"old_reading": "public"},
    {"old_infer": False, "lead_exceptions": "sixth_trick"},
    {"special_in_sets": True, "ones_set": "second", "tigers_lead": True},
    {"stop_timing": "any_trick", "lead_exceptions": "has_six", "seats": 4},
    {"red_bonus": True, "red_scope": "captured", "multiplier_10_12": True},
    {"sitter_bonus_mode": "per_card", "dealer_stays_on": "never", "pass_penalty": False, "seats": 4},
    {"tigers_value": 8, "draw_keeps_dealer": True},
)
"""Every option somewhere."""

MOST_MOMENTS = 3 + 12 * 3 + 12 + 1
"""Declarations, plays, decisions."""

Walk = Callable[..., Iterator[Deal]]


def any_play(deal: Deal, chance: random.Random) -> str:
    """One of the legal plays; of those that stand for many, any."""
    word = chance.choice(deal.legal())
    if not SUMMARY.fullmatch(word):
        return word
    hand = deal.view(deal.mover).to_dict()["hands"]
    return "~" + "+".join(chance.sample(hand, int(word[1:])))


def walk(deal: Deal, chance: random.Random) -> Iterator[Deal]:
    """The deal at each of its moments, the last when it is over."""
    for _ in range(MOST_MOMENTS):
        yield deal
        if deal.over:
            return
        deal.play(any_play(deal, chance))
    raise AssertionError(f"the deal does not end: {deal.history}")


@pytest.fixture(scope="session", name="walk")
def walk_fixture() -> Walk:
    """Plays a deal at random, moment by moment."""
    return walk


@pytest.fixture(params=TABLES, ids=lambda table: " ".join(f"{k}={v}" for k, v in table.items()) or "default")
def table(request: pytest.FixtureRequest) -> Game:
    """A table, for each set of options."""
    return load("luk-fu", **request.param)
