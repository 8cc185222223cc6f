"""Kakkuri: the pack of 48, every step there is, numbered once, and everything that may be said.

A card is a number from 0 to 47: rank by rank from the ace to the king (A 2 … 9 Q J K), ``4 * rank + suit`` with ranks
from 0. Sets of cards are the bits of an integer.

A step lays one, two or three cards as one rank. Its cards are *slots* of that rank, as bits: the four suits, CA
standing for the rank, D2 standing for it. As an ace CA is the ace of clubs, as a two D2 is the two of diamonds. Actions
go rank by rank, in a rank by the number of cards, then by slots.

The naturals of a rank are equal to each other, CA and D2 to no other card. Of steps that differ only in which naturals
they take, the rules list one: with the lowest that the player holds. The player may lay any."""

from itertools import combinations

import numpy as np

from tefuda.engine.kit import Ints, PlayTable, bits, constant, inlined, rule, words_of

SUITS, RANKS = 4, 12
CARDS = SUITS * RANKS

SUIT_LETTERS = "CSDH"
CLUBS, SPADES, DIAMONDS, HEARTS = range(SUITS)
RANK_LETTERS = "A23456789QJK"
ACE, TWO, THREE, JACK, KING = 0, 1, 2, 10, 11

CARD_WORDS = tuple(suit + rank for rank in RANK_LETTERS for suit in SUIT_LETTERS)
CLUB_ACE, DIAMOND_TWO, CLUB_THREE = map(CARD_WORDS.index, ("CA", "D2", "C3"))
WILDS = bits.of((CLUB_ACE, DIAMOND_TWO))
UTAZU_CARDS = bits.of(map(CARD_WORDS.index, ("SA", "DA", "HA")))
PACK = int(bits.span(0, CARDS))

NO_CARD = -1


@rule
def rank_of(card: int) -> int:
    """0 the ace, up to 11 the king, in the order of play."""
    return card // SUITS


@rule
def naturals(hand: int, rank: int) -> int:
    """The cards of a rank in a hand that are not wild, as bits by suit."""
    return bits.section(bits.without(hand, WILDS), SUITS * rank, SUITS)


def card_list(cards: int) -> str:
    """The cards of a set, written with blanks."""
    return " ".join(words_of(int(cards), CARD_WORDS))


SLOTS = SUITS + 2
AS_CLUB_ACE, AS_DIAMOND_TWO = SUITS, SUITS + 1
SINGLE, PAIR, SANBON = 1, 2, 3


def slots_of(rank: int) -> list[int]:
    """The slots that a rank has."""
    return [slot for slot in range(SLOTS) if (rank, slot) not in ((ACE, AS_CLUB_ACE), (TWO, AS_DIAMOND_TWO))]


def card_in(rank: int, slot: int) -> int:
    """The card in a slot."""
    return SUITS * rank + slot if slot < SUITS else (CLUB_ACE, DIAMOND_TWO)[slot - SUITS]


def _write(rank: int, slot: int) -> str:
    """A card of a step as it is written there."""
    word = CARD_WORDS[card_in(rank, slot)]
    return word if slot < SUITS else f"{word}={RANK_LETTERS[rank]}"


_STEPS = [
    (rank, slots)
    for rank in range(RANKS)
    for size in (SINGLE, PAIR, SANBON)
    for slots in map(bits.members_of, sorted(bits.of(chosen) for chosen in combinations(slots_of(rank), size)))
]
TABLE = PlayTable(CARD_WORDS)
for _rank, _slots in _STEPS:
    TABLE.add([[card_in(_rank, slot) for slot in _slots]], "+".join(_write(_rank, slot) for slot in _slots))
STEPS = len(TABLE.words)
END, RAISE, CEDE, DEAL, DROP, STAY, RETURN, AGREE, REFUSE, UTAZU, PASS, SANZOKU, SWAP, KEEP = TABLE.say(
    "end", "raise", "cede", "deal", "drop", "stay", "return", "agree", "refuse", "utazu", "pass", "sanzoku", "swap",
    "keep",
)  # fmt: skip
ACTIONS = len(TABLE.words)

RANK_OF = constant([rank for rank, _ in _STEPS])
SLOTS_OF = constant([bits.of(slots) for _, slots in _STEPS])
CARDS_OF, SIZE_OF = TABLE.sets, TABLE.sizes
SPECIALS = constant(
    [
        bits.of((CLUBS if rank == ACE else AS_CLUB_ACE, DIAMONDS if rank == TWO else AS_DIAMOND_TWO))
        for rank in range(RANKS)
    ]
)
"""For each rank, the slots of CA and D2."""

_NUMBERS = {(rank, bits.of(slots)): step for step, (rank, slots) in enumerate(_STEPS)}
STEP = constant([[_NUMBERS.get((rank, slots), -1) for slots in range(1 << SLOTS)] for rank in range(RANKS)])
"""The number of a step by rank and slots; −1 if there is none."""

# What may be listed for a rank, by the slots that a hand fills: one step for each choice of wilds.
WAYS = FREELY, NO_WILDS, IN_TWOS, IN_TWOS_NO_WILDS = range(4)
"""Ways to play: singles and sanbon; the same without wilds in a sanbon; pairs; the same without wilds in a pair."""

MOST_LISTED = 8


def listed_steps(rank: int, filled: int, way: int) -> list[int]:
    """The steps of a rank that slots filled by a hand allow, ascending, one for each choice of CA and D2."""
    special = int(SPECIALS[rank])
    found = set()
    for size in (PAIR,) if way >= IN_TWOS else (SINGLE, SANBON):
        for chosen in combinations(bits.members_of(filled & bits.of(slots_of(rank))), size):
            slots = bits.of(chosen)
            stands_for = slots & bits.of((AS_CLUB_ACE, AS_DIAMOND_TWO))
            if stands_for and size > SINGLE and way in (NO_WILDS, IN_TWOS_NO_WILDS):
                continue
            naturals = bits.members_of(filled & ~special)[: bits.size(slots & ~special)]
            found.add(int(STEP[rank, bits.of(naturals) | slots & special]))
    return sorted(found)


def _row(steps: list[int]) -> list[int]:
    return [len(steps), *steps, *[0] * (MOST_LISTED - 1 - len(steps))]


LISTED = constant(
    [
        [[_row(listed_steps(rank, filled, way)) for filled in range(1 << SLOTS)] for rank in range(RANKS)]
        for way in WAYS
    ],
    np.int16,
)
"""First how many there are, then the steps; zeros fill the row, which is copied whole."""


@rule
def filled_slots(hand: int, rank: int) -> int:
    """The slots of a rank that the cards of a hand can fill."""
    slots = bits.section(hand, SUITS * rank, SUITS)
    if rank != ACE and bits.has(hand, CLUB_ACE):
        slots |= bits.only(AS_CLUB_ACE)
    if rank != TWO and bits.has(hand, DIAMOND_TWO):
        slots |= bits.only(AS_DIAMOND_TWO)
    return slots


@rule
def same_with_lowest(action: int, hand: int) -> int:
    """The step that takes the same wilds and as many naturals of the hand, the lowest."""
    rank = RANK_OF[action]
    special = SPECIALS[rank]
    naturals = bits.without(filled_slots(hand, rank), special)
    slots = SLOTS_OF[action] & special
    for _ in range(bits.size(bits.without(SLOTS_OF[action], special))):
        slots |= bits.only(bits.lowest(naturals))
        naturals = bits.without_lowest(naturals)
    return STEP[rank, slots]


@inlined
def add_steps(hand: int, rank: int, way: int, out: Ints, n: int) -> int:
    """Add the steps of a rank after the n in ``out``; how many there are then."""
    filled = filled_slots(hand, rank)
    if filled == bits.EMPTY:
        return n
    for k in range(MOST_LISTED - 1):  # all of them, and the next ones over those that there are not: see ``LISTED``
        out[n + k] = LISTED[way, rank, filled, k + 1]
    return n + bits.wide(LISTED[way, rank, filled, 0])


@inlined
def list_steps(hand: int, ranks: int, way: int, out: Ints) -> int:
    """List the steps that a hand has of these ranks, ascending; how many there are."""
    n = 0
    while ranks != bits.EMPTY:
        n = add_steps(hand, bits.lowest(ranks), way, out, n)
        ranks = bits.without_lowest(ranks)
    return n
