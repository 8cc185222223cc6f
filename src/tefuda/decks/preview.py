"""A picture for those who see a link to a table: 1200 by 630, without a word, so that it needs no font.

It is told what to draw (``PreviewSeat``) and knows neither rules nor views."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from tefuda.decks.data import Deck
from tefuda.decks.faces import Style
from tefuda.decks.shapes import Drawing
from tefuda.decks.sprite import BACK, Shared, fan, number, on_paper

ACROSS, DOWN = 1200, 630
CLOTH, EDGE, RIM, LIT = "#22704f", "#14482f", "#f5f3ea", "#f2b33d"

FAN = 360  # height of the fan of cards on a table where nothing has been dealt

PLAYED, HELD, FACE = 166, 84, 96  # heights of a card that was played, of one in a hand, of a face

MOST_HELD = 9  # backs that are drawn of a hand


@dataclass(frozen=True)
class PreviewSeat:
    """One player: ``face`` is an SVG of 64 by 64, empty for a free seat; words that the deck lacks lie face down."""

    face: str = ""
    held: int = 0
    played: Sequence[str] = ()
    turn: bool = False


def preview_svg(deck: Deck, seats: Sequence[PreviewSeat] = (), style: Style | None = None) -> str:
    """Draw a table: its players round the felt, what they have played in the middle, else a fan of the deck's cards.

    Seat 0 sits at the lower edge, the others counter-clockwise; without seats it is a picture of the game alone."""
    style = style or Style()
    words = {word for seat in seats for word in seat.played}
    drawings = {word: on_paper(deck, word, style) for word in (*sorted(words & set(deck.cards)), BACK)}
    shown = [] if words else [fan(deck, style)]
    shared = Shared([*drawings.values(), *shown], deck.inks)
    parts = [_placed(shared, each) for each in shown]
    parts += [_seat(deck, seat, place / len(seats)) for place, seat in enumerate(seats)]
    cards = "".join(f'<g id="{word}">{shared.written(parts)}</g>' for word, parts in drawings.items())
    ground = (
        '<radialGradient id="felt" cx="50%" cy="42%" r="75%">'
        f'<stop offset="0" stop-color="{CLOTH}"/><stop offset="1" stop-color="{EDGE}"/></radialGradient>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {ACROSS} {DOWN}" width="{ACROSS}" height="{DOWN}" '
        f'stroke-linejoin="round">{shared.definitions()}<defs>{ground}{cards}</defs>'
        f'<rect width="{ACROSS}" height="{DOWN}" fill="url(#felt)"/>{"".join(parts)}</svg>\n'
    )


def _placed(shared: Shared, cards: Drawing) -> str:
    """A fan in the middle."""
    left, top, right, bottom = cards.box()
    scale = min(FAN / (bottom - top), 0.62 * ACROSS / (right - left))
    x, y = ACROSS / 2 - scale * (left + right) / 2, DOWN / 2 - scale * (top + bottom) / 2
    return f'<g transform="{_put(x, y, scale)}">{shared.written(cards)}</g>'


def _seat(deck: Deck, seat: PreviewSeat, way: float) -> str:
    """One player; ``way`` is how far round the table they sit, from the lower edge counter-clockwise."""
    turn = 2 * pi * way
    right, down = sin(turn), cos(turn)
    x, y = ACROSS / 2 + 0.42 * ACROSS * right, DOWN / 2 + 0.38 * DOWN * down
    parts = _row(deck, [BACK] * min(seat.held, MOST_HELD), x, y - HELD / 2, HELD, 0.4)
    parts += _row(deck, seat.played, ACROSS / 2 + 220 * right, DOWN / 2 + 98 * down - PLAYED / 2, PLAYED, 0.6)
    circle = f'cx="{number(x)}" cy="{number(y)}" r="{number(FACE / 2 + 5)}"'
    if not seat.face:
        look = f'fill="none" stroke="{RIM}" stroke-width="4" stroke-dasharray="10 9" opacity=".7"'
        return f"{parts}<circle {circle} {look}/>"
    inside = seat.face.partition(">")[2].rpartition("</svg>")[0]
    rim = LIT if seat.turn else RIM
    where = _put(x - FACE / 2, y - FACE / 2, FACE / 64)
    return f'{parts}<circle {circle} fill="{rim}"/><g transform="{where}">{inside}</g>'


def _row(deck: Deck, words: Sequence[str], middle: float, top: float, height: float, part: float) -> str:
    """Cards that cover each other; ``part`` of each is seen."""
    if not words:
        return ""
    scale = height / deck.size[1]
    wide = deck.size[0] * scale
    left = middle - (wide + part * wide * (len(words) - 1)) / 2
    return "".join(
        f'<use href="#{word if word in deck.cards else BACK}" transform="{_put(left + k * part * wide, top, scale)}"/>'
        for k, word in enumerate(words)
    )


def _put(x: float, y: float, scale: float) -> str:
    return f"translate({number(x)} {number(y)}) scale({number(scale, 4)})"
