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
    for seat, points in enumerate(reader.numbers(fields, "totals")):
        state.totals[seat] = state.own_totals[seat] = points
    if "dealer" in fields:
        reader.seat(fields["dealer"], "dealer")  # GZ-1: he has no role
    plays = [reader.seated_play(text) for text in fields.get("trick", ())]
    _set_phase(state, fields, plays, reader)
    _set_led(state, fields.get("led", ""))
    _set_exposed(state, str(fields.get("exposed", "")), reader, plays)
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
    if phase == "expose" and not state.exposing:
        raise PositionError("phase: nobody exposes at a table with exposing=false")
    state.phase = EXPOSING if phase == "expose" else PLAYING
    first = plays[0][0] if plays else reader.seat(fields.get("to_move", 0), "to_move")
    state.turn = state.leads_first = first
    if phase == "play" and not plays and not any(state.held):
        state.phase = OVER


def _set_led(state: Any, letters: str) -> None:
    for letter in letters:
        if letter not in SUIT_LETTERS:
            raise PositionError(f"led: {letter!r} is not one of the suits {SUIT_LETTERS}")
        state.led |= 1 << SUIT_LETTERS.index(letter)


def _set_exposed(state: Any, text: str, reader: CardReader, plays: list[tuple[int, str]]) -> None:
    cards = reader.named(text, "exposed")
    wrong = bits.without(cards, EXPOSABLE_CARDS)
    if wrong:
        raise PositionError(f"exposed: {CARD_WORDS[bits.lowest(wrong)]} cannot be exposed (GZ-5)")
    state.exposed = cards
    for seat in range(state.seats):
        state.shown[seat] = state.hands[seat] & cards


def _lay(state: Any, place: int, seat: int, card: int) -> None:
    """One card of the trick in progress, which its player is taken to have held beside the hand that is given."""
    if seat != state.turn:
        raise PositionError(f"trick: seat {seat} plays out of turn; it is seat {int(state.turn)}'s")
    if place == state.seats - 1:
        raise PositionError("trick: it is complete; give the cards as captured")
    state.hands[seat] |= bits.only(card)
    state.held[seat] += 1
    play_card(state, card)
    for suit in range(SUITS):  # a hand that is given outweighs what the trick would tell of it
        if state.hands[seat] & suit_cards(suit):
            state.voids[seat] &= ~(1 << suit)


def _check_turn(fields: Mapping[str, Any], turn: int) -> None:
    if "to_move" in fields and whole_number(fields["to_move"], "to_move") != turn:
        raise PositionError(f"to_move: {fields['to_move']} contradicts the trick, after which seat {turn} plays")


def facts(state: Any) -> dict[str, Any]:
    """What a scenario may expect: totals now; once the deal is over, who leads the next and whether the game is over."""
    totals = state.totals
    found: dict[str, Any] = {}
    if verbs.mover(state) < 0:
        following = np.zeros(1, STATE)
        verbs.next_deal(state, following[0])
        totals = following[0].totals
        found["next_leader"] = found["next_dealer"] = int(following[0].leads_first)
        found["over"] = bool(following[0].finished)
    found["totals"] = [int(points) for points in totals[: int(state.seats)]]
    found["tricks"] = [bits.size(state.won[seat]) // int(state.seats) for seat in range(state.seats)]
    return found

