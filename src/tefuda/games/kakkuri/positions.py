"""Kakkuri: positions as scenario files write them, and what such files may expect of a state."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits
from tefuda.engine.kit.positions import CardReader, PositionError, check_dealt, whole_number
from tefuda.engine.kit.session import NOBODY, session_facts, session_fault
from tefuda.games.kakkuri import box
from tefuda.games.kakkuri.plays import CARD_WORDS, CARDS, PACK, RANK_LETTERS, rank_of
from tefuda.games.kakkuri.rules import clear_table
from tefuda.games.kakkuri.scoring import pot
from tefuda.games.kakkuri.state import HAND, MOST_SEATS, Ending, Phase, State
from tefuda.games.kakkuri.turns import is_active, open_turn

FIELDS = (
    "hands", "dealer", "to_move", "field", "field_by", "raised", "box", "played", "turn_played", "dropped",
    "forced_out", "sanzoku", "first_turn", "right", "right_first", "totals",
)  # fmt: skip
DEAL_FIELDS = ("hands", "box", "dealer", "winner")
FACTS = ("box", "pot", "totals", "next_dealer", "next_leader", "over")

Fields = Mapping[str, Any]


def position(state: State, fields: Fields) -> None:
    """Set a moment of a deal in a state that has its options.

    Raises:
        PositionError: an unknown field, card or seat, a card that stands twice, seats that cannot be where they are.
    """
    reader = CardReader(CARD_WORDS, PACK, int(state.seats))
    reader.known_fields(fields, FIELDS)
    clear_table(state)
    reader.set_hands(fields, state)
    for seat, held in enumerate(state.held):
        if held > HAND:
            raise PositionError(f"hands, seat {seat}: {held} cards; nobody holds more than {HAND}")
    if "totals" in fields:
        state.totals[: state.seats] = reader.numbers(fields, "totals")
    state.dealer = state.due = state.first = reader.seat_of(fields, "dealer", 0)
    _set_players(state, fields, reader)
    mover = reader.seat(fields.get("right", fields.get("to_move", int(state.dealer))), "to_move")
    _set_field(state, fields, mover, reader)
    _set_box(state, fields)
    _set_moment(state, fields, mover, reader)


def _seats(fields: Fields, field: str, reader: CardReader) -> int:
    """A field that lists seats, as a set; one seat may stand without a list."""
    given = fields.get(field, [])
    return bits.of(reader.seat(seat, field) for seat in (given if isinstance(given, list) else [given]))


def _set_players(state: State, fields: Fields, reader: CardReader) -> None:
    """KK-14, KK-18: who is in the deal, who has played, whose first turn is still to come."""
    state.dropped = _seats(fields, "dropped", reader)
    out = _seats(fields, "forced_out", reader)
    if bits.size(out) > 1 or (out and state.seats < MOST_SEATS):
        raise PositionError("forced_out: one of eight players, nobody with fewer (KK-14)")
    if out:
        state.forced_out = bits.lowest(out)
        state.gathered[state.forced_out] = 0
    if out & state.dropped:
        raise PositionError(f"dropped: seat {state.forced_out} is forced out (KK-21)")
    active = [seat for seat in range(state.seats) if is_active(state, seat)]
    if not active:
        raise PositionError("dropped: nobody is left in the deal")
    state.sanzoku = _seats(fields, "sanzoku", reader)
    state.fresh = _seats(fields, "first_turn", reader)
    fewer = bits.of(seat for seat in active if state.held[seat] < HAND)
    state.played = _seats(fields, "played", reader) if "played" in fields else fewer


def _set_field(state: State, fields: Fields, mover: int, reader: CardReader) -> None:
    """KK-30, KK-42: the field card, its rank and who put it there; without one, no card fits."""
    given, by = fields.get("field"), fields.get("field_by")
    if isinstance(given, Mapping):
        if not set(given) <= {"rank", "by", "card"}:
            raise PositionError(f"field: {given!r} is not {{ rank, by }}")
        by = given.get("by", by)
        rank = str(given.get("rank"))
        if rank not in tuple(RANK_LETTERS):
            raise PositionError(f"field: {rank!r} is not a rank; ranks are {' '.join(RANK_LETTERS)}")
        state.rank = RANK_LETTERS.index(rank)
    state.field_raised = reader.switch(fields, "raised")
    seat = reader.seat(by, "field_by") if by is not None else _likely_owner(state, fields, mover, reader)
    state.field_by = state.lap_by = seat
    for card in _laid_before(fields, reader):
        box.put_on_table(state, card, mover)
    if isinstance(given, str):
        card = reader.card(given, "field")
        box.put_on_table(state, card, seat)
        state.turned = bits.only(card) if state.field_raised else bits.EMPTY
        state.rank = rank_of(card)
    elif given is not None and not isinstance(given, Mapping):
        raise PositionError(f"field: {given!r} is not a card such as 'S8'")


def _laid_before(fields: Fields, reader: CardReader) -> list[int]:
    """What turn_played names, if it names cards, but for the field card, which may be the last of them."""
    given, field = fields.get("turn_played"), fields.get("field")
    if not isinstance(given, str):
        return []
    return [reader.card(word, "turn_played") for word in given.split() if word != field]


def _laid_in_turn(fields: Fields) -> int:
    """How many cards the mover has laid in this turn; turn_played gives the number, or names them."""
    given = fields.get("turn_played", 0)
    laid = len(given.split()) if isinstance(given, str) else whole_number(given, "turn_played")
    if not 0 <= laid <= HAND:
        raise PositionError(f"turn_played: {laid} is not from 0 to {HAND}")
    return laid


def _likely_owner(state: State, fields: Fields, mover: int, reader: CardReader) -> int:
    """Who put the field card there, if that is not said: the dealer raised it, or the last before the mover."""
    if "right_first" in fields:
        return reader.seat(fields["right_first"], "right_first")
    if fields.get("raised"):
        return int(state.dealer)
    if "right" in fields or fields.get("turn_played"):
        return mover
    before = ((mover - k) % int(state.seats) for k in range(1, state.seats + 1))
    return next(seat for seat in before if is_active(state, seat))


def _set_box(state: State, fields: Fields) -> None:
    """KK-10: so many of the cards that are nowhere else, or what the box has after the first upcard."""
    elsewhere = int(np.bitwise_or.reduce(np.array(state.hands))) | box.face_up(state)
    free = bits.members_of(bits.without(PACK, elsewhere))
    most = HAND - 1 if state.seats == MOST_SEATS else CARDS - HAND * int(state.seats) - 1
    size = whole_number(fields["box"], "box") if "box" in fields else min(most, len(free))
    if not 0 <= size <= len(free):
        raise PositionError(f"box: {size} cards; {len(free)} are named nowhere else")
    box.draw_coming(state, box.draw_luck(state))
    lying = [int(card) for card in state.coming if int(card) in free][:size]
    state.box[:size], state.box_size = lying, size


def _set_moment(state: State, fields: Fields, mover: int, reader: CardReader) -> None:
    """Whose turn it is, or who holds the right to raise; with no card in any hand the deal is over."""
    right = "right" in fields
    if right and fields.get("to_move", mover) != mover:
        raise PositionError(f"to_move: seat {mover} holds the right, so it acts (KK-43)")
    if not right and "right_first" in fields:
        raise PositionError("right_first: say who holds the right now: right (KK-43)")
    laid = _laid_in_turn(fields)
    if not state.held.any():  # KK-48, KK-51: the mover has just laid the last card of the hand
        state.phase, state.winner = Phase.OVER, mover
        state.result = Ending.GURI if laid == HAND else Ending.OUT
        return
    if not is_active(state, mover):
        raise PositionError(f"to_move: seat {mover} is out of the deal (KK-29)")
    if right:
        state.right_first = reader.seat_of(fields, "right_first", mover)
        state.ceded = "right_first" in fields
    open_turn(state, mover, Phase.RIGHT if right else Phase.TURN)
    if laid:
        state.turn_cards, state.begun = laid, True
        state.played |= bits.only(mover)


def arrange(state: State, fields: Fields) -> NDArray[np.int64] | None:
    """KK-9, KK-14: the deck that deals these hands and leaves this box, top first; who deals.

    Raises:
        PositionError: an unknown field, hands or a box that cannot be dealt.
    """
    reader = CardReader(CARD_WORDS, PACK, int(state.seats))
    reader.known_fields(fields, DEAL_FIELDS)
    if "winner" in fields:  # KK-6: a later deal, which this seat is due to deal
        state.dealer, state.deals = reader.seat(fields["winner"], "winner"), max(int(state.deals), 1)
    if "dealer" in fields:
        state.dealer = reader.seat(fields["dealer"], "dealer")
    if "hands" not in fields:
        if "box" in fields:
            raise PositionError("box: give it together with hands")
        return None
    if state.dealer == NOBODY:
        state.dealer = 0
    hands = reader.per_seat(fields, "hands")
    check_dealt([bits.size(cards) for cards in hands], HAND)
    return _deck(state, hands, _box_cards(state, fields, reader))


def _box_cards(state: State, fields: Fields, reader: CardReader) -> list[int]:
    """The box as it is given, top first; of eight players it is the hand with C3, in this order (KK-14)."""
    given = fields.get("box", [])
    words = given.split() if isinstance(given, str) else given
    if not isinstance(words, list):
        raise PositionError(f"box: {given!r} is not a list of cards, the top card first")
    if state.seats < MOST_SEATS:
        return [reader.card(str(word), "box") for word in words]
    cards = [bits.lowest(reader.named(str(word), "box")) for word in words]
    if cards:
        state.coming[:] = cards + [card for card in range(CARDS) if card not in cards]
    return []


def _deck(state: State, hands: list[int], lying: list[int]) -> NDArray[np.int64]:
    """The hands in two rounds of three cards each from the dealer's right on, then the box, then the rest."""
    seats, half = int(state.seats), HAND // 2
    cards = [bits.members_of(hands[(int(state.dealer) + 1 + k) % seats]) for k in range(seats)]
    dealt = [card for part in (slice(half), slice(half, HAND)) for hand in cards for card in hand[part]]
    rest = [card for card in range(CARDS) if card not in dealt and card not in lying]
    return np.array([*dealt, *lying, *rest], np.int64)


def start_fault(state: State) -> str | None:
    """What is wrong with a state before dealing, in one line; None if a deal can begin from it."""
    return session_fault(
        state,
        "dealer",
        "KK-3, KK-6",
        most_deals=int(state.session_deals),
        end_rule="KK-53",
        counters=int(state.start_counters),
        counters_rule="KK-52",
    )


def facts(state: State) -> dict[str, Any]:
    """What a scenario may expect: box, pot and counters now; after the deal, who deals next and whether it ends."""
    return {
        "box": int(state.box_size),
        "pot": int(pot(state)),
        **session_facts(state, "dealer", ("next_dealer", "next_leader")),
    }
