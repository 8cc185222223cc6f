"""Parts of a game that does not write its own: small games need no positions.py, no words.py and no sheet."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.description import Fields, Pack
from tefuda.engine.kit.positions import CardReader, PositionError
from tefuda.engine.kit.session import NOBODY, SessionState, received_by, session_facts
from tefuda.engine.kit.words import sheet_line
from tefuda.engine.notation import OneActionNotation
from tefuda.engine.raw import copy
from tefuda.engine.record import Ints, Rng
from tefuda.engine.sentence import Sentence


def given(words: Sequence[str], pack: Pack) -> dict[str, object]:
    """Stand-ins for names that a game does not give; ``words`` are those of its cards."""
    setup = {"start_fault": start_fault, "arrange": arrange(words, pack), "position": position}
    return {**setup, "facts": facts, "FACTS": ("totals", "over"), "sheet": sheet, "FEATURES": (), "INCIDENTS": ()}


def mover_until(over: int) -> Callable[[SessionState], int]:
    """``mover`` of a game whose last phase is that the deal is over: the seat on turn."""

    def mover(state: SessionState) -> int:
        return NOBODY if state.phase == over else state.turn

    return mover


def lowest(actions: int) -> Callable[..., int]:
    """``advise``: the first of the legal actions, of so many that there are."""

    def advise(state: SessionState, rng: Rng) -> int:
        out = np.empty(actions, np.int64)
        verbs.legal(state, out)
        return out[0]

    return advise


def notation(words: Sequence[str]) -> OneActionNotation:
    """The notation of plays that are one action each, by the actions' words."""
    return OneActionNotation(words, example=", ".join(words))


def arrange(
    words: Sequence[str], pack: Pack, known: Sequence[str] = ("hands",)
) -> Callable[[SessionState, Fields], Ints | None]:
    """The function that makes a deal from given hands: it finds the deck that deals them.

    A card of a hand goes to a place in the deck from which that seat is dealt to, in whatever order the game deals. The
    cards that are dealt to no hand keep the order of the pack.

    Args:
        words: of the cards, by number; each card exists once.
        pack: the card numbers of the pack, for a state.
        known: the fields that may be given; ``dealer`` is a seat, and the state's if it has such a field.
    """
    return partial(_deck, words, pack, known)


def _deck(words: Sequence[str], pack: Pack, known: Sequence[str], state: SessionState, fields: Fields) -> Ints | None:
    """The deck, None if no hands are given; ``PositionError`` for hands that are not what is dealt."""
    cards, seats = pack(state), int(state.seats)
    reader = CardReader(fields, known, words, bits.of(cards.tolist()), seats)
    dealer = reader.seat_of("dealer", NOBODY)
    if dealer != NOBODY and hasattr(state, "dealer"):
        state["dealer"] = dealer
    if "hands" not in fields:
        return None
    if np.ndim(state["hands"]) != 1:
        raise PositionError("hands: this game reads no hands; give the order of the whole pack as deck")
    hands = [bits.members_of(hand) for hand in reader.per_seat("hands")]
    holders = _holders(state, cards)
    for seat, hand in enumerate(hands):
        if len(hand) != holders.count(seat):
            raise PositionError(f"hands, seat {seat}: {len(hand)} cards instead of {holders.count(seat)}")
    left = [iter(hand) for hand in hands]
    left.append(iter([card for card in cards.tolist() if not any(card in hand for hand in hands)]))
    deck = np.array([next(left[holder]) for holder in holders], np.int64)
    if _holders(state, deck) != holders:
        raise PositionError("hands: here the cards decide who is dealt what; give the order of the whole pack as deck")
    return deck


def _holders(state: SessionState, deck: Ints) -> list[int]:
    """The seat that is dealt each card of a deck, in its order; −1 for a card that is dealt to nobody."""
    dealt = np.zeros(1, state.dtype)[0]
    copy(state, dealt)
    verbs.deal(dealt, deck)
    seats = range(int(state.seats))
    return [next((seat for seat in seats if bits.has(dealt.hands[seat], card)), NOBODY) for card in deck.tolist()]


def position(state: SessionState, fields: Fields) -> None:
    """Refuse a position with a ``PositionError``: a moment is reached by plays from a deal."""
    raise PositionError("position: this game has none; give a deal, and the moves that lead to the moment")


def start_fault(state: SessionState) -> str | None:
    """The fault of a state before dealing, in one line; None if a deal can begin from it."""
    return "deals, finished: no deal follows this one" if state.deals < 0 or state.finished else None


def facts(state: SessionState) -> dict[str, object]:
    """Totals now, and whether the session is over."""
    return session_facts(state, "turn", ())


def sheet(state: SessionState, seat: int) -> list[Sentence]:
    """The payoff, in one line: ``sheet.received`` of the game's catalogue."""
    return [sheet_line("received", received_by(state)[seat])]
