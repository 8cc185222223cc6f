"""Fields that every game's state begins with, dealing, and what a deal hands to the next."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.kit.kept import PerSeat, SeatNumber
from tefuda.engine.kit.state import AnyType, DeclaredRecord, field, option
from tefuda.engine.raw import copy
from tefuda.engine.record import EVERYTHING, AnyState, Ints, Rng, StateRecord
from tefuda.engine.rng import below
from tefuda.engine.verbs import rule

NOBODY = -1  #: no seat, no card

MOST_DEALS, MOST_DEALS_AT_TABLE = 1_000_000, 1_000
"""Deals of a session: as many as a simulation can want, and as many as people can play to the end."""


def deals_of_session(usual: int, rule: str, least: int = 1) -> AnyType:
    """The option that says after how many deals a session is over; 0, where it is allowed: something else ends it."""
    return option(
        usual, rule, least=least, most=MOST_DEALS, most_at_table=MOST_DEALS_AT_TABLE, comment="deals of a session"
    )


class SessionState(DeclaredRecord):
    """The fields of every game; a game declares those anew of which it has more to say."""

    __slots__ = ()

    viewer: SeatNumber  # these three are COMMON: they come first in every record
    seats: int
    chance: int
    totals: PerSeat[int] = field("points from earlier deals", carried=True)
    deals: int = field("deals finished before this one", carried=True)
    finished: bool = field("1: the session is over, no deal follows", carried=True)
    phase: int = field("what is asked of the seat on turn")
    turn: SeatNumber = field("seat that acts, until the deal is over")


@rule
def next_seat(s: SessionState, seat: int) -> int:
    """The neighbour who plays next: at the right, since play goes counter-clockwise; see ``Scene.clockwise``."""
    return seat + 1 if seat + 1 < s.seats else 0


@rule
def deal_packets(s: AnyState, deck: Ints, first: int, packet: int) -> None:
    """All these cards in packets of so many, the first to this seat; ``hands`` are sets, ``held`` counts them."""
    seat, left = first, packet
    for card in deck:
        if left == 0:
            seat, left = next_seat(s, seat), packet
        s.hands[seat] |= bits.only(card)
        s.held[seat] += 1
        left -= 1


def deck_of(hands: Sequence[Sequence[int]], packet: int = 1, rest: Sequence[int] = ()) -> Ints:
    """The deck that deals these hands (equally many card numbers each, in the order in which they are dealt) in packets
    of so many cards, the first of them to the first hand; ``rest`` come after them."""
    rounds = (hand[begin : begin + packet] for begin in range(0, len(hands[0]), packet) for hand in hands)
    return np.array([*chain.from_iterable(rounds), *rest], np.int64)


@rule
def hand_on(state: SessionState, following: SessionState) -> None:
    """Begin ``next_deal``: everything copied, the payoff added to the totals, one deal more.

    The cards of the old deal are left for ``deal`` to clear."""
    received = np.zeros(state.seats, np.int64)
    verbs.payoff(state, received)
    copy(state, following)
    for seat in range(state.seats):
        following.totals[seat] += received[seat]
    following.deals += 1


@rule
def begin_world(view: StateRecord, state: StateRecord) -> None:
    """Begin ``imagine``: a full state with all that the view shows, and blank where it shows nothing."""
    copy(view, state)
    state.viewer = EVERYTHING


@rule
def redrawn_chance(view: StateRecord, rng: Rng, drawn: int) -> int:
    """A random number that the deal may have had, for ``state.chance``: one that draws the same seat by lot."""
    return below(rng, 1 << 20) * view.seats + max(drawn, 0)


def received_by(state: StateRecord) -> Ints:
    """The payoff of a state, one number a seat."""
    received = np.zeros(int(state.seats), np.int64)
    verbs.payoff(state, received)
    return received


def session_facts(
    state: SessionState, seat: str, names: Sequence[str] = ("next_leader", "next_dealer")
) -> dict[str, object]:
    """The facts that every game has: totals, whether the session is over, and after the deal the seat (a field that
    ``next_deal`` settles) that leads or deals next, under these names."""
    following = following_of(state)
    found: dict[str, object] = {"over": False}
    if following is not None:
        found.update(dict.fromkeys(names, int(following[seat])))
        found["over"] = bool(following.finished)
    totals = (state if following is None else following).totals
    return {**found, "totals": [int(points) for points in totals[: int(state.seats)]]}


def following_of(state: SessionState) -> SessionState | None:
    """State that a finished deal hands to the next (``next_deal``); None while it lasts."""
    if verbs.mover(state) >= 0:
        return None
    following = np.zeros(1, state.dtype)
    verbs.next_deal(state, following[0])
    found: SessionState = following[0]
    return found


def session_fault(state: AnyState, seat: str, rule: str, *, end_rule: str = "", counters_rule: str = "") -> str | None:
    """The fault of a state before dealing, in one line; None if a deal can begin from it.

    Args:
        seat, rule: the field of the seat that the deal before has settled (nobody before the first), and its rule.
        end_rule: that of the session's end, after ``session_deals`` (0: something else ends it).
        counters_rule: where the ``start_counters`` that each had all stay at the table, the rule that says so.
    """
    seats, deals, most_deals = int(state.seats), int(state.deals), int(state.session_deals)
    if not NOBODY <= state[seat] < seats:
        return f"{seat}: there is no seat {state[seat]}"
    if state[seat] == NOBODY and deals > 0:
        return f"{seat}: only before the first deal is there none ({rule})"
    if deals < 0 or state.finished or (most_deals and deals >= most_deals):
        return "deals, finished: no deal follows this one" + (f" ({end_rule})" if end_rule else "")
    total = int(state.totals[:seats].sum())
    if counters_rule and total != (begun := int(state.start_counters) * seats):
        return f"totals: {total} counters in all, {begun} at the start ({counters_rule})"
    return None
