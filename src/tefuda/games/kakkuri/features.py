"""Kakkuri: what a network is told of a play, beside the play that the rules of thumb advise.

Suits matter little here, and how many goes a hand still needs matters much; a network that saw the cards alone would
have to find out both. Goes are told in fifths. Only what the mover may know is read.
"""

from typing import Any

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.verbs import implements, rule
from tefuda.games.kakkuri import plays, turns
from tefuda.games.kakkuri.cards import CLUB_ACE, DIAMOND_TWO, KING, RANKS, SUITS, WILDS, naturals
from tefuda.games.kakkuri.hints import count_goes
from tefuda.games.kakkuri.sequences import ranks_above, way_to_play
from tefuda.games.kakkuri.state import HAND, Phase, State

FOLLOWING = 4
"""Seats after the mover's of which it is told how many cards they hold."""

LONG_QUIET = 7
"""Turns in a row without a card from which on they are not counted."""

KINDS = plays.SANBON + plays.SANZOKU - plays.END + 1
"""Of plays: steps of one, two or three cards, then what may be said."""

OF_A_PLAY = (
    ("kind", KINDS), ("rank", RANKS), ("wilds", 1), ("goes", 1), ("least", 1), ("left", 1), ("out", 1), ("unseen", 1),
    ("followers", 1),
)  # fmt: skip
"""Told of the advised play and of the one to be rated: what it lays, the goes that the hand needs then and the fewest
once its owner has laid on, the cards left; of the next rank the cards unseen and the others who may have one."""

FEATURES = (
    ("phase", 3),
    ("place", 1),
    ("active", 1),
    ("dropped", 1),
    ("fresh", 1),
    ("box", 1),
    ("quiet", 1),
    ("laid", 1),
    ("raised, own, lap, first, begun, played, sanzoku", 7),
    ("held", 1 + FOLLOWING),
    ("declined", FOLLOWING),
    ("field", RANKS),
    ("hand", RANKS),
    ("wilds", 2),
    ("unseen", RANKS),
    ("goes", 1),
    *((f"advised: {name}", size) for name, size in OF_A_PLAY),
    *((f"play: {name}", size) for name, size in OF_A_PLAY),
    ("play less advised: goes, least", 2),
    ("play is advised", 1),
)
"""Names and sizes, in this order."""

_RANK, _WILDS = KINDS, KINDS + RANKS
_GOES, _LEAST, _LEFT, _OUT, _UNSEEN, _FOLLOWERS = range(_WILDS + 1, _WILDS + 7)
_TOLD = _FOLLOWERS + 1
"""Where things stand in what is told of a play, and how much that is."""

_DEEPEST = HAND + 1
_WIDEST = 128
_SAID = plays.END - plays.SANBON
"""Kind of an action that lays no cards: the action less this."""


@implements(verbs.features, State)
def features(state: State, advised: int, action: int, out: Any) -> bool:
    """Of dropping early, and of what is laid or said on one's turn; elsewhere the rules of thumb know."""
    if state.phase != Phase.EARLY and not turns.in_turn(state):
        return False
    out[:] = 0
    unseen = count_unseen(state, np.zeros(RANKS, np.int64))
    at = tell_table(state, out)
    at = tell_cards(state, unseen, out, at)
    tell_play(state, advised, unseen, out, at)
    other, last = at + _TOLD, at + 2 * _TOLD
    tell_play(state, action, unseen, out, other)
    out[last] = out[other + _GOES] - out[at + _GOES]
    out[last + 1] = out[other + _LEAST] - out[at + _LEAST]
    out[last + 2] = action == advised
    return True


@rule
def tell_table(s: State, out: Any) -> int:
    """How far the deal has come, and the others; where in ``out`` it ends."""
    seat = s.turn
    out[s.phase - Phase.EARLY] = 1
    out[3] = (seat - s.first) % s.seats
    out[4] = turns.active_players(s)
    out[5] = bits.size(s.dropped)
    out[6] = bits.size(s.fresh)
    out[7] = s.box_size // 4
    out[8] = min(s.quiet, LONG_QUIET)
    out[9] = s.turn_cards
    out[10], out[11], out[12] = s.field_raised, s.field_by == seat, s.lap_by == seat
    out[13], out[14] = s.first_turn, s.begun
    out[15], out[16] = turns.has_played(s, seat), bits.has(s.sanzoku, seat)
    out[17] = s.held[seat]
    for k in range(min(FOLLOWING, s.seats - 1)):
        other = (seat + k + 1) % s.seats
        if turns.is_active(s, other):
            out[18 + k] = s.held[other]
            out[18 + FOLLOWING + k] = bits.size(s.declined[other])
    return 18 + 2 * FOLLOWING


@rule
def tell_cards(s: State, unseen: Any, out: Any, at: int) -> int:
    """The field card, the own hand, and how many cards of each rank others may hold."""
    hand = s.hands[s.turn]
    if s.rank >= 0:
        out[at + s.rank] = 1
    at += RANKS
    for rank in range(RANKS):
        out[at + rank] = bits.size(naturals(hand, rank))
    at += RANKS
    out[at], out[at + 1] = bits.has(hand, CLUB_ACE), bits.has(hand, DIAMOND_TWO)
    at += 2
    for rank in range(RANKS):
        out[at + rank] = unseen[rank]
    at += RANKS
    out[at] = fifths(count_goes(hand, way_to_play(s, s.turn) >= plays.IN_TWOS))
    return at + 1


@rule
def tell_play(s: State, action: int, unseen: Any, out: Any, at: int) -> None:
    """What becomes of the own hand and of the field card; what more could be laid at once, and what others could."""
    hand, rank, way = s.hands[s.turn], bits.wide(s.rank), way_to_play(s, s.turn)
    goes = count_goes(hand, way >= plays.IN_TWOS)
    least = goes
    if action < plays.STEPS:
        out[at + plays.SIZE_OF[action] - 1] = 1
        rank = plays.RANK_OF[action]
        out[at + _RANK + rank] = 1
        out[at + _WILDS] = bits.size(plays.CARDS_OF[action] & WILDS)
        hand = bits.without(hand, plays.CARDS_OF[action])
        goes = count_goes(hand, way >= plays.IN_TWOS)
        least = least_goes(hand, rank, way)
    else:
        out[at + action - _SAID] = 1
    out[at + _GOES], out[at + _LEAST] = fifths(goes), fifths(least)
    out[at + _LEFT] = bits.size(hand)
    out[at + _OUT] = hand == bits.EMPTY
    if 0 <= rank < KING:
        out[at + _UNSEEN] = unseen[rank + 1]
        out[at + _FOLLOWERS] = count_followers(s, rank + 1)


@rule
def fifths(goes: float) -> int:
    """As a small whole number."""
    return int(5 * goes + 0.5)


@rule
def count_unseen(s: State, out: Any) -> Any:
    """Of each rank, how many cards are neither in the own hand nor have come to the table."""
    seen = s.hands[s.turn] | s.in_box
    for k in range(s.table_size):
        seen |= bits.only(s.table[k])
    for rank in range(RANKS):
        out[rank] = SUITS - bits.size(bits.section(seen, SUITS * rank, SUITS))
    return out


@rule
def count_followers(s: State, rank: int) -> int:
    """How many of the others are in the deal and have never left a card of this rank unlaid."""
    count = 0
    for other in range(s.seats):
        if other != s.turn and turns.is_active(s, other) and not bits.has(s.declined[other], rank):
            count += 1
    return count


@rule
def least_goes(hand: int, rank: int, way: int) -> float:
    """The fewest goes that the hand could need once its owner has laid on in the same turn; 0 if it can run out."""
    in_twos = way >= plays.IN_TWOS
    hands = np.empty(_DEEPEST + 1, np.int64)
    ranks = np.empty(_DEEPEST + 1, np.int64)
    steps = np.empty((_DEEPEST + 1, _WIDEST), np.int64)
    left = np.zeros(_DEEPEST + 1, np.int64)
    hands[0], ranks[0] = hand, rank
    least, depth, entered = count_goes(hand, in_twos), 0, True
    while depth >= 0 and least > 0:
        if entered:
            ranks_next = bits.span(0, RANKS) if ranks[depth] == KING else ranks_above(ranks[depth])
            left[depth] = plays.list_steps(hands[depth], ranks_next, way, steps[depth])
        if left[depth] == 0:
            depth, entered = depth - 1, False
            continue
        left[depth] -= 1
        step = steps[depth, left[depth]]
        depth, entered = depth + 1, True
        hands[depth] = bits.without(hands[depth - 1], plays.CARDS_OF[step])
        ranks[depth] = plays.RANK_OF[step]
        least = min(least, count_goes(hands[depth], in_twos))
    return least
