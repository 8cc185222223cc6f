"""Leduc poker: deals and positions as scenario files write them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leduc_poker.notation import NOTATION
from leduc_poker.rules import apply, deal
from leduc_poker.state import CARD_WORDS, CARDS, State
from tefuda.engine import bits
from tefuda.engine.kit.positions import CardReader, PositionError, check_dealt, check_in_turn
from tefuda.engine.kit.session import session_facts, session_fault

FACTS = ("totals", "next_leader", "next_dealer", "over", "stakes")


def arrange(state: State, fields: Mapping[str, Any]) -> NDArray[np.int64] | None:
    """LP-2: the deck that deals these hands, and the card in the middle (``board``).

    Raises:
        PositionError: an unknown field, a hand that is not one card, a card that stands twice.
    """
    reader = CardReader(CARD_WORDS, bits.span(0, CARDS), int(state.seats))
    reader.known_fields(fields, ("hands", "board", "dealer"))
    if "hands" not in fields:
        return None
    hands = [bits.members_of(cards) for cards in reader.per_seat(fields, "hands")]
    check_dealt([len(cards) for cards in hands], 1)
    board = [reader.card(fields["board"], "board")] if "board" in fields else []
    dealt = [*hands[0], *hands[1], *board]
    return np.array([*dealt, *(card for card in range(CARDS) if card not in dealt)], np.int64)


def position(state: State, fields: Mapping[str, Any]) -> None:
    """A moment of a deal: ``hands``, ``board``, and the plays that led to it (``trick``).

    Raises:
        PositionError: as ``arrange``; a play of the wrong seat.
    """
    reader = CardReader(CARD_WORDS, bits.span(0, CARDS), int(state.seats))
    plays = reader.seated_plays(fields, "trick")
    deck = arrange(state, {key: value for key, value in fields.items() if key not in ("trick", "to_move")})
    if deck is None:
        raise PositionError("hands: give each player a card, such as ['SK', 'HQ']")
    state.first = reader.first_to_act(fields, plays, 0)
    deal(state, deck)
    for seat, word in plays:
        check_in_turn(seat, state.turn, "trick")
        apply(state, NOTATION.actions(state, word)[0])


def start_fault(state: State) -> str | None:
    """LP-3, LP-10: what is wrong with a state before dealing."""
    return session_fault(state, "first", "LP-3", most_deals=int(state.session_deals))


def facts(state: State) -> dict[str, Any]:
    """What a scenario may expect."""
    return {**session_facts(state, "first"), "stakes": [int(chips) for chips in state.stakes]}
