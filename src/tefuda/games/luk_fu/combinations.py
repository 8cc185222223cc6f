"""Luk Fu: sets and sequences: which a hand holds, and what beats what.

Cards in, cards or actions out; of a state the options alone are read. A sequence is named by its first card, a set by
its rank.
"""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.bits import of
from tefuda.engine.verbs import rule
from tefuda.games.luk_fu import cards as pack
from tefuda.games.luk_fu import plays
from tefuda.games.luk_fu.cards import EIGHT, NINE, ONE, RANKS, SPECIAL, SUITS, rank_of, suit_cards, suit_of, suit_ranks
from tefuda.games.luk_fu.options import OnesSet
from tefuda.games.luk_fu.plays import SHORTEST_RUN
from tefuda.games.luk_fu.state import State

ALL_RANKS = (1 << RANKS) - 1

RUN_STARTS = tuple(of(card for card in range(SPECIAL) if card % RANKS + length <= RANKS) for length in range(RANKS + 1))
"""By length, the cards with which a sequence can begin."""


# What a hand holds


@rule
def ranks_of_sets(hand: int, size: int) -> int:
    """The ranks of which there are three cards, or four, as a set; L does not count."""
    c, s = suit_ranks(hand, pack.CASH), suit_ranks(hand, pack.STRINGS)
    k, t = suit_ranks(hand, pack.KWAN), suit_ranks(hand, pack.TENS)
    return c & s & k & t if size == SUITS else (c & s & (k | t)) | (k & t & (c | s))


@rule
def ranks_with_special(s: State, hand: int, size: int) -> int:
    """As ``ranks_of_sets``; with special_in_sets L counts as a one (LF-15)."""
    ranks = ranks_of_sets(hand, size)
    if s.special_in_sets and bits.has(hand, SPECIAL) and bits.size(hand & pack.RANK_CARDS[ONE]) >= size - 1:
        ranks |= bits.only(ONE)
    return ranks


@rule
def run_starts(hand: int, length: int) -> int:
    """LF-14: the cards with which a sequence of this length begins."""
    starts = hand & RUN_STARTS[length]
    for k in range(1, length):
        starts &= bits.lowered(hand, k)
    return starts


@rule
def has_long_combination(s: State, hand: int) -> bool:
    """LF-51: whether there is a quad or a sequence of four or more."""
    return ranks_with_special(s, hand, SUITS) != bits.EMPTY or run_starts(hand, SHORTEST_RUN + 1) != bits.EMPTY


# Listing


@rule
def list_inside(first: int, end: int, hand: int, out: Any, n: int) -> int:
    """Add the actions from ``first`` to ``end`` − 1 whose cards are all in the hand; how many are listed then."""
    for action in range(first, end):
        if bits.inside(plays.CARDS_OF[action], hand):
            out[n] = action
            n += 1
    return n


@rule
def list_sets(hand: int, ranks: int, size: int, out: Any, n: int) -> int:
    """Add every set of this size of these ranks, without L; how many are listed then."""
    first, each = (plays.QUADS, 1) if size == SUITS else (plays.TRIPLES, SUITS)
    ranks &= ranks_of_sets(hand, size)
    while ranks != bits.EMPTY:
        place = first + each * bits.lowest(ranks)
        n = list_inside(place, place + each, hand, out, n)
        ranks = bits.without_lowest(ranks)
    return n


@rule
def list_special_sets(s: State, hand: int, ranks: int, size: int, out: Any, n: int) -> int:
    """LF-15, special_in_sets: add every set of this size with L, if ones are among the ranks."""
    if not s.special_in_sets or not bits.has(hand, SPECIAL) or not bits.has(ranks, ONE):
        return n
    if size == SUITS:
        return list_inside(plays.SPECIAL_QUADS, plays.RUNS, hand, out, n)
    return list_inside(plays.SPECIAL_TRIPLES, plays.SPECIAL_QUADS, hand, out, n)


@rule
def list_runs(hand: int, longest: int, out: Any, n: int) -> int:
    """LF-14: add every sequence of up to ``longest`` cards."""
    starts = run_starts(hand, SHORTEST_RUN)
    while starts != bits.EMPTY:
        first = bits.lowest(starts)
        starts = bits.without_lowest(starts)
        length = SHORTEST_RUN
        while length <= min(longest, RANKS - rank_of(first)) and bits.inside(bits.span(first, length), hand):
            out[n] = plays.FIRST_RUN[first] + length - SHORTEST_RUN
            n += 1
            length += 1
    return n


# What beats what


@rule
def is_run(cards: int) -> bool:
    """Whether a combination of three or more cards is a sequence, not a set."""
    return suit_of(bits.lowest(cards)) == suit_of(bits.highest(cards))


@rule
def is_tigers(best: int, size: int) -> bool:
    """LF-45: the five tigers on the table, which nothing beats."""
    return size > SUITS and bits.has(best, SPECIAL)


@rule
def higher_singles(hand: int, best: int) -> int:
    """LF-32, LF-33: the cards of the hand that beat this single."""
    if best & pack.ALWAYS_OLD != bits.EMPTY:
        return bits.EMPTY
    card = bits.lowest(best)
    return bits.above(hand & suit_cards(suit_of(card)), card)


@rule
def ranks_beating(s: State, best: int) -> int:
    """LF-34: the ranks whose sets beat this one; ones on the table give way to nines only."""
    rank = rank_of(bits.lowest(best))
    if rank == ONE:
        return bits.only(NINE)
    ranks = bits.span(rank + 1, NINE - rank)
    if s.ones_set == OnesSet.SECOND and rank <= EIGHT:
        ranks |= bits.only(ONE)
    return ranks


@rule
def runs_beating(hand: int, best: int, size: int) -> int:
    """LF-35: the first cards of the sequences that beat this one: those of a stronger suit, or higher in the same."""
    return bits.above(run_starts(hand, size), bits.lowest(best))


@rule
def beating(s: State, hand: int, best: int, size: int) -> int:
    """LF-30 to LF-36: what of the hand beats the best on the table.

    Returns:
        a set: of single cards, of ranks of sets, or of first cards of sequences, as the best is a single, a set or a
        sequence.
    """
    if size == 1:
        return higher_singles(hand, best)
    if is_tigers(best, size):
        return bits.EMPTY
    if is_run(best):
        return runs_beating(hand, best, size)
    return ranks_with_special(s, hand, size) & ranks_beating(s, best)


@rule
def can_beat(s: State, hand: int, best: int, size: int) -> bool:
    """LF-30 to LF-36: whether the hand holds cards that beat the best on the table."""
    return beating(s, hand, best, size) != bits.EMPTY


@rule
def list_beating(s: State, hand: int, best: int, size: int, out: Any) -> int:
    """LF-30 to LF-36: write the actions that beat the best on the table; how many there are."""
    found = beating(s, hand, best, size)
    if size == 1 or found == bits.EMPTY:
        return bits.list_into(found, out)
    if not is_run(best):
        n = list_sets(hand, found, size, out, 0)
        return list_special_sets(s, hand, found, size, out, n)
    n = bits.list_into(found, out)
    for k in range(n):
        out[k] = plays.FIRST_RUN[out[k]] + size - SHORTEST_RUN
    return n
