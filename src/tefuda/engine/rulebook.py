"""A game's rules as people read them: sections that teach it, then every rule by its number, and the sources.

And its background page: where the game comes from, what its cards show, what is lost; Markdown in ``texts/about``.

The terminal, the page and the printed sheet take their texts from here. In the catalogues, ``[teach.<section>]`` holds
the paragraphs and tables of a section, each ending with the numbers of its rules in brackets; ``[rules]`` holds the
rules. A sentence that the page of rules does not say ends with a sign of ``MARKS``. Beside the catalogues,
``sources.toml`` has the page's own sentences, and ``glossary.toml`` what the game's terms are."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tefuda.engine import toml
from tefuda.engine.description import Description
from tefuda.engine.texts import LANGUAGES, TEXTS, Catalogue, Spell, catalogue, spelled, typed

MARKS: Mapping[str, str] = {"reconstructed": "◐", "chosen": "○"}
"""Signs after a sentence that the page of rules does not say, by its origin. The texts are
``rulebook.mark.<origin>``."""

CARDS, CODES = "cards", "codes"
"""Sections of a meaning of their own: ``cards`` follows the list of the pack, ``codes`` says how cards are typed."""


_NUMBERS = re.compile(r"\s*\[([A-Z]{2}-[^\]]*)\]$")
_CELLS = " | "


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of a section, or a table in it."""

    text: str  #: of a table: lines with cells between `` | ``
    rules: Sequence[str] = ()  #: numbers of the rules that it tells

    @property
    def rows(self) -> list[list[str]]:
        """The rows of a table, its head first; empty for a paragraph."""
        rows = [line.split(_CELLS) for line in self.text.split("\n")]
        return rows if len(rows) > 1 and len(rows[0]) > 1 else []


@dataclass(frozen=True)
class Section:
    """A part of the text that teaches a game."""

    key: str  #: of the section in the catalogue, such as ``deal``
    heading: str  #: of the section in the reader's language
    paragraphs: Sequence[Paragraph]


@dataclass(frozen=True)
class Quotation:
    """A sentence of the page of rules."""

    heading: str  #: of the part of the page where it stands
    sentence: str  #: as the page has it, in Japanese


@dataclass(frozen=True)
class Term:
    """A term of a game."""

    original: str  #: how the sources write it
    reading: str  #: how that is read; empty where everybody can read it
    word: str  #: what the texts of the reader's language call it
    meaning: str  #: in the reader's language
    rules: Sequence[str]  #: numbers of the rules that explain it


@dataclass(frozen=True)
class Rulebook:
    """A game's rules in one language."""

    title: str  #: what the game is called
    native: str  #: and in its home
    reading: str  #: of its name; empty if the catalogue has none
    summary: str  #: the game in two short sentences
    about: str  #: the game in a paragraph
    sections: Sequence[Section]  #: what teaches it, in the order to be read; none if the catalogue has no ``[teach]``
    rules: Mapping[str, str]  #: by number
    sources: Mapping[str, Sequence[Quotation]]  #: what the page of rules says, by number; without what it does not say

    def origins(self, rule: str) -> list[str]:
        """List where a rule comes from: ``page`` and keys of ``MARKS``."""
        marked = [origin for origin, sign in MARKS.items() if sign in self.rules[rule]]
        return ["page", *marked] if rule in self.sources else marked


def rulebook(game: Description, language: str, spell: Spell = typed) -> Rulebook:
    """A game's rules in this language, their notation as ``spell`` writes it.

    ``TefudaError`` if there are no texts in this language, or ``sources.toml`` is wrong."""
    texts, common = catalogue(game.files.texts, language), catalogue(TEXTS, language)
    paragraphs: dict[str, list[Paragraph]] = {}
    for key, text in _spelled(texts, "teach", spell).items():
        numbers = _NUMBERS.search(text)
        told = Paragraph(text[: numbers.start()], numbers[1].split(", ")) if numbers else Paragraph(text)
        paragraphs.setdefault(key.partition(".")[0], []).append(told)
    return Rulebook(
        title=texts("title"),
        native=texts("native"),
        reading=texts("reading") if "reading" in texts else "",
        summary=texts("summary" if "summary" in texts else "about"),
        about=texts("about"),
        sections=[Section(key, common(f"rulebook.heading.{key}"), tuple(each)) for key, each in paragraphs.items()],
        rules=_spelled(texts, "rules", spell),
        sources=sources(game.files.texts),
    )


def _spelled(texts: Catalogue, section: str, spell: Spell) -> dict[str, str]:
    return {key: spelled(text, spell) for key, text in texts.under(section).items()}


@cache
def sources(texts: Path) -> Mapping[str, Sequence[Quotation]]:
    """The page's sentences by rule: ``sources.toml`` of a game's folder of texts; empty without that file.

    ``TefudaError`` if the file is wrong, in one line."""
    path = texts / "sources.toml"
    if not path.exists():
        return {}
    table = toml.read(path)
    try:
        return {rule: [Quotation(*map(str, pair)) for pair in pairs] for rule, pairs in table.items()}
    except (TypeError, ValueError):
        raise table.error("each rule has a list of pairs, a heading and a sentence") from None


def glossary(game: Description, language: str) -> list[Term]:
    """The terms of a game: ``glossary.toml`` of its folder of texts; empty without that file.

    ``TefudaError`` if the file is wrong, or a term lacks this language."""
    path = game.files.texts / "glossary.toml"
    if not path.exists():
        return []
    table = toml.read(path)
    terms = [table.table(key) for key in table]
    return [
        Term(
            term.text("original"),
            term.text("reading", ""),
            term.table("word").text(language),
            term.table("meaning").text(language),
            term.words("rules"),
        )
        for term in terms
    ]


Kind = Literal["title", "heading", "text", "item", "quote"]
Style = Literal["", "em", "code"]

_STYLES: dict[str, Style] = {"em_open": "em", "em_close": ""}


@dataclass(frozen=True)
class Block:
    """A paragraph, a heading, an item of a list or a quotation."""

    kind: Kind  #: which of these
    spans: Sequence[tuple[Style, str]]  #: its text in parts, each with its style

    @property
    def plain(self) -> str:
        """The text without its styles."""
        return "".join(text for _, text in self.spans)


@cache
def background(game: Description, language: str) -> Sequence[Block]:
    """The page in this language, or in English where that is missing; empty for a game without one."""
    folder = game.files.texts / "about"
    path = next((path for each in (language, LANGUAGES[0]) if (path := folder / f"{each}.md").exists()), None)
    return tuple(_blocks(MarkdownIt().parse(path.read_text("utf-8")))) if path else ()


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    """A block for each inline token; what opened last around it says its kind."""
    around: list[str] = []
    for token in tokens:
        if token.nesting == 1:
            around.append(token.tag)
        elif token.nesting == -1:
            around.pop()
        elif token.type == "inline":
            yield Block(_kind(around), tuple(_spans(token.children or ())))


def _kind(around: Sequence[str]) -> Kind:
    if around[-1] in ("h1", "h2"):
        return "title" if around[-1] == "h1" else "heading"
    return "quote" if "blockquote" in around else "item" if "li" in around else "text"


def _spans(tokens: Sequence[Token]) -> Iterator[tuple[Style, str]]:
    style: Style = ""
    for token in tokens:
        style = _STYLES.get(token.type, style)
        if token.type == "code_inline":
            yield "code", token.content
        elif token.content or token.type == "softbreak":
            yield style, token.content or " "
