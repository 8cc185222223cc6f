"""The data file of a deck: the cards, what they are called in every language, and how their faces are composed.

A game names its data files in ``Description.files.decks``, the deck of its home first."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from tefuda.engine import toml
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.scene import ON_PAPER
from tefuda.engine.texts import LANGUAGES, Spell
from tefuda.engine.toml import Table

_COMMA = re.compile("[,，、]")

READ_IN = ("ja", "zh-Hant", "zh-Hans")  # languages whose names of cards have a reading: kana, pinyin

Texts = Mapping[str, str]  # a text by language

Choice = TypeVar("Choice")


class DeckError(TefudaError):
    """A deck that is not there, or a data file that says something wrong; the message is one clear line."""


@dataclass(frozen=True)
class Suit:
    """A suit."""

    key: str  # how its cards' words begin, where they are composed of suit and rank
    sign: str  # the drawing that stands for it: a part of the files of ``tefuda.decks.artwork.SIGNS``, or ``FILE#PART``
    letter: str  # what stands for it beside its shape in the accessible layer
    colour: str  # of its sign there, as ``#rrggbb``; a data file may name one of ``ON_PAPER``
    names: Texts
    readings: Texts
    card: Texts  # how a card is called, with ``{rank}``; its reading likewise
    card_readings: Texts


@dataclass(frozen=True)
class Card:
    """A card of a deck."""

    word: str  # as in the game's notation
    copies: int
    suit: Suit
    place: int  # the rank among the cards of the suit, counted from 1; the notches show it
    index: str  # what stands largest in the learner's index
    names: Texts  # spoken, by language, every one of ``LANGUAGES``
    readings: Texts  # by language, every one of ``READ_IN``
    short: Texts  # what stands beside the sign in the index, by language
    seal: str  # characters in a seal, on cards that have something of their own
    red: bool  # True if a rule counts it among the red cards; see ``Deck.reds``
    art: Mapping[str, Any]  # further values for the painter of this deck


@dataclass(frozen=True, eq=False)
class Deck:
    """A deck."""

    game: str
    name: str  # that of its file
    titles: Texts
    painter: str  # how its faces are composed, a name of ``tefuda.decks.painters``
    size: tuple[float, float]  # of a card in life, width and height in millimetres
    corner: float  # the corner's radius in millimetres
    inks: Mapping[str, str]  # colours by name, as ``#rrggbb``
    back: str  # name of the pattern
    shown: tuple[str, ...]  # words of the few cards that stand for the deck in a picture
    cards: Mapping[str, Card] = field(default_factory=dict)  # by word, in the game's order
    beside: Mapping[str, Card] = field(default_factory=dict)  # cards of a real pack that the game does not use

    @property
    def reds(self) -> bool:
        """True if red means something: then red cards show it on every layer, and no other card has any red."""
        return any(card.red for card in self.cards.values())

    @property
    def suits(self) -> tuple[Suit, ...]:
        """The suits in the order of their first cards."""
        return tuple({card.suit.key: card.suit for card in self.cards.values()}.values())

    def of(self, suit: Suit) -> list[Card]:
        """The cards of a suit, from the lowest place to the highest."""
        cards = (card for card in self.cards.values() if card.suit.key == suit.key)
        return sorted(cards, key=lambda card: card.place)

    @property
    def pack(self) -> list[Card]:
        """All cards of the pack, each as often as the pack has it."""
        return [card for card in self.cards.values() for _ in range(card.copies)]


def load(game: Description, name: str = "") -> Deck:
    """A deck of a game, that of its home unless another is named; ``DeckError`` for no such deck, or wrong data."""
    paths = {path.stem: path for path in game.files.decks}
    if not paths:
        raise DeckError(f"{game.name} has no deck to draw")
    name = name or next(iter(paths))
    if name not in paths:
        raise DeckError(f"{game.name} has no deck {name!r}; its decks are {', '.join(paths)}{nearest(name, paths)}")
    return _read(game.name, game.cards, paths[name])


@cache
def with_deck(game: Description, name: str) -> Description:
    """The game with this deck first, which is taken where none is named; unchanged if it has no such deck."""
    decks = tuple(sorted(game.files.decks, key=lambda path: path.stem != name))
    return game if decks == game.files.decks else replace(game, files=replace(game.files, decks=decks))


def choose(table: Mapping[str, Choice], name: str, what: str) -> Choice:
    """The thing in a table that a data file names; else ``DeckError`` says ``what`` the name stands for."""
    if name not in table:
        raise DeckError(f"{what}: there is no {name!r}; there are: {', '.join(table)}{nearest(name, table)}")
    return table[name]


def name_and_reading(game: Description, word: str, language: str) -> tuple[str, str]:
    """A card's name and its reading, which is empty unless the name has characters; both empty for no such card."""
    card = load(game).cards.get(word) if game.files.decks else None
    if card is None or language not in card.names:
        return "", ""
    name = card.names[language]
    return name, card.readings.get(language, "") if _CHARACTER.search(name) else ""


_CHARACTER = re.compile("[\u4e00-\u9fff]")


def spoken_name(game: Description, word: str, language: str) -> str:
    """A card's name with its reading in brackets; empty for no such card."""
    name, reading = name_and_reading(game, word, language)
    return f"{name}（{reading}）" if reading else name


_SIGNS = {"spade": "♠", "heart": "♥", "diamond": "♦", "club": "♣"}


def name_in_sentence(game: Description, word: str, language: str) -> str:
    """A card's name within a sentence: sign and rank where everybody knows them, else its name up to a comma."""
    return _in_sentence(load(game).cards[word], language) if game.files.decks else game.display.faces[word].text


def _in_sentence(card: Card, language: str) -> str:
    sign = _SIGNS.get(card.suit.sign)
    return f"{sign}{card.index}" if sign else _COMMA.split(card.names[language])[0]


def renamed(deck: Deck, other: Deck, language: str) -> dict[str, str]:
    """Another deck's names of the cards by those of a deck: in full, in sentences, and where one begins."""
    pairs = [(card, other.cards[word]) for word, card in deck.cards.items()]
    full = {card.names[language]: its.names[language] for card, its in pairs}
    within = full | {_in_sentence(card, language): _in_sentence(its, language) for card, its in pairs}
    return within | {name[0].upper() + name[1:]: its[0].upper() + its[1:] for name, its in within.items()}


def by_name(deck: Deck, language: str, comma: str) -> Spell:
    """A spelling for texts: cards that a text quotes are written by this deck's names, with ``comma`` between them."""

    def named_words(quoted: str) -> str:
        laid = [words.split("+") for words in quoted.split()]
        if not all(word in deck.cards for words in laid for word in words):
            return quoted
        return comma.join(" + ".join(_in_sentence(deck.cards[word], language) for word in words) for words in laid)

    return named_words


@cache
def _read(game: str, words: tuple[str, ...], path: Path) -> Deck:
    data = toml.read(path, DeckError)  # what it does not say, the deck says that it is like
    like = toml.read(path.with_stem(data.text("like")), DeckError) if "like" in data else {}
    return _deck(game, words, path.stem, Table({**like, **data}, str(path), DeckError), path.parent)


def _deck(game: str, words: tuple[str, ...], name: str, data: Table, folder: Path = Path()) -> Deck:
    suits = {suit.key: suit for suit in (_suit(table, folder) for table in data.tables("suit"))}
    ranks = {rank.text("key"): rank for rank in data.tables("rank")} if "rank" in data else {}
    own, beside, art = map(data.table, ("card", "beside", "art"))
    for word in own:
        if word not in words:
            raise own.error(f"{word} is not a card of {game}{nearest(word, words)}")
    shown = data.words("shown", words[:: max(1, len(words) // 5)])
    for word in shown:
        if word not in words:
            raise data.error(f"shown: {word!r} is not a card of {game}{nearest(word, words)}")
    size = data.value("size", list)
    if len(size) != 2 or not all(type(side) in (int, float) and side > 0 for side in size):
        raise data.error(f"size: {size!r} is not width and height in millimetres")
    copies = data.number("copies", 1, least=1)
    return Deck(
        game,
        name,
        _complete(_texts(data, "title"), LANGUAGES, data, "title"),
        data.text("painter"),
        (float(size[0]), float(size[1])),
        data.value("corner", float, 2.0),
        dict(data.table("inks")),
        data.text("back"),
        tuple(shown),
        {word: _card(word, own.table(word), suits, ranks, copies, folder, art) for word in words},
        {word: _card(word, beside.table(word), suits, ranks, 1, folder, art) for word in beside},
    )


def _suit(data: Table, folder: Path) -> Suit:
    key, sign, letter, colour = map(data.text, ("key", "sign", "letter", "colour"))
    return Suit(
        key,
        _in_folder(sign, folder),
        letter,
        ON_PAPER.get(colour, colour),
        _complete(_texts(data, "name"), LANGUAGES, data, "name"),
        _texts(data, "reading"),
        _texts(data, "card"),
        _texts(data, "card_reading"),
    )


def _card(
    word: str, own: Table, suits: Mapping[str, Suit], ranks: Mapping[str, Table], copies: int, folder: Path, art: Table
) -> Card:
    """A card's own entry says what its suit and rank do not; the place of a rank is counted from 1."""
    suit = suits.get(own.text("suit", word[:1]))
    if suit is None:
        raise own.error("its suit is not known: write suit = …")
    key = own.text("rank", word[len(suit.key) :])
    names, readings = _texts(own, "name"), _texts(own, "reading")
    if key in ranks:
        names = {**_called(suit.card, _texts(ranks[key], "name")), **names}
        readings = {**_called(suit.card_readings, _texts(ranks[key], "reading")), **readings}
    return Card(
        word,
        own.number("copies", copies, least=1),
        suit,
        own.number("place", [*ranks].index(key) + 1 if key in ranks else 0, least=0),
        own.value("index", str, key if key in ranks else word),
        _complete(names, LANGUAGES, own, "name"),
        _complete(readings, READ_IN, own, "reading"),
        {**suit.names, **_texts(own, "short")},
        own.value("seal", str, ""),
        own.value("red", bool, False),
        {key: _in_folder(value, folder) for key, value in {**art, **own.table("art")}.items()},
    )


def _in_folder(value: Any, folder: Path) -> Any:
    """A value of a data file; of a part of an SVG, such as ``own.svg#dragon``, the file is the one beside it."""
    return str(folder / value) if isinstance(value, str) and ".svg#" in value else value


def _called(patterns: Texts, ranks: Texts) -> dict[str, str]:
    return {language: text.format(rank=ranks[language]) for language, text in patterns.items() if language in ranks}


def _texts(data: Table, key: str) -> Texts:
    """Texts by language; one under ``zh`` is for both ways of writing Chinese, a bare text for every language."""
    found = data.get(key, {})
    if isinstance(found, str):
        return dict.fromkeys(LANGUAGES, found)
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise data.error(f"{key}: {found!r} is neither a text nor texts by language")
    both = {language: found["zh"] for language in ("zh-Hant", "zh-Hans") if "zh" in found}
    return {**both, **{language: text for language, text in found.items() if language != "zh"}}


def _complete(texts: Texts, languages: tuple[str, ...], data: Table, key: str) -> Texts:
    for language in languages:
        if not texts.get(language):
            raise data.error(f"{key}: there is no text in {language}")
    return {language: texts[language] for language in languages}
