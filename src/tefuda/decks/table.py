"""A table as a picture: hands, what has been played, whose turn it is, with the cards of a deck, as one SVG.

It is told what to draw (``Place``) and knows neither rules nor views: ``tefuda.table.view`` tells it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from math import cos, pi, sin

from tefuda.decks.data import Deck
from tefuda.decks.faces import Style
from tefuda.decks.shapes import Drawing
from tefuda.decks.sprite import BACK, Shared, fan, number, on_paper

WIDTH, MARGIN, GAP = 760.0, 18.0, 12.0
OWN, OTHERS, PILE, TRICK = 118.0, 62.0, 44.0, 92.0
"""Heights of the cards: in the nearest hand, in the other hands, in piles, in the trick."""

TRICK_CELL = 132.0  # the most room that one play of a trick takes in width
IN_A_ROW = 4  # players opposite who sit beside each other; more take several rows

GROUND, FELT, INK, FAINT, TURN = "#e5decd", "#3f6b5d", "#26231d", "#5f584a", "#a63c14"
ON_FELT, FAINT_ON_FELT = "#fdfaf2", "#cfdcd5"
UNSEEN = "▮"


@dataclass(frozen=True)
class Place:
    """One player's place."""

    name: str
    facts: Sequence[str]  # lines under the name
    hand: Sequence[str]  # the words of the cards in hand, as far as they are shown
    held: int  # how many cards are in hand; those beyond ``hand`` are drawn from the back
    # to the trick in progress: words of cards, other words as text; a word behind ``~`` lies face down
    played: Sequence[str]
    # cards that lie before the player, each pile with a label; what is no card is written
    piles: Sequence[tuple[str, Sequence[str]]]
    turn: bool


def table_svg(deck: Deck, title: str, places: Sequence[Place], near: int, lead: int, middle: Sequence[str]) -> str:
    """Draw a table as an SVG of its own, 760 wide; several in one page do not disturb each other.

    The title stands above, and is what the picture is called for those who hear it; seat i + 1 sits at the right of
    seat i, ``near`` at the lower edge; ``lead`` is the seat whose play is the first of the trick; in the middle of the
    table stand lines."""
    picture = _Picture(deck, places)
    picture.text(WIDTH / 2, MARGIN + 12, title, 15, weight="bold")
    y = MARGIN + 32
    others = [(near + k) % len(places) for k in range(len(places) - 1, 0, -1)]
    for row in (others[start : start + IN_A_ROW] for start in range(0, len(others), IN_A_ROW)):
        wide = (WIDTH - 2 * MARGIN) / len(row)
        y = GAP + max(
            picture.place(places[seat], MARGIN + (k + 0.5) * wide, y, wide - GAP, OTHERS) for k, seat in enumerate(row)
        )
    y = picture.trick([(lead + k) % len(places) for k in range(len(places))], y, middle)
    y = picture.place(places[near], WIDTH / 2, y + GAP, WIDTH - 2 * MARGIN, OWN)
    return picture.finished(title, y + MARGIN)


class _Picture:
    """The parts of a picture while it is drawn; lengths in pixels."""

    def __init__(self, deck: Deck, places: Sequence[Place]) -> None:
        self.deck, self.places = deck, places
        self.parts: list[str] = []
        words = {
            word for place in places for word in (*place.hand, *place.played, *(w for p in place.piles for w in p[1]))
        }
        shown = sorted({word.lstrip("~").partition("=")[0] for word in words} & set(deck.cards))
        self.drawings = {word: on_paper(deck, word, Style()) for word in (*shown, BACK)}
        key = sha256(repr((deck.name, places)).encode()).hexdigest()[:8]
        self.names = {word: f"{key}-{place}" for place, word in enumerate(self.drawings)}
        self.shared = Shared(self.drawings.values(), deck.inks, f"{key}s")

    def text(self, x: float, y: float, words: str, size: float, **more: str) -> None:
        """A line of text, its middle at x and its foot at y; ``colour``, ``weight`` and ``anchor`` may be given."""
        look = {"colour": INK, "weight": "normal", "anchor": "middle", **more}
        self.parts.append(
            f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{look["colour"]}" '
            f'font-weight="{look["weight"]}" text-anchor="{look["anchor"]}">{escape(words)}</text>'
        )

    def box(self, x: float, y: float, wide: float, height: float, corner: float, colour: str) -> None:
        """A rectangle with round corners."""
        size = f'width="{number(wide)}" height="{number(height)}" rx="{number(corner)}"'
        self.parts.append(f'<rect x="{number(x)}" y="{number(y)}" {size} fill="{colour}"/>')

    def card(self, word: str, x: float, y: float, height: float, *, faint: bool = False) -> None:
        """A card, its upper left corner at (x, y)."""
        opacity = ' opacity="0.55"' if faint else ""
        self.parts.append(_use(self.names[word], x, y, height / self.deck.size[1], opacity))

    def is_card(self, word: str) -> bool:
        """True if a word is drawn and not written."""
        return word == UNSEEN or word.startswith("~") or word.partition("=")[0] in self.drawings

    def row(self, words: Sequence[str], middle: float, y: float, wide: float, height: float) -> None:
        """Cards side by side, or one over the other where they would take more than this width."""
        each = height * self.deck.size[0] / self.deck.size[1]
        most = each * (0.42 if set(words) == {BACK} else 1.06)
        step = min(most, (wide - each) / max(1, len(words) - 1))
        x = middle - (each + step * (len(words) - 1)) / 2
        for k, word in enumerate(words):
            known = word.lstrip("~").partition("=")[0]
            self.card(known if known in self.drawings else BACK, x + k * step, y, height, faint=word.startswith("~"))

    def place(self, place: Place, middle: float, y: float, wide: float, height: float) -> float:
        """One player's place; where it ends."""
        if place.turn:
            self.box(middle - 55, y - 3, 110, 23, 11.5, TURN)
        self.text(middle, y + 13.5, place.name, 14, weight="bold", colour=ON_FELT if place.turn else INK)
        y += 24
        for line in place.facts:
            self.text(middle, y + 10, line, 11.5, colour=FAINT)
            y += 15
        hand = [*place.hand, *[BACK] * (place.held - len(place.hand))]
        if hand:
            self.row(hand, middle, y + 3, wide, height)
            y += height + 9
        for label, cards in place.piles:
            y = self.pile(label, cards, middle, y + 2, wide)
        return y

    def pile(self, label: str, cards: Sequence[str], middle: float, y: float, wide: float) -> float:
        """A pile under its label; where it ends."""
        drawn = [word for word in cards if self.is_card(word)]
        written = " ".join([label, *(word for word in cards if not self.is_card(word))])
        self.text(middle, y + 10, written, 11, colour=FAINT)
        y += 15
        if drawn:
            self.row(drawn, middle, y, wide, PILE)
            y += PILE + 5
        return y

    def trick(self, order: Iterable[int], y: float, lines: Sequence[str]) -> float:
        """The plays of the trick on the felt, in their order; y of its end."""
        played = [seat for seat in order if self.places[seat].played]
        height = (TRICK + 34 if played else 12) + 17 * len(lines) + (8 if lines else 0)
        self.box(MARGIN, y, WIDTH - 2 * MARGIN, height, 14, FELT)
        end, y = y + height, y + (8 if lines else 0)
        for line in lines:
            self.text(WIDTH / 2, y + 11, line, 12.5, colour=ON_FELT)
            y += 17
        wide = min(TRICK_CELL, (WIDTH - 2 * MARGIN) / max(1, len(played)))
        for k, seat in enumerate(played):
            middle, words = WIDTH / 2 + (k - (len(played) - 1) / 2) * wide, self.places[seat].played
            if all(map(self.is_card, words)):
                self.row(words, middle, y + 9, wide - 12, TRICK)
            else:
                self.text(middle, y + TRICK / 2 + 9, " ".join(words), 15, colour=ON_FELT)
            self.text(middle, y + TRICK + 25, self.places[seat].name, 12, colour=FAINT_ON_FELT)
        return end

    def finished(self, title: str, height: float) -> str:
        """The whole SVG."""
        cards = "".join(
            f'<g id="{self.names[word]}">{self.shared.written(parts)}</g>' for word, parts in self.drawings.items()
        )
        size = f'width="{number(WIDTH)}" height="{number(height)}"'
        ground = f'<rect {size} rx="16" fill="{GROUND}"/>'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {number(WIDTH)} {number(height)}" role="img" '
            f'font-family="system-ui, sans-serif" stroke-linejoin="round"><title>{escape(title)}</title>'
            f"{self.shared.definitions()}<defs>{cards}</defs>{ground}{''.join(self.parts)}</svg>\n"
        )


# A picture for those who see a link to a table: 1200 by 630, without a word, so that it needs no font

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
        _use(word if word in deck.cards else BACK, left + k * part * wide, top, scale) for k, word in enumerate(words)
    )


def _use(name: str, x: float, y: float, scale: float, more: str = "") -> str:
    """A card that is defined under this name, its upper left corner at (x, y)."""
    return f'<use href="#{name}" transform="{_put(x, y, scale)}"{more}/>'


def _put(x: float, y: float, scale: float) -> str:
    return f"translate({number(x)} {number(y)}) scale({number(scale, 4)})"
