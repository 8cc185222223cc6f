"""Luk Fu: what a good club player would teach a beginner on the first evening.

The lessons, in the order of the functions below. Count your tricks before you declare: sets and sequences that nobody
is likely to beat, the cards that nothing beats when led, the tops of suits; declare with nearly six. Show the five
tigers. On lead, take what is sure, the longest combination first, for a lead that is lost may not come back; lead the
doubtful when nothing is sure, from a suit in which lower cards become good. When you must beat and can choose, take the
trick as cheaply as is safe. Throw what wins nothing: low cards that belong to no set or sequence. With six tricks go on
only when nobody else can get to six, or with a lead that cannot lose.

Only the own hand and public facts are read, so that a view is enough.
"""

from typing import Any, NamedTuple

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.rng import Pick, better
from tefuda.engine.verbs import implements, rule
from tefuda.games.luk_fu.combinations import (
    higher_singles,
    is_run,
    is_tigers,
    list_quads,
    list_runs,
    list_triples,
    rank_of,
    ranks_beating,
    ranks_of_three,
    run_starts,
    suit_cards,
    suit_of,
    suit_ranks,
)
from tefuda.games.luk_fu.old_cards import SIX, above_bounds
from tefuda.games.luk_fu.rules import ACTIVE, list_follows, list_leads, next_active
from tefuda.games.luk_fu.state import (
    ALWAYS_OLD,
    CARDS,
    CARDS_OF,
    DECIDING,
    DECLARING,
    LEADING,
    ON,
    ONE,
    PASS,
    PLAY,
    RANK_CARDS,
    RANKS,
    SHORTEST_RUN,
    SHOW_TIGERS,
    STATE,
    STOP,
    SUITS,
    THROW,
)

DECLARE_WITH = 5.0
"""Tricks counted in a hand with which to say play."""

ELDEST_BONUS = 0.5
"""What the first lead adds to the count."""

SURE = 0.97
"""A chance that is as good as certain."""

_ROOM = 512


class Reading(NamedTuple):
    """What the mover reads off the table once, before he weighs his plays."""

    me: int
    hand: int
    """with what I have already thrown to this trick"""
    out: int
    """the cards I cannot see: in other hands, thrown by others, apart"""


@implements(verbs.advise, STATE)
def advise(state: Any, rng: Any) -> int:
    """The best-weighed play; equal ones by lot."""
    r = read(state)
    if state.phase == DECLARING:
        return PLAY if declares(state, r) else PASS
    if state.phase == DECIDING:
        return ON if safe_to_go_on(state, r) else STOP
    if state.phase == LEADING:
        return best_lead(state, r, rng)
    return best_follow(state, r, rng)


@rule
def read(s: Any) -> Any:
    """Everything that does not depend on the play to be weighed."""
    me = bits.wide(s.turn)
    mine = s.hands[me] | s.discards[me]
    begun = s.thrown[me, s.number] if s.to_throw > 0 else bits.EMPTY
    out = bits.without(bits.span(0, CARDS), mine | s.faceup | s.turned_up)
    return Reading(me, s.hands[me] | begun, out)


# How likely cards are to win


@rule
def can_have(s: Any, r: Any, seat: int) -> int:
    """The unseen cards that this player may hold (LF-25)."""
    return bits.without(r.out, above_bounds(s, seat))


@rule
def share(s: Any, r: Any, seat: int) -> float:
    """The chance that an unseen card is in this hand."""
    return min(1.0, s.held[seat] / max(1, bits.size(r.out)))


@rule
def chance_unbeaten(s: Any, r: Any, seat: int, cards: int, count: int) -> float:
    """The chance that this player cannot beat the cards."""
    theirs, each = can_have(s, r, seat), share(s, r, seat)
    if count == 1:
        return (1.0 - each) ** bits.size(higher_singles(theirs, cards))
    if is_tigers(cards, count):
        return 1.0
    return run_unbeaten(theirs, each, cards, count) if is_run(cards) else set_unbeaten(s, theirs, each, cards, count)


@rule
def set_unbeaten(s: Any, theirs: int, each: float, cards: int, count: int) -> float:
    """The chance that no higher set has come together in a hand."""
    chance = 1.0
    ranks = ranks_beating(s, cards)
    while ranks != bits.EMPTY:
        left = bits.size(theirs & RANK_CARDS[bits.lowest(ranks)])
        ranks = bits.without_lowest(ranks)
        if left == SUITS and count == 3:
            chance *= 1.0 - each**3 * (4.0 - 3.0 * each)
        elif left >= count:
            chance *= 1.0 - each**count
    return chance


@rule
def run_unbeaten(theirs: int, each: float, cards: int, count: int) -> float:
    """The chance that no higher sequence has come together in a hand; overlapping ones count less."""
    lowest = bits.lowest(cards)
    chance = 1.0
    for suit in range(suit_of(lowest), SUITS):
        starts = run_starts(suit_ranks(theirs, suit), count)
        if suit == suit_of(lowest):
            starts = bits.above(starts, rank_of(lowest))
        n = bits.size(starts)
        if n > 0:
            chance *= (1.0 - each**count) * (1.0 - each**count * (1.0 - each)) ** (n - 1)
    return chance


@rule
def chance_to_win(s: Any, r: Any, cards: int, count: int) -> float:
    """The chance that nobody still to play to this trick beats these cards of mine."""
    behind = ACTIVE - 1 - s.placed if s.led_count > 0 else ACTIVE - 1
    behind -= 1 if s.led_count > 0 else 0
    chance, seat = 1.0, r.me
    for _ in range(behind):
        seat = next_active(s, seat)
        chance *= chance_unbeaten(s, r, seat, cards, count)
    return chance


# Declaring, stopping


@rule
def declares(s: Any, r: Any) -> bool:
    """LF-9: whether the hand is worth saying play."""
    return tricks_in_hand(s, r) >= threshold(s, r)


@rule
def threshold(s: Any, r: Any) -> float:
    """Eldest has the first lead, which is worth part of a trick."""
    return DECLARE_WITH - ELDEST_BONUS if r.me == s.eldest else DECLARE_WITH


@rule
def tricks_in_hand(s: Any, r: Any) -> float:
    """About how many tricks a declarer's hand is good for: its best combinations one after another, then singles."""
    plays = np.empty(_ROOM, np.int64)
    hand, total = r.hand, 0.0
    while True:
        best, best_worth = bits.EMPTY, 0.0
        for k in range(list_combinations(hand, plays)):
            cards = CARDS_OF[plays[k]]
            count = bits.size(cards)
            worth = count * chance_to_win(s, r, cards, count) - singles_worth(s, r, cards)
            if worth > best_worth:
                best, best_worth = cards, worth
        if best == bits.EMPTY:
            return total + singles_worth(s, r, hand)
        total += best_worth + singles_worth(s, r, best)
        hand = bits.without(hand, best)


@rule
def list_combinations(hand: int, out: Any) -> int:
    """The sets and sequences of a hand, L apart."""
    n = list_triples(hand, bits.span(0, RANKS), out, 0)
    n = list_quads(hand, bits.span(0, RANKS), out, n)
    return list_runs(hand, RANKS, out, n)


@rule
def singles_worth(s: Any, r: Any, cards: int) -> float:
    """About how many tricks these cards win one by one, when led by somebody who leads freely."""
    worth = 0.0
    while cards != bits.EMPTY:
        card = bits.lowest(cards)
        cards = bits.without_lowest(cards)
        higher = bits.size(higher_singles(r.out, bits.only(card)))
        worth += 0.9 if higher == 0 else (0.45 if higher == 1 else (0.2 if higher == 2 else 0.05))
    return worth


@rule
def safe_to_go_on(s: Any, r: Any) -> bool:
    """LF-41, LF-42: nobody else can get to six any more, or I lead something that cannot lose."""
    rivals = 0
    for seat in range(s.seats):
        if seat != r.me:
            rivals = max(rivals, bits.wide(s.tricks[seat]))
    if rivals + s.held[r.me] < SIX:
        return True
    if s.leader != r.me:
        return False
    plays = np.empty(_ROOM, np.int64)
    for k in range(list_leads(s, plays)):
        cards = CARDS_OF[plays[k]]
        if chance_to_win(s, r, cards, bits.size(cards)) == 1.0:
            return True
    return False


# Leading


@rule
def best_lead(s: Any, r: Any, rng: Any) -> int:
    """The heaviest lead; the five tigers win at once."""
    plays = np.empty(_ROOM, np.int64)
    n = list_leads(s, plays)
    if plays[n - 1] == SHOW_TIGERS:
        return SHOW_TIGERS
    best = Pick(-1, 0.0, 0)
    for k in range(n):
        cards = CARDS_OF[plays[k]]
        worth = lead_worth(s, r, cards, bits.size(cards))
        best = better(best, plays[k], worth, rng)
    return best.action


@rule
def lead_worth(s: Any, r: Any, cards: int, count: int) -> float:
    """Tricks won, and the lead kept, against tricks lost and cards spent."""
    win = chance_to_win(s, r, cards, count)
    worth = count * win - 0.5 * count * (1.0 - win)
    if win >= SURE:
        worth += 2.0
    if count == 1:
        worth += 0.15 * followers_of(r, bits.lowest(cards))
    return worth - 0.5 * keeping_worth(s, r, cards)


@rule
def followers_of(r: Any, card: int) -> int:
    """Lower cards of the suit in my hand, which become good when this one draws out those above."""
    if suit_of(card) == SUITS:
        return 0
    return bits.size(bits.below(r.hand & suit_cards(suit_of(card)), card))


# Following


@rule
def best_follow(s: Any, r: Any, rng: Any) -> int:
    """The safest and cheapest way to beat; else the first card to throw that has not been thrown yet."""
    plays = np.empty(_ROOM, np.int64)
    n = list_follows(s, plays)
    if s.to_throw > 0 or (plays[0] >= THROW and plays[0] < 2 * THROW):
        return THROW + next_to_throw(s, r)
    best = Pick(-1, 0.0, 0)
    for k in range(n):
        cards = CARDS_OF[plays[k]]
        worth = s.led_count * chance_to_win(s, r, cards, s.led_count) - keeping_worth(s, r, cards)
        best = better(best, plays[k], worth, rng)
    return best.action


@rule
def next_to_throw(s: Any, r: Any) -> int:
    """The lowest of the least useful cards, as many as are still due; they come after those thrown already."""
    begun = s.thrown[r.me, s.number]
    rest = s.hands[r.me] if begun == bits.EMPTY else bits.above(s.hands[r.me], bits.highest(begun))
    chosen = bits.EMPTY
    for _ in range(s.to_throw if s.to_throw > 0 else s.led_count):
        card = least_useful(s, r, rest)
        chosen |= bits.only(card)
        rest = bits.without(rest, bits.only(card))
    return bits.lowest(chosen)


@rule
def least_useful(s: Any, r: Any, cards: int) -> int:
    """The card of these that is worth least to keep; the lowest of several."""
    least, least_worth = -1, 0.0
    while cards != bits.EMPTY:
        card = bits.lowest(cards)
        cards = bits.without_lowest(cards)
        worth = card_worth(s, r, card)
        if least < 0 or worth < least_worth:
            least, least_worth = card, worth
    return least


@rule
def keeping_worth(s: Any, r: Any, cards: int) -> float:
    """What these cards would be worth later, if they were kept."""
    worth = 0.0
    while cards != bits.EMPTY:
        worth += card_worth(s, r, bits.lowest(cards))
        cards = bits.without_lowest(cards)
    return worth


@rule
def card_worth(s: Any, r: Any, card: int) -> float:
    """What a card is good for: a trick by itself, or its part in a set or sequence of the hand."""
    if bits.has(ALWAYS_OLD, card):
        worth = 0.9 if r.me == s.declarer else 0.4
    else:
        higher = bits.size(higher_singles(r.out, bits.only(card)))
        worth = 0.8 if higher == 0 else 0.5 / higher
    if suit_of(card) < SUITS:
        if bits.has(ranks_of_three(r.hand), rank_of(card)):
            worth += 0.05 * rank_of(card) + (0.4 if rank_of(card) == ONE else 0.1)
        worth += 0.4 * in_runs(r, card)
    return worth


@rule
def in_runs(r: Any, card: int) -> float:
    """1 for a card in a sequence of four or more, half for three, 0 for none."""
    ranks = suit_ranks(r.hand, suit_of(card))
    first = last = rank_of(card)
    while first > 0 and bits.has(ranks, first - 1):
        first -= 1
    while bits.has(ranks, last + 1):
        last += 1
    length = last - first + 1
    return 0.0 if length < SHORTEST_RUN else (0.5 if length == SHORTEST_RUN else 1.0)
