"""Sap Ng Wu: what a position, a deal, an option or a word may not be is refused in a line that names it."""

from typing import Any

import pytest

from tefuda.engine.kit.positions import PositionError
from tefuda.engine.notation import NotationError
from tefuda.table.game import load
from tefuda.table.reasons import IllegalPlay
from tefuda.table.record import Record, RecordError

HANDS = ["66", "15", "16"]
FAULTS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"hand": HANDS}, "no field 'hand'; did you mean 'hands'"),
    ({"hands": ["66", "15"]}, "hands: give a list with one entry for each of the 3 seats"),
    ({"hands": [66, "15", "16"]}, "hands, seat 0: 66 is not a list of cards"),
    ({"hands": ["77", "15", "16"]}, "hands, seat 0: '77' is not a card of this pack"),
    ({"hands": ["66 66 66", "66", ""], "won": ["66", "", ""]}, "won, seat 0: 66 stands 1 times more than it exists"),
    ({"hands": HANDS, "supreme": ["12", "", ""]}, "supreme, seat 0: 12 is not a 12 and a 24 at least"),
    ({"hands": HANDS, "supreme": ["12 24 34", "", ""]}, "supreme, seat 0"),
    ({"hands": HANDS, "declined": [6, 0, 0]}, "declined: 6 is not a level"),
    ({"hands": HANDS, "dealer": 3}, "dealer: there is no seat 3"),
    ({"hands": HANDS, "to_move": "x"}, "to_move: 'x' is not a whole number"),
    ({"hands": ["66", "", "16"], "to_move": 1}, "to_move: seat 1 has no cards to lead"),
    ({"hands": HANDS, "decide": 1}, "decide: 1 is neither true nor false"),
    ({"hands": HANDS, "phase": "lay"}, "phase: 'lay' is neither 'play' nor 'supreme'"),
    ({"hands": HANDS, "phase": "supreme", "contest": ["0:11"]}, "phase: nothing has been played"),
    ({"hands": HANDS, "phase": "supreme", "decide": True}, "decide: seat 0 may not stop now"),
    ({"hands": HANDS, "phase": "supreme", "dealer": 0, "supreme": ["", "12 24", ""]}, "supreme, seat 1: not asked yet"),
    ({"hands": HANDS, "contest": "0:11"}, "contest: '0:11' is not a list of plays"),
    ({"hands": HANDS, "contest": ["11"]}, "contest: '11' is not written as seat:play, such as '1:SQ'"),
    ({"hands": HANDS, "contest": ["0:11", "2:66"]}, "contest: seat 2 plays 66 out of turn; it is seat 1's"),
    ({"hands": HANDS, "contest": ["0:11", "1:44"]}, "contest: seat 1's 44 does not beat 11"),
    ({"hands": HANDS, "contest": ["0:45+36"]}, "contest, seat 0: 45+36 is no play of a contest"),
    ({"hands": HANDS, "contest": ["0:stop"]}, "contest, seat 0: stop is no play of a contest"),
    ({"hands": HANDS, "contest": ["0:pass"]}, "contest: seat 0 leads and cannot pass"),
    ({"hands": HANDS, "contest": ["0:12+24"]}, "contest: it is over"),
    ({"hands": HANDS, "contest": ["0:11"], "to_move": 2}, "to_move: 2 contradicts the contest"),
    ({"hands": HANDS, "contest": ["0:11"], "decide": True}, "decide: nobody decides"),
)


@pytest.mark.parametrize(("fields", "fault"), FAULTS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_position_that_cannot_be_is_refused(fields: dict[str, Any], fault: str) -> None:
    with pytest.raises(PositionError) as caught:
        load("sap-ng-wu").position(fields)
    assert str(caught.value).startswith(fault) or fault in str(caught.value)


def test_hands_must_be_the_pack_in_equal_parts() -> None:
    with pytest.raises(PositionError, match="hands, seat 0: 1 cards instead of 28"):
        load("sap-ng-wu").deal(hands=["66", "15", "16"])


def test_a_deck_must_be_the_pack() -> None:
    game = load("sap-ng-wu")
    deck = game.write_deck(game.pack).split()
    with pytest.raises(PositionError, match="66 stands 5 times"):
        game.deal(deck=" ".join(["66", *deck[:-1]]))
    assert game.deal(deck=" ".join(deck), chance=0).deck is not None


@pytest.mark.parametrize("word", ["77", "6", "", "66+", "supreme:", "supreme:none+12", "lay:12+24", "stop+on", "S4"])
def test_a_word_that_is_no_play_is_refused(word: str) -> None:
    with pytest.raises(NotationError):
        load("sap-ng-wu").position({"hands": HANDS}).play(word)


@pytest.mark.parametrize("word", ["45+36", "36+45", "12+12+24+34", "supreme:66", "15+15+15+15+15"])
def test_a_group_that_is_no_play_is_refused_with_its_rule(word: str) -> None:
    """SN-5, SN-11."""
    deal = load("sap-ng-wu").position({"hands": HANDS})
    with pytest.raises(IllegalPlay) as caught:
        deal.play(word)
    assert caught.value.reason.rule == ("SN-5" if ":" in word else "SN-11")
    assert deal.history == []


@pytest.mark.parametrize(
    ("before", "fault"),
    [
        ('{"dealer": 3}', "dealer: there is no seat 3"),
        ('{"deals": 2}', "dealer: in every deal but the first"),
        ('{"deals": 12, "dealer": 0}', "no deal follows this one"),
        ('{"totals": [101, 100, 100, 100]}', "totals: 301 counters in all, 300 at the start"),
    ],
)
def test_a_record_that_begins_from_what_cannot_be_is_refused(before: str, fault: str) -> None:
    text = load("sap-ng-wu").deal(3).record().replace('"before": {}', f'"before": {before}')
    with pytest.raises(RecordError, match=fault):
        Record.parse(text).replay()
