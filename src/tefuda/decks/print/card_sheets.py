"""Sheets of cards: fronts with crop marks and a ruler, backs that meet them."""

from tefuda.decks.data import Card
from tefuda.decks.faces import corner_of
from tefuda.decks.paper import Grid
from tefuda.decks.print.canvas import Canvas
from tefuda.decks.print.job import Job
from tefuda.decks.shapes import Drawing, Shape, drawing, line, moved, rectangle

MARK, OFF, UNPRINTED = 3.5, 1.2, 3.0
"""Length of a crop mark, how far it stays from the cards and at least from the paper's edge, in millimetres."""

RULER = 100.0
BELOW = 13.0
"""Millimetres that ruler and title need under the cards; else the ruler stands beside them."""


def fronts(canvas: Canvas, job: Job, cards: list[Card], number: int) -> None:
    """A sheet of faces."""
    drawn = {card.word: drawing(job.card.front(job.deck, card, job.style), _outline(job)) for card in cards}
    for place, card in enumerate(cards):
        canvas.draw(moved(drawn[card.word], *job.grid.spot(place)))
    canvas.draw(_marks(job.grid))
    _foot(canvas, job, f"{job.title} · {job.word('sheet', number=number, count=job.sheets)}")


def backs(canvas: Canvas, job: Job, count: int) -> None:
    """The backs of a sheet, where they stand when it is turned over its long edge."""
    drawn = job.card.back(job.deck, job.saving, colour=job.colour)
    for place in range(count):
        canvas.draw(moved(drawn, *job.grid.spot(place, mirrored=True)))


def _outline(job: Job) -> Drawing:
    """Where the card ends, with its round corners, in a line too fine to be seen on a card that is cut."""
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
        canvas.draw(_ruler(left, y, flat=True))
        canvas.text(left + RULER + 2.5, y, job.word("scale"), "text", 2.3, 0.3)
        canvas.text(left, y + 3.4, said, "text", 2.4, 0.2)
        return
    x, top = where.corner[0] + where.extent[0] + OFF + MARK + 2.5, (job.height - RULER) / 2
    canvas.draw(_ruler(x, top, flat=False))
    canvas.upwards(x + 5.0, top + RULER, f"{said} · {job.word('scale')}", "text", 2.3, 0.3)


def _ruler(x: float, y: float, flat: bool) -> Drawing:
    def tick(along: float, high: float) -> Shape:
        foot, tip = ((x + along, y), (x + along, y - high)) if flat else ((x, y + along), (x + high, y + along))
        return line(foot, tip, width=0.15)

    heights = {mm: 2.2 if mm % 50 == 0 else 1.5 if mm % 10 == 0 else 0.9 for mm in range(0, 101, 5)}
    end = (x + RULER, y) if flat else (x, y + RULER)
    return drawing(line((x, y), end, width=0.2), *(tick(mm, high) for mm, high in heights.items()))
