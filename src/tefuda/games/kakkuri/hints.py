"""Kakkuri: what a good player would teach a beginner on the first evening.

The lessons, in the order of the functions below. Claim utazu whenever you may. Count in how many goes your hand would
run out: ranks that follow each other are one go, a king joins two of them, a wild fills a gap. Of all that you could
lay now, lay what leaves the fewest goes, and nothing that leaves more than before: so kings and wilds are kept until
they free the rest. When six cards would run out in one go, wait for it: guri pays double. Declare sanzoku when pairs
bring the hand to fewer goes. With the right to the box, go on if it helps, else raise it yourself: the new card is
yours first. Staying in costs no more than dropping unless somebody makes guri, so drop only the worst of hands. Nobody
who is still in gains by letting another come back. Exchanging hands unseen changes nothing.

Only the own hand and what lies open are read, so that a view is enough.
"""

from typing import Any

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.verbs import implements, rule
from tefuda.games.kakkuri.plays import (
    AGREE,
    CARDS_OF,
    DEAL,
    DROP,
    END,
    IN_TWOS,
    KEEP,
    PASS,
    RAISE,
    RANK_OF,
    REFUSE,
    RETURN,
    SANZOKU,
    STAY,
    UTAZU,
    list_steps,
)
from tefuda.games.kakkuri.sequences import list_next_steps, ranks_above, way_to_play
from tefuda.games.kakkuri.state import (
    CEDING,
    CLAIMING,
    CONSENT,
    EARLY,
    HAND,
    JACK,
    KING,
    LEAVING,
    RANKS,
    RETURNING,
    RIGHT,
    STATE,
    SUITS,
    SWAPPING,
    TWO,
    WILDS,
)
from tefuda.games.kakkuri.turns import has_played, has_utazu, may_drop

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


@implements(verbs.advise, STATE)
def advise(state: Any, rng: Any) -> int:
    """What to answer, or the first step of the best way to lay cards now."""
    s = state
    if s.phase == CEDING:
        return DEAL
    if s.phase == SWAPPING:
        return KEEP
    if s.phase == LEAVING or s.phase == CLAIMING:
        return UTAZU if has_utazu(s, s.turn) else PASS
    if s.phase == EARLY:
        return DROP if is_hopeless(s) else STAY
    if s.phase == RETURNING:
        return STAY if is_hopeless(s) else RETURN
    if s.phase == CONSENT:
        return AGREE if bits.has(s.dropped, s.turn) else REFUSE
    return advise_turn(s)


@rule
def advise_turn(s: Any) -> int:
    """Declare what wins or helps; then lay, or stop, or raise the box."""
    if not has_played(s, s.turn):
        if has_utazu(s, s.turn):
            return UTAZU
        if may_drop(s) and is_hopeless(s):
            return DROP
        if pairs_are_better(s):
            return SANZOKU
    step = best_step(s)
    if step >= 0:
        return step
    return RAISE if s.phase == RIGHT else END


@rule
def is_hopeless(s: Any) -> bool:
    """Whether the hand needs so many goes that it is better to lose one counter for sure."""
    return goes(s.hands[s.turn], False) >= HOPELESS


@rule
def pairs_are_better(s: Any) -> bool:
    """Whether the hand comes out in twos, and in fewer goes than one by one."""
    hand = s.hands[s.turn]
    if bits.has(s.sanzoku, s.turn) or not comes_out_in_twos(hand):
        return False
    return goes(hand, True) < goes(hand, False)


@rule
def comes_out_in_twos(hand: int) -> bool:
    """Whether every card can be laid in a pair; wilds pair with odd cards, or with each other."""
    odd = 0
    for rank in range(RANKS):
        odd += bits.size(bits.section(bits.without(hand, WILDS), SUITS * rank, SUITS)) & 1
    wilds = bits.size(hand & WILDS)
    return odd == wilds or (odd == 0 and wilds == 2)


# Counting goes


@rule
def goes(hand: int, in_twos: bool) -> float:
    """About how many times one must be able to lay before these cards are gone."""
    if hand == bits.EMPTY:
        return 0.0
    needed, before = 0.0, 0
    for rank in range(KING):
        columns = columns_of(hand, rank, in_twos)
        if columns > before:
            needed += (columns - before) * (1.0 + LOW_START * (JACK - rank) / JACK)
        before = columns
    if columns_of(hand, KING, in_twos) > 0:
        needed += (0.0 if before > 0 else 1.0) - KING_JOINS
    wilds = bits.size(hand & WILDS)
    if not in_twos:
        needed -= WILD_SAVES * wilds
    return max(LAST_GO, needed) + PER_CARD * bits.size(hand)


@rule
def columns_of(hand: int, rank: int, in_twos: bool) -> int:
    """In how many goes the cards of a rank would be laid: three at once, aces and twos one after another."""
    count = bits.size(bits.section(bits.without(hand, WILDS), SUITS * rank, SUITS))
    if count == 0:
        return 0
    if rank <= TWO or rank == KING:
        return 1
    if in_twos:
        return (count + 1) // 2
    return 1 if count == 1 or count == 3 else 2


# Laying cards


@rule
def best_step(s: Any) -> int:
    """The first step of the run that leaves the fewest goes; −1 if it is better to lay nothing now."""
    way = way_to_play(s, s.turn)
    in_twos = way >= IN_TWOS
    hands = np.empty(_DEEPEST + 1, np.int64)
    steps = np.empty((_DEEPEST, _WIDEST), np.int64)
    left = np.zeros(_DEEPEST, np.int64)
    hands[0] = s.hands[s.turn]
    best, least = -1, goes(hands[0], in_twos)
    if s.held[s.turn] == HAND and least < 1.0 + GURI_HOPE:
        least -= GURI_HOPE
    left[0] = list_next_steps(s, steps[0])
    depth = 0
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        step = steps[depth, left[depth]]
        hands[depth + 1] = bits.without(hands[depth], CARDS_OF[step])
        if hands[depth + 1] == bits.EMPTY:
            return steps[0, left[0]]
        needed = goes(hands[depth + 1], in_twos)
        if needed < least:
            best, least = steps[0, left[0]], needed
        depth += 1
        left[depth] = list_own_steps(hands[depth], RANK_OF[step], way, steps[depth])
    return best


@rule
def list_own_steps(hand: int, rank: int, way: int, out: Any) -> int:
    """What I could lay after a step of my own of this rank (KK-33, KK-36)."""
    ranks = bits.span(0, RANKS) if rank == KING else ranks_above(rank)
    n = 0
    while ranks != bits.EMPTY:
        n = list_steps(hand, bits.lowest(ranks), way, out, n)
        ranks = bits.without_lowest(ranks)
    return n
