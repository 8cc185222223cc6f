"""Luk Fu: how plays are written: ``play``, ``T5``, ``T9+K9+S9``, ``~T5+K2+C3`` face down, ``tigers``, ``stop``."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tefuda.engine.bits import EMPTY, members_of, of, size
from tefuda.engine.notation import NotationError
from tefuda.games.luk_fu.state import (
    ACTIONS,
    CARD_WORDS,
    CARDS,
    CARDS_OF,
    FOLLOWING,
    ON,
    PASS,
    PLAY,
    RANKS,
    SHOW_TIGERS,
    SPECIAL,
    STOP,
    THROW,
    TRIPLES,
)

DOWN = "~"
NO_ACTION = -1
"""Stands for cards that are no play in any position, such as two cards led together."""

SAID = {"tigers": SHOW_TIGERS, "play": PLAY, "pass": PASS, "stop": STOP, "on": ON}
EXAMPLE = "a card such as T5, a set or sequence such as T9+K9+S9 or K1+K2+K3, ~T5+K2+C3 for cards thrown face down"

_NUMBERS = {word: card for card, word in enumerate(CARD_WORDS)}


def in_order(cards: int) -> list[int]:
    """Strongest suit first, in a suit from the lowest up; L last."""
    return sorted(members_of(cards), key=lambda card: (card == SPECIAL, -(card // RANKS), card))


def joined(cards: int, between: str = "+") -> str:
    """The cards of a set in words."""
    return between.join(CARD_WORDS[card] for card in in_order(cards))


def card_list(cards: int) -> str:
    """The cards of a set, written with blanks."""
    return joined(cards, " ")


WORDS_OF_ACTIONS = tuple(
    {number: said for said, number in SAID.items()}.get(action)
    or (DOWN if CARDS <= action < TRIPLES else "") + joined(CARDS_OF[action])
    for action in range(ACTIONS)
)


def split(word: str) -> tuple[bool, int]:
    """Whether a word throws face down, and its cards.

    Raises:
        NotationError: it names no cards, or one twice.
    """
    down = word.startswith(DOWN)
    cards = EMPTY
    for code in word.removeprefix(DOWN).split("+"):
        number = _NUMBERS.get(code.strip().upper())
        if number is None:
            hint = f"name the cards, such as {DOWN}T5+K2" if down and code.isdecimal() else f"write {EXAMPLE}"
            raise NotationError(f"{word!r} is not a play: {hint}")
        if cards >> number & 1:
            raise NotationError(f"{word!r} is not a play: {CARD_WORDS[number]} stands twice")
        cards |= 1 << number
    return down, cards


def record_of(states: Any) -> Any:
    """The record, of which tables hand over an array of one and reasons the record itself."""
    return states[0] if isinstance(states, np.ndarray) else states


def cards_due(state: Any) -> int:
    """How many cards the mover has to throw if he does not beat; 0 if he does not follow."""
    if state.phase != FOLLOWING:
        return 0
    return int(state.to_throw) or int(state.led_count)


class LukFuNotation:
    """Plays as words; a throw of several cards is one action a card, ascending."""

    def __init__(self) -> None:
        self.words = WORDS_OF_ACTIONS
        face_up = (action for action in range(ACTIONS) if not CARDS <= action < TRIPLES)
        self.single: Mapping[str, int] = {WORDS_OF_ACTIONS[action]: action for action in face_up}
        self._by_cards = {
            int(CARDS_OF[action]): action for action in range(SHOW_TIGERS) if not THROW <= action < TRIPLES
        }

    def plays(self, states: Any, actions: Sequence[int]) -> list[str]:
        if actions and CARDS <= actions[0] < TRIPLES:
            due = cards_due(record_of(states))
            if due > 1:
                return [f"{DOWN}{due}"]
        return list(map(WORDS_OF_ACTIONS.__getitem__, actions))

    def actions(self, states: Any, word: str) -> tuple[int, ...]:
        said = word.strip().lower()
        if said in SAID:
            return (SAID[said],)
        down, cards = split(word.strip())
        if not down:
            return (self._by_cards.get(cards, NO_ACTION),)
        if size(cards) != cards_due(record_of(states)):
            return (NO_ACTION,)
        return tuple(THROW + card for card in members_of(cards))

    def word(self, states: Any, actions: Sequence[int]) -> str | None:
        if not CARDS <= actions[0] < TRIPLES:
            return WORDS_OF_ACTIONS[actions[0]]
        if cards_due(record_of(states)) > 1:
            return None
        return DOWN + joined(of(action - THROW for action in actions))

    def normal(self, word: str) -> str:
        word = word.strip()
        if word.lower() in SAID:
            return word.lower()
        if word.startswith(DOWN) and word[1:].isdecimal():
            return DOWN + str(int(word[1:]))
        down, cards = split(word)
        return (DOWN if down else "") + joined(cards)


NOTATION = LukFuNotation()
