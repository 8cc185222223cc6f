"""A game's background page: where it comes from, what its cards show, what is lost. Markdown in ``texts/about``."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tefuda.engine.description import Description
from tefuda.engine.texts import LANGUAGES

Kind = Literal["title", "heading", "text", "item", "quote"]
Style = Literal["", "em", "code"]

_STYLES: dict[str, Style] = {"em_open": "em", "em_close": ""}


@dataclass(frozen=True)
class Block:
    """A paragraph, a heading, an item of a list or a quotation.

    Attributes:
        kind: which of these.
        spans: its text in parts, each with its style.
    """

    kind: Kind
    spans: Sequence[tuple[Style, str]]

    @property
    def plain(self) -> str:
        """The text without its styles."""
        return "".join(text for _, text in self.spans)


def background(game: Description, language: str) -> Sequence[Block]:
    """The page in this language, or in English where that is missing; empty for a game without one."""
    return _page(game.files.texts / "about", language)


@cache
def _page(folder: Path, language: str) -> Sequence[Block]:
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
