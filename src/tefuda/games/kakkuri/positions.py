"""Kakkuri: positions as scenario files write them, and what such files may expect of a state."""

from collections.abc import Mapping

import numpy as np

from tefuda.engine.kit import NOBODY, Ints, bits, deck_of, session_facts, session_fault
from tefuda.engine.kit.positions import CardReader, Fields, PositionError, check_dealt, whole_number
from tefuda.games.kakkuri import box
from tefuda.games.kakkuri.plays import CARD_WORDS, CARDS, PACK, RANK_LETTERS, rank_of
from tefuda.games.kakkuri.rules import clear_table
from tefuda.games.kakkuri.scoring import pot
from tefuda.games.kakkuri.state import HAND, MOST_SEATS, Ending, Phase, State
from tefuda.games.kakkuri.turns import is_active, open_turn

FIELDS = (
    "hands", "dealer", "to_move", "field", "field_by", "raised", "box", "faceup", "played", "turn_played",
    "dropped", "forced_out", "sanzoku", "first_turn", "right", "right_first", "totals",
)  # fmt: skip
DEAL_FIELDS = ("hands", "box", "dealer", "winner")
FACTS = ("box", "pot", "totals", "next_dealer", "next_leader", "over")


def position(state: State, fields: Fields) -> None:
    """Set a moment of a deal in a state that has its options; ``PositionError`` for one that cannot be."""
    reader = CardReader(fields, FIELDS, CARD_WORDS, PACK, int(state.seats))
    clear_table(state)
    reader.fill(state, "hands", "dropped", "sanzoku", "played", raised="field_raised", first_turn="fresh")
    for seat, held in enumerate(state.held):
        if held > HAND:
            raise PositionError(f"hands, seat {seat}: {held} cards; nobody holds more than {HAND}")
    if "totals" in fields:
        reader.fill(state, "totals")
    state.dealer = state.due = state.first = reader.seat_of("dealer", 0)
    _set_players(state, reader)
    mover = reader.seat(fields.get("right", fields.get("to_move", int(state.dealer))), "to_move")
    given = fields.get("turn_played", 0)  # the number of cards that the mover has laid in this turn, or their names
    laid = whole_number(len(given.split()) if isinstance(given, str) else given, "turn_played", 0, HAND)
    _set_field(state, mover, reader)
    _set_box(state, reader)
    _set_moment(state, mover, laid, reader)


def _set_players(state: State, reader: CardReader) -> None:
    """KK-14, KK-18: who is in the deal, and who has played."""
    out = reader.seats("forced_out")
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
    if "played" not in reader.fields:
        state.played = bits.of(seat for seat in active if state.held[seat] < HAND)


def _set_field(state: State, mover: int, reader: CardReader) -> None:
    """KK-30, KK-42: the field card, its rank and who put it there; without one, no card fits."""
    given, by = reader.fields.get("field"), reader.fields.get("field_by")
    if isinstance(given, Mapping):
        if not set(given) <= {"rank", "by", "card"}:
            raise PositionError(f"field: {given!r} is not {{ rank, by }}")
        by = given.get("by", by)
        rank = str(given.get("rank"))
        if rank not in tuple(RANK_LETTERS):
            raise PositionError(f"field: {rank!r} is not a rank; ranks are {' '.join(RANK_LETTERS)}")
        state.rank = RANK_LETTERS.index(rank)
    elif given is not None and not isinstance(given, str):
        raise PositionError(f"field: {given!r} is not a card such as 'S8'")
    seat = reader.seat(by, "field_by") if by is not None else _likely_owner(state, mover, reader)
    state.field_by = state.lap_by = seat
    for card in bits.members_of(reader.placed(reader.fields.get("faceup", ""), "faceup")):
        box.put_on_table(state, card, seat)
    laid = reader.fields.get("turn_played")
    for word in laid.split() if isinstance(laid, str) else ():  # the field card may be the last of them
        if word != given:
            box.put_on_table(state, reader.card(word, "turn_played"), mover)
    if isinstance(given, str):
        card = reader.card(given, "field")
        box.put_on_table(state, card, seat)
        state.turned = bits.only(card) if state.field_raised else bits.EMPTY
        state.rank = rank_of(card)


def _likely_owner(state: State, mover: int, reader: CardReader) -> int:
    """The seat that put the field card there, if it is not said: the dealer raised it, or the last before the mover."""
    if "right_first" in reader.fields:
        return reader.seat_of("right_first", NOBODY)
    if state.field_raised:
        return int(state.dealer)
    if "right" in reader.fields or reader.fields.get("turn_played"):
        return mover
    before = ((mover - k) % int(state.seats) for k in range(1, state.seats + 1))
    return next(seat for seat in before if is_active(state, seat))


def _set_box(state: State, reader: CardReader) -> None:
    """KK-10: the cards named, the top first; so many of those that are nowhere else; or as after the first upcard."""
    fields = reader.fields
    box.draw_coming(state, box.draw_luck(state))
    if isinstance(fields.get("box"), str):
        named = [reader.card(word, "box") for word in reversed(str(fields["box"]).split())]
        state.box_size = len(named)
        state.box[: len(named)] = named
        return
    elsewhere = int(np.bitwise_or.reduce(np.array(state.hands))) | box.face_up(state)
    free = bits.members_of(bits.without(PACK, elsewhere))
    most = HAND - 1 if state.seats == MOST_SEATS else CARDS - HAND * int(state.seats) - 1
    size = whole_number(fields["box"], "box") if "box" in fields else min(most, len(free))
    if not 0 <= size <= len(free):
        raise PositionError(f"box: {size} cards; {len(free)} are named nowhere else")
    state.box[:size] = [int(card) for card in state.coming if int(card) in free][:size]
    state.box_size = size


def _set_moment(state: State, mover: int, laid: int, reader: CardReader) -> None:
    """Set whose turn it is, or who holds the right to raise; with no card in any hand the deal is over."""
    fields, right = reader.fields, "right" in reader.fields
    if right and fields.get("to_move", mover) != mover:
        raise PositionError(f"to_move: seat {mover} holds the right, so it acts (KK-43)")
    if not right and "right_first" in fields:
        raise PositionError("right_first: say who holds the right now: right (KK-43)")
    if not state.held.any():  # KK-48, KK-51: the mover has just laid the last card of the hand
        state.phase, state.winner = Phase.OVER, mover
        state.result = Ending.GURI if laid == HAND else Ending.OUT
        return
    if not is_active(state, mover):
        raise PositionError(f"to_move: seat {mover} is out of the deal (KK-29)")
    if right:
        state.right_first = reader.seat_of("right_first", mover)
        state.ceded = "right_first" in fields
    open_turn(state, mover, Phase.RIGHT if right else Phase.TURN)
    if laid:
        state.turn_cards, state.begun = laid, True
        state.played |= bits.only(mover)


def arrange(state: State, fields: Fields) -> Ints | None:
    """KK-9, KK-14: the deck that deals these hands and leaves this box, top first; who deals.

    ``PositionError`` for what cannot be dealt."""
    reader = CardReader(fields, DEAL_FIELDS, CARD_WORDS, PACK, int(state.seats))
    if "winner" in fields:  # KK-6: a later deal, which this seat is due to deal
        state.dealer, state.deals = reader.seat_of("winner", NOBODY), max(int(state.deals), 1)
    state.dealer = reader.seat_of("dealer", state.dealer)
    if "hands" not in fields:
        if "box" in fields:
            raise PositionError("box: give it together with hands")
        return None
    state.dealer = max(0, state.dealer)
    hands = reader.per_seat("hands")
    check_dealt(hands, HAND)
    lying = _box_cards(state, reader)
    first = (int(state.dealer) + 1) % int(state.seats)
    rest = bits.members_of(bits.without(PACK, bits.of(lying) | sum(hands)))
    return deck_of([*map(bits.members_of, hands[first:] + hands[:first])], HAND // 2, [*lying, *rest])


def _box_cards(state: State, reader: CardReader) -> list[int]:
    """The box as it is given, top first; of eight players it is the hand with C3, in this order (KK-14)."""
    given = reader.fields.get("box", [])
    words = given.split() if isinstance(given, str) else given
    if not isinstance(words, list):
        raise PositionError(f"box: {given!r} is not a list of cards, the top card first")
    if state.seats < MOST_SEATS:
        return [reader.card(str(word), "box") for word in words]
    cards = [bits.lowest(reader.named(str(word), "box")) for word in words]
    if cards:
        state.coming[:] = cards + [card for card in range(CARDS) if card not in cards]
    return []


def start_fault(state: State) -> str | None:
    """The fault of a state before dealing, in one line; None if a deal can begin from it."""
    return session_fault(state, "dealer", "KK-3, KK-6", end_rule="KK-53", counters_rule="KK-52")


def facts(state: State) -> dict[str, object]:
    """Facts that a scenario may expect: box, pot and counters now; the next dealer, and whether it ends."""
    following = session_facts(state, "dealer", ("next_dealer", "next_leader"))
    return {"box": int(state.box_size), "pot": int(pot(state)), **following}
