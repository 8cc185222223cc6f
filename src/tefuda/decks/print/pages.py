"""Pages of text: the rules with the cards in their order, in two columns as large as they fit; the score sheet."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tefuda.decks.data import Suit
from tefuda.decks.faces import Style, face
from tefuda.decks.fonts import BOLD, REGULAR, typeface
from tefuda.decks.print.job import MARGIN, Job
from tefuda.decks.print.pdf import Canvas, lines
from tefuda.decks.shapes import drawing, line, rectangle
from tefuda.engine.rulebook import CODES

BETWEEN = 7.0
"""Millimetres between the columns."""

LARGEST, SMALLEST = 3.9, 1.8
"""Sizes of the text in millimetres."""

LEADING = 1.33
"""From line to line, in sizes of the text."""

DEALS = 24
"""Lines of the score sheet."""

FIRST = 13.0
"""Width of the column with the deals' numbers, in millimetres."""


def rules_page(canvas: Canvas, job: Job) -> None:
    """Draw the page of rules."""
    book, y = job.rules, MARGIN + 7.0
    canvas.text(MARGIN, y, book.title, "strong", 8.0)
    if book.native != book.title:
        beside = MARGIN + typeface(job.language, BOLD).width(book.title, 8.0) + 4.0
        canvas.text(beside, y, book.native, "text", 4.5, 0.35)
    for each in _summary(job):
        y += 5.2
        canvas.text(MARGIN, y, each, "text", 3.4, 0.15)
    canvas.text(MARGIN, y + 7.0, job.word("cards"), "text", 2.6, 0.35)
    size, strips, bottom = _strips(job)
    for suit, corner in strips:
        _strip(canvas, job, suit, corner, size)
    canvas.draw(drawing(line((MARGIN, bottom), (job.width - MARGIN, bottom), width=0.3)))
    more = job.word("more", game=job.game.name, example=example(job))
    canvas.text(MARGIN, job.height - MARGIN, more, "text", 2.4, 0.35)
    _columns(canvas, job)


def example(job: Job) -> str:
    """A rule's number."""
    return f"{job.game.rules.prefix}-1"


def text_size(job: Job) -> float:
    """Size of the text of the page, in millimetres."""
    return _fitting(job)[0]


def _summary(job: Job) -> list[str]:
    return lines(job.rules.summary, typeface(job.language, REGULAR), 3.4, job.width - 2 * MARGIN)


def _strips(job: Job) -> tuple[float, list[tuple[Suit, tuple[float, float]]], float]:
    """Every suit's cards in their order, small, beside each other as far as they fit.

    Returns:
        scale of the cards, where each suit stands, and where they end.
    """
    own, suits = job.deck.size, job.deck.suits
    half = (job.width - 2 * MARGIN - BETWEEN) / 2
    most = max(len(job.deck.of(suit)) for suit in suits)
    size = min(half / most / (own[0] + 1.0), 24.0 / own[1])
    x, y, high = MARGIN, MARGIN + 16.0 + 5.2 * len(_summary(job)), own[1] * size + 6.5
    placed = []
    for suit in suits:
        name = typeface(job.language, BOLD).width(_name(job, suit), 2.9)
        wide = max(len(job.deck.of(suit)) * (own[0] + 1.0) * size, name)
        if x + wide > job.width - MARGIN + 1.0:
            x, y = MARGIN, y + high
        placed.append((suit, (x, y)))
        x += wide + BETWEEN
    return size, placed, y + high


def _name(job: Job, suit: Suit) -> str:
    """A suit's name, with its letter if the cards show it."""
    name = suit.names[job.language]
    return f"{suit.letter} · {name}" if "accessible" in job.style.layers else name


def _strip(canvas: Canvas, job: Job, suit: Suit, corner: tuple[float, float], size: float) -> None:
    (x, y), (width, height) = corner, job.deck.size
    style = Style(frozenset(("traditional", "index")), job.language)
    canvas.text(x, y + 2.8, _name(job, suit), "strong", 2.9)
    rim = rectangle(0, 0, width, height, job.deck.corner, line="#9a9a9a", width=0.4)
    for place, card in enumerate(job.deck.of(suit)):
        spot = x + place * (width + 1.0) * size, y + 4.0
        canvas.stamp(f"strip-{card.word}", drawing(rim, face(job.deck, card, style)), job.deck.size, spot, size)


@dataclass(frozen=True)
class _Piece:
    """A heading or a paragraph, in lines."""

    lines: Sequence[str]
    heading: bool

    def height(self, size: float) -> float:
        """In millimetres, with the space below, for text of this size."""
        return size * (LEADING * len(self.lines) + (0.7 if self.heading else 0.45))


def _columns(canvas: Canvas, job: Job) -> None:
    """The text that teaches the game: headings, and paragraphs with a red square before each."""
    size, laid, cut = _fitting(job)
    for x, part in ((MARGIN, laid[:cut]), ((job.width + BETWEEN) / 2, laid[cut:])):
        y = _strips(job)[2] + 4.0
        for piece in part:
            if not piece.heading:
                canvas.draw(drawing(rectangle(x, y + size * 0.38, size * 0.42, size * 0.42, fill="red")))
            indent, font, lower = (0.0, "strong", 1.15) if piece.heading else (size, "text", 0.92)
            for number, text in enumerate(piece.lines):
                canvas.text(x + indent, y + size * (lower + LEADING * number), text, font, size)
            y += piece.height(size)


def _fitting(job: Job) -> tuple[float, list[_Piece], int]:
    """The largest size of text that fits, the pieces in lines, and how many stand in the first column."""
    column = (job.width - 2 * MARGIN - BETWEEN) / 2
    height = job.height - MARGIN - 10.0 - _strips(job)[2]
    size = LARGEST
    while True:
        laid = list(_pieces(job, column, size))
        heights = [piece.height(size) for piece in laid]
        cuts = [cut for cut in range(1, len(laid)) if not laid[cut - 1].heading]
        cut = min(cuts, key=lambda cut: max(sum(heights[:cut]), sum(heights[cut:])))
        if max(sum(heights[:cut]), sum(heights[cut:])) <= height or size <= SMALLEST:
            return size, laid, cut
        size = round(size - 0.1, 1)


def _pieces(job: Job, column: float, size: float) -> Iterator[_Piece]:
    """All sections but the one on codes: on paper nobody types."""
    text, strong = typeface(job.language, REGULAR), typeface(job.language, BOLD)
    for section in job.rules.sections:
        if section.key != CODES:
            yield _Piece(lines(section.heading, strong, size, column), heading=True)
            for paragraph in section.paragraphs:
                yield _Piece(lines(paragraph, text, size, column - size), heading=False)


def score_page(canvas: Canvas, job: Job) -> None:
    """Draw the score sheet: a line for every deal, two halves for every player."""
    canvas.text(MARGIN, MARGIN + 6.0, f"{job.rules.title} · {job.word('scores')}", "strong", 6.0)
    canvas.text(MARGIN, MARGIN + 11.5, job.word("each"), "text", 3.0, 0.25)
    players, right = max(job.game.seats), job.width - MARGIN
    top = MARGIN + 16.0
    down = (job.height - top - MARGIN) / (DEALS + 1.4)
    across = (right - MARGIN - FIRST) / players
    head = top + 1.4 * down
    bottom = head + DEALS * down
    table = [line((MARGIN, y), (right, y), width=0.5) for y in (top, head)]
    for number in range(1, DEALS + 1):
        y = head + number * down
        table.append(line((MARGIN, y), (right, y), width=0.4 if number % 4 == 0 else 0.15))
        canvas.text(MARGIN + 3.0, y - down * 0.32, str(number), "text", 3.0, 0.25)
    for player in range(players):
        x = MARGIN + FIRST + player * across
        table.append(line((x, top), (x, bottom), width=0.35))
        table.append(line((x + across / 2, head), (x + across / 2, bottom), ink="#999999", width=0.12))
        canvas.text(x + 1.2, top + 3.4, f"{job.word('player')} {player + 1}", "text", 2.4, 0.4)
    canvas.text(MARGIN + 1.0, head - 2.0, job.word("deal"), "text", 3.0, 0.25)
    canvas.draw(drawing(*table))
