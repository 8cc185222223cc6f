"""Luk Fu at random: tables with their options, and deals played to the end."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tefuda.table.deal import Deal
from tefuda.table.game import Game, load
from tefuda.table.scenario import check_file
from tefuda.testing import SUMMARY

SCENARIOS = Path(__file__).parent / "scenarios"

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
        _ask_within_a_throw()
    return codes


def _ask_at_random() -> None:
    chance = random.Random(5)
    for options in TABLES:
        game = load("luk-fu", **options)
        for number in range(3):
            for deal in walk(game.deal((chance.getrandbits(30), number)), chance):
                for word in chance.sample(game.description.notation.words, 8):  # type: ignore[attr-defined]
                    deal.why_not(word, chance.randrange(game.seats))


def _ask_within_a_throw() -> None:
    deal = load("luk-fu").position({"hands": ["C2", "S2 S3 S4 K5", "C3"], "trick": ["0:T5+T6+T7"]})
    deal.act(deal.legal_actions()[1])
    for word in ("~S2+K5", "S2+S4", "~S4+K5"):
        deal.why_not(word)
