"""Sap Ng Wu at random: tables with their options, and the reasons that scenarios and random deals give."""

import random
from pathlib import Path
from typing import Any

import pytest

from tefuda.table.deal import Deal
from tefuda.table.game import Game, load
from tefuda.table.scenario import check_file

SCENARIOS = Path(__file__).parent / "scenarios"

TABLES: tuple[dict[str, Any], ...] = (
    {},
    {"seats": 4},
    {"supreme_partial": False, "supreme_lead": "none_laid"},
    {"seats": 4, "pass_locks": True, "last_holder": "ends"},
    {"score_mode": "all_played", "supreme8_in_play": "16", "supreme8_quad_bonus": False},
    {"quad_rule": "one_play", "quad_in_draw": "returned"},
    {"seats": 4, "quad_bonus": False, "score_mode": "all_played", "pass_locks": True},
)
"""Every option that touches play or payment, with three and four players."""


def title(table: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in table.items()) or "default"


@pytest.fixture(params=TABLES, ids=title)
def table(request: pytest.FixtureRequest) -> Game:
    """A table, for each set of options."""
    return load("sap-ng-wu", **request.param)


@pytest.fixture(scope="session")
def codes_seen() -> set[str]:
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
        for path in sorted(SCENARIOS.glob("*.toml")):
            check_file(path)
        _ask_at_random()
    return codes


def _ask_at_random() -> None:
    chance = random.Random(5)
    for options in TABLES:
        game = load("sap-ng-wu", **options)
        for _ in range(6):
            deal = game.deal(chance.getrandbits(30))
            while not deal.over:
                for word in chance.sample(game.description.notation.words, 12):  # type: ignore[attr-defined]
                    deal.why_not(word, chance.randrange(game.seats))
                deal.play(chance.choice(deal.legal()))
            deal.why_not("66")
