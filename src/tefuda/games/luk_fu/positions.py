"""Luk Fu: positions as scenario files write them, and what such files may expect of a state."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits, verbs
from tefuda.engine.kit.positions import CardReader, PositionError, whole_number
from tefuda.games.luk_fu.combinations import can_beat
from tefuda.games.luk_fu.notation import NO_ACTION, NOTATION, card_list, joined, split
from tefuda.games.luk_fu.old_cards import SIX, old_in_hand
from tefuda.games.luk_fu.rules import ACTIVE, NOBODY, clear_table, next_active, play_cards, seat_players, throw_card
from tefuda.games.luk_fu.state import (
    CARD_WORDS,
    CARDS,
    DECIDING,
    HAND,
    LEADING,
    OVER,
    RANKS,
    STATE,
    SUIT_LETTERS,
)

FIELDS = (
    "hands", "dealer", "to_move", "eldest", "declarer", "dealt", "faceup", "thrown", "won", "tricks", "trick", "bounds",
    "opening", "captured", "decide", "sitter_card", "reached",
)  # fmt: skip
FACTS = ("totals", "tricks", "old", "next_leader", "next_dealer", "over")


def position(state: Any, fields: Mapping[str, Any]) -> None:
    """Set a moment of a deal in a state that has its options.

    Raises:
        PositionError: an unknown field, card, seat or suit, a card that stands twice, a trick that cannot be.
    """
    reader = _reader(state)
    reader.known_fields(fields, FIELDS)
    clear_table(state)
    _set_seats(state, fields, reader)
    for seat, cards in enumerate(reader.per_seat(fields, "hands")):
        _only_active(state, seat, cards, "hands")
        state.hands[seat], state.held[seat] = cards, bits.size(cards)
    _set_earlier(state, fields, reader)
    _set_tricks(state, fields, reader)
    _set_bounds(state, fields.get("bounds", {}), reader)
    _set_sitter_card(state, fields, reader)
    _set_dealt(state, fields, reader)
    _set_moment(state, fields, reader)


def _reader(state: Any) -> CardReader:
    return CardReader(CARD_WORDS, bits.span(0, CARDS), int(state.seats))


def _only_active(state: Any, seat: int, cards: int, field: str) -> None:
    if cards and seat == state.sitter:
        raise PositionError(f"{field}: seat {seat} sits out and holds one card only: give it as sitter_card (LF-6)")


def _set_seats(state: Any, fields: Mapping[str, Any], reader: CardReader) -> None:
    """LF-7: of dealer and eldest, each follows from the other."""
    across = 0 if state.seats == ACTIVE else 2
    state.dealer = (reader.seat(fields.get("eldest", 0), "eldest") - across) % state.seats
    if "dealer" in fields:
        dealer = reader.seat(fields["dealer"], "dealer")
        if "eldest" in fields and dealer != state.dealer:
            raise PositionError(f"dealer: with eldest {fields['eldest']} seat {state.dealer} has dealt (LF-7)")
        state.dealer = dealer
    seat_players(state)
    usual = 0 if state.sitter != 0 else int(state.eldest)
    state.declarer = reader.seat(fields.get("declarer", usual), "declarer")
    if state.declarer == state.sitter:
        raise PositionError(f"declarer: seat {state.declarer} sits out (LF-6)")
    state.answers = active_order(state).index(int(state.declarer)) + 1


def _set_earlier(state: Any, fields: Mapping[str, Any], reader: CardReader) -> None:
    """Cards played before: face up, face down, won, captured."""
    state.faceup = reader.placed(fields.get("faceup", ""), "faceup")
    for seat, cards in enumerate(reader.per_seat(fields, "thrown")):
        _only_active(state, seat, cards, "thrown")
        state.discards[seat] = cards
    for seat, cards in enumerate(reader.per_seat(fields, "won")):
        _only_active(state, seat, cards, "won")
        state.won[seat] = cards
        state.faceup |= cards
        state.tricks[seat] = bits.size(cards)
    if "captured" in fields:
        texts = fields["captured"]
        if not isinstance(texts, list) or len(texts) != state.seats:
            raise PositionError(f"captured: give a list with one entry for each of the {state.seats} seats")
        for seat, text in enumerate(texts):
            state.captured[seat] = reader.named(text, f"captured, seat {seat}")


def _set_tricks(state: Any, fields: Mapping[str, Any], reader: CardReader) -> None:
    """LF-38, LF-42: tricks per seat, and who got to six last."""
    if "tricks" in fields:
        for seat, tricks in enumerate(reader.numbers(fields, "tricks")):
            if not 0 <= tricks <= HAND:
                raise PositionError(f"tricks: {tricks} is not from 0 to {HAND}")
            state.tricks[seat] = tricks
    at_six = [seat for seat in range(state.seats) if state.tricks[seat] >= SIX]
    reached = fields.get("reached", at_six)
    if not isinstance(reached, list) or sorted(reader.seat(seat, "reached") for seat in reached) != at_six:
        raise PositionError(f"reached: {reached!r} is not an order of the seats that have six tricks: {at_six}")
    if len(at_six) > 1 and "reached" not in fields:
        raise PositionError("reached: two seats have six tricks; say who reached them first and who last (LF-43)")
    state.last_to_six = reached[-1] if reached else NOBODY


def _set_bounds(state: Any, bounds: Any, reader: CardReader) -> None:
    """LF-25."""
    if not isinstance(bounds, Mapping) or not all(isinstance(suits, Mapping) for suits in bounds.values()):
        raise PositionError(f"bounds: {bounds!r} is not a table such as {{ 1 = {{ K = 8 }} }}")
    for word, suits in bounds.items():
        if not str(word).isdecimal():
            raise PositionError(f"bounds: {word!r} is not a seat")
        seat = reader.seat(int(word), "bounds")
        for letter, rank in suits.items():
            if letter not in tuple(SUIT_LETTERS):
                raise PositionError(f"bounds: {letter!r} is not one of the suits {' '.join(SUIT_LETTERS)}")
            if not 1 <= whole_number(rank, "bounds") <= RANKS:
                raise PositionError(f"bounds: {rank} is not a rank from 1 to {RANKS}")
            state.bounds[seat, SUIT_LETTERS.index(letter)] = rank


def _set_sitter_card(state: Any, fields: Mapping[str, Any], reader: CardReader) -> None:
    """LF-6."""
    if "sitter_card" in fields:
        if state.sitter == NOBODY:
            raise PositionError("sitter_card: nobody sits out with three players (LF-6)")
        state.sitter_card[state.sitter] = bits.of([reader.card(str(fields["sitter_card"]), "sitter_card")])


def _set_dealt(state: Any, fields: Mapping[str, Any], reader: CardReader) -> None:
    """What was dealt, where it matters; the hand by default."""
    texts = fields.get("dealt", [""] * int(state.seats))
    if not isinstance(texts, list) or len(texts) != state.seats:
        raise PositionError(f"dealt: give a list with one entry for each of the {state.seats} seats")
    for seat, text in enumerate(texts):
        cards = reader.named(text, f"dealt, seat {seat}")
        _only_active(state, seat, cards, "dealt")
        state.dealt[seat] = cards | state.hands[seat]


def _set_moment(state: Any, fields: Mapping[str, Any], reader: CardReader) -> None:
    """Whose turn it is, and the trick in progress."""
    plays = reader.seated_plays(fields, "trick")
    opening = _switch(fields, "opening")
    state.opening = 1 if opening else 0
    first = plays[0][0] if plays else reader.seat(fields.get("to_move", int(state.eldest)), "to_move")
    if first == state.sitter:
        raise PositionError(f"to_move: seat {first} sits out (LF-6)")
    if opening and first != state.eldest:
        raise PositionError(f"opening: eldest, seat {state.eldest}, makes the first lead (LF-12)")
    state.phase, state.turn = LEADING, first
    state.leader = state.first_leader = first
    for number, (seat, word) in enumerate(plays):
        _lay(state, number, seat, word, reader)
    if plays and "to_move" in fields and whole_number(fields["to_move"], "to_move") != state.turn:
        raise PositionError(f"to_move: {fields['to_move']} contradicts the trick, after which seat {state.turn} plays")
    if _switch(fields, "decide"):
        if plays or state.tricks[first] < SIX:
            raise PositionError("decide: only a player with six tricks decides, and between tricks (LF-41)")
        state.phase = DECIDING
    elif not plays and not any(state.held):
        state.phase = OVER
        if state.sitter != NOBODY and state.last_to_six != NOBODY:
            state.turned_up, state.sitter_card[state.sitter] = state.sitter_card[state.sitter], bits.EMPTY


def _switch(fields: Mapping[str, Any], name: str) -> bool:
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise PositionError(f"{name}: {value!r} is neither true nor false")
    return value


def _lay(state: Any, number: int, seat: int, word: str, reader: CardReader) -> None:
    """One play of the trick in progress, whose cards its player is taken to have held beside the hand that is given."""
    if seat != state.turn:
        raise PositionError(f"trick: seat {seat} plays out of turn; it is seat {int(state.turn)}'s")
    if number == ACTIVE - 1:
        raise PositionError("trick: it is complete; give the cards as faceup, won and thrown")
    down, cards = split(word)
    reader.placed(card_list(cards), f"trick, seat {seat}")
    state.hands[seat] |= cards
    state.held[seat] += bits.size(cards)
    state.dealt[seat] |= cards
    action = NOTATION.actions(state, word)[0]
    if action == NO_ACTION or (number > 0 and bits.size(cards) != state.led_count):
        raise PositionError(f"trick: {word!r} of seat {seat} is no play here (LF-14, LF-29)")
    if number > 0 and not down and not can_beat(state, cards, int(state.best), int(state.led_count)):
        raise PositionError(f"trick: {word} of seat {seat} does not beat {joined(state.best)} (LF-30)")
    if not down:
        play_cards(state, cards)
        return
    for card in bits.members_of(cards):
        throw_card(state, card)


def active_order(state: Any) -> list[int]:
    """LF-8: the active seats, eldest first."""
    order = [int(state.eldest)]
    while len(order) < ACTIVE:
        order.append(int(next_active(state, order[-1])))
    return order


def arrange(state: Any, fields: Mapping[str, Any]) -> NDArray[np.int64] | None:
    """LF-5, LF-6: the dealer, and the deck that deals these hands, one card at a time from eldest.

    Raises:
        PositionError: an unknown field, hands that are not twelve cards each.
    """
    reader = _reader(state)
    reader.known_fields(fields, ("hands", "dealer", "sitter_card"))
    if "dealer" in fields:
        state.dealer = reader.seat(fields["dealer"], "dealer")
    if "hands" not in fields:
        if "sitter_card" in fields:
            raise PositionError("sitter_card: give it with the hands")
        return None
    hands = reader.per_seat(fields, "hands")
    if state.dealer == NOBODY:
        state.dealer = hands.index(0) if state.seats > ACTIVE and 0 in hands else 0
    seat_players(state)
    state.sitter_card[:] = bits.EMPTY  # that of the deal before is still there
    _set_sitter_card(state, fields, reader)
    return _deck(state, hands)


def _deck(state: Any, hands: list[int]) -> NDArray[np.int64]:
    for seat, cards in enumerate(hands):
        wanted = 0 if seat == state.sitter else HAND
        if bits.size(cards) != wanted:
            raise PositionError(f"hands, seat {seat}: {bits.size(cards)} cards instead of {wanted}")
    dealt = np.array([bits.members_of(hands[seat]) for seat in active_order(state)], np.int64).T.ravel()
    last = bits.without(bits.span(0, CARDS), sum(hands))
    given = state.sitter_card[state.sitter] if state.sitter != NOBODY else bits.EMPTY
    if given not in (bits.EMPTY, last):
        raise PositionError(f"sitter_card: the hands leave {card_list(last)}")
    if state.sitter != NOBODY:
        state.sitter_card[state.sitter] = bits.EMPTY
    return np.array([*dealt, bits.lowest(last)], np.int64)


def start_fault(state: Any) -> str | None:
    """What is wrong with a state before dealing, in one line; None if a deal can begin from it."""
    if not -1 <= state.dealer < state.seats:
        return f"dealer: there is no seat {state.dealer}"
    if state.dealer < 0 and state.deals > 0:
        return "dealer: only before the first deal is there none (LF-3)"
    if state.deals < 0 or state.finished or state.deals >= state.session_deals:
        return "deals, finished: no deal follows this one"
    return None


def facts(state: Any) -> dict[str, Any]:
    """What a scenario may expect: totals and tricks now, the mover's old cards; after the deal, who deals the next."""
    totals = state.totals
    found: dict[str, Any] = {"over": False}
    mover = int(verbs.mover(state))
    if mover < 0:
        following = np.zeros(1, STATE)
        verbs.next_deal(state, following[0])
        totals = following[0].totals
        dealer = int(following[0].dealer)
        found["next_dealer"] = dealer
        found["next_leader"] = dealer if state.seats == ACTIVE else (dealer + 2) % int(state.seats)
        found["over"] = bool(following[0].finished)
    else:
        found["old"] = card_list(int(old_in_hand(state, mover))).split()
    found["totals"] = [int(chips) for chips in totals[: int(state.seats)]]
    found["tricks"] = [int(tricks) for tricks in state.tricks[: int(state.seats)]]
    return found
