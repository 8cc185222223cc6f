"""Drawings as SVG: single files, and a deck for the screen: a sprite, some of its cards fanned.

What occurs more than once in a file is defined once. A sprite is one file with a symbol for every card. A page shows
a card with ``<svg viewBox="0 0 22 82"><use href="luk-fu-….svg#T9"/></svg>``. The file is named by a hash of what is
in it, so it may be kept for ever."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from math import degrees

from tefuda.decks import backs
from tefuda.decks.data import Deck
from tefuda.decks.faces import Style, face
from tefuda.decks.shapes import UPRIGHT, Command, Drawing, Frame, Matrix, Shape, drawing, rectangle

PAPER = "#fdfaf2"
"""The colour of the ink ``paper`` on a screen."""


def colour(ink: str, inks: Mapping[str, str]) -> str:
    """``#rrggbb`` of an ink; one that is a colour already is itself."""
    return ink if ink.startswith("#") else inks.get(ink, PAPER if ink == "paper" else "#000000")


def document(
    parts: Drawing, width: float, height: float, inks: Mapping[str, str], title: str = "", unit: str = "mm"
) -> str:
    """A whole SVG file; ``title`` is for those who hear the picture, an empty ``unit`` means pixels."""
    shared = Shared([parts], inks)
    named = f"<title>{escape(title)}</title>" if title else ""
    size = (
        f'width="{number(width)}{unit}" height="{number(height)}{unit}" viewBox="0 0 {number(width)} {number(height)}"'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} stroke-linejoin="round" role="img">{named}'
        f"{shared.definitions()}{shared.written(parts)}</svg>\n"
    )


class Shared:
    """Writes several drawings of one file; shapes that occur more than once become definitions."""

    def __init__(self, drawings: Iterable[Drawing], inks: Mapping[str, str]) -> None:
        counts = Counter(part.shape for parts in drawings for part in parts)
        often = [shape for shape, count in counts.items() if count > 1]
        self._names = {shape: f"s{place}" for place, shape in enumerate(often)}
        self._inks = inks

    def definitions(self) -> str:
        """The ``<defs>`` element of the shapes that occur more than once; empty for none."""
        if not self._names:
            return ""
        return "<defs>" + "".join(self._path(shape, f' id="{name}"') for shape, name in self._names.items()) + "</defs>"

    def written(self, parts: Drawing) -> str:
        """The elements of one drawing."""
        found = []
        for part in parts:
            where = _transform(part.matrix)
            name = self._names.get(part.shape)
            found.append(f'<use href="#{name}"{where}/>' if name else self._path(part.shape, where))
        return "".join(found)

    def _path(self, shape: Shape, more: str) -> str:
        fill = f' fill="{colour(shape.fill, self._inks) if shape.fill else "none"}"'
        line = ""
        if shape.line:
            line = f' stroke="{colour(shape.line, self._inks)}" stroke-width="{number(shape.width, 3)}"'
        return f'<path{more} d="{_commands(shape.path)}"{fill}{line}/>'


def number(value: float, digits: int = 2) -> str:
    """A number in as few characters as possible."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else str(round(value))
    return "0" if text in ("-0", "") else text


def _commands(path: tuple[Command, ...]) -> str:
    reach = max((abs(float(value)) for _, *rest in path for value in rest), default=1.0)
    digits = 3 if reach < 3 else 2 if reach < 100 else 0
    return "".join(
        str(head) + " ".join(number(float(value), digits) for value in rest).replace(" -", "-") for head, *rest in path
    )


def _transform(matrix: Matrix) -> str:
    a, b, c, d, e, f = matrix
    if matrix == UPRIGHT:
        return ""
    if (a, b, c, d) == (1, 0, 0, 1):
        return f' transform="translate({number(e)} {number(f)})"'
    return f' transform="matrix({" ".join([number(value, 6) for value in (a, b, c, d)] + [number(e), number(f)])})"'


# A deck for the screen

BACK = "back"  # the name of the back among the cards
STEP = 0.85  # distance between the tops of neighbouring cards, in widths of a card
REACH = 2.2  # depth below their tops of the point about which cards are turned, in heights of a card
MARGIN = 1.0  # millimetres round the fan


@dataclass(frozen=True)
class Sprite:
    """A sprite's file name, its SVG with a symbol for each card and ``back``, and the size of their view boxes."""

    name: str
    text: str
    size: tuple[float, float]


@cache
def sprite(deck: Deck, style: Style) -> Sprite:
    """The sprite of a deck; drawn once for every style."""
    drawings = {word: on_paper(deck, word, style) for word in (*deck.cards, BACK)}
    shared = Shared(drawings.values(), deck.inks)
    view = f'viewBox="0 0 {number(deck.size[0])} {number(deck.size[1])}"'
    symbols = (
        f'<symbol id="{word}" {view}>{_title(deck, word, style)}{shared.written(parts)}</symbol>'
        for word, parts in drawings.items()
    )
    inside = shared.definitions() + "".join(symbols)
    text = f'<svg xmlns="http://www.w3.org/2000/svg" stroke-linejoin="round">{inside}</svg>\n'
    digest = sha256(text.encode()).hexdigest()[:16]
    return Sprite(f"{deck.game}-{deck.name}-{digest}.svg", text, deck.size)


def on_paper(deck: Deck, word: str, style: Style) -> Drawing:
    """The face of a card, or the back for ``BACK``, on its paper with a fine line round it."""
    return drawing(edge(deck), backs.back(deck) if word == BACK else face(deck, deck.cards[word], style))


def _title(deck: Deck, word: str, style: Style) -> str:
    return f"<title>{escape(deck.cards[word].names[style.language])}</title>" if word in deck.cards else ""


def edge(deck: Deck) -> Drawing:
    """The card itself: paper with round corners, a fine grey line round it."""
    width, height = deck.size
    return drawing(
        rectangle(0.05, 0.05, width - 0.1, height - 0.1, deck.corner, fill="paper", line="#b9b09d", width=0.1)
    )


@cache
def pattern_svg(deck: Deck) -> str:
    """The pattern alone, in the colour of paper on nothing; a page that shows it gives the ground and the margin."""
    width, height = deck.size
    frame = Frame(0, 0, width, height).inside(backs.MARGIN)
    parts = backs.pattern(deck, frame, "paper").moved(-frame.x, -frame.y)
    shared = Shared([parts], deck.inks)
    view = f'viewBox="0 0 {number(frame.width)} {number(frame.height)}" preserveAspectRatio="none"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {view}>{shared.definitions()}{shared.written(parts)}</svg>\n'


def picture(deck: Deck, style: Style) -> tuple[str, str]:
    """A picture of a deck, some of its cards fanned: the name of a file, with the hash of its text, and the SVG."""
    parts = fan(deck, style)
    left, top, right, bottom = parts.box()
    placed = parts.moved(MARGIN - left, MARGIN - top)
    title = deck.titles[style.language]
    text = document(placed, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN, deck.inks, title)
    return f"{deck.game}-{deck.name}-fan-{sha256(text.encode()).hexdigest()[:16]}.svg", text


def fan(deck: Deck, style: Style) -> Drawing:
    """The cards of ``deck.shown``, turned about a point below them."""
    width, height = deck.size
    step = degrees(STEP * width / (REACH * height))
    first = -step * (len(deck.shown) - 1) / 2
    return drawing(
        on_paper(deck, word, style).turned(first + step * place, width / 2, REACH * height)
        for place, word in enumerate(deck.shown)
    )
