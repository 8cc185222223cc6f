"""A tuck box to cut out and fold: as large as its cards are, as deep as the pack is thick."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, dist

from tefuda.decks.fonts import BOLD, REGULAR, lines, typeface
from tefuda.decks.print.pdf import Canvas
from tefuda.decks.print.sheets import Job
from tefuda.decks.shapes import Drawing, Point, Shape, curve, drawing, line, polygon
from tefuda.decks.sizes import PaperError, SizeError
from tefuda.decks.sprite import fan, on_paper

THICKNESS, LEAST_THICKNESS, MOST_THICKNESS = 0.32, 0.1, 2.0
"""Millimetres of a card: card of 300 g/m², and what is accepted."""

ROOM = 1.5  # millimetres that the box is wider, higher and deeper than the pack

GLUE, TUCK = 10.0, 15.0  # width of the flap that is glued, length of those that are tucked in, in millimetres

EDGE = 5.0  # millimetres of paper that printers leave white
NARROW = 40.0  # millimetres: a front less wide has one card
CUT = 0.25  # width of a line to be cut
TEXT = 2.4  # size of the lines that say what to do; they stand over the front, where nothing is cut


@dataclass(frozen=True)
class Box:
    """A box's inner measures in millimetres; ``depth`` is that of its sides."""

    width: float
    height: float
    depth: float

    @property
    def flat(self) -> tuple[float, float]:
        """Width and height of the sheet that it is folded from."""
        return GLUE + 2 * (self.width + self.depth), self.height + 2 * (self.depth + TUCK)


def box(job: Job, thickness: float = THICKNESS) -> Box:
    """The box for a pack; ``SizeError`` if no card is so many millimetres thick."""
    if not LEAST_THICKNESS <= thickness <= MOST_THICKNESS:
        raise SizeError(f"a card {thickness:g} mm thick: it must be from {LEAST_THICKNESS:g} to {MOST_THICKNESS:g} mm")
    width, height = job.card.sides
    return Box(width + ROOM, height + ROOM, round(len(job.faces) * thickness + ROOM, 1))


def write_box(job: Job, thickness: float = THICKNESS) -> bytes:
    """A page with the box, the same bytes every time; the page lies on its side if the box fits only so. ``SizeError``
    if no card is so thick or so thin, ``PaperError`` if the box is larger than the paper."""
    made, said = box(job, thickness), _said(job, thickness)
    paper = _paper(job, made)
    texts = "".join([said, job.title, job.rules.title, job.rules.native])
    canvas = Canvas(paper, job.deck.inks, job.title, job.language, texts)
    left, top = (paper[0] - made.flat[0]) / 2, (paper[1] - made.flat[1]) / 2
    x, y = left + GLUE, top + TUCK + made.depth
    canvas.draw(_pictures(job, made).moved(x, y))
    _titles(canvas, job, made, x, y)
    canvas.draw(drawing(*_dieline(made)).moved(x, y))
    told = lines(said, typeface(job.language, REGULAR), TEXT, GLUE + made.width - 3)
    for number, text in enumerate(told):
        canvas.text(left, y - 4 - (len(told) - 1 - number) * TEXT * 1.35, text, "text", TEXT, 0.2)
    return canvas.written()


def _said(job: Job, thickness: float) -> str:
    width, height = job.card.sides
    count = len(job.faces)
    return job.word("box", count=count, width=f"{width:g}", height=f"{height:g}", thickness=f"{thickness:g}")


def _paper(job: Job, made: Box) -> tuple[float, float]:
    for paper in ((job.width, job.height), (job.height, job.width)):
        if all(side + 2 * EDGE <= whole for side, whole in zip(made.flat, paper, strict=True)):
            return paper
    flat = " × ".join(f"{side:.0f}" for side in made.flat)
    raise PaperError(
        f"the box for {len(job.faces)} such cards is {flat} mm before it is folded and does not fit "
        f"on {job.paper}: choose a smaller --size or thinner cards (--thickness)"
    )


# The panels stand side by side: glue, front, side, back, side. The origin is the front's upper left corner.


def _pictures(job: Job, made: Box) -> Drawing:
    """Cards on the front, or one on a narrow front, the pattern of the backs behind, the flap for the glue in grey."""
    glue = polygon(_glue(made), fill="#d9d9d9")
    deck, narrow = job.deck, made.width < NARROW
    shown = deck.shown[len(deck.shown) // 2]
    cards = on_paper(deck, shown, job.style) if narrow else fan(deck, job.style)
    front = cards.fitted(made.width / 2, made.height * 0.63, made.width * 0.86, made.height * 0.6)
    back = job.card.back(job.deck, colour=job.colour).moved(made.width + made.depth + ROOM / 2, ROOM / 2)
    return drawing(glue, front, back)


def _titles(canvas: Canvas, job: Job, made: Box, x: float, y: float) -> None:
    """Write the game's name on the front and along both sides."""
    native, title = job.rules.native, job.rules.title
    strong, text = typeface(job.language, BOLD), typeface(job.language, REGULAR)
    size = min(10.0, 0.84 * made.width / strong.width(native, 1.0))
    middle, foot = x + made.width / 2, y + made.height * 0.16 + size * 0.4
    canvas.text(middle - strong.width(native, size) / 2, foot, native, "strong", size)
    if title != native:
        small = min(4.0, 0.84 * made.width / text.width(title, 1.0))
        canvas.text(middle - text.width(title, small) / 2, foot + 1.5 * small, title, "text", small, 0.2)
    size = min(made.depth * 0.5, 4.5, 0.9 * made.height / strong.width(job.title, 1.0))
    for side in (made.width, 2 * made.width + made.depth):
        along = y + (made.height + strong.width(job.title, size)) / 2
        canvas.upwards(x + side + made.depth / 2 + size * 0.36, along, job.title, "strong", size)


def _dieline(made: Box) -> Iterator[Shape]:
    """The lines to cut, solid, and to fold, in dashes."""
    w, h, d = made.width, made.height, made.depth
    right, notch = 2 * (w + d), min(8.0, w / 4)
    for x in (0.0, w, w + d, 2 * w + d):
        yield from _dashes((x, 0), (x, h))
    yield _cut(*_glue(made))
    yield _cut((right, 0), (right, h))
    for y, out in ((0.0, -1), (h, 1)):
        for side in (w, 2 * w + d):
            yield from _dashes((side, y), (side + d, y))
            yield _dust_flap(side, y, out, made)
        yield from _lid(w + d, y, out, made)
    yield _cut((0, h), (w, h))
    yield _cut((0, 0), (w / 2 - notch, 0))
    yield _cut((w / 2 + notch, 0), (w, 0))
    round_notch = [(w / 2 - notch, 0.0), (w / 2 - notch * 0.7, notch * 0.7), (w / 2, notch)]
    round_notch += [(w - x, y) for x, y in reversed(round_notch[:-1])]
    yield curve(round_notch, line="black", width=CUT)


def _glue(made: Box) -> list[Point]:
    slant = min(4.0, made.height / 6)
    return [(0, 0), (-GLUE, slant), (-GLUE, made.height - slant), (0, made.height)]


def _dust_flap(x: float, y: float, out: int, made: Box) -> Shape:
    """A flap that keeps dust out under the lid; it slants so as not to jam."""
    end = y + out * min(made.width * 0.45, made.depth + TUCK - 2)
    slant = min(2.0, made.depth / 5)
    return _cut((x, y), (x + slant, end), (x + made.depth - slant, end), (x + made.depth, y))


def _lid(x: float, y: float, out: int, made: Box) -> Iterator[Shape]:
    """The lid on the back's edge, and the flap that is tucked in behind the front."""
    w, hinge, end = made.width, y + out * made.depth, y + out * (made.depth + TUCK)
    yield from _dashes((x, y), (x + w, y))
    yield from _dashes((x, hinge), (x + w, hinge))
    yield _cut((x, y), (x, hinge))
    yield _cut((x + w, y), (x + w, hinge))
    inset, half = min(6.0, w / 5), y + out * (made.depth + TUCK * 0.45)
    left = [(x, hinge), (x + 0.4, half), (x + inset, end)]
    yield curve(left, line="black", width=CUT)
    yield curve([(2 * x + w - px, py) for px, py in left], line="black", width=CUT)
    yield _cut((x + inset, end), (x + w - inset, end))


def _cut(*points: Point) -> Shape:
    return line(*points, width=CUT)


def _dashes(start: Point, end: Point) -> Iterator[Shape]:
    """A dashed line: 2 mm long, 1.4 mm apart."""
    (x, y), length = start, dist(start, end)
    dx, dy = (end[0] - x) / length, (end[1] - y) / length
    for step in range(ceil(length / 3.4)):
        at, stop = 3.4 * step, min(3.4 * step + 2.0, length)
        yield line((x + dx * at, y + dy * at), (x + dx * stop, y + dy * stop), width=0.18)
