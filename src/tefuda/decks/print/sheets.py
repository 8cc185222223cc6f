"""The document: sheets of cards with crop marks and a ruler, backs that meet them, the rules, a score sheet."""

from collections.abc import Callable, Iterator
from functools import partial

from tefuda.decks.data import Card
from tefuda.decks.faces import corner_of
from tefuda.decks.print.job import Job
from tefuda.decks.print.pages import example, rules_page, score_page
from tefuda.decks.print.pdf import Canvas
from tefuda.decks.shapes import Drawing, drawing, line, moved, rectangle, turned
from tefuda.decks.sizes import Grid

Progress = Callable[[int, int], None]
"""A callback after every page: the number done, and of all."""

_ALWAYS = "0123456789.,:·- abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_WORDS = ("sheet", "scale", "cards", "scores", "deal", "player", "each", "more")


def write(job: Job, progress: Progress = lambda done, pages: None) -> bytes:
    """The PDF, the same bytes every time.

    Raises:
        PaperError: no such paper, or the cards do not fit on it.
        SizeError: no such size.
        TefudaError: there are no rules in this language.
    """
    pages = list(_pages(job))
    canvas = Canvas(job.grid.paper, job.deck.inks, job.title, job.language, _said(job))
    for done, draw in enumerate(pages, 1):
        if done > 1:
            canvas.next_page()
        draw(canvas)
        progress(done, len(pages))
    return canvas.written()


def _pages(job: Job) -> Iterator[Callable[[Canvas], None]]:
    pack, places = job.deck.pack, job.grid.places
    for number in range(job.sheets):
        cards = pack[number * places : (number + 1) * places]
        yield partial(fronts, job=job, cards=cards, number=number + 1)
        if job.backs:
            yield partial(backs, job=job, count=len(cards))
    if job.rules.sections:
        yield partial(rules_page, job=job)
    yield partial(score_page, job=job)


def _said(job: Job) -> str:
    """All characters of the texts on the sheets."""
    words = [job.word(key, number=0, count=0, game=job.game.name, example=example(job)) for key in _WORDS]
    names = [suit.names[job.language] for suit in job.deck.suits]
    rules = job.rules
    taught = [text for section in rules.sections for text in (section.heading, *section.paragraphs)]
    return "".join([_ALWAYS, job.title, rules.title, rules.native, rules.summary, *taught, *words, *names])


# Sheets

MARK, OFF, UNPRINTED = 3.5, 1.2, 3.0
"""Length of a crop mark, how far it stays from the cards and at least from the paper's edge, in millimetres."""

RULER = 100.0
BELOW = 13.0
"""Millimetres that ruler and title need under the cards; else the ruler stands beside them."""


def fronts(canvas: Canvas, job: Job, cards: list[Card], number: int) -> None:
    """A sheet of faces."""
    drawn = {card.word: drawing(job.card.front(job.deck, card, job.style), _outline(job)) for card in cards}
    for place, card in enumerate(cards):
        canvas.stamp(f"front-{card.word}", drawn[card.word], job.card.sides, job.grid.spot(place))
    canvas.draw(_marks(job.grid))
    _foot(canvas, job, f"{job.title} · {job.word('sheet', number=number, count=job.sheets)}")


def backs(canvas: Canvas, job: Job, count: int) -> None:
    """The backs of a sheet, where they stand when it is turned over its long edge."""
    drawn = job.card.back(job.deck, job.saving, colour=job.colour)
    for place in range(count):
        canvas.stamp("back", drawn, job.card.sides, job.grid.spot(place, mirrored=True))


def _outline(job: Job) -> Drawing:
    """The card's edge with its round corners, in a line too fine to be seen on a card that is cut."""
    (width, height), corner = job.card.sides, corner_of(job.deck, job.card.composed) * job.card.scale
    return drawing(rectangle(0, 0, width, height, corner, line="#b0b0b0", width=0.08))


def _marks(where: Grid) -> Drawing:
    """Crop marks, outside the cards only."""
    across, down = where.cuts()
    left, top = where.corner
    right, bottom = left + where.extent[0], top + where.extent[1]
    down_to = min(MARK, top - OFF - UNPRINTED)
    ends = [(top - OFF, -down_to), (bottom + OFF, down_to)]
    sides = [(left - OFF, -MARK), (right + OFF, MARK)]
    marks = [line((x, y), (x, y + reach), width=0.15) for x in across for y, reach in ends]
    marks += [line((x, y), (x + reach, y), width=0.15) for y in down for x, reach in sides]
    return drawing(*marks)


def _foot(canvas: Canvas, job: Job, said: str) -> None:
    """The ruler to check the scale by, and what this sheet is."""
    where = job.grid
    bottom = where.corner[1] + where.extent[1] + OFF + MARK
    if job.height - bottom >= BELOW - OFF - MARK:
        left, y = where.corner[0] + 6.0, bottom + 3.6
        canvas.draw(moved(_ruler(), left, y))
        canvas.text(left + RULER + 2.5, y, job.word("scale"), "text", 2.3, 0.3)
        canvas.text(left, y + 3.4, said, "text", 2.4, 0.2)
        return
    x, top = where.corner[0] + where.extent[0] + OFF + MARK + 2.5, (job.height - RULER) / 2
    canvas.draw(moved(turned(_ruler(), 90), x, top))
    canvas.upwards(x + 5.0, top + RULER, f"{said} · {job.word('scale')}", "text", 2.3, 0.3)


def _ruler() -> Drawing:
    """A ruler from the origin to the right, its marks upwards."""
    heights = {mm: 2.2 if mm % 50 == 0 else 1.5 if mm % 10 == 0 else 0.9 for mm in range(0, 101, 5)}
    marks = (line((mm, 0), (mm, -high), width=0.15) for mm, high in heights.items())
    return drawing(line((0, 0), (RULER, 0), width=0.2), *marks)
