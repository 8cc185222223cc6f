"""Card faces for pages: sprites and small pictures, drawn when somebody first asks for them; and decks to print.

An address has a hash of all that a drawing is made from, so that browsers may keep the drawing for ever. Drawings are
compressed once, and kept so.
"""

import gzip
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from fastapi import APIRouter, HTTPException, Response

from tefuda import decks, games
from tefuda.decks import data
from tefuda.decks.backs import pattern_svg
from tefuda.decks.faces import Style
from tefuda.decks.picture import picture
from tefuda.decks.sprite import sprite
from tefuda.engine.cache import key
from tefuda.engine.description import Description
from tefuda.engine.texts import LANGUAGES
from tefuda.server.http.assets import FOR_EVER
from tefuda.server.http.context import Context
from tefuda.server.pages.frame import served_game
from tefuda.server.threads import Threads

router = APIRouter(include_in_schema=False)

USUAL = frozenset({"traditional", "index"})
MARKED = USUAL | {"accessible"}
"""Layers: those that everybody sees at first, and those for readers who want the suits marked by more than colour."""

KINDS: dict[str, Callable[[data.Deck, str], str]] = {
    "cards": lambda deck, language: sprite(deck, Style(USUAL, language)).text,
    "marked": lambda deck, language: sprite(deck, Style(MARKED, language)).text,
    "back": lambda deck, language: pattern_svg(deck),
    "picture": lambda deck, language: picture(deck, Style(USUAL, language))[1],
}
"""What there is of a deck: the sprite, the sprite with all layers, the pattern of its back, a picture of some cards."""

DRAWN_BY = Path(str(decks.__file__)).parent
"""The folder of the code and the font that draw."""

_drawing = Threads("drawing", 1)
"""Draws one thing after another: several threads must not read fonts at once."""


def address(game: Description, kind: str, language: str) -> str | None:
    """Where a drawing of a game's first deck is; None if the game has none."""
    if not game.files.decks:
        return None
    return f"/decks/{game.name}/{_version(game.name, data.load(game).name)}/{kind}/{language}.svg"


@router.get("/decks/{game}/{made_from}/{kind}/{language}.svg")
async def show(context: Context, game: str, made_from: str, kind: str, language: str) -> Response:
    """A drawing of the deck that has this hash; under that of an older version it is today's of the game's home, and
    browsers must ask again."""
    description = served_game(context, game)
    if kind not in KINDS or language not in LANGUAGES or not description.files.decks:
        raise HTTPException(404)
    known = {_version(game, path.stem): path.stem for path in description.files.decks}
    deck = known.get(made_from, next(iter(known.values())))
    packed = await _drawing.run(_packed, game, deck, kind, language)
    keep = FOR_EVER if made_from in known else "no-cache"
    headers = {"cache-control": keep, "vary": "accept-encoding"}
    if "gzip" in context.connection.headers.get("accept-encoding", ""):
        return Response(packed, headers={**headers, "content-encoding": "gzip"}, media_type="image/svg+xml")
    return Response(gzip.decompress(packed), headers=headers, media_type="image/svg+xml")


class Choice(NamedTuple):
    """A deck that a game can be played with: its name, and what people call it."""

    name: str
    title: str


def choices(game: Description, language: str) -> list[Choice]:
    """The decks that the reader may choose from, the one they have first; none where there is no choice."""
    found = [data.load(game, path.stem) for path in game.files.decks]
    return [Choice(deck.name, deck.titles[language]) for deck in found] if len(found) > 1 else []


PAPERS = {"a4": "A4", "letter": "Letter"}

KEPT = 16
"""Printed decks of half a megabyte that are kept, the others are drawn again."""


class Print(NamedTuple):
    """A deck to print: what it is, the name of its paper, and where it is."""

    title: str
    paper: str
    address: str


def prints(game: Description, language: str) -> list[Print]:
    """The decks of a game that can be printed; none without the packages that print."""
    if find_spec("fpdf") is None:
        return []
    found = [data.load(game, path.stem) for path in game.files.decks]
    return [
        Print(deck.titles[language], named, f"/decks/{game.name}/{deck.name}-{paper}-{language}.pdf")
        for deck in found
        for paper, named in PAPERS.items()
    ]


@router.get("/decks/{game}/{file}.pdf")
async def printed(context: Context, game: str, file: str) -> Response:
    """Sheets of cards to cut out, the rules, a score sheet."""
    description = served_game(context, game)
    addresses = (each.address for language in LANGUAGES for each in prints(description, language))
    if f"/decks/{game}/{file}.pdf" not in addresses:
        raise HTTPException(404)
    content = await _drawing.run(_pdf, game, file)
    headers = {"cache-control": "no-cache", "content-disposition": f'inline; filename="{game}-{file}.pdf"'}
    return Response(content, headers=headers, media_type="application/pdf")


@lru_cache(KEPT)
def _pdf(game: str, file: str) -> bytes:
    """The PDF of a deck, a paper and a language, joined as in its address."""
    from tefuda.decks.print import Job, write

    language = next(language for language in LANGUAGES if file.endswith(f"-{language}"))
    name, _, paper = file.removesuffix(f"-{language}").rpartition("-")
    description = games.description(game)
    return write(Job(description, data.load(description, name), Style(language=language), paper))


@cache
def _version(game: str, deck: str) -> str:
    """A hash of what draws, the font, and what the data file of a deck says."""
    digest = sha256(key().encode())
    for path in sorted(path for path in DRAWN_BY.rglob("*") if path.suffix in (".py", ".ttc")):
        digest.update(path.read_bytes())
    digest.update(next(path for path in games.description(game).files.decks if path.stem == deck).read_bytes())
    return digest.hexdigest()[:16]


@cache
def _packed(game: str, deck: str, kind: str, language: str) -> bytes:
    """A drawing, compressed."""
    return gzip.compress(KINDS[kind](data.load(games.description(game), deck), language).encode(), 9, mtime=0)
