"""Kakkuri: what a position, a deal, an option or a word may not be is refused in a line that names it."""

from typing import Any

import pytest

from tefuda.engine.kit.positions import PositionError
from tefuda.engine.notation import NotationError
from tefuda.table.game import load
from tefuda.table.reasons import IllegalPlay
from tefuda.table.record import Record, RecordError

HANDS = ["S5 H5", "C7", "", "", ""]
FAULTS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"hand": HANDS}, "no field 'hand'; did you mean 'hands'"),
    ({"hands": ["S5"]}, "hands: give a list with one entry for each of the 5 seats"),
    ({"hands": ["S10", "", "", "", ""]}, "hands, seat 0: 'S10' is not a card of this pack"),
    ({"hands": ["S5", "S5", "", "", ""]}, "hands, seat 1: S5 is already somewhere else"),
    ({"hands": ["S2 S3 S4 S5 S6 S7 S8", "", "", "", ""]}, "hands, seat 0: 7 cards; nobody holds more than 6"),
    ({"hands": HANDS, "field": "S5"}, "field: S5 is already somewhere else"),
    ({"hands": HANDS, "field": 5}, "field: 5 is not a card"),
    ({"hands": HANDS, "field": {"rank": "10"}}, "field: '10' is not a rank"),
    ({"hands": HANDS, "field": {"rank": "8", "from": 2}}, "is not { rank, by }"),
    ({"hands": HANDS, "field_by": 5}, "field_by: there is no seat 5"),
    ({"hands": HANDS, "raised": 1}, "raised: 1 is neither true nor false"),
    ({"hands": HANDS, "box": 46}, "box: 46 cards; 45 are named nowhere else"),
    ({"hands": HANDS, "box": -1}, "box: -1 cards"),
    ({"hands": HANDS, "box": "S4 C7"}, "box: C7 is already somewhere else"),
    ({"hands": HANDS, "faceup": "S6 S5"}, "faceup: S5 is already somewhere else"),
    ({"hands": HANDS, "dropped": [0], "to_move": 0}, "to_move: seat 0 is out of the deal"),
    ({"hands": HANDS, "dropped": [0, 1, 2, 3, 4]}, "dropped: nobody is left in the deal"),
    ({"hands": HANDS, "forced_out": 2}, "forced_out: one of eight players"),
    ({"hands": HANDS, "right": 0, "to_move": 1}, "to_move: seat 0 holds the right"),
    ({"hands": HANDS, "right_first": 0}, "right_first: say who holds the right now"),
    ({"hands": HANDS, "turn_played": 7}, "turn_played: 7 is not from 0 to 6"),
)


@pytest.mark.parametrize(("fields", "fault"), FAULTS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_position_that_cannot_be_is_refused(fields: dict[str, Any], fault: str) -> None:
    with pytest.raises(PositionError) as caught:
        load("kakkuri").position(fields)
    assert fault in str(caught.value)


def test_a_player_forced_out_has_not_dropped() -> None:
    with pytest.raises(PositionError, match="dropped: seat 3 is forced out"):
        load("kakkuri", 8).position({"hands": ["S5", *[""] * 7], "forced_out": 3, "dropped": [3]})


@pytest.mark.parametrize(
    ("hands", "fields", "fault"),
    [
        (["S2 S3", "S5 S6"], {}, "hands, seat 0: 2 cards instead of 6"),
        (["S2 S3 S4 S5 S6 S7", "H2 H3 H4 H5 H6 H7"], {"box": ["S2"]}, "box: S2 is already somewhere else"),
        (["S2 S3 S4 S5 S6 S7", "H2 H3 H4 H5 H6 H7"], {"box": 4}, "box: 4 is not a list of cards"),
        (["S2 S3 S4 S5 S6 S7", "H2 H3 H4 H5 H6 H7"], {"winner": 2}, "winner: there is no seat 2"),
        (None, {"box": ["S2"]}, "box: give it together with hands"),
    ],
)
def test_hands_and_a_box_that_cannot_be_dealt_are_refused(
    hands: list[str] | None, fields: dict[str, Any], fault: str
) -> None:  # fmt: skip
    with pytest.raises(PositionError, match=fault):
        load("kakkuri", 2).deal(1, hands=hands, fields=fields)


@pytest.mark.parametrize("word", ["S10", "", "S5+", "end+drop", "CA=10", "raise:S5", "~S5"])
def test_a_word_that_is_no_play_is_refused(word: str) -> None:
    with pytest.raises(NotationError):
        load("kakkuri").position({"hands": HANDS, "field": "S4"}).play(word)


@pytest.mark.parametrize(
    ("word", "rule"), [("S5+S5", "KK-30"), ("S5+H5+C7", "KK-30"), ("H5=6", "KK-40"), ("S5+H5", "KK-32")]
)
def test_cards_that_are_no_step_are_refused_with_their_rule(word: str, rule: str) -> None:
    deal = load("kakkuri").position({"hands": HANDS, "field": "S4"})
    with pytest.raises(IllegalPlay) as caught:
        deal.play(word)
    assert caught.value.reason.rule == rule
    assert deal.history == []


@pytest.mark.parametrize(
    ("before", "fault"),
    [
        ('{"dealer": 5}', "dealer: there is no seat 5"),
        ('{"deals": 2}', "dealer: only before the first deal"),
        ('{"deals": 12, "dealer": 0}', "no deal follows this one"),
        ('{"totals": [21, 20, 20, 20, 20, 0, 0, 0]}', "totals: 101 counters in all, 100 at the start"),
    ],
)
def test_a_record_that_begins_from_what_cannot_be_is_refused(before: str, fault: str) -> None:
    text = load("kakkuri").deal(3).record().replace('"before": {}', f'"before": {before}')
    with pytest.raises(RecordError, match=fault):
        Record.parse(text).replay()
