"""What games share: tables of plays, dealing in packets, clearing a deal, fields of a position by what they hold."""

from typing import Any

import numpy as np
import pytest
from numba import from_dtype

from tefuda.engine import bits
from tefuda.engine.kit import NOBODY, PlayTable, SessionState, clear_deal, deal_packets, deck_of
from tefuda.engine.kit.folder import IncompleteGameError, describe
from tefuda.engine.kit.kept import CardSet, Copies, PerSeat, SeatNumber, SeatSet, Series, Small
from tefuda.engine.kit.positions import CardReader, CopyReader, PositionError
from tefuda.engine.kit.state import field, option

WORDS = ("A", "B", "C", "D", "E", "F")


class Game(SessionState, most_seats=3):
    """A moment of a small game."""

    __slots__ = ()

    joker: bool = option(True, "XX-1")
    dealer: SeatNumber = field("seat", carried=True, start=NOBODY)
    hands: PerSeat[CardSet] = field("cards held")
    held: PerSeat[Small] = field("how many")
    best: SeatNumber = field("seat", start=NOBODY)
    bounds: PerSeat[Series[Small]] = field("ranks", length=2, start=9)
    out: SeatSet = field("seats")
    done: bool = field("1: over")


class Copied(SessionState, most_seats=2):
    """The same with cards that exist several times."""

    __slots__ = ()

    hands: PerSeat[Series[Copies]] = field("cards held", length=3)
    held: PerSeat[Small] = field("how many")


def moment(of: Any, seats: int) -> Any:
    state = np.zeros(1, of.RECORD)
    state["seats"] = seats
    return state[0]


def test_plays_are_numbered_in_their_order_with_words_and_cards() -> None:
    table = PlayTable(WORDS, order=lambda card: -card)
    singles = table.add([card] for card in range(3))
    pairs = table.add([[0, 1], [1, 1]], "down:{}")
    passing, stopping = table.say("pass", "stop")
    assert (singles, pairs, passing, stopping) == (0, 3, 5, 6)
    assert table.words == ["A", "B", "C", "down:B+A", "down:B+B", "pass", "stop"]
    assert table.sizes.tolist() == [1, 1, 1, 2, 2, 0, 0]
    assert table.sets.tolist() == [1, 2, 4, 3, 2, 0, 0]
    with pytest.raises(ValueError, match="read-only"):
        table.sizes[0] = 2


@pytest.mark.parametrize(("packet", "first"), [(1, 0), (2, 1)])
def test_a_deck_deals_the_hands_that_it_was_made_of(packet: int, first: int) -> None:
    hands = [[0, 3], [1, 4], [2, 5]]
    state = moment(Game, 3)
    deal_packets(state, deck_of(hands[first:] + hands[:first], packet, [])[:6], first, packet)
    assert [bits.members_of(int(hand)) for hand in state.hands] == hands
    assert state.held.tolist() == [2, 2, 2]


def test_a_deal_is_cleared_to_what_its_fields_begin_with() -> None:
    state = moment(Game, 3)
    state.joker, state.dealer, state.hands[1], state.best, state.bounds[0, 1], state.done = 1, 2, 5, 2, 3, True
    clear_deal(state)
    assert (state.joker, state.dealer, state.seats) == (1, 2, 3)
    assert (state.hands.tolist(), state.best, state.done) == ([0, 0, 0], NOBODY, 0)
    assert state.bounds.tolist() == [[9, 9]] * 3


def test_fields_are_filled_by_what_they_hold() -> None:
    fields = {"hands": ["A B", "", "C"], "over": True, "gone": [0, 2], "best": 1, "totals": [3, -1, 0]}
    state = moment(Game, 3)
    reader = CardReader(fields, tuple(fields), WORDS, int(bits.span(0, 6)), 3)
    reader.fill(state, "hands", "best", "totals", over="done", gone="out")
    assert (state.hands.tolist(), state.held.tolist()) == ([3, 0, 4], [2, 0, 1])
    assert (state.best, state.done, state.out, state.totals.tolist()) == (1, 1, 5, [3, -1, 0])


def test_copies_are_filled_as_counts() -> None:
    state = moment(Copied, 2)
    reader = CopyReader({"hands": ["A A", "C"]}, ("hands",), WORDS[:3], np.array([0, 0, 1, 2]), 2)
    reader.fill(state, "hands")
    assert (state.hands.tolist(), state.held.tolist()) == ([[2, 0, 0], [0, 0, 1]], [2, 1])
    assert reader.left.tolist() == [0, 1, 0]


def test_a_trick_is_read_play_by_play() -> None:
    state = moment(Game, 3)
    reader = CardReader({"to_move": 2}, ("to_move",), WORDS, int(bits.span(0, 6)), 3)
    taken = []
    for seat, word in reader.in_turn("trick", [(0, "A"), (1, "B")], state, 2, "it as won"):
        taken.append((seat, word))
        state.turn += 1
    assert taken == [(0, "A"), (1, "B")]
    with pytest.raises(PositionError, match="trick: seat 0 plays out of turn; it is seat 2's"):
        list(reader.in_turn("trick", [(0, "A")], state, 2, "it as won"))


def test_games_with_the_same_fields_have_records_of_their_own() -> None:
    class One(SessionState, most_seats=2):
        __slots__ = ()

    class Other(SessionState, most_seats=2):
        __slots__ = ()

    assert One.RECORD.names == Other.RECORD.names
    assert One.RECORD != Other.RECORD
    assert from_dtype(One.RECORD) != from_dtype(Other.RECORD)


def test_a_game_without_phases_has_to_say_who_moves(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "no_mover"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "state.py").write_text(
        "from tefuda.engine.kit import SessionState\n"
        "CARD_WORDS = ACTION_WORDS = ('A', 'B')\nACTIONS = 2\n"
        "class State(SessionState, most_seats=2):\n    __slots__ = ()\n",
        encoding="utf-8",
    )
    for name in ("rules", "worlds", "hints"):
        (folder / f"{name}.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(IncompleteGameError, match=r"no_mover: rules\.py has no version of mover"):
        describe("no_mover", rule_prefix="NM", seats=(2,))
