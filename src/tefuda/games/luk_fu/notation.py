"""Luk Fu: how plays are written: ``play``, ``T5``, ``T9+K9+S9``, ``~T5+K2+C3`` face down, ``tigers``, ``stop``."""

from collections.abc import Mapping, Sequence
from typing import Any

from tefuda.engine.bits import EMPTY, has, members_of, of, only, size
from tefuda.engine.notation import NO_ACTION, NotationError, card_of, plain
from tefuda.games.luk_fu.cards import CARD_WORDS, RANKS, SPECIAL
from tefuda.games.luk_fu.plays import CARDS_OF, SHOW_TIGERS, THROW, TRIPLES, is_throw
from tefuda.games.luk_fu.state import Phase, State

DOWN = "~"
SAID = ("tigers", "play", "pass", "stop", "on")
"""The words of the actions from ``SHOW_TIGERS`` up."""

EXAMPLE = "a card such as T5, a set or sequence such as T9+K9+S9 or K1+K2+K3, ~T5+K2+C3 for cards thrown face down"

_NUMBERS = {word: card for card, word in enumerate(CARD_WORDS)}


def joined(cards: int, between: str = "+") -> str:
    """The cards of a set in words: strongest suit first, in a suit from the lowest up; L last."""
    order = sorted(members_of(cards), key=lambda card: (card == SPECIAL, -(card // RANKS), card))
    return between.join(CARD_WORDS[card] for card in order)


def card_list(cards: int) -> str:
    """The cards of a set, written with blanks."""
    return joined(cards, " ")


def thrown(cards: int) -> str:
    """The word of a play that throws these cards face down."""
    return DOWN + joined(cards)


def split(word: str) -> tuple[bool, int]:
    """Whether a word throws face down, and its cards.

    Raises:
        NotationError: it names no cards, or one twice.
    """
    cards, read = EMPTY, plain(word)
    down = read.startswith(DOWN)
    for code in read.removeprefix(DOWN).split("+"):
        number = _NUMBERS.get(card_of(code, _NUMBERS))
        if number is None:
            hint = f"name the cards, such as {DOWN}T5+K2" if down and code.isdecimal() else f"write {EXAMPLE}"
            raise NotationError(f"{word!r} is not a play: {hint}")
        if has(cards, number):
            raise NotationError(f"{word!r} is not a play: {CARD_WORDS[number]} stands twice")
        cards |= int(only(number))
    return down, cards


def cards_due(state: State) -> int:
    """How many cards the mover has to throw if nothing is beaten; 0 for a mover who does not follow."""
    if state.phase != Phase.FOLLOWING:
        return 0
    return int(state.to_throw) or int(state.led_count)


_words = [*map(joined, CARDS_OF[:SHOW_TIGERS]), *SAID]
_words[THROW:TRIPLES] = map(thrown, CARDS_OF[THROW:TRIPLES])
WORDS = tuple(_words)
"""Of the actions, by number."""

SINGLE = {word: action for action, word in enumerate(WORDS) if not word.startswith(DOWN)}
"""The actions that are a whole play, by word."""


def actions_of(state: State, word: str) -> tuple[int, ...]:
    """The actions that make a play, legal or not; ``NO_ACTION`` alone for cards that are no play here.

    Raises:
        NotationError: the word is no play of this game.
    """
    said = plain(word).lower()
    if said in SAID:
        return (SINGLE[said],)
    down, cards = split(word)
    if not down:
        return (SINGLE.get(joined(cards), NO_ACTION),)
    if size(cards) != cards_due(state):
        return (NO_ACTION,)
    return tuple(THROW + card for card in members_of(cards))


class LukFuNotation:
    """Plays as words; a throw of several cards is one action a card, ascending."""

    words = WORDS
    single: Mapping[str, int] = SINGLE

    def plays(self, states: Any, actions: Sequence[int]) -> list[str]:
        due = cards_due(states[0]) if actions and is_throw(actions[0]) else 1
        return [f"{DOWN}{due}"] if due > 1 else list(map(WORDS.__getitem__, actions))

    def actions(self, states: Any, word: str) -> tuple[int, ...]:
        return actions_of(states[0], word)

    def word(self, states: Any, actions: Sequence[int]) -> str | None:
        if not is_throw(actions[0]):
            return WORDS[actions[0]]
        return None if cards_due(states[0]) > 1 else thrown(of(action - THROW for action in actions))

    def normal(self, word: str) -> str:
        read = plain(word)
        if read.lower() in SAID:
            return read.lower()
        if read.startswith(DOWN) and read[1:].isdecimal():
            return DOWN + str(int(read[1:]))
        down, cards = split(word)
        return thrown(cards) if down else joined(cards)


NOTATION = LukFuNotation()
