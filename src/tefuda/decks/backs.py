"""Backs: a pattern inside a margin of paper, so that a cut a little off does not show; the same upside down."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from tefuda.decks.data import Deck, choose
from tefuda.decks.frame import Frame
from tefuda.decks.shapes import Drawing, at, circle, curve, drawing, rectangle, ring, turned

MARGIN = 1.6
"""Millimetres of paper round the pattern."""


def back(deck: Deck, saving: bool = False) -> Drawing:
    """A deck's back; one that saves ink has lines instead of a dark ground."""
    width, height = deck.size
    frame = Frame(0, 0, width, height).inside(MARGIN)
    corner = max(deck.corner - MARGIN * 0.6, 0.5)
    ink = "black" if saving else "paper"
    ground = rectangle(frame.x, frame.y, frame.width, frame.height, corner, fill="black")
    if saving:
        ground = ground.inked(line="black", width=0.4)
    pattern = choose(PATTERNS, deck.back, f"back of {deck.name}")
    return drawing(ground, pattern(frame.inside(0.9), ink, "paper" if saving else "black"))


def _plain(frame: Frame, ink: str, ground: str) -> Drawing:
    """Nothing but a fine line: the packs of life are black."""
    return drawing(rectangle(frame.x, frame.y, frame.width, frame.height, 0.8, line=ink, width=0.2))


def _coins(frame: Frame, ink: str, ground: str) -> Drawing:
    """Seven treasures: petals between which coins appear."""
    across = max(2, round(frame.width / 4.6))
    step = frame.width / across
    down = int(frame.height / step)
    top = frame.y + (frame.height - down * step) / 2
    petal = drawing(
        curve([(0, 0), (step / 2, -step * 0.2), (step, 0), (step / 2, step * 0.2)], closed=True, line=ink, width=0.22)
    )
    upright = turned(petal, 90)
    parts = [at(petal, frame.x + x * step, top + y * step) for x in range(across) for y in range(1, down)]
    parts += [at(upright, frame.x + x * step, top + y * step) for x in range(1, across) for y in range(down)]
    hole = drawing(rectangle(-0.5, -0.5, 1.0, 1.0, line=ink, width=0.2))
    parts += [at(hole, frame.x + (x + 0.5) * step, top + (y + 0.5) * step) for x in range(across) for y in range(down)]
    return drawing(*parts)


def _lattice(frame: Frame, ink: str, ground: str) -> Drawing:
    """The window of a study: squares in squares, tied together."""
    across = max(2, round(frame.width / 6.0))
    step = frame.width / across
    down = int(frame.height / step)
    top = frame.y + (frame.height - down * step) / 2
    h = step / 2
    pane = drawing(
        rectangle(-h, -h, step, step, line=ink, width=0.3),
        rectangle(-h * 0.52, -h * 0.52, h * 1.04, h * 1.04, line=ink, width=0.3),
        *(
            turned(drawing(curve([(0, -h), (0, -h * 0.52)], line=ink, width=0.3)), quarter)
            for quarter in (0, 90, 180, 270)
        ),
        circle(0, 0, h * 0.16, fill=ink),
    )
    return drawing(
        *(at(pane, frame.x + (x + 0.5) * step, top + (y + 0.5) * step) for x in range(across) for y in range(down))
    )


def _waves(frame: Frame, ink: str, ground: str) -> Drawing:
    """Waves of the blue sea, from both ends to the middle."""
    across = max(3, round(frame.width / 8.0))
    step = frame.width / across
    rise = step / 4
    centre = frame.y + frame.height / 2
    rows = int((frame.height / 2 - step / 2) / rise)
    arcs = [_arch(step * share / 2, ink, ground) for share in (0.98, 0.72, 0.46, 0.2)]
    parts = []
    for row in range(rows + 1):
        count = across if row % 2 == 0 else across - 1
        y = centre - (rows - row) * rise
        left = frame.x + (frame.width - count * step) / 2
        for place in range(count):
            parts.append(at(drawing(*arcs), left + (place + 0.5) * step, y))
    half = drawing(*parts)
    return drawing(half, turned(half, 180, frame.middle, centre))


def _arch(radius: float, ink: str, ground: str) -> Drawing:
    whole = circle(0, 0, radius, fill=ground, line=ink, width=0.28)
    _, _, _, left, right, _ = whole.path  # a circle goes round by way of its lower half
    return drawing(replace(whole, path=(("M", -radius, 0.0), left, right)))


def _dark(frame: Frame, ink: str, ground: str) -> Drawing:
    """The dark paper of the old makers, a crest of three rings in the middle."""
    rings = [ring(0, -1.9, 2.2, 1.9, fill=ink), ring(-1.7, 1.0, 2.2, 1.9, fill=ink), ring(1.7, 1.0, 2.2, 1.9, fill=ink)]
    both = at(drawing(*rings), frame.middle, frame.centre - 5.6)
    return drawing(both, turned(both, 180, frame.middle, frame.centre), _plain(frame, ink, ground))


PATTERNS: Mapping[str, Callable[[Frame, str, str], Drawing]] = {
    "plain": _plain,
    "coins": _coins,
    "lattice": _lattice,
    "waves": _waves,
    "dark": _dark,
}
