"""The notation of plays: a word that people read, type and save stands for one or more kernel actions."""

import re
import unicodedata
from collections.abc import Container, Mapping, Sequence
from typing import Protocol

from tefuda.engine.errors import TefudaError
from tefuda.engine.record import States

_SHOWN_ONLY = dict.fromkeys(map(ord, "♠♥♦♣十拾万萬索貫贯銭錢钱\ufe0f"))
"""Suit signs stand beside the letters where cards are shown; who types them after the screen is understood."""

_SUITS = str.maketrans("♠♥♦♣", "SHDC", "\ufe0f")  # suit signs in the place of the letters, as on the cards

_TILDES = str.maketrans("〜∼", "~~")

SUMMARY = re.compile(r"~\d+")  #: a listed play that stands for many, such as ``~3``: any three cards face down


class NotationError(TefudaError):
    """A word that is no play of the game; the message names it and says what would be one."""


class Notation(Protocol):
    """Whole plays as words. A play may take several kernel actions of the same mover.

    States are handed over as arrays of one record."""

    single: Mapping[str, int]  #: the plays that are one kernel action wherever they are legal, with its number

    def plays(self, states: States, actions: Sequence[int]) -> list[str]:
        """The legal plays, too many as one ``SUMMARY``; ``actions`` are the legal kernel actions."""

    def actions(self, states: States, word: str) -> tuple[int, ...]:
        """The kernel actions that make a play, legal or not; ``NotationError`` if the word is no play of this game."""

    def word(self, states: States, actions: Sequence[int]) -> str | None:
        """The play that the mover's actions make, or None while more of them belong to it.

        ``states[0]`` is what the last of them is about to be applied to."""

    def normal(self, word: str) -> str:
        """The one spelling of a play that has several (``HA+SQ`` for ``SQ+HA``), as ``plays`` lists it.

        ``NotationError`` if the word is no play of this game."""


NO_ACTION = -1  #: stands for cards put together that no rule lets anybody play together: readable, never legal


class OneActionNotation:
    """The notation of a game in which every play is one action, in whatever state.

    Args:
        words: of the actions, by number.
        example: what to suggest to somebody whose word cannot be read.
        cards: of a game whose plays are groups of cards, the words of the cards. Any group of them can then be read,
            after a declaration too (``supreme:34``); the game says why it is no play. Otherwise it is no word.
    """

    def __init__(self, words: Sequence[str], example: str, cards: Sequence[str] = ()) -> None:
        self.words = tuple(words)
        self.example = example
        self._card_words = tuple(cards)
        self._cards = {card.upper(): place for place, card in enumerate(cards)}
        self._known = self._cards.keys() | {word.upper() for word in words}
        self._declarations = {word.partition(":")[0] + ":" for word in words if ":" in word} | {""}
        self.single: Mapping[str, int] = {word: number for number, word in enumerate(self.words)}
        self._any_order = {self._key(word): word for word in self.words}

    def plays(self, states: object, actions: Sequence[int]) -> list[str]:
        return list(map(self.words.__getitem__, actions))

    def actions(self, states: object, word: str) -> tuple[int, ...]:
        return (self.single.get(self.normal(word), NO_ACTION),)

    def word(self, states: object, actions: Sequence[int]) -> str | None:
        return self.words[actions[0]]

    def normal(self, word: str) -> str:
        if isinstance(word, str) and word in self.single:
            return word
        key = self._key(word) if isinstance(word, str) else None
        found = key and (self._any_order.get(key) or self._group(*key))
        if not found:
            raise NotationError(f"{word!r} is not a play: write {self.example}")
        return found

    def _key(self, word: str) -> tuple[str, tuple[str, ...]]:
        """Equal for words that differ in the case of letters, in the order of the cards or in how one is written."""
        declaration, colon, cards = plain(word).rpartition(":")
        return (declaration + colon).lower(), tuple(sorted(card_of(card, self._known) for card in cards.split("+")))

    def _group(self, declaration: str, cards: Sequence[str]) -> str | None:
        """A group of cards that is no play, its cards in the order of the pack; None if these are not all cards."""
        if declaration not in self._declarations or not all(card in self._cards for card in cards):
            return None
        return declaration + "+".join(self._card_words[place] for place in sorted(map(self._cards.__getitem__, cards)))


def plain(word: str) -> str:
    """A word as keyboards without an input method write it: ``ＳＱ`` and ``～Ｓ８`` are ``SQ`` and ``~S8``."""
    return unicodedata.normalize("NFKC", word).translate(_TILDES).strip()


def card_of(typed: str, known: Container[str]) -> str:
    """The known card that is typed as people write cards: ``sq``, ``♠SQ`` after the screen, ``♠Q``, ``Q♠``, ``QS``.

    What is none of them comes back in capitals."""
    code = typed.strip().upper()
    down, card = ("~", code[1:]) if code.startswith("~") else ("", code)
    for spelled in (card.translate(_SHOWN_ONLY), card.translate(_SUITS)):
        for word in (down + spelled, down + spelled[-1:] + spelled[:-1]):
            if word in known:
                return word
    return code.translate(_SHOWN_ONLY)


def is_number(text: str) -> bool:
    """True if a word is a number in plain digits."""
    return text.strip().isascii() and text.strip().isdecimal()


def seat_and_play(text: object) -> tuple[int, str]:
    """A play with its seat before it, as records, scenarios and positions write it: ``"1:SQ"`` is ``(1, "SQ")``.

    ``NotationError`` if it is not written so."""
    seat, colon, word = str(text).partition(":")
    if not isinstance(text, str) or not colon or not is_number(seat):
        raise NotationError(f"{text!r} is not written as seat:play, such as '1:SQ'")
    return int(seat), word.strip()


def is_declaration(word: str) -> bool:
    """True if a play is something said (``pass``, ``expose:none``) and not cards: it begins in lower case."""
    return word[:1].islower()
