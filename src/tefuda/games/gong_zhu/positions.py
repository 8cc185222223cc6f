"""Gong Zhu: positions as scenario files write them, and what such files may expect of a state."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits
from tefuda.engine.kit.french import CARD_WORDS, SUIT_LETTERS, SUITS, suit_cards
from tefuda.engine.kit.positions import CardReader, PositionError, check_dealt, check_in_turn
from tefuda.engine.kit.session import NOBODY, session_facts, session_fault
from tefuda.games.gong_zhu.cards import EXPOSABLE_CARDS
from tefuda.games.gong_zhu.rules import clear_table, play_card
from tefuda.games.gong_zhu.scoring import deck_in_use, hand_size
from tefuda.games.gong_zhu.state import ExposeOrder, Phase, State

FIELDS = ("hands", "dealer", "to_move", "captured", "exposed", "led", "trick", "totals", "phase")
FACTS = ("totals", "tricks", "next_leader", "next_dealer", "over")

Fields = Mapping[str, Any]


def position(state: State, fields: Fields) -> None:
    """Set a moment of a deal in a state that has its options.

    Raises:
        PositionError: an unknown field, card, seat or suit, a card that stands twice, a trick that cannot be.
    """
    reader = _reader(state, fields, FIELDS)
    clear_table(state)
    reader.set_hands(fields, state)
    for seat, cards in enumerate(reader.per_seat(fields, "captured")):
        state.won[seat] = cards
    taken = sum(bits.size(cards) for cards in state.won)
    # Any number of tricks, if something was played before: then this is not the first lead of the game (GZ-3).
    state.tricks = max(taken // int(state.seats), 1) if taken or fields.get("led") else 0
    for seat, points in enumerate(reader.numbers(fields, "totals")):
        state.totals[seat] = state.own_totals[seat] = points
    state.deals = 1 if state.totals.any() else 0
    plays = reader.seated_plays(fields, "trick")
    _set_phase(state, fields, plays, reader)
    _set_led(state, fields.get("led", ""))
    _set_exposed(state, fields, reader)
    for place, (seat, word) in enumerate(plays):
        _lay(state, place, seat, reader.card(word, f"trick, seat {seat}"))
    if plays:
        reader.check_turn(fields, state.turn, "trick")


def _reader(state: State, fields: Fields, known: tuple[str, ...]) -> CardReader:
    reader = CardReader(CARD_WORDS, int(deck_in_use(state)), int(state.seats))
    reader.known_fields(fields, known)
    reader.seat_of(fields, "dealer", 0)  # GZ-1: nobody, but a file may name one
    return reader


def arrange(state: State, fields: Fields) -> NDArray[np.int64] | None:
    """GZ-2: the deck that deals these hands, one card at a time from seat 0.

    Raises:
        PositionError: an unknown field, hands that are not what is dealt of the pack in equal parts.
    """
    reader = _reader(state, fields, ("hands", "dealer"))
    if "hands" not in fields:
        return None
    hands = [bits.members_of(cards) for cards in reader.per_seat(fields, "hands")]
    check_dealt([len(cards) for cards in hands], int(hand_size(state)))
    dealt = np.array(hands, np.int64).T.ravel()
    aside = bits.without(int(deck_in_use(state)), bits.of(dealt.tolist()))
    return np.append(dealt, np.array(bits.members_of(aside), np.int64))


def _set_phase(state: State, fields: Fields, plays: list[tuple[int, str]], reader: CardReader) -> None:
    state.phase = reader.word(fields, "phase", {"play": Phase.PLAYING, "expose": Phase.EXPOSING})
    if fields.get("phase") == "expose":
        if plays or any(fields.get("captured", ())) or fields.get("led"):
            raise PositionError("phase: no card has been played while exposing goes on")
        if not state.exposing:
            raise PositionError("phase: nobody exposes at a table with exposing=false")
    elif not plays and not state.held.any():
        state.phase = Phase.OVER
    state.turn = state.leads_first = reader.first_to_act(fields, plays, 0)


def _set_led(state: State, letters: Any) -> None:
    if not isinstance(letters, str):
        raise PositionError(f"led: {letters!r} is not a word of the suits {SUIT_LETTERS}")
    for letter in letters:
        if letter not in SUIT_LETTERS:
            raise PositionError(f"led: {letter!r} is not one of the suits {SUIT_LETTERS}")
        state.led |= 1 << SUIT_LETTERS.index(letter)


def _set_exposed(state: State, fields: Fields, reader: CardReader) -> None:
    """GZ-5: cards held, played to the trick or captured."""
    cards = reader.named(fields.get("exposed", ""), "exposed")
    wrong = bits.without(cards, EXPOSABLE_CARDS)
    if wrong:
        raise PositionError(f"exposed: {CARD_WORDS[bits.lowest(wrong)]} cannot be exposed (GZ-5)")
    state.exposed = cards
    if cards and not state.exposing:
        raise PositionError("exposed: nobody exposes at a table with exposing=false")
    for seat in range(state.seats):
        state.shown[seat] = state.exposed_by[seat] = state.hands[seat] & cards
    if state.phase == Phase.EXPOSING and state.expose_order == ExposeOrder.SINGLE_ROUND:
        _count_answers(state)


def _count_answers(state: State) -> None:
    """GZ-7, one round: who has a card exposed has answered, and so have all from the first of them up to the mover."""
    for answers in range(int(state.seats) - 1, 0, -1):
        leader = (state.turn - answers) % state.seats
        if state.shown[leader]:
            state.leads_first, state.answers = leader, answers
            return


def _lay(state: State, place: int, seat: int, card: int) -> None:
    """One card of the trick in progress, which its player is taken to have held beside the hand that is given."""
    check_in_turn(seat, state.turn, "trick")
    if place == state.seats - 1:
        raise PositionError("trick: it is complete; give the cards as captured")
    state.hands[seat] |= bits.only(card)
    state.held[seat] += 1
    state.exposed_by[seat] |= state.exposed & bits.only(card)
    play_card(state, card)
    for suit in range(SUITS):  # a hand that is given outweighs what the trick would tell of it
        if state.hands[seat] & suit_cards(suit):
            state.voids[seat] &= ~(1 << suit)


def start_fault(state: State) -> str | None:
    """What is wrong with a state before dealing, in one line; None if a deal can begin from it."""
    fault = session_fault(state, "leads_first", "GZ-3, GZ-4", most_deals=int(state.session_deals), end_rule="GZ-24")
    if fault is None and state.leads_first != NOBODY and state.deals == 0:
        return "leads_first: the pig's taker leads in every deal but the first (GZ-3, GZ-4)"
    return fault


def facts(state: State) -> dict[str, Any]:
    """What a scenario may expect: totals now, whether the game is over; after the deal, who leads the next.

    Tricks are counted from the cards taken, so they are right only where a position names all of them.
    """
    tricks = [bits.size(state.won[seat]) // int(state.seats) for seat in range(state.seats)]
    return {**session_facts(state, "leads_first"), "tricks": tricks}
