"""The page of rules: name, the cards in their order, the rules in two columns as large as they fit."""

from collections.abc import Sequence

from tefuda.decks.data import Suit
from tefuda.decks.faces import Style, face
from tefuda.decks.fonts import BOLD, REGULAR, typeface
from tefuda.decks.print.canvas import Canvas
from tefuda.decks.print.job import MARGIN, Job
from tefuda.decks.print.setting import lines
from tefuda.decks.shapes import at, drawing, line, rectangle

BETWEEN = 7.0
"""Millimetres between the columns."""

LARGEST, SMALLEST = 3.9, 1.8
"""Sizes of the text in millimetres."""


def rules_page(canvas: Canvas, job: Job) -> None:
    """One page."""
    y = MARGIN + 7.0
    canvas.text(MARGIN, y, job.rules.name, "strong", 8.0)
    for each in lines(job.rules.about, typeface(job.language, REGULAR), 3.4, job.width - 2 * MARGIN):
        y += 5.2
        canvas.text(MARGIN, y, each, "text", 3.4, 0.15)
    y = _strips(canvas, job, y + 5.0)
    canvas.draw(drawing(line((MARGIN, y), (job.width - MARGIN, y), width=0.3)))
    foot = job.height - MARGIN
    more = job.word("more", game=job.game.name, example=example(job))
    canvas.text(MARGIN, foot, more, "text", 2.4, 0.35)
    _columns(canvas, job, y + 4.0, foot - 6.0)


def example(job: Job) -> str:
    """A rule's number."""
    return f"{job.game.rules.prefix}-1"


def _strips(canvas: Canvas, job: Job, top: float) -> float:
    """Every suit's cards in their order, small, beside each other as far as they fit; returns where they end."""
    own, suits = job.deck.size, job.deck.suits
    half = (job.width - 2 * MARGIN - BETWEEN) / 2
    most = max(len(_of(job, suit)) for suit in suits)
    size = min(half / most / (own[0] + 1.0), 27.0 / own[1])
    canvas.text(MARGIN, top + 2.0, job.word("cards"), "text", 2.6, 0.35)
    x, y, high = MARGIN, top + 4.0, own[1] * size + 6.5
    for suit in suits:
        name = typeface(job.language, BOLD).width(suit.names[job.language], 2.9)
        wide = max(len(_of(job, suit)) * (own[0] + 1.0) * size, name)
        if x + wide > job.width - MARGIN + 1.0:
            x, y = MARGIN, y + high
        _strip(canvas, job, suit, (x, y), size)
        x += wide + BETWEEN
    return y + high


def _of(job: Job, suit: Suit) -> list[str]:
    """The words of a suit's cards, in the order of their places."""
    cards = [card for card in job.deck.cards.values() if card.suit.key == suit.key]
    return [card.word for card in sorted(cards, key=lambda card: card.place)]


def _strip(canvas: Canvas, job: Job, suit: Suit, corner: tuple[float, float], size: float) -> None:
    (x, y), (width, height) = corner, job.deck.size
    style = Style(frozenset(("traditional", "index")), job.language)
    canvas.text(x, y + 2.8, suit.names[job.language], "strong", 2.9)
    rim = rectangle(0, 0, width, height, job.deck.corner, line="#9a9a9a", width=0.4)
    for place, word in enumerate(_of(job, suit)):
        card = drawing(rim, face(job.deck, job.deck.cards[word], style))
        canvas.draw(at(card, x + place * (width + 1.0) * size, y + 4.0, size))


def _columns(canvas: Canvas, job: Job, top: float, bottom: float) -> None:
    """The rules, a red square before each."""
    column = (job.width - 2 * MARGIN - BETWEEN) / 2
    size, laid, cut = _fitting(job, column, bottom - top)
    for x, part in ((MARGIN, laid[:cut]), (MARGIN + column + BETWEEN, laid[cut:])):
        y = top
        for paragraph in part:
            canvas.draw(drawing(rectangle(x, y + size * 0.38, size * 0.42, size * 0.42, fill="red")))
            for number, text in enumerate(paragraph):
                canvas.text(x + size, y + size * (0.92 + 1.4 * number), text, "text", size)
            y += _height(paragraph, size)


def _height(paragraph: Sequence[str], size: float) -> float:
    return size * (1.4 * len(paragraph) + 0.5)


def _fitting(job: Job, column: float, height: float) -> tuple[float, list[list[str]], int]:
    """The largest size of text that fits, the paragraphs in lines, and how many stand in the first column."""
    type_ = typeface(job.language, REGULAR)
    size = LARGEST
    while True:
        laid = [lines(text, type_, size, column - size) for text in job.rules.lines]
        heights = [_height(paragraph, size) for paragraph in laid]
        cut = min(range(1, len(laid) + 1), key=lambda cut: max(sum(heights[:cut]), sum(heights[cut:])))
        if max(sum(heights[:cut]), sum(heights[cut:])) <= height or size <= SMALLEST:
            return size, laid, cut
        size = round(size - 0.1, 1)
