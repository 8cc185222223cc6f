"""Plays as people type them: names in any language, cards in either order and with any separators, a bare rank.

Programs and records keep to the notation (``engine/notation.py``)."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from itertools import islice, product

from tefuda.decks import data
from tefuda.engine.description import Description
from tefuda.engine.notation import SUMMARY, NotationError, is_declaration, plain
from tefuda.engine.texts import LANGUAGES, catalogue, own_texts

DOWN = "~"  # before cards that are laid face down
MOST_READINGS = 500  # of a text whose names stand for several cards each
LIKENESS = 0.6  # of a text to the name of the play that is suggested for it, from 0 to 1

_BETWEEN = re.compile(r"[\s~+,、。;:!?/&|・·.\-\[\](){}「」“”\"'\ufe0f]+|\b(?:of|the)\b")
_PARTS = re.compile(r"[:：,，、/!！（）()「」“”]| (?=[^\x00-\x7f])")  # a name ends there
_TIMES = re.compile(r"([^\s+,、]+)\s*[x×*]\s*([2-9])(?!\w)")


def understood(game: Description, legal: Sequence[str] | None, text: str) -> str | None:
    """The legal play that a text means: ``SQ`` for ``豬``, ``Q♠`` or, if no other queen may be played, ``q``. Without
    ``legal``, the play that it means, legal or not.

    None if it means none, or may mean several. Of cards that are thrown face down for ``~3`` only the number is looked
    at."""
    found = readings(game, text) if legal is None else _legal(legal, readings(game, text))
    return found[0] if len(found) == 1 else None


def near(game: Description, legal: Sequence[str], text: str) -> list[str]:
    """Legal plays that a text may be meant for: up to three that it can mean, else the one written most like it."""
    if found := _legal(legal, readings(game, text)):
        return found[:3]
    known = {name: word for name, words in names(game).items() for word in words if word in legal}
    known |= {_squeezed(word): word for word in legal if not SUMMARY.fullmatch(word)}
    return [known[name] for name in get_close_matches(_squeezed(text), known, 1, LIKENESS)]


def readings(game: Description, text: str) -> list[str]:
    """All plays that a text can mean, in the notation and legal or not; what is written in it means only that."""
    notation = game.notation
    with suppress(NotationError):
        return [notation.normal(text)]
    found: dict[str, None] = {}
    for words in islice(product(*_tokens(game, text)), MOST_READINGS):
        said = [word for word in words if word.endswith(":")] or [DOWN] * (DOWN in plain(text))
        cards = [word for word in words if not word.endswith(":")]
        with suppress(NotationError):
            found[notation.normal("".join(said) + "+".join(cards))] = None
    return list(found)


def _legal(legal: Sequence[str], words: Sequence[str]) -> list[str]:
    """Those of the plays that are legal; cards without ``~`` too where all cards must be thrown face down."""
    thrown = {int(word[1:]) for word in legal if SUMMARY.fullmatch(word)}
    is_open = [not (word.startswith(DOWN) or is_declaration(word)) for word in legal]
    down = [word if any(is_open) or is_declaration(word) else DOWN + word.removeprefix(DOWN) for word in words]
    return [word for word in down if word in legal or (word.startswith(DOWN) and word.count("+") + 1 in thrown)]


def _tokens(game: Description, text: str) -> list[tuple[str, ...]]:
    """The words that each name in a text can stand for; none if a part of the text is no name."""
    known = names(game)
    typed = _TIMES.sub(lambda found: " ".join([found[1]] * int(found[2])), plain(text).casefold())
    parts = list(filter(None, _BETWEEN.split(typed)))
    if "".join(parts) in known:
        parts = ["".join(parts)]
    elif not all(part in known for part in parts):  # names of several words, cards without blanks
        pieces = _pattern(game).findall("".join(parts))
        parts = pieces if "".join(pieces) == "".join(parts) else []
    joined: list[str] = []
    for part in parts:  # a suit and a rank are one card
        several = joined and min(len(known[joined[-1]]), len(known[part])) > 1
        is_one = several and len(known.get(joined[-1] + part, ())) == 1
        joined.append(joined.pop() + part if is_one else part)
    return [known[part] for part in joined] or [()]


def is_begun(game: Description, text: str) -> bool:
    """Tell if a text begins with a name, as every play of several words does: a quick look at long texts."""
    return (squeezed := _squeezed(text))[:1] in names(game) or bool(_pattern(game).match(squeezed))


@cache
def _pattern(game: Description) -> re.Pattern[str]:
    longest_first = sorted((name for name in names(game) if len(name) > 1 or not name.isascii()), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)))


@cache
def names(game: Description) -> Mapping[str, tuple[str, ...]]:
    """The names of cards, groups of cards and declarations in any language, in small letters and without blanks, with
    the words that each can stand for; those of declarations that cards follow end with a colon."""
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for name, word in (*_names_of_cards(game), *_names_of_plays(game)):
        found[_squeezed(name)][word] = None
    found.pop("", None)
    exact = {_squeezed(card): (card,) for card in game.cards}
    return {name: tuple(words) for name, words in found.items()} | exact


def _squeezed(name: str) -> str:
    return _BETWEEN.sub("", plain(name).casefold())


def _names_of_cards(game: Description) -> Iterator[tuple[str, str]]:
    decks = [data.load(game, path.stem) for path in game.files.decks]
    for word in game.cards:
        faces = {game.display.faces[word].written(language) for language in LANGUAGES}
        yield from ((name, word) for face in faces for name in (face.text, face.name))
        yield word[1:] + word[0], word
        if word[0].isalpha():
            yield word[1:], word
            signs = {face.text.replace(word, "") for face in faces} - {""}
            yield from ((name, word) for sign in signs for name in (sign, sign + word[1:], word[1:] + sign))
        for card in (deck.cards[word] for deck in decks):
            suits = [*card.suit.names.values(), card.suit.names["en"].removesuffix("s")] * word[0].isalpha()
            ranks = {word[1:], card.index} - {"", word}  # Komatsu cards say 10 for Q
            yield from ((name, word) for rank in ranks for suit in suits for name in (suit + rank, rank + suit))
            for called in (*card.names.values(), *card.short.values(), card.readings.get("ja", "")):
                yield from ((name, word) for name in _names_in(called))


def _names_of_plays(game: Description) -> Iterator[tuple[str, str]]:
    texts = [catalogue(game.files.texts, language) for language in LANGUAGES]
    terms = own_texts(game.files.texts, "glossary")
    for word in game.notation.single:
        group = game.display.combination(word)
        yield from ((name, word) for each in texts if group for name in _names_in(each(group)))
        yield from ((part.replace("=", sign), part) for part in word.split("+") if "=" in part for sign in ("=", ""))
        if not is_declaration(word):
            continue
        said, colon, cards = word.partition(":")
        none = bool(colon) and "+" not in cards and cards not in game.cards
        begins = word if none else said + colon
        yield from ((name, begins) for name in ((word, cards) if none else (said, terms.get(f"{said}.original", ""))))
        called = [each(f"plays.{begins}").replace("{cards}", "") for each in texts if f"plays.{begins}" in each]
        called += [] if none else [terms.get(f"{said}.word.{language}", "") for language in LANGUAGES]
        yield from ((name, begins) for text in called for name in _names_in(text))


def _names_in(called: str) -> list[str]:
    """The names in what something is called: up to a comma, a colon or a bracket, without an article."""
    return [called, *(part.strip().removeprefix("a ") for part in _PARTS.split(called))]
