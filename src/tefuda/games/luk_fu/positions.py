"""Luk Fu: positions as scenario files write them, and what such files may expect of a state."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits, verbs
from tefuda.engine.kit.positions import CardReader, PositionError, check_dealt, check_in_turn, whole_number
from tefuda.engine.kit.session import NOBODY, session_facts, session_fault
from tefuda.engine.notation import NO_ACTION
from tefuda.games.luk_fu import rules
from tefuda.games.luk_fu.cards import CARD_WORDS, HAND, PACK, RANKS, SUIT_LETTERS
from tefuda.games.luk_fu.plays import WINNING_TRICKS, can_beat, old_in_hand
from tefuda.games.luk_fu.rules import ACTIVE, clear_table, eldest_of, end_deal, seat_players, seats_in_turn
from tefuda.games.luk_fu.state import Phase, State
from tefuda.games.luk_fu.words import actions_of, card_list, joined, split

FIELDS = (
    "hands", "dealer", "to_move", "eldest", "declarer", "dealt", "faceup", "thrown", "won", "tricks", "trick", "bounds",
    "opening", "captured", "decide", "sitter_card", "reached",
)  # fmt: skip
FACTS = ("totals", "tricks", "old", "next_leader", "next_dealer", "over")

Fields = Mapping[str, Any]


def position(state: State, fields: Fields) -> None:
    """Set a moment of a deal in a state that has its options.

    Raises:
        PositionError: an unknown field, card, seat or suit, a card that stands twice, a trick that cannot be.
    """
    reader = _reader(state, fields, FIELDS)
    clear_table(state)
    _set_seats(state, fields, reader)
    reader.set_hands(fields, state)
    _set_earlier(state, fields, reader)
    _set_tricks(state, fields, reader)
    _set_bounds(state, fields.get("bounds", {}), reader)
    if "sitter_card" in fields:
        state.sitter_card[state.sitter] = _sitter_card(state, fields, reader)
    state.dealt[:] = state.hands
    for seat, cards in enumerate(reader.named_per_seat(fields, "dealt")):
        state.dealt[seat] |= cards
    _check_sitter(state)
    _set_moment(state, fields, reader)


def _reader(state: State, fields: Fields, known: tuple[str, ...]) -> CardReader:
    reader = CardReader(CARD_WORDS, PACK, int(state.seats))
    reader.known_fields(fields, known)
    return reader


def _set_seats(state: State, fields: Fields, reader: CardReader) -> None:
    """LF-7: of dealer and eldest, each follows from the other."""
    dealer = int(eldest_of(state, reader.seat_of(fields, "eldest", 0)))  # the dealer sits where eldest sits from there
    state.dealer = reader.seat_of(fields, "dealer", dealer)
    if "eldest" in fields and state.dealer != dealer:
        raise PositionError(f"dealer: with eldest {fields['eldest']} seat {dealer} has dealt (LF-7)")
    seat_players(state)
    state.declarer = reader.seat_of(fields, "declarer", 0 if state.sitter != 0 else state.eldest)
    if state.declarer == state.sitter:
        raise PositionError(f"declarer: seat {state.declarer} sits out (LF-6)")
    state.answers = seats_in_turn(state, state.eldest).index(int(state.declarer)) + 1


def _set_earlier(state: State, fields: Fields, reader: CardReader) -> None:
    """Cards played before: face up, face down, won, captured."""
    state.faceup = reader.placed(fields.get("faceup", ""), "faceup")
    for seat, cards in enumerate(reader.per_seat(fields, "thrown")):
        state.discards[seat] = cards
    for seat, cards in enumerate(reader.per_seat(fields, "won")):
        state.won[seat] = cards
        state.faceup |= cards
        state.tricks[seat] = bits.size(cards)
    for seat, cards in enumerate(reader.named_per_seat(fields, "captured")):
        state.captured[seat] = cards


def _check_sitter(state: State) -> None:
    """LF-6."""
    seat = int(state.sitter)
    given = {"hands": state.hands, "thrown": state.discards, "won": state.won, "dealt": state.dealt}
    for field, cards in given.items():
        if seat != NOBODY and cards[seat]:
            raise PositionError(f"{field}: seat {seat} sits out and holds one card only: give it as sitter_card (LF-6)")


def _set_tricks(state: State, fields: Fields, reader: CardReader) -> None:
    """LF-38, LF-42: tricks per seat, and who got to six last."""
    for seat, tricks in enumerate(reader.numbers(fields, "tricks") if "tricks" in fields else ()):
        if not 0 <= tricks <= HAND:
            raise PositionError(f"tricks: {tricks} is not from 0 to {HAND}")
        state.tricks[seat] = tricks
    at_six = [seat for seat in range(state.seats) if state.tricks[seat] >= WINNING_TRICKS]
    reached = fields.get("reached", at_six)
    if not isinstance(reached, list) or sorted(reader.seat(seat, "reached") for seat in reached) != at_six:
        raise PositionError(f"reached: {reached!r} is not an order of the seats that have six tricks: {at_six}")
    if len(at_six) > 1 and "reached" not in fields:
        raise PositionError("reached: two seats have six tricks; say who reached them first and who last (LF-43)")
    state.last_to_six = reached[-1] if reached else NOBODY


def _set_bounds(state: State, bounds: Any, reader: CardReader) -> None:
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


def _sitter_card(state: State, fields: Fields, reader: CardReader) -> int:
    """LF-6: as a set."""
    if state.sitter == NOBODY:
        raise PositionError("sitter_card: nobody sits out with three players (LF-6)")
    return bits.of([reader.card(str(fields["sitter_card"]), "sitter_card")])


def _set_moment(state: State, fields: Fields, reader: CardReader) -> None:
    """Whose turn it is, and the trick in progress."""
    plays = reader.seated_plays(fields, "trick")
    state.opening = reader.switch(fields, "opening")
    first = reader.first_to_act(fields, plays, state.eldest)
    if first == state.sitter:
        raise PositionError(f"to_move: seat {first} sits out (LF-6)")
    if state.opening and first != state.eldest:
        raise PositionError(f"opening: eldest, seat {state.eldest}, makes the first lead (LF-12)")
    state.phase = Phase.LEADING
    state.turn = state.leader = state.first_leader = first
    for number, (seat, word) in enumerate(plays):
        _lay(state, number, seat, word, reader)
    if plays:
        reader.check_turn(fields, state.turn, "trick")
    if reader.switch(fields, "decide"):
        if plays or state.tricks[first] < WINNING_TRICKS:
            raise PositionError("decide: only a player with six tricks decides, and between tricks (LF-41)")
        state.phase = Phase.DECIDING
    elif not plays and not state.held.any():
        end_deal(state, False)


def _lay(state: State, number: int, seat: int, word: str, reader: CardReader) -> None:
    """One play of the trick in progress, whose cards its player is taken to have held beside the hand that is given."""
    check_in_turn(seat, state.turn, "trick")
    if number == ACTIVE - 1:
        raise PositionError("trick: it is complete; give the cards as faceup, won and thrown")
    down, cards = split(word)
    reader.placed(card_list(cards), f"trick, seat {seat}")
    state.hands[seat] |= cards
    state.held[seat] += bits.size(cards)
    state.dealt[seat] |= cards
    if actions_of(state, word)[0] == NO_ACTION or (number > 0 and bits.size(cards) != state.led_count):
        raise PositionError(f"trick: {word!r} of seat {seat} is no play here (LF-14, LF-29)")
    if number > 0 and not down and not can_beat(state, cards, state.best, state.led_count):
        raise PositionError(f"trick: {word} of seat {seat} does not beat {joined(state.best)} (LF-30)")
    if not down:
        rules.play_cards(state, cards)
        return
    for card in bits.members_of(cards):
        rules.throw_card(state, card)


def arrange(state: State, fields: Fields) -> NDArray[np.int64] | None:
    """LF-5, LF-6: the dealer, and the deck that deals these hands, one card at a time from eldest.

    Raises:
        PositionError: an unknown field, hands that are not twelve cards each.
    """
    reader = _reader(state, fields, ("hands", "dealer", "sitter_card"))
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
    given = _sitter_card(state, fields, reader) if "sitter_card" in fields else bits.EMPTY
    check_dealt([bits.size(cards) for cards in hands], HAND, none_to=state.sitter)
    last = bits.without(PACK, sum(hands))
    if given not in (bits.EMPTY, last):
        raise PositionError(f"sitter_card: the hands leave {card_list(last)}")
    dealt = np.array([bits.members_of(hands[seat]) for seat in seats_in_turn(state, state.eldest)], np.int64)
    return np.array([*dealt.T.ravel(), bits.lowest(last)], np.int64)


def start_fault(state: State) -> str | None:
    """What is wrong with a state before dealing, in one line; None if a deal can begin from it."""
    return session_fault(state, "dealer", "LF-3", most_deals=int(state.session_deals), end_rule="LF-56")


def facts(state: State) -> dict[str, Any]:
    """What a scenario may expect: totals and tricks now, the mover's old cards; after the deal, who deals the next."""
    found = session_facts(state, "dealer", ("next_dealer", "next_leader"))
    mover = int(verbs.mover(state))
    if mover == NOBODY:
        found["next_leader"] = int(eldest_of(state, found["next_dealer"]))
    else:
        found["old"] = card_list(int(old_in_hand(state, mover))).split()
    return {**found, "tricks": [int(tricks) for tricks in state.tricks[: int(state.seats)]]}
