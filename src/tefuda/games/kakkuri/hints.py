"""Kakkuri: what a good player would teach a beginner on the first evening.

The lessons, in the order of the functions below. Claim utazu whenever you may. Count in how many goes your hand would
run out: ranks that follow each other are one go, a king joins two of them, a wild fills a gap. Of all that you could
lay now, lay what leaves the fewest goes, and nothing that leaves more than before: so kings and wilds are kept until
they free the rest. When six cards would run out in one go, wait for it: guri pays double. Declare sanzoku when pairs
bring the hand to fewer goes. With the right to the box, go on if it helps, else raise it yourself: the new card is
yours first. Staying in costs no more than dropping unless somebody makes guri, so drop only the worst of hands; as soon
as you are asked, for guri may come before your turn. Nobody who is still in gains by letting another come back.
Exchanging hands unseen changes nothing.

Only the own hand and what lies open are read, so that a view is enough.
"""

from typing import Any

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.verbs import implements, rule
from tefuda.games.kakkuri import plays, turns
from tefuda.games.kakkuri.cards import JACK, KING, RANKS, TWO, WILDS, naturals
from tefuda.games.kakkuri.sequences import list_next_steps, ranks_above, way_to_play
from tefuda.games.kakkuri.state import HAND, Phase, State

HOPELESS = 6.2
"""Goes from which on a hand is dropped."""

LOW_START = 0.25
"""How much harder it is to begin with an ace than with a jack, in goes: play goes upward."""

KING_JOINS, WILD_SAVES = 1.0, 1.0
"""Goes that a king saves beside others, and a wild."""

LAST_GO = 0.4
"""What any hand still needs."""

PER_CARD = 0.04
"""What a card more in hand costs, in goes."""

GURI_HOPE = 0.8
"""What it is worth to keep six cards that would run out in one go."""

_DEEPEST = HAND + 1
_WIDEST = 128


@implements(verbs.advise, State)
def advise(state: State, rng: Any) -> int:
    """What to answer, or the first step of the best way to lay cards now."""
    if state.phase == Phase.CEDING:
        return plays.DEAL
    if state.phase == Phase.SWAPPING:
        return plays.KEEP
    if state.phase == Phase.LEAVING or state.phase == Phase.CLAIMING:
        return plays.UTAZU if turns.has_utazu(state, state.turn) else plays.PASS
    if state.phase == Phase.EARLY:
        return plays.DROP if is_hopeless(state) else plays.STAY
    if state.phase == Phase.RETURNING:
        return plays.STAY if is_hopeless(state) else plays.RETURN
    if state.phase == Phase.CONSENT:
        return plays.AGREE if bits.has(state.dropped, state.turn) else plays.REFUSE
    return advise_turn(state)


@rule
def advise_turn(s: State) -> int:
    """Declare what wins or helps; then lay, or stop, or raise the box."""
    if not turns.has_played(s, s.turn):
        if turns.has_utazu(s, s.turn):
            return plays.UTAZU
        if turns.may_drop(s) and is_hopeless(s):
            return plays.DROP
        if pairs_are_better(s):
            return plays.SANZOKU
    step = best_step(s)
    if step >= 0:
        return step
    return plays.RAISE if s.phase == Phase.RIGHT else plays.END


@rule
def is_hopeless(s: State) -> bool:
    """Whether the hand needs so many goes that it is better to lose one counter for sure."""
    return count_goes(s.hands[s.turn], False) >= HOPELESS


@rule
def pairs_are_better(s: State) -> bool:
    """Whether the hand comes out in twos, and in fewer goes than one by one."""
    hand = s.hands[s.turn]
    if bits.has(s.sanzoku, s.turn) or not comes_out_in_twos(hand):
        return False
    return count_goes(hand, True) < count_goes(hand, False)


@rule
def comes_out_in_twos(hand: int) -> bool:
    """Whether every card can be laid in a pair; wilds pair with odd cards, or with each other."""
    odd = 0
    for rank in range(RANKS):
        odd += bits.size(naturals(hand, rank)) & 1
    wilds = bits.size(hand & WILDS)
    return odd == wilds or (odd == 0 and wilds == 2)


# Counting goes


@rule
def count_goes(hand: int, in_twos: bool) -> float:
    """About how many times one must be able to lay before these cards are gone."""
    if hand == bits.EMPTY:
        return 0.0
    needed, before = 0.0, 0
    for rank in range(KING):
        columns = count_columns(hand, rank, in_twos)
        if columns > before:
            needed += (columns - before) * (1.0 + LOW_START * (JACK - rank) / JACK)
        before = columns
    if count_columns(hand, KING, in_twos) > 0:
        needed += (0.0 if before > 0 else 1.0) - KING_JOINS
    wilds = bits.size(hand & WILDS)
    if not in_twos:
        needed -= WILD_SAVES * wilds
    return max(LAST_GO, needed) + PER_CARD * bits.size(hand)


@rule
def count_columns(hand: int, rank: int, in_twos: bool) -> int:
    """In how many goes the cards of a rank would be laid: three at once, aces and twos one after another."""
    count = bits.size(naturals(hand, rank))
    if count == 0:
        return 0
    if rank <= TWO or rank == KING:
        return 1
    if in_twos:
        return (count + 1) // 2
    return 1 if count == 1 or count == 3 else 2


# Laying cards


@rule
def best_step(s: State) -> int:
    """The first step of the run that leaves the fewest goes; −1 if it is better to lay nothing now."""
    way = way_to_play(s, s.turn)
    in_twos = way >= plays.IN_TWOS
    hands = np.empty(_DEEPEST + 1, np.int64)
    steps = np.empty((_DEEPEST, _WIDEST), np.int64)
    left = np.zeros(_DEEPEST, np.int64)
    hands[0] = s.hands[s.turn]
    best, least = -1, count_goes(hands[0], in_twos)
    if hopes_for_guri(s, least):
        least -= GURI_HOPE
    left[0] = list_next_steps(s, steps[0])
    depth = 0
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        step = steps[depth, left[depth]]
        hands[depth + 1] = bits.without(hands[depth], plays.CARDS_OF[step])
        if hands[depth + 1] == bits.EMPTY:
            return steps[0, left[0]]
        needed = count_goes(hands[depth + 1], in_twos)
        if needed < least:
            best, least = steps[0, left[0]], needed
        depth += 1
        rank = plays.RANK_OF[step]
        ranks = bits.span(0, RANKS) if rank == KING else ranks_above(rank)  # KK-33, KK-36: after a step of one's own
        left[depth] = plays.list_steps(hands[depth], ranks, way, steps[depth])
    return best


@rule
def hopes_for_guri(s: State, goes: float) -> bool:
    """Whether all six cards are still there, and might go in one turn; ``goes`` as ``count_goes`` counts them."""
    return s.held[s.turn] == HAND and goes < 1.0 + GURI_HOPE


@rule
def can_lay(s: State) -> bool:
    """Whether a card of the hand may be laid now."""
    return list_next_steps(s, np.empty(_WIDEST, np.int64)) > 0
