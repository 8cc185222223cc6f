"""Card faces for pages and in texts, drawn when a reader first asks for them; decks to print; faces of people and bots.

An address has a hash of all that a drawing is made from, so that browsers may keep the drawing for ever. Drawings are
compressed once, and kept so."""

import gzip
import re
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import sha256
from html import escape
from importlib.util import find_spec
from pathlib import Path

from fastapi import HTTPException, Response
from markupsafe import Markup

from tefuda import decks, games
from tefuda.decks import data
from tefuda.decks.faces import Style
from tefuda.decks.sprite import pattern_svg, picture, sprite
from tefuda.engine.cache import key
from tefuda.engine.description import Description
from tefuda.engine.option import Option
from tefuda.engine.rulebook import MARKS
from tefuda.engine.texts import LANGUAGES, TEXTS, Spell, catalogue
from tefuda.server.event_loop import Threads
from tefuda.server.http.assets import FOR_EVER
from tefuda.server.http.context import Context
from tefuda.server.pages.layout import linked, page_text, router, served_game
from tefuda.server.table.player_faces import face_svg, faces_svg
from tefuda.server.table.player_names import notation_text
from tefuda.table.reasons import say_all

USUAL = frozenset({"traditional", "index"})
MARKED = USUAL | {"accessible"}
"""Layers: those that everybody sees at first, and those for readers who want the suits marked by more than colour."""

KINDS: dict[str, Callable[[data.Deck, str], str]] = {
    "cards": lambda deck, language: sprite(deck, Style(USUAL, language)).text,
    "marked": lambda deck, language: sprite(deck, Style(MARKED, language)).text,
    "back": lambda deck, language: pattern_svg(deck),
    "picture": lambda deck, language: picture(deck, Style(USUAL, language))[1],
}
"""Drawings of a deck: the sprite, the sprite with all layers, the pattern of its back, a picture of some cards."""

DRAWN_BY = Path(str(decks.__file__)).parent  # the folder of the code and the font that draw

_drawing = Threads("drawing", 1)  # draws one thing after another: several threads must not read fonts at once


def deck_address(game: Description, kind: str, language: str) -> str | None:
    """The address of a drawing of a game's first deck; None if the game has none."""
    if not game.files.decks:
        return None
    return f"/decks/{game.name}/{_deck_version(game.name, data.load(game).name)}/{kind}/{language}.svg"


@router.get("/decks/{game}/{made_from}/{kind}/{language}.svg")
async def drawing(context: Context, game: str, made_from: str, kind: str, language: str) -> Response:
    """A drawing of the deck that has this hash; under that of an older version it is today's of the game's home, and
    browsers must ask again."""
    description = served_game(context, game)
    if kind not in KINDS or language not in LANGUAGES or not description.files.decks:
        raise HTTPException(404)
    known = {_deck_version(game, path.stem): path.stem for path in description.files.decks}
    deck = known.get(made_from, next(iter(known.values())))
    packed = await _drawing.run(_packed_drawing, game, deck, kind, language)
    headers = {"cache-control": FOR_EVER if made_from in known else "no-cache", "vary": "accept-encoding"}
    if "gzip" in context.connection.headers.get("accept-encoding", ""):
        return Response(packed, headers={**headers, "content-encoding": "gzip"}, media_type="image/svg+xml")
    return Response(gzip.decompress(packed), headers=headers, media_type="image/svg+xml")


def deck_choices(game: Description, language: str) -> list[dict[str, str]]:
    """The names and titles of the decks that the reader may choose from, the one they have first; none where there is
    no choice."""
    found = [data.load(game, path.stem) for path in game.files.decks]
    return [{"name": deck.name, "title": deck.titles[language]} for deck in found] if len(found) > 1 else []


PAPERS = {"a4": "A4", "letter": "Letter"}

PRINTS_KEPT = 16  # printed decks of half a megabyte that are kept, the others are drawn again


def deck_prints(game: Description, language: str) -> list[dict[str, str]]:
    """The titles, papers and addresses of a game's decks to print; none without the packages that print."""
    if find_spec("reportlab") is None:
        return []
    found = [data.load(game, path.stem) for path in game.files.decks]
    return [
        {
            "title": deck.titles[language],
            "paper": named,
            "address": f"/decks/{game.name}/{deck.name}-{paper}-{language}.pdf",
        }
        for deck in found
        for paper, named in PAPERS.items()
    ]


@router.get("/decks/{game}/{file}.pdf")
async def printed_deck(context: Context, game: str, file: str) -> Response:
    """Sheets of cards to cut out, the rules, a score sheet."""
    description = served_game(context, game)
    addresses = (each["address"] for language in LANGUAGES for each in deck_prints(description, language))
    if f"/decks/{game}/{file}.pdf" not in addresses:
        raise HTTPException(404)
    content = await _drawing.run(_printed_deck, game, file)
    headers = {"cache-control": "no-cache", "content-disposition": f'inline; filename="{game}-{file}.pdf"'}
    return Response(content, headers=headers, media_type="application/pdf")


@lru_cache(PRINTS_KEPT)
def _printed_deck(game: str, file: str) -> bytes:
    """The PDF of a deck, a paper and a language, joined as in its address."""
    from tefuda.decks.print.sheets import Job, write

    language = next(language for language in LANGUAGES if file.endswith(f"-{language}"))
    name, _, paper = file.removesuffix(f"-{language}").rpartition("-")
    description = games.description(game)
    return write(Job(description, data.load(description, name), Style(language=language), paper))


@cache
def _deck_version(game: str, deck: str) -> str:
    """A hash of what draws, the font, and what the data file of a deck says."""
    digest = sha256(key().encode())
    for path in sorted(path for path in DRAWN_BY.rglob("*") if path.suffix in (".py", ".svg", ".ttc")):
        digest.update(path.read_bytes())
    digest.update(next(path for path in games.description(game).files.decks if path.stem == deck).read_bytes())
    return digest.hexdigest()[:16]


@cache
def _packed_drawing(game: str, deck: str, kind: str, language: str) -> bytes:
    """A drawing, compressed."""
    return gzip.compress(KINDS[kind](data.load(games.description(game), deck), language).encode(), 9, mtime=0)


# Faces

A_DAY = "public, max-age=86400"


@router.get("/faces/{face}.svg")
async def face_drawing(face: str) -> Response:
    """One of them, or several in a row, joined by ``+``."""
    drawn = faces_svg(face) if "+" in face else face_svg(face)
    if drawn is None:
        raise HTTPException(404)
    return Response(drawn, headers={"cache-control": A_DAY}, media_type="image/svg+xml")


# Rules with cards in their text, and options by what they are called

BEGIN, BETWEEN, END = "\ue000", "\ue001", "\ue002"
"""Characters of no meaning, round what is drawn: BEGIN, the words of cards, BETWEEN, what they are called, END."""

_DRAWN = re.compile(f"{BEGIN}([^{BETWEEN}]*){BETWEEN}([^{END}]*){END}")

_APART = re.compile(r",? +|\+")


def pictured_text(game: Description, language: str) -> Spell:
    """A spelling by which notation of cards becomes pictures, and all other notation words; see ``pictured``."""
    in_words, words = notation_text(game, language), game.display.word_by_text
    if not game.files.decks:
        return in_words
    comma = page_text(language, "wording.comma")

    def spell(quoted: str) -> str:
        cards = [words.get(word, "") for word in _APART.split(quoted)]
        if not all(cards):
            return in_words(quoted)
        called = comma.join(data.name_and_reading(game, card, language)[0] for card in cards)
        return f"{BEGIN}{' '.join(cards)}{BETWEEN}{called}{END}"

    return spell


def pictured(game: Description, language: str, rules: str = "") -> Callable[[str], Markup]:
    """A function that makes a text by ``pictured_text`` a part of the page: with cards, and links to rules and
    options at ``rules``, the address of the page with the rules; it is empty on that page itself."""
    deck = data.load(game) if game.files.decks else None
    sprite, common = deck_address(game, "cards", language), catalogue(TEXTS, language)
    origins = {sign: str(Markup.escape(common(f"rulebook.mark.{origin}"))) for origin, sign in MARKS.items()}

    def draw(found: re.Match[str]) -> str:
        assert deck is not None
        view = f"0 0 {deck.size[0]:g} {deck.size[1]:g}"
        shape = "narrow" if deck.size[0] / deck.size[1] < 0.4 else "wide"
        cards = "".join(
            f'<svg viewBox="{view}" aria-hidden="true"><use href="{sprite}#{escape(word)}"/></svg>'
            for word in found[1].split()
        )
        called = found[2]  # escaped with the text that it stands in
        return f'<span class="drawn {shape}" role="img" aria-label="{called}" title="{called}">{cards}</span>'

    def show(text: str) -> Markup:
        told = str(linked(game, options_in_words(game, str(Markup.escape(text)), language, rules), rules))
        for sign, said in origins.items():
            span = f'<span class="mark" role="img" title="{said}" aria-label="{said}">{sign}</span>'
            told = told.replace(f" {sign}", f"\u00a0{sign}").replace(sign, span)
        return Markup(_DRAWN.sub(draw, told))  # noqa: S704 - escaped above

    return show


class OptionWords:
    """An option as people call it, in a language: its name (``label``) and its meaning (``help``)."""

    def __init__(self, game: Description, option: Option, language: str) -> None:
        self.option, self._language = option, language
        self._texts = say_all(game, f"options.{option.name}", language, notation_text(game, language))
        self.label, self.help = self._texts.get("label", option.name), self._texts["help"]

    def said(self, value: str) -> str:
        """A value, as forms send it, in words."""
        if isinstance(self.option.default, bool):
            return page_text(self._language, "rules.on" if value == "true" else "rules.off")
        return self._texts.get(f"values.{value}", value)


def options_in_words(game: Description, text: str, language: str, rules: str = "") -> str:
    """A text, escaped before, in which options (``name``, ``name = value``) and their values stand as forms call
    them, with links to the options at ``rules``, the address of the page with the rules; it is empty on that page
    itself."""
    by_name = game.rules.option_by_name
    # A word of one part, such as "fuwaru", may be the thing and not the option, unless a value follows.
    names = "|".join(name if "_" in name else rf"{name}(?= ?= ?\w)" for name in by_name)
    if not names:
        return text
    colon = page_text(language, "wording.colon")
    gap = "" if colon.endswith(" ") else " ?"  # Chinese and Japanese part codes by spaces, but no words
    values = {word: option for option in by_name.values() for word in option.values if "_" in word}

    def named(found: re.Match[str]) -> str:
        option = OptionWords(game, by_name[found[1]], language)
        label = f'<a href="{rules}#{option.option.name}">{quoted(option.label)}</a>'
        return label if found[2] is None else f"{label}{colon}{value(option, found[2])}"

    def value(option: OptionWords, word: str) -> str:
        said = option.said(word)
        return quoted(said) if word in option.option.values else said

    def quoted(label: str) -> str:
        return page_text(language, "wording.quoted", text=str(Markup.escape(label)))

    text = re.sub(rf"(?a:{gap}\b({names})\b(?: ?= ?([\w]+))?){gap}", named, text)
    alone = "|".join(values)
    if not alone:
        return text
    return re.sub(
        rf"(?a:{gap}\b({alone})\b){gap}",
        lambda found: value(OptionWords(game, values[found[1]], language), found[1]),
        text,
    )
