"""Laying signs out in rows, and rules round a panel."""

from collections.abc import Mapping, Sequence

from tefuda.decks.frame import Frame
from tefuda.decks.shapes import Drawing, at, drawing, rectangle, turned


def in_rows(
    sign: Drawing, rows: Sequence[int], frame: Frame, size: float, across: float, turn: bool = False
) -> Drawing:
    """A sign as often as the rows say.

    Args:
        rows: how many stand in each row, from above.
        size: radius of the sign in millimetres.
        across: millimetres from one to its neighbour in a row.
        turn: those in the lower half stand on their heads.
    """
    parts: list[Drawing] = []
    step = frame.height / len(rows)
    for place, count in enumerate(rows):
        y = frame.y + step * (place + 0.5)
        one = turned(sign, 180) if turn and y > frame.centre + 0.01 else sign
        parts += [at(one, frame.middle + across * (spot - (count - 1) / 2), y, size) for spot in range(count)]
    return drawing(*parts)


def rules(frame: Frame, corner: float = 1.2, ink: str = "black") -> Drawing:
    """A strong rule and a fine one inside it."""
    outer, inner = frame, frame.inside(0.75)
    return drawing(
        rectangle(outer.x, outer.y, outer.width, outer.height, corner, line=ink, width=0.5),
        rectangle(inner.x, inner.y, inner.width, inner.height, max(corner - 0.6, 0.0), line=ink, width=0.25),
    )


COLUMNS_OF_TWO: Mapping[int, Sequence[int]] = {
    1: (1,),
    2: (1, 1),
    3: (1, 1, 1),
    4: (2, 2),
    5: (2, 1, 2),
    6: (2, 2, 2),
    7: (2, 2, 1, 2),
    8: (2, 2, 2, 2),
    9: (2, 2, 1, 2, 2),
}
COLUMNS_OF_THREE: Mapping[int, Sequence[int]] = {
    1: (1,),
    2: (1, 1),
    3: (1, 2),
    4: (2, 2),
    5: (2, 1, 2),
    6: (3, 3),
    7: (2, 3, 2),
    8: (3, 2, 3),
    9: (3, 3, 3),
}
