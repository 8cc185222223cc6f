"""Luk Fu: what can be played, numbered once; what beats what; which cards are old.

Actions 0–36 play that card face up, ``THROW`` + card throws it face down; then come the sets and sequences that can be
led or played, the five tigers as a lead, and what is said. A sequence is named by its first card, a set by its rank."""

from itertools import combinations

import numpy as np

from tefuda.engine.bits import of
from tefuda.engine.kit import Ints, PlayTable, bits, constant, rule
from tefuda.engine.kit.kept import PerSeat, Series, Small
from tefuda.games.luk_fu import cards as pack
from tefuda.games.luk_fu.cards import CARD_WORDS, ONE, PACK, RANKS, SPECIAL, SPECIAL_CARD, SUITS, suit_cards, suit_of
from tefuda.games.luk_fu.state import LeadException, OldReading, OnesSet, State

SHORTEST_RUN, TRIPLE, QUAD = 3, 3, 4  # cards of a sequence at least, and of sets

DOWN = "~"

_singles = [[card] for card in range(pack.CARDS)]
_ones, _suits, _ranks = [suit * RANKS for suit in range(SUITS)], range(SUITS), range(RANKS)
_runs = [
    range(suit * RANKS + first, suit * RANKS + first + length)
    for suit in _suits
    for first in range(RANKS - SHORTEST_RUN + 1)
    for length in range(SHORTEST_RUN, RANKS - first + 1)
]

TABLE = PlayTable(CARD_WORDS, order=lambda card: (card == SPECIAL, -(card // RANKS), card))
TABLE.add(_singles)
THROW = TABLE.add(_singles, DOWN + "{}")
TRIPLES = TABLE.add([other * RANKS + rank for other in _suits if other != suit] for rank in _ranks for suit in _suits)
QUADS = TABLE.add([suit * RANKS + rank for suit in _suits] for rank in _ranks)
SPECIAL_TRIPLES = TABLE.add([*two, SPECIAL] for two in combinations(_ones, 2))
SPECIAL_QUADS = TABLE.add([*(other for other in _ones if other != one), SPECIAL] for one in _ones)
RUNS = TABLE.add(_runs)
LEAD_TIGERS = TABLE.add([[*_ones, SPECIAL]])
SHOW_TIGERS = TABLE.add([[*_ones, SPECIAL]], "tigers")
PLAY, PASS, STOP, ON = TABLE.say("play", "pass", "stop", "on")
ACTIONS = len(TABLE.words)
CARDS_OF = TABLE.sets

FIRST_RUN = constant(
    [RUNS + _runs.index(range(card, card + SHORTEST_RUN)) if card % RANKS <= RANKS - SHORTEST_RUN else -1
     for card in range(SPECIAL)]
)  # fmt: skip
"""By card, the action of the shortest sequence that begins with it; the longer ones follow. −1 if there is none."""


@rule
def is_throw(action: int) -> bool:
    """True if an action throws a card face down (LF-31)."""
    return THROW <= action < TRIPLES


ALL_RANKS = (1 << RANKS) - 1

RUN_STARTS = np.array(
    [of(card for card in range(SPECIAL) if card % RANKS + length <= RANKS) for length in range(RANKS + 1)], np.int64
)
"""By length, the cards with which a sequence can begin."""


@rule
def ranks_of_sets(hand: int, size: int) -> int:
    """The ranks of which there are three cards, or four, as a set; L does not count."""
    c, s = pack.suit_ranks(hand, pack.CASH), pack.suit_ranks(hand, pack.STRINGS)
    k, t = pack.suit_ranks(hand, pack.KWAN), pack.suit_ranks(hand, pack.TENS)
    return c & s & k & t if size == QUAD else (c & s & (k | t)) | (k & t & (c | s))


@rule
def ranks_with_special(s: State, hand: int, size: int) -> int:
    """Ranks as in ``ranks_of_sets``; with special_in_sets L counts as a one (LF-15)."""
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
    return ranks_with_special(s, hand, QUAD) != bits.EMPTY or run_starts(hand, SHORTEST_RUN + 1) != bits.EMPTY


@rule
def list_inside(first: int, end: int, hand: int, out: Ints, n: int) -> int:
    """Add the actions from ``first`` to ``end`` − 1 whose cards are all in the hand; how many are listed then."""
    for action in range(first, end):
        if bits.inside(CARDS_OF[action], hand):
            out[n] = action
            n += 1
    return n


@rule
def list_sets(hand: int, ranks: int, size: int, out: Ints, n: int) -> int:
    """Add every set of this size of these ranks, without L; how many are listed then."""
    first, each = (QUADS, 1) if size == QUAD else (TRIPLES, SUITS)
    ranks &= ranks_of_sets(hand, size)
    while ranks != bits.EMPTY:
        place = first + each * bits.lowest(ranks)
        n = list_inside(place, place + each, hand, out, n)
        ranks = bits.without_lowest(ranks)
    return n


@rule
def list_runs(hand: int, longest: int, out: Ints, n: int) -> int:
    """LF-14: add every sequence of up to ``longest`` cards."""
    starts = run_starts(hand, SHORTEST_RUN)
    while starts != bits.EMPTY:
        first = bits.lowest(starts)
        starts = bits.without_lowest(starts)
        length = SHORTEST_RUN
        while length <= min(longest, RANKS - pack.rank_of(first)) and bits.inside(bits.span(first, length), hand):
            out[n] = FIRST_RUN[first] + length - SHORTEST_RUN
            n += 1
            length += 1
    return n


@rule
def is_run(cards: int) -> bool:
    """True if a combination of three or more cards is a sequence, not a set."""
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
    rank = pack.rank_of(bits.lowest(best))
    if rank == ONE:
        return bits.only(pack.NINE)
    ranks = bits.span(rank + 1, pack.NINE - rank)
    if s.ones_set == OnesSet.SECOND and rank <= pack.EIGHT:
        ranks |= bits.only(ONE)
    return ranks


@rule
def runs_beating(hand: int, best: int, size: int) -> int:
    """LF-35: the first cards of the sequences that beat this one: those of a stronger suit, or higher in the same."""
    return bits.above(run_starts(hand, size), bits.lowest(best))


@rule
def beating(s: State, hand: int, best: int, size: int) -> int:
    """LF-30 to LF-36: what of the hand beats the best on the table, as a set: of single cards, of ranks of sets, or of
    first cards of sequences, as the best is a single, a set or a sequence."""
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
def list_sets_beating(s: State, hand: int, ranks: int, size: int, out: Ints) -> int:
    """LF-34: write the sets of this size of these ranks; with special_in_sets those of ones with L too (LF-15)."""
    n = list_sets(hand, ranks, size, out, 0)
    if not s.special_in_sets or not bits.has(ranks, ONE):
        return n
    if size == QUAD:
        return list_inside(SPECIAL_QUADS, RUNS, hand, out, n)
    return list_inside(SPECIAL_TRIPLES, SPECIAL_QUADS, hand, out, n)


@rule
def list_beating(s: State, hand: int, best: int, size: int, out: Ints) -> int:
    """LF-30 to LF-36: write the actions that beat the best on the table; how many there are."""
    found = beating(s, hand, best, size)
    if size == 1 or found == bits.EMPTY:
        return bits.list_into(found, out)
    if not is_run(best):
        return list_sets_beating(s, hand, found, size, out)
    n = bits.list_into(found, out)
    for k in range(n):
        out[k] = FIRST_RUN[out[k]] + size - SHORTEST_RUN
    return n


# Old cards (LF-22 to LF-27) and the single leads that they leave (LF-18 to LF-21)
WINNING_TRICKS = 6  # LF-41: tricks that win a deal


SuitBounds = PerSeat[Series[Small]] | Ints  # for each seat and suit, the rank from which on it can hold no card (LF-25)


@rule
def within_bounds(bounds: SuitBounds, seat: int) -> int:
    """LF-25: the cards that this player may hold by what they did not beat; ``bounds`` as the field of that name."""
    cards = PACK
    for suit in range(SUITS):
        bound = bits.wide(bounds[seat, suit])
        if bound < RANKS:
            cards = bits.without(cards, bits.span(suit * RANKS + bound, RANKS - bound))
    return cards


@rule
def still_out(s: State, seat: int, faceup: int, bounds: SuitBounds) -> int:
    """LF-24 to LF-26: the cards, L apart, that are neither face up nor excluded by what was not beaten.

    In the private reading only the two opponents of ``seat``, the leader, may hold them, in the public reading any of
    the three. ``bounds`` are as in the field of that name; of ``s`` the options and the sitter are read."""
    cards = bits.EMPTY
    for player in range(s.seats):
        if player != s.sitter and (player != seat or s.old_reading == OldReading.PUBLIC):
            cards |= within_bounds(bounds, player) if s.old_infer else PACK
    return bits.without(cards, faceup | SPECIAL_CARD)


@rule
def blockers(s: State, mine: int, dealt: int, out: int) -> int:
    """LF-24 (private), LF-26 (public reading): the cards below which nothing is old.

    ``mine`` is what the leader holds and has thrown, ``dealt`` what they were dealt; ``out``: see ``still_out``. Of
    ``s`` the options are read."""
    if s.old_reading == OldReading.PRIVATE:
        return bits.without(out, mine)
    cards = bits.EMPTY
    for suit in range(SUITS):
        top = out & suit_cards(suit)
        if top != bits.EMPTY:
            cards |= bits.span(suit * RANKS, bits.highest(top) + 1 - suit * RANKS)
    return bits.without(cards, dealt)


@rule
def old_cards(s: State, hand: int, mine: int, dealt: int, out: int) -> int:
    """LF-22 to LF-27: the old cards of a hand. Arguments as in ``blockers``."""
    blocked = blockers(s, mine, dealt, out)
    old = hand & pack.ALWAYS_OLD
    for suit in range(SUITS):
        of_suit, blocking = hand & suit_cards(suit), blocked & suit_cards(suit)
        old |= of_suit if blocking == bits.EMPTY else bits.above(of_suit, bits.highest(blocking))
    return old


@rule
def old_in_hand(s: State, seat: int) -> int:
    """The old cards of this seat, now."""
    hand = s.hands[seat]
    out = still_out(s, seat, s.faceup, s.bounds)
    return old_cards(s, hand, hand | s.discards[seat], s.dealt[seat], out)


@rule
def leads_freely(s: State, seat: int, tricks: int) -> bool:
    """LF-19: the exceptions that do not depend on the hand; ``tricks``: those that the leader had before the lead."""
    if seat == s.declarer:
        return True
    if tricks >= WINNING_TRICKS:
        return bits.has(s.lead_exceptions, LeadException.HAS_SIX)
    return tricks == WINNING_TRICKS - 1 and bits.has(s.lead_exceptions, LeadException.SIXTH_TRICK)


@rule
def restricted_singles(hand: int, old: int) -> int:
    """LF-18, LF-19 b: fresh cards of the strongest suit that has some; anything if all are old."""
    fresh = bits.without(hand, old)
    return hand if fresh == bits.EMPTY else fresh & suit_cards(suit_of(bits.highest(fresh)))


@rule
def single_leads(s: State, seat: int) -> int:
    """LF-18 to LF-21: the cards that this seat may lead as a single."""
    hand = s.hands[seat]
    if leads_freely(s, seat, s.tricks[seat]):
        return hand
    return restricted_singles(hand, old_in_hand(s, seat))
