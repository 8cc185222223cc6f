"""After a deal one sentence says how it was decided, for every way in which a deal of a game can end.

Random deals are played until each way has been seen that random players reach; the others are set up as positions."""

import random
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import pytest

import tefuda
from tefuda.engine.texts import LANGUAGES, catalogue
from tefuda.games import description, names
from tefuda.table.deal import Deal
from tefuda.table.reasons import say_line

MOST_DEALS = 400
"""At each table; the rarest way that random players reach comes about once in some twenty deals."""

TABLES: dict[str, list[dict[str, Any]]] = {
    "kakkuri": [{"seats": 3}, {"seats": 2, "stalemate_turns": 1}],
    "ma-diao": [{"refusal_hands": "four_lowest+no_honours"}],
}
"""At which random players play; of the other games the usual one."""

POSITIONS: dict[str, dict[str, tuple[dict[str, Any], dict[str, Any], list[str]]]] = {
    "gong-zhu": {
        "all_hearts": (
            {},
            {"hands": ["HA", "H2", "H3", "H4"], "captured": ["H5 H6 H7 H8 H9 H10 HJ HQ HK SQ DJ C10", "", "", ""]},
            [],
        ),
        "pig": ({}, {"hands": ["SQ", "S2", "S3", "S4"]}, []),
        "sheep": ({}, {"hands": ["DJ", "D2", "D3", "D4"]}, []),
        "neither": ({}, {"hands": ["CA", "C2", "C3", "C4"]}, []),
    },
    "kakkuri": {
        "guri": (
            {"seats": 3},
            {"hands": ["SJ SK DK C5 H6 S7", "", ""], "field": "DQ", "to_move": 0},
            ["SJ", "SK", "DK", "C5", "H6", "S7"],
        ),
        "utazu": ({"seats": 3}, {"hands": ["SA HA DA C9 S9 D4", "", ""], "field": "S8", "to_move": 0}, ["utazu"]),
    },
    "luk-fu": {
        "tigers": ({}, {"hands": ["T1 K1 S1 C1 L", "C2", "C3"]}, ["tigers"]),
        "improper": ({}, {"tricks": [7, 3, 2], "dealt": ["T2 T3 T4 T5", "", ""], "declarer": 1}, []),
        "draw": ({}, {"tricks": [5, 4, 3]}, []),
    },
    "ma-diao": {"declared": ({}, {"hands": ["TM W9 S9 C0", "", "", ""], "phase": "declare"}, ["declare"])},
}
"""Of ways that random players hardly ever reach: options, position, the plays to make; then the first legal ones."""


@pytest.mark.parametrize("name", names())
def test_a_sentence_says_how_each_deal_was_decided(name: str) -> None:
    texts = catalogue(description(name).files.texts, "en")
    missing, positions = set(texts.under("outcome")), POSITIONS.get(name, {})
    for code, (options, fields, plays) in positions.items():
        deal = tefuda.load(name, **options).position(fields)
        for word in plays:
            deal.play(word)
        while not deal.over:
            deal.act(deal.legal_actions()[0])
        assert decided(deal) == code
        missing.discard(code)
    for deal in random_deals(name):
        missing.discard(decided(deal))
        if not missing:
            break
    assert not missing


def random_deals(name: str) -> Iterator[Deal]:
    """Deals in which every play is drawn, at each of a game's tables in turn."""
    for options in TABLES.get(name, [{}]):
        game = tefuda.load(name, **options)
        for seed in islice(count(), MOST_DEALS):
            deal, drawn = game.deal(seed), random.Random(seed)
            while not deal.over:
                deal.act(drawn.choice(deal.legal_actions()))
            yield deal


def decided(deal: Deal) -> str:
    """The way in which a deal has ended; its sentence is whole in every language, and so is each line of the sheet."""
    display, seats = deal.game.description.display, range(deal.game.seats)
    assert display.outcome is not None
    line, called = display.outcome(deal.state), [f"P{seat}" for seat in seats]
    for language in LANGUAGES:
        said = say_line(deal.game.description, line, language, called)
        assert said.endswith((".", "。"))
        assert not set("{}#@") & set(said)
        for seat in seats:
            sheet = [
                say_line(deal.game.description, each, language, called) for each in display.sheet(deal.state, seat)
            ]
            assert sheet
            assert not set("{}#@") & set("".join(sheet))
    return line.code.removeprefix("outcome.")
