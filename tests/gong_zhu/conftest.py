"""Gong Zhu at random: tables with their options, and deals played to the end with random exposures and cards."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tefuda.table.deal import Deal
from tefuda.table.game import Game, load

TABLES: tuple[dict[str, Any], ...] = (
    {},
    {"partnership": True},
    {"expose_order": "until_quiet"},
    {"expose_order": "simultaneous", "forced_fourth_exposure": True},
    {"exposed_singleton_lead": True},
    {"exposing": False},
    {"always_open": "all"},
    {"always_open": "all_but_sheep", "seats": 5, "exposed_singleton_lead": True},
    {"first_leader": "C2"},
    {"seats": 5, "first_leader": "S2_led"},
    {"hearts_broken": True, "exposed_singleton_lead": True},
    {"hearts_broken": True, "seats": 5, "expose_order": "until_quiet"},
    {"first_leader": "S7", "exposing": False},
    {"first_leader": "draw", "forced_fourth_exposure": True, "expose_order": "until_quiet"},
    {"seats": 5},
    {"seats": 5, "five_deck": "pagat", "expose_order": "until_quiet"},
    {"seats": 5, "expose_order": "simultaneous", "exposed_singleton_lead": True},
)
"""Every option that touches play, with four and five players."""

MOST_MOMENTS = 52 + 5 * 5 + 1
"""Every card, and with four cards to expose at most five rounds of at most five answers."""

Walk = Callable[..., Iterator[Deal]]


def walk(deal: Deal, chance: random.Random, eager: float = 0.7) -> Iterator[Deal]:
    """The deal at each of its moments, the last when it is over; ``eager``: how often somebody exposes who can."""
    for _ in range(MOST_MOMENTS):
        yield deal
        if deal.over:
            return
        plays = deal.legal()
        if plays[0] == "expose:none" and len(plays) > 1:
            plays = plays[1:] if chance.random() < eager else plays[:1]
        deal.play(chance.choice(plays))
    raise AssertionError(f"the deal does not end: {deal.history}")


@pytest.fixture(scope="session", name="walk")
def walk_fixture() -> Walk:
    """Plays a deal at random, moment by moment."""
    return walk


@pytest.fixture(params=TABLES, ids=lambda table: " ".join(f"{k}={v}" for k, v in table.items()) or "default")
def table(request: pytest.FixtureRequest) -> Game:
    """A table, for each set of options that touches play."""
    return load("gong-zhu", **request.param)
