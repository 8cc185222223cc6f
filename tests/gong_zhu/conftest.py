"""Gong Zhu at random: tables with their options, and deals played to the end with random exposures and cards."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tefuda.table.deal import Deal
from tefuda.table.game import Game, load
from tefuda.table.scenario import check_file

SCENARIOS = Path(__file__).parent / "scenarios"

TABLES: tuple[dict[str, Any], ...] = (
    {},
    {"partnership": True},
    {"expose_order": "until_quiet"},
    {"expose_order": "simultaneous", "forced_fourth_exposure": True},
    {"exposed_singleton_lead": True},
    {"exposing": False},
    {"first_leader": "C2"},
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


@pytest.fixture(scope="session")
def scenario_files() -> list[Path]:
    """All scenario files of the game."""
    return sorted(SCENARIOS.glob("*.toml"))


@pytest.fixture(scope="session")
def codes_seen(scenario_files: list[Path]) -> set[str]:
    """The code of every reason that the scenarios ask for, and that random deals give at some of their moments."""
    codes: set[str] = set()
    ask = Deal.why_not

    def note(deal: Deal, *arguments: Any) -> Any:
        reason = ask(deal, *arguments)
        if reason is not None:
            codes.add(reason.code)
        return reason

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Deal, "why_not", note)
        for path in scenario_files:
            check_file(path)
        _ask_at_random()
    return codes


def _ask_at_random() -> None:
    chance = random.Random(5)
    for options in TABLES:
        game = load("gong-zhu", **options)
        for deal in walk(game.deal(chance.getrandbits(30)), chance):
            for word in chance.sample(game.description.notation.words, 8):  # type: ignore[attr-defined]
                deal.why_not(word, chance.randrange(game.seats))
