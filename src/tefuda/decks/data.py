"""What a deck's data file says: the cards, what they are called in every language, and how their faces are composed.

A game names its data files in ``Description.files.decks``, the deck of its home first.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tefuda.engine.description import Description, nearest
from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import LANGUAGES, Spell

_COMMA = re.compile("[,，、]")

READ_IN = ("ja", "zh-Hant", "zh-Hans")
"""Languages whose names of cards have a reading: kana, pinyin."""

Texts = Mapping[str, str]
"""A text by language."""


class DeckError(TefudaError):
    """A deck that is not there, or a data file that says something wrong; the message is one clear line."""


@dataclass(frozen=True)
class Suit:
    """A suit.

    Attributes:
        key: how its cards' words begin, where they are composed of suit and rank.
        sign: the drawing that stands for it, a name of ``tefuda.decks.signs``.
        letter: what stands for it beside its shape in the accessible layer.
        colour: of its sign there, as ``#rrggbb``.
        names, readings: by language.
        card, card_readings: how a card is called, with ``{rank}``.
    """

    key: str
    sign: str
    letter: str
    colour: str
    names: Texts
    readings: Texts
    card: Texts
    card_readings: Texts


@dataclass(frozen=True)
class Rank:
    """A rank: the end of a word, how it is called, and its place, counted from 1, which the notches show."""

    key: str
    place: int
    names: Texts
    readings: Texts


@dataclass(frozen=True)
class Card:
    """A card of a deck.

    Attributes:
        word: as in the game's notation.
        copies: how many the pack has.
        suit, place: place is the rank among the cards of the suit, counted from 1; the notches show it.
        index: what stands largest in the learner's index.
        names, readings: spoken, by language; every language of ``LANGUAGES``, every one of ``READ_IN``.
        short: what stands beside the sign in the index, by language.
        seal: characters in a seal, on cards that have something of their own.
        art: whatever else the painter of this deck is told.
    """

    word: str
    copies: int
    suit: Suit
    place: int
    index: str
    names: Texts
    readings: Texts
    short: Texts
    seal: str
    art: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Deck:
    """A deck.

    Attributes:
        game, name: a file's name without its end is the deck's name.
        titles: what it is, by language.
        painter: how its faces are composed, a name of ``tefuda.decks.painters``.
        size: of a card in life, width and height in millimetres.
        corner: radius in millimetres.
        inks: colours by name, as ``#rrggbb``.
        back: name of the pattern.
        shown: words of the few cards that stand for the deck in a picture.
        cards: by word, in the game's order.
    """

    game: str
    name: str
    titles: Texts
    painter: str
    size: tuple[float, float]
    corner: float
    inks: Mapping[str, str]
    back: str
    shown: tuple[str, ...]
    cards: Mapping[str, Card] = field(default_factory=dict)

    @property
    def suits(self) -> tuple[Suit, ...]:
        return tuple({card.suit.key: card.suit for card in self.cards.values()}.values())

    @property
    def pack(self) -> list[Card]:
        """Every card as often as the pack has it."""
        return [card for card in self.cards.values() for _ in range(card.copies)]


def load(game: Description, name: str = "") -> Deck:
    """A deck of a game, the one of its home unless another is named.

    Raises:
        DeckError: the game has no such deck, or its data file is wrong.
    """
    paths = {path.stem: path for path in game.files.decks}
    if not paths:
        raise DeckError(f"{game.name} has no deck to draw")
    name = name or next(iter(paths))
    if name not in paths:
        raise DeckError(f"{game.name} has no deck {name!r}{nearest(name, paths)}; its decks are {', '.join(paths)}")
    return _loaded(game.name, game.cards, paths[name])


def chosen(table: Mapping[str, Any], name: str, what: str) -> Any:
    """What a data file has chosen by name.

    Args:
        what: it is, with whose it is, for the message.

    Raises:
        DeckError: there is nothing of this name.
    """
    if name not in table:
        raise DeckError(f"{what}: there is no {name!r}{nearest(name, table)}; there are: {', '.join(table)}")
    return table[name]


def named(game: Description, word: str, language: str) -> tuple[str, str]:
    """What a card is called, and how that is read where its characters need it; both empty if the game has no such
    card."""
    card = load(game).cards.get(word) if game.files.decks else None
    if card is None or language not in card.names:
        return "", ""
    name = card.names[language]
    return name, card.readings.get(language, "") if _CHARACTER.search(name) else ""


_CHARACTER = re.compile("[\u4e00-\u9fff]")


def spoken(game: Description, word: str, language: str) -> str:
    """What a card is called, with its reading behind it; empty if the game has no such card."""
    name, reading = named(game, word, language)
    return f"{name}（{reading}）" if reading else name


_SIGNS = {"spade": "♠", "heart": "♥", "diamond": "♦", "club": "♣"}


def brief(game: Description, word: str, language: str) -> str:
    """What a card is called within a sentence: by sign and rank where everybody knows them, else by its name without
    what follows a comma."""
    return _brief(load(game).cards[word], language) if game.files.decks else game.display.faces[word].text


def _brief(card: Card, language: str) -> str:
    sign = _SIGNS.get(card.suit.sign)
    return f"{sign}{card.index}" if sign else _COMMA.split(card.names[language])[0]


def by_name(deck: Deck, language: str, comma: str) -> Spell:
    """What writes cards that a text quotes as this deck calls them, instead of their words.

    Args:
        comma: what stands between several cards.
    """

    def named_words(quoted: str) -> str:
        laid = [words.split("+") for words in quoted.split()]
        if not all(word in deck.cards for words in laid for word in words):
            return quoted
        return comma.join(" + ".join(_brief(deck.cards[word], language) for word in words) for words in laid)

    return named_words


@cache
def _loaded(game: str, words: tuple[str, ...], path: Path) -> Deck:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
        return _deck(game, words, path.stem, data)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DeckError(f"{path}: {error}") from None
    except KeyError as error:
        raise DeckError(f"{path}: {error.args[0]}") from None


def _deck(game: str, words: tuple[str, ...], name: str, data: Mapping[str, Any]) -> Deck:
    suits = {suit.key: suit for suit in map(_suit, _asked(data, "suit", "the deck"))}
    ranks = {
        rank["key"]: Rank(rank["key"], place, _texts(rank, "name"), _texts(rank, "reading"))
        for place, rank in enumerate(data.get("rank", []), 1)
    }
    own = data.get("card", {})
    for word in own:
        if word not in words:
            raise KeyError(f"[card.{word}] is not a card of {game}{nearest(word, words)}")
    shown = tuple(data.get("shown", words[:: max(1, len(words) // 5)]))
    for word in shown:
        if word not in words:
            raise KeyError(f"shown: {word!r} is not a card of {game}{nearest(word, words)}")
    width, height = _asked(data, "size", "the deck")
    return Deck(
        game,
        name,
        _complete(_texts(data, "title"), LANGUAGES, "the title"),
        _asked(data, "painter", "the deck"),
        (float(width), float(height)),
        float(data.get("corner", 2.0)),
        data.get("inks", {}),
        _asked(data, "back", "the deck"),
        shown,
        {word: _card(word, own.get(word, {}), suits, ranks, int(data.get("copies", 1))) for word in words},
    )


def _suit(data: Mapping[str, Any]) -> Suit:
    key = _asked(data, "key", "a suit")
    sign, letter, colour = (str(_asked(data, word, f"suit {key}")) for word in ("sign", "letter", "colour"))
    names = _complete(_texts(data, "name"), LANGUAGES, f"suit {key}")
    card, readings = _texts(data, "card"), _texts(data, "card_reading")
    return Suit(key, sign, letter, colour, names, _texts(data, "reading"), card, readings)


def _card(word: str, own: Mapping[str, Any], suits: Mapping[str, Suit], ranks: Mapping[str, Rank], copies: int) -> Card:
    """A card's own entry says what its suit and rank do not."""
    suit = suits.get(own.get("suit", word[:1]))
    if suit is None:
        raise KeyError(f"the suit of {word} is not said: write suit under [card.{word}]")
    rank = ranks.get(own.get("rank", word[len(suit.key) :]))
    names, readings = _texts(own, "name"), _texts(own, "reading")
    if rank is not None:
        names = {**_called(suit.card, rank.names), **names}
        readings = {**_called(suit.card_readings, rank.readings), **readings}
    place = own.get("place", rank.place if rank else 0)
    return Card(
        word,
        int(own.get("copies", copies)),
        suit,
        int(place),
        str(own.get("index", rank.key if rank else word)),
        _complete(names, LANGUAGES, word),
        _complete(readings, READ_IN, f"the reading of {word}"),
        {**suit.names, **_texts(own, "short")},
        own.get("seal", ""),
        own.get("art", {}),
    )


def _called(patterns: Texts, ranks: Texts) -> dict[str, str]:
    return {language: text.format(rank=ranks[language]) for language, text in patterns.items() if language in ranks}


def _texts(data: Mapping[str, Any], key: str) -> Texts:
    """Texts by language; one under ``zh`` is for both ways of writing Chinese, a bare text for every language."""
    found = data.get(key, {})
    if isinstance(found, str):
        return dict.fromkeys(LANGUAGES, found)
    both = {language: found["zh"] for language in ("zh-Hant", "zh-Hans") if "zh" in found}
    return {**both, **{language: text for language, text in found.items() if language != "zh"}}


def _complete(texts: Texts, languages: tuple[str, ...], what: str) -> Texts:
    for language in languages:
        if not texts.get(language):
            raise KeyError(f"{what} has no text in {language}")
    return {language: texts[language] for language in languages}


def _asked(data: Mapping[str, Any], key: str, what: str) -> Any:
    if key not in data:
        raise KeyError(f"{what} does not say its {key}")
    return data[key]
