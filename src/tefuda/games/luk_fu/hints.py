"""Luk Fu: what a good club player would teach a beginner on the first evening.

The lessons, in the order of the functions below. Count your tricks before you declare: sets and sequences that nobody
is likely to beat, the cards that nothing beats when led, the tops of suits. Declare with a little over four on the
first lead; with three after a pass, for the last player seldom passes, and who lets that one lead freely pays in most
deals; with four as the last. Show the five tigers. On lead, take what is sure, the longest combination first, for a
lead that is lost may not come back; lead the doubtful when nothing is sure, from a suit in which lower cards become
good. When you must beat and can choose, take the trick as cheaply as is safe. Throw what wins nothing: low cards that
belong to no set or sequence. With six tricks go on only when nobody else can get to six, or with a lead that cannot
lose.

Only the own hand and public facts are read, so that a view is enough. Weights are counted in tricks."""

from typing import NamedTuple

import numpy as np

from tefuda.engine.kit import Pick, Rng, better, bits, implements, rule, verbs
from tefuda.games.luk_fu import cards, plays
from tefuda.games.luk_fu.cards import ALWAYS_OLD, RANK_CARDS, RANKS, SUITS, rank_of, suit_cards, suit_of, suit_ranks
from tefuda.games.luk_fu.plays import ACTIONS, ALL_RANKS, CARDS_OF, QUAD, SHORTEST_RUN, TRIPLE, higher_singles
from tefuda.games.luk_fu.rules import ACTIVE, list_leads, next_active
from tefuda.games.luk_fu.state import Phase, State

DECLARE_FIRST, DECLARE_SECOND, DECLARE_LAST = 4.3, 3.0, 4.0
"""Tricks counted in a hand with which to say play: as eldest, after one pass, after two. Eldest does not lose the first
lead by passing. The second, by passing, mostly becomes the victim of the last; the last only ends the deal."""

COUNTED_TRIPLES = ALL_RANKS - (1 << cards.ONE)
"""Ranks whose triples count. One of ones adds nothing: C1 and T1 win as well alone when a declarer leads them."""

SURE, SURE_LEAD = 0.97, 2.0
"""A chance that is as good as certain, and what a lead is worth beyond its tricks if it has that."""

SINGLE_LED = np.array((0.9, 0.45, 0.2, 0.05))
"""Tricks that a single wins when led freely, by how many higher cards of its suit are out: none, one, two, more."""

LOST_LEAD = 0.5  # what it costs to lose a lead, for each of its cards
DRAWS_OUT = 0.15
"""Worth of leading a single for each lower card of its suit in the hand, from which it draws out those above."""

KEPT_ON_LEAD = 0.5  # how much of what the cards led would be worth later is counted against the lead
OLD_OF_DECLARER, OLD_OF_OTHERS = 0.9, 0.4  # keeping a card that is always old: the declarer can lead it at any time
HIGHEST, DIVIDED = 0.8, 0.5
"""Keeping a single that nothing beats; and one that others beat, to be divided by how many they are."""

ENTRY = 0.3
"""Not throwing the top of a suit that nothing beats: what wins when led is worth little without a card that takes the
lead back."""

IN_SET, IN_ONES, IN_SET_A_RANK = 0.1, 0.4, 0.05
"""Keeping a card of a set: of any, of ones, and for each rank above the one."""

IN_RUN, IN_SHORT_RUN = 0.4, 0.2  # keeping a card of a sequence: of four or more, of three


class Holding(NamedTuple):
    """A hand as its player sees it, read once before plays are weighed."""

    seat: int
    hand: int  # the cards, with those already thrown in a play that is not complete
    out: int  # the cards that this player cannot see: in other hands, thrown by others, apart


@implements(verbs.advise, State)
def advise(state: State, rng: Rng) -> int:
    """The best-weighed play; equal ones by lot. The five tigers win at once."""
    h = read_holding(state)
    if state.phase == Phase.DECLARING:
        return plays.PLAY if declares(state, h) else plays.PASS
    if state.phase == Phase.DECIDING:
        return plays.ON if safe_to_go_on(state, h) else plays.STOP
    listed = np.empty(ACTIONS, np.int64)
    n = verbs.legal(state, listed)
    if listed[n - 1] == plays.SHOW_TIGERS:
        return plays.SHOW_TIGERS
    if plays.is_throw(listed[0]):
        # the lowest of the least useful cards, as many as are still due; they come after those thrown already
        begun, rest = state.thrown[h.seat, state.number], state.hands[h.seat]
        rest = rest if begun == bits.EMPTY else bits.above(rest, bits.highest(begun))
        due = state.to_throw if state.to_throw > 0 else state.led_count
        return plays.THROW + bits.lowest(cards_to_throw(state, h, rest, due))
    best = Pick(-1, 0.0, 0)
    for k in range(n):
        cards = CARDS_OF[listed[k]]
        if state.phase == Phase.LEADING:
            worth = lead_worth(state, h, cards)
        else:  # tricks won, against cards spent
            worth = state.led_count * chance_to_win(state, h, cards, state.led_count) - keeping_worth(state, h, cards)
        best = better(best, listed[k], worth, rng)
    return best.action


@rule
def read_holding(s: State) -> Holding:
    """The mover's cards, and those not seen."""
    seat = bits.wide(s.turn)
    begun = s.thrown[seat, s.number] if s.to_throw > 0 else bits.EMPTY
    out = bits.without(cards.PACK, s.hands[seat] | s.discards[seat] | s.faceup | s.turned_up)
    return Holding(seat, s.hands[seat] | begun, out)


@rule
def chance_unbeaten(s: State, h: Holding, seat: int, cards: int, count: int) -> float:
    """The chance that this player cannot beat the cards: each that they may hold (LF-25) is as likely there."""
    theirs = h.out & plays.within_bounds(s.bounds, seat)
    each = min(1.0, s.held[seat] / max(1, bits.size(h.out)))
    if count == 1:
        return (1.0 - each) ** bits.size(higher_singles(theirs, cards))
    if plays.is_tigers(cards, count):
        return 1.0
    if plays.is_run(cards):
        return run_unbeaten(theirs, each, cards, count)
    return set_unbeaten(s, theirs, each, cards, count)


@rule
def set_unbeaten(s: State, theirs: int, each: float, cards: int, count: int) -> float:
    """The chance that no higher set has come together in a hand."""
    chance = 1.0
    ranks = plays.ranks_beating(s, cards)
    while ranks != bits.EMPTY:
        left = bits.size(theirs & RANK_CARDS[bits.lowest(ranks)])
        ranks = bits.without_lowest(ranks)
        if left == SUITS and count == TRIPLE:
            chance *= 1.0 - each**3 * (4.0 - 3.0 * each)
        elif left >= count:
            chance *= 1.0 - each**count
    return chance


@rule
def run_unbeaten(theirs: int, each: float, cards: int, count: int) -> float:
    """The chance that no higher sequence has come together in a hand; overlapping ones count less."""
    chance = 1.0
    starts = plays.runs_beating(theirs, cards, count)
    for suit in range(suit_of(bits.lowest(cards)), SUITS):
        n = bits.size(suit_ranks(starts, suit))
        if n > 0:
            chance *= (1.0 - each**count) * (1.0 - each**count * (1.0 - each)) ** (n - 1)
    return chance


@rule
def chance_to_win(s: State, h: Holding, cards: int, count: int) -> float:
    """The chance that nobody still to play to this trick beats these cards."""
    behind = ACTIVE - 1 if s.led_count == 0 else ACTIVE - 2 - s.placed
    chance, seat = 1.0, h.seat
    for _ in range(behind):
        seat = next_active(s, seat)
        chance *= chance_unbeaten(s, h, seat, cards, count)
    return chance


@rule
def declares(s: State, h: Holding) -> bool:
    """LF-9: whether the hand is worth saying play."""
    return tricks_in_hand(s, h) >= tricks_needed(s, h.seat)


@rule
def tricks_needed(s: State, seat: int) -> float:
    """LF-9, LF-10: the count with which playing brings this seat more than passing would."""
    if seat == s.eldest:
        return DECLARE_FIRST
    return DECLARE_LAST if next_active(s, seat) == s.eldest else DECLARE_SECOND


@rule
def tricks_in_hand(s: State, h: Holding) -> float:
    """About how many tricks a declarer's hand is good for: its best combinations one after another, then singles."""
    listed = np.empty(ACTIONS, np.int64)
    hand, total = h.hand, 0.0
    while True:
        best, best_worth = bits.EMPTY, 0.0
        n = plays.list_sets(hand, COUNTED_TRIPLES, TRIPLE, listed, 0)
        n = plays.list_sets(hand, ALL_RANKS, QUAD, listed, n)
        for k in range(plays.list_runs(hand, RANKS, listed, n)):
            cards = CARDS_OF[listed[k]]
            count = bits.size(cards)
            worth = count * chance_to_win(s, h, cards, count) - singles_worth(h, cards)
            if worth > best_worth:
                best, best_worth = cards, worth
        if best == bits.EMPTY:
            return total + singles_worth(h, hand)
        total += best_worth + singles_worth(h, best)
        hand = bits.without(hand, best)


@rule
def singles_worth(h: Holding, cards: int) -> float:
    """About how many tricks these cards win one by one, when led by somebody who leads freely."""
    worth = 0.0
    while cards != bits.EMPTY:
        higher = bits.size(higher_singles(h.out, bits.only(bits.lowest(cards))))
        worth += SINGLE_LED[min(higher, len(SINGLE_LED) - 1)]
        cards = bits.without_lowest(cards)
    return worth


@rule
def safe_to_go_on(s: State, h: Holding) -> bool:
    """LF-41, LF-42: whether nobody else can get to six any more, or a lead of this hand cannot lose."""
    rivals = 0
    for seat in range(s.seats):
        if seat != h.seat:
            rivals = max(rivals, bits.wide(s.tricks[seat]))
    if rivals + s.held[h.seat] < plays.WINNING_TRICKS:
        return True
    if s.leader != h.seat:
        return False
    listed = np.empty(ACTIONS, np.int64)
    for k in range(list_leads(s, listed)):
        cards = CARDS_OF[listed[k]]
        if chance_to_win(s, h, cards, bits.size(cards)) == 1.0:
            return True
    return False


@rule
def lead_worth(s: State, h: Holding, cards: int) -> float:
    """Tricks won, and the lead kept, against tricks lost and cards spent."""
    count = bits.size(cards)
    win = chance_to_win(s, h, cards, count)
    worth = count * win - LOST_LEAD * count * (1.0 - win)
    if win >= SURE:
        worth += SURE_LEAD
    if count == 1:
        card = bits.lowest(cards)
        worth += DRAWS_OUT * bits.size(bits.section(h.hand, suit_of(card) * RANKS, rank_of(card)))
    return worth - KEPT_ON_LEAD * keeping_worth(s, h, cards)


@rule
def cards_to_throw(s: State, h: Holding, cards: int, count: int) -> int:
    """So many of these cards, or all if there are fewer, as a set: those that are worth least to keep."""
    chosen = bits.EMPTY
    for _ in range(min(count, bits.size(cards))):
        chosen |= bits.only(least_useful(s, h, bits.without(cards, chosen)))
    return chosen


@rule
def least_useful(s: State, h: Holding, cards: int) -> int:
    """The card of these that is worth least to keep; the lowest of several."""
    least, least_worth = -1, 0.0
    while cards != bits.EMPTY:
        card = bits.lowest(cards)
        cards = bits.without_lowest(cards)
        higher = bits.above((h.hand | h.out) & suit_cards(suit_of(card)), card)
        takes_lead_back = higher == bits.EMPTY and not bits.has(ALWAYS_OLD, card)  # LF-33: those beat nothing
        worth = card_worth(s, h, card) + (ENTRY if takes_lead_back else 0.0)
        if least < 0 or worth < least_worth:
            least, least_worth = card, worth
    return least


@rule
def keeping_worth(s: State, h: Holding, cards: int) -> float:
    """Worth of these cards later, if they were kept."""
    worth = 0.0
    while cards != bits.EMPTY:
        worth += card_worth(s, h, bits.lowest(cards))
        cards = bits.without_lowest(cards)
    return worth


@rule
def card_worth(s: State, h: Holding, card: int) -> float:
    """Worth of a card: a trick by itself, or its part in a set or sequence of the hand."""
    if bits.has(ALWAYS_OLD, card):
        worth = OLD_OF_DECLARER if h.seat == s.declarer else OLD_OF_OTHERS
    else:
        higher = bits.size(higher_singles(h.out, bits.only(card)))
        worth = HIGHEST if higher == 0 else DIVIDED / higher
    if suit_of(card) < SUITS:
        rank = rank_of(card)
        if bits.has(plays.ranks_of_sets(h.hand, TRIPLE), rank):
            worth += IN_SET_A_RANK * rank + (IN_ONES if rank == cards.ONE else IN_SET)
        worth += run_worth(suit_ranks(h.hand, suit_of(card)), rank)
    return worth


@rule
def run_worth(ranks: int, rank: int) -> float:
    """Worth that the longest sequence of these ranks of one suit adds to one of its cards."""
    first = last = rank
    while first > 0 and bits.has(ranks, first - 1):
        first -= 1
    while bits.has(ranks, last + 1):
        last += 1
    length = last - first + 1
    return 0.0 if length < SHORTEST_RUN else (IN_SHORT_RUN if length == SHORTEST_RUN else IN_RUN)
