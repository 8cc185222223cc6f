"""Gong Zhu: positions as scenario files write them, and what such files may expect of a state."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits, verbs
from tefuda.engine.positions import CardReader, PositionError, whole_number
from tefuda.games.gong_zhu import scoring
from tefuda.games.gong_zhu.rules import clear_table, play_card, suit_cards
from tefuda.games.gong_zhu.state import (
    CARD_WORDS,
    EXPOSABLE_CARDS,
    EXPOSING,
    OVER,
    PLAYING,
    SINGLE_ROUND,
    STATE,
    SUIT_LETTERS,
    SUITS,
)

FIELDS = ("hands", "dealer", "to_move", "captured", "exposed", "led", "trick", "totals", "phase")
FACTS = ("totals", "tricks", "next_leader", "next_dealer", "over")


def position(state: Any, fields: Mapping[str, Any]) -> None:
    """Set a moment of a deal in a state that has its options.

    Raises:
        PositionError: an unknown field, card, seat or suit, a card that stands twice, a trick that cannot be.
    """
    reader = CardReader(CARD_WORDS, int(scoring.deck_in_use(state)), int(state.seats))
    reader.known_fields(fields, FIELDS)
    clear_table(state)
    for seat, cards in enumerate(reader.per_seat(fields, "hands")):
        state.hands[seat], state.held[seat] = cards, bits.size(cards)
    for seat, cards in enumerate(reader.per_seat(fields, "captured")):
        state.won[seat] = cards
    taken = sum(bits.size(cards) for cards in state.won)
    # Any number of tricks, if something was played before: then this is not the first lead of the game (GZ-3).
    state.tricks = max(taken // int(state.seats), 1) if taken or fields.get("led") else 0
    for seat, points in enumerate(reader.numbers(fields, "totals")):
        state.totals[seat] = state.own_totals[seat] = points
    state.deals = 1 if any(state.totals) else 0
    if "dealer" in fields:
        reader.seat(fields["dealer"], "dealer")  # GZ-1: he has no role
    plays = reader.seated_plays(fields, "trick")
    _set_phase(state, fields, plays, reader)
    _set_led(state, fields.get("led", ""))
    _set_exposed(state, fields, reader)
    for place, (seat, word) in enumerate(plays):
        _lay(state, place, seat, reader.card(word, f"trick, seat {seat}"))
    if plays:
        _check_turn(fields, int(state.turn))


def arrange(state: Any, fields: Mapping[str, Any]) -> NDArray[np.int64] | None:
    """GZ-2: the deck that deals these hands, one card at a time from seat 0.

    Raises:
        PositionError: an unknown field, hands that are not the whole pack in equal parts.
    """
    reader = CardReader(CARD_WORDS, int(scoring.deck_in_use(state)), int(state.seats))
    reader.known_fields(fields, ("hands", "dealer"))
    if "dealer" in fields:
        reader.seat(fields["dealer"], "dealer")  # GZ-1: he has no role
    if "hands" not in fields:
        return None
    hands = [bits.members_of(cards) for cards in reader.per_seat(fields, "hands")]
    each = bits.size(scoring.deck_in_use(state)) // int(state.seats)
    for seat, cards in enumerate(hands):
        if len(cards) != each:
            raise PositionError(f"hands, seat {seat}: {len(cards)} cards instead of {each}")
    return np.array(hands, np.int64).T.ravel()


def _set_phase(state: Any, fields: Mapping[str, Any], plays: list[tuple[int, str]], reader: CardReader) -> None:
    phase = fields.get("phase", "play")
    if phase not in ("play", "expose"):
        raise PositionError(f"phase: {phase!r} is neither 'play' nor 'expose'")
    if phase == "expose" and (plays or any(fields.get("captured", ())) or fields.get("led")):
        raise PositionError("phase: no card has been played while exposing goes on")
    if phase == "expose" and not state.exposing:
        raise PositionError("phase: nobody exposes at a table with exposing=false")
    state.phase = EXPOSING if phase == "expose" else PLAYING
    first = plays[0][0] if plays else reader.seat(fields.get("to_move", 0), "to_move")
    state.turn = state.leads_first = first
    if phase == "play" and not plays and not any(state.held):
        state.phase = OVER


def _set_led(state: Any, letters: Any) -> None:
    if not isinstance(letters, str):
        raise PositionError(f"led: {letters!r} is not a word of the suits {SUIT_LETTERS}")
    for letter in letters:
        if letter not in SUIT_LETTERS:
            raise PositionError(f"led: {letter!r} is not one of the suits {SUIT_LETTERS}")
        state.led |= 1 << SUIT_LETTERS.index(letter)


def _set_exposed(state: Any, fields: Mapping[str, Any], reader: CardReader) -> None:
    cards = reader.named(fields.get("exposed", ""), "exposed")
    wrong = bits.without(cards, EXPOSABLE_CARDS)
    if wrong:
        raise PositionError(f"exposed: {CARD_WORDS[bits.lowest(wrong)]} cannot be exposed (GZ-5)")
    state.exposed = cards
    if cards and not state.exposing:
        raise PositionError("exposed: nobody exposes at a table with exposing=false")
    for seat in range(state.seats):
        state.shown[seat] = state.exposed_by[seat] = state.hands[seat] & cards
    if state.phase == EXPOSING and state.expose_order == SINGLE_ROUND:
        _count_answers(state)


def _count_answers(state: Any) -> None:
    """GZ-7, one round: who has a card exposed has answered, and so have all from the first of them up to the mover."""
    for answers in range(int(state.seats) - 1, 0, -1):
        leader = (state.turn - answers) % state.seats
        if state.shown[leader]:
            state.leads_first, state.answers = leader, answers
            return


def _lay(state: Any, place: int, seat: int, card: int) -> None:
    """One card of the trick in progress, which its player is taken to have held beside the hand that is given."""
    if seat != state.turn:
        raise PositionError(f"trick: seat {seat} plays out of turn; it is seat {int(state.turn)}'s")
    if place == state.seats - 1:
        raise PositionError("trick: it is complete; give the cards as captured")
    state.hands[seat] |= bits.only(card)
    state.held[seat] += 1
    state.exposed_by[seat] |= state.exposed & bits.only(card)
    play_card(state, card)
    for suit in range(SUITS):  # a hand that is given outweighs what the trick would tell of it
        if state.hands[seat] & suit_cards(suit):
            state.voids[seat] &= ~(1 << suit)


def _check_turn(fields: Mapping[str, Any], turn: int) -> None:
    if "to_move" in fields and whole_number(fields["to_move"], "to_move") != turn:
        raise PositionError(f"to_move: {fields['to_move']} contradicts the trick, after which seat {turn} plays")


def start_fault(state: Any) -> str | None:
    """What is wrong with a state before dealing, in one line; None if a deal can begin from it."""
    if not -1 <= state.leads_first < state.seats:
        return f"leads_first: there is no seat {state.leads_first}"
    if (state.leads_first < 0) != (state.deals == 0):
        return "leads_first: the pig's taker leads in every deal but the first (GZ-3, GZ-4)"
    if state.deals < 0 or state.finished:
        return "deals, finished: no deal follows this one"
    return None


def facts(state: Any) -> dict[str, Any]:
    """What a scenario may expect: totals now, whether the game is over; after the deal, who leads the next.

    Tricks are counted from the cards taken, so they are right only where a position names all of them.
    """
    totals = state.totals
    found: dict[str, Any] = {"over": False}
    if verbs.mover(state) < 0:
        following = np.zeros(1, STATE)
        verbs.next_deal(state, following[0])
        totals = following[0].totals
        found["next_leader"] = found["next_dealer"] = int(following[0].leads_first)
        found["over"] = bool(following[0].finished)
    found["totals"] = [int(points) for points in totals[: int(state.seats)]]
    found["tricks"] = [bits.size(state.won[seat]) // int(state.seats) for seat in range(state.seats)]
    return found
