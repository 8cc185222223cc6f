"""The French pack of 52: a card is ``13 * suit + rank``, spades, hearts, diamonds, clubs, each from the two to the ace.

A game that leaves some cards out keeps the numbers of the others."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from tefuda.engine import bits
from tefuda.engine.kit.words import words_of
from tefuda.engine.scene import BLUE, GREEN, ORANGE, Face, Group
from tefuda.engine.verbs import rule

SUITS, RANKS = 4, 13
CARDS = SUITS * RANKS
SPADES, HEARTS, DIAMONDS, CLUBS = range(SUITS)
TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(RANKS)

SUIT_LETTERS = "SHDC"
RANK_WORDS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
CARD_WORDS = tuple(suit + rank for suit in SUIT_LETTERS for rank in RANK_WORDS)
SUIT_CARDS = tuple(int(bits.span(suit * RANKS, RANKS)) for suit in range(SUITS))
SUIT_TEXTS = ("scene.spades", "scene.hearts", "scene.diamonds", "scene.clubs")
"""Keys of the suits' names in a game's catalogues."""

SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
COLOURS = {"S": "", "H": ORANGE, "D": BLUE, "C": GREEN}


def face(word: str, name: str = "") -> Face:
    """A card as it is shown in text: its suit by symbol, letter and colour."""
    return Face(SYMBOLS[word[0]] + word, COLOURS[word[0]], name)


FACES = {word: replace(face(word), rank=RANKS - card % RANKS) for card, word in enumerate(CARD_WORDS)}


@rule
def suit_of(card: int) -> int:
    """0 spades, 1 hearts, 2 diamonds, 3 clubs."""
    return card // RANKS


@rule
def rank_of(card: int) -> int:
    """0 the two, up to 12 the ace."""
    return card % RANKS


@rule
def suit_cards(suit: int) -> int:
    """All cards of a suit."""
    return bits.span(suit * RANKS, RANKS)


def number(word: str) -> int:
    """The number of a card."""
    return CARD_WORDS.index(word)


def card_list(cards: int) -> str:
    """The cards of a set, written with blanks."""
    return " ".join(words_of(cards, CARD_WORDS))


@lru_cache(1024)  # all seats see much of the same, and go on seeing it
def group(label: str, cards: int) -> Group:
    """Cards under a label, the highest first."""
    return Group(label, words_of(cards, CARD_WORDS)[::-1])


@lru_cache(1024)  # a hand stays as it is while the others play
def by_suit(cards: int, labels: Sequence[str] = SUIT_TEXTS) -> tuple[Group, ...]:
    """A hand, suit by suit, the highest card first."""
    suits = ((label, cards & of_suit) for label, of_suit in zip(labels, SUIT_CARDS, strict=True))
    return tuple(group(label, held) for label, held in suits if held)
