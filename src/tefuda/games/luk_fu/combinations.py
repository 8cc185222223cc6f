"""Luk Fu: sets and sequences: which a hand holds, and what beats what. Cards in, cards or actions out; no state but its
options is read.
"""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.verbs import rule
from tefuda.games.luk_fu.state import (
    ALWAYS_OLD,
    CARDS_OF,
    CASH,
    EIGHT,
    FIRST_RUN,
    KWAN,
    NINE,
    ONE,
    QUADS,
    RANK_CARDS,
    RANKS,
    RUNS,
    SECOND,
    SHORTEST_RUN,
    SPECIAL,
    SPECIAL_CARD,
    SPECIAL_QUADS,
    SPECIAL_TRIPLES,
    STRINGS,
    SUITS,
    TENS,
    TRIPLES,
)


@rule
def suit_of(card: int) -> int:
    """0 cash, 1 strings, 2 kwan, 3 tens; 4 for L, which has none (LF-21)."""
    return bits.wide(card) // RANKS


@rule
def rank_of(card: int) -> int:
    """0 for the ones up to 8 for the nines; 0 for L too (LF-15, LF-50)."""
    return bits.wide(card) % RANKS


@rule
def suit_cards(suit: int) -> int:
    """All cards of a suit."""
    return bits.span(suit * RANKS, RANKS)


@rule
def suit_ranks(cards: int, suit: int) -> int:
    """The ranks of a suit that are among the cards, as a set of ranks."""
    return bits.section(cards, suit * RANKS, RANKS)


# What a hand holds


@rule
def ranks_of_three(cards: int) -> int:
    """The ranks of which there are three cards or four, as a set; L does not count."""
    c, s = suit_ranks(cards, CASH), suit_ranks(cards, STRINGS)
    k, t = suit_ranks(cards, KWAN), suit_ranks(cards, TENS)
    return (c & s & (k | t)) | (k & t & (c | s))


@rule
def ranks_of_four(cards: int) -> int:
    """The ranks of which all four cards are there, as a set."""
    return suit_ranks(cards, CASH) & suit_ranks(cards, STRINGS) & suit_ranks(cards, KWAN) & suit_ranks(cards, TENS)


@rule
def holds_special_set(s: Any, cards: int, size: int) -> bool:
    """LF-15, special_in_sets: whether L and enough ones are there for a set of this size."""
    return s.special_in_sets == 1 and bits.has(cards, SPECIAL) and bits.size(cards & RANK_CARDS[ONE]) >= size - 1


@rule
def run_starts(ranks: int, length: int) -> int:
    """LF-14: the ranks at which a run of this length begins, as a set."""
    starts = ranks
    for k in range(1, length):
        starts &= bits.lowered(ranks, k)
    return starts


@rule
def has_long_combination(s: Any, cards: int) -> bool:
    """LF-51: whether there is a quad or a sequence of four or more."""
    if ranks_of_four(cards) != bits.EMPTY or holds_special_set(s, cards, 4):
        return True
    for suit in range(SUITS):
        if run_starts(suit_ranks(cards, suit), SHORTEST_RUN + 1) != bits.EMPTY:
            return True
    return False


# Listing


@rule
def list_inside(first: int, count: int, hand: int, out: Any, n: int) -> int:
    """Add those of ``count`` actions from ``first`` up whose cards are all in the hand; how many are listed then."""
    for action in range(first, first + count):
        if bits.inside(CARDS_OF[action], hand):
            out[n] = action
            n += 1
    return n


@rule
def list_triples(hand: int, ranks: int, out: Any, n: int) -> int:
    """Add every triple of these ranks."""
    ranks &= ranks_of_three(hand)
    while ranks != bits.EMPTY:
        n = list_inside(TRIPLES + SUITS * bits.lowest(ranks), SUITS, hand, out, n)
        ranks = bits.without_lowest(ranks)
    return n


@rule
def list_quads(hand: int, ranks: int, out: Any, n: int) -> int:
    """Add every quad of these ranks."""
    ranks &= ranks_of_four(hand)
    while ranks != bits.EMPTY:
        out[n] = QUADS + bits.lowest(ranks)
        ranks = bits.without_lowest(ranks)
        n += 1
    return n


@rule
def list_special_sets(s: Any, hand: int, size: int, out: Any, n: int) -> int:
    """LF-15, special_in_sets: add the sets of ones with L."""
    if not holds_special_set(s, hand, size):
        return n
    if size == 3:
        return list_inside(SPECIAL_TRIPLES, SPECIAL_QUADS - SPECIAL_TRIPLES, hand, out, n)
    return list_inside(SPECIAL_QUADS, RUNS - SPECIAL_QUADS, hand, out, n)


@rule
def list_runs(hand: int, longest: int, out: Any, n: int) -> int:
    """LF-14: add every sequence of up to ``longest`` cards."""
    for suit in range(SUITS):
        ranks = suit_ranks(hand, suit)
        starts = run_starts(ranks, SHORTEST_RUN)
        while starts != bits.EMPTY:
            first = bits.lowest(starts)
            starts = bits.without_lowest(starts)
            length = SHORTEST_RUN
            while length <= longest and bits.inside(bits.span(first, length), ranks):
                out[n] = FIRST_RUN[suit * RANKS + first] + length - SHORTEST_RUN
                n += 1
                length += 1
    return n


# What beats what


@rule
def is_run(cards: int) -> bool:
    """Whether a combination of three or more cards is a sequence, not a set."""
    return suit_of(bits.lowest(cards)) == suit_of(bits.highest(cards))


@rule
def higher_singles(hand: int, best: int) -> int:
    """LF-32, LF-33: the cards of the hand that beat this single."""
    if best & ALWAYS_OLD != bits.EMPTY:
        return bits.EMPTY
    card = bits.lowest(best)
    return bits.above(hand & suit_cards(suit_of(card)), card)


@rule
def ranks_beating(s: Any, best: int) -> int:
    """LF-34: the ranks whose sets beat this one; ones on the table give way to nines only."""
    rank = rank_of(bits.lowest(best))
    if rank == ONE:
        return bits.only(NINE)
    ranks = bits.span(rank + 1, NINE - rank)
    if s.ones_set == SECOND and rank <= EIGHT:
        ranks |= bits.only(ONE)
    return ranks


@rule
def special_set_beats(s: Any, hand: int, best: int, size: int) -> bool:
    """LF-15 and LF-34, special_in_sets and ones_set=second: whether ones with L beat this set."""
    return bits.has(ranks_beating(s, best), ONE) and holds_special_set(s, hand, size)


@rule
def runs_beating(hand: int, best: int, size: int, suit: int) -> int:
    """LF-35: the ranks at which a run in this suit begins that beats the run on the table."""
    lowest = bits.lowest(best)
    if suit < suit_of(lowest):
        return bits.EMPTY
    starts = run_starts(suit_ranks(hand, suit), size)
    return bits.above(starts, rank_of(lowest)) if suit == suit_of(lowest) else starts


@rule
def is_tigers(best: int, size: int) -> bool:
    """LF-45: the five tigers on the table, which nothing beats."""
    return size > SUITS and best & SPECIAL_CARD != bits.EMPTY


@rule
def can_beat(s: Any, hand: int, best: int, size: int) -> bool:
    """LF-30 to LF-36: whether the hand holds cards that beat the best on the table."""
    if size == 1:
        return higher_singles(hand, best) != bits.EMPTY
    if is_tigers(best, size):
        return False
    if is_run(best):
        for suit in range(SUITS):
            if runs_beating(hand, best, size, suit) != bits.EMPTY:
                return True
        return False
    held = ranks_of_three(hand) if size == 3 else ranks_of_four(hand)
    return held & ranks_beating(s, best) != bits.EMPTY or special_set_beats(s, hand, best, size)


@rule
def list_beating(s: Any, hand: int, best: int, size: int, out: Any) -> int:
    """LF-30 to LF-36: write the actions that beat the best on the table; how many there are."""
    if size == 1:
        return bits.list_into(higher_singles(hand, best), out)
    if is_tigers(best, size):
        return 0
    if is_run(best):
        return list_runs_beating(hand, best, size, out)
    ranks = ranks_beating(s, best)
    n = list_triples(hand, ranks, out, 0) if size == 3 else list_quads(hand, ranks, out, 0)
    return list_special_sets(s, hand, size, out, n) if special_set_beats(s, hand, best, size) else n


@rule
def list_runs_beating(hand: int, best: int, size: int, out: Any) -> int:
    """LF-35."""
    n = 0
    for suit in range(SUITS):
        starts = runs_beating(hand, best, size, suit)
        while starts != bits.EMPTY:
            out[n] = FIRST_RUN[suit * RANKS + bits.lowest(starts)] + size - SHORTEST_RUN
            starts = bits.without_lowest(starts)
            n += 1
    return n
