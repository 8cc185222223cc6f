"""Money: the coin with a square hole, coins on a string, the bundle of a thousand, and brush-written numbers.

Every sign is drawn round the origin and fits in a circle of radius 1.
"""

from functools import cache

from tefuda.decks.fonts import BLACK, typeface
from tefuda.decks.glyphs import glyph
from tefuda.decks.shapes import (
    Drawing,
    at,
    brush,
    circle,
    curve,
    drawing,
    ellipse,
    line,
    mirrored,
    moved,
    rectangle,
    ring,
    scaled,
    star,
    turned,
)


@cache
def cash() -> Drawing:
    """A cast coin: rim, square hole, four characters worn to strokes."""
    marks = drawing(
        brush([(-0.02, -0.74), (0.02, -0.5)], [0.22, 0.16]), brush([(-0.16, -0.66), (0.17, -0.63)], [0.1, 0.13])
    )
    return drawing(
        circle(0, 0, 1, fill="paper"),
        ring(0, 0, 1, 0.86),
        *(turned(marks, quarter) for quarter in (0, 90, 180, 270)),
        rectangle(-0.34, -0.34, 0.68, 0.68),
        rectangle(-0.23, -0.23, 0.46, 0.46, fill="paper"),
    )


@cache
def red_cash() -> Drawing:
    """A coin whose field is red."""
    return drawing(
        circle(0, 0, 1, fill="black"),
        circle(0, 0, 0.85, fill="red"),
        ring(0, 0, 0.68, 0.6, fill="paper"),
        rectangle(-0.36, -0.36, 0.72, 0.72, fill="black"),
        rectangle(-0.24, -0.24, 0.48, 0.48, fill="paper"),
    )


@cache
def string() -> Drawing:
    """Coins seen from the side on a cord, a loop above and a tassel below; 0.9 wide, 2 high."""
    coins = [ellipse(0, -0.5 + 0.25 * place, 0.42, 0.15, fill="paper", line="black", width=0.075) for place in range(5)]
    core = [ellipse(0, -0.53 + 0.25 * place, 0.13, 0.045) for place in range(5)]
    pairs = [part for pair in zip(coins, core, strict=True) for part in pair]
    tassel = [brush([(0, 0.66), (x, 0.97)], [0.1, 0.05]) for x in (-0.2, 0.0, 0.2)]
    return drawing(ring(0, -0.83, 0.16, 0.085), *tassel, *reversed(pairs))


@cache
def kwan() -> Drawing:
    """A thousand coins strung and bent double: the bundle carried over a shoulder."""
    arm = drawing(
        *(
            ellipse(-0.48, -0.42 + 0.2 * place, 0.36, 0.14, fill="paper", line="black", width=0.07)
            for place in range(7)
        ),
        line((-0.48, -0.62), (-0.48, -0.5), width=0.1),
    )
    loop = curve([(-0.48, -0.55), (-0.4, -0.85), (0, -0.98), (0.4, -0.85), (0.48, -0.55)], line="black", width=0.13)
    bow = brush([(-0.22, -0.02), (0, 0.06), (0.22, -0.02)], [0.2, 0.26, 0.2], fill="red")
    return drawing(loop, arm, mirrored(arm, 0), bow, moved(drawing(bow), 0, 0.42))


@cache
def ten() -> Drawing:
    """The character ten as two strokes of a broad brush."""
    return drawing(
        brush([(-0.92, 0.02), (-0.55, -0.08), (0.2, -0.06), (0.93, -0.14)], [0.26, 0.2, 0.24, 0.38]),
        brush([(-0.04, -0.98), (0.02, -0.6), (0.02, 0.3), (-0.02, 1.0)], [0.38, 0.28, 0.3, 0.1]),
    )


@cache
def myriad() -> Drawing:
    """The character for ten thousand in a frame."""
    frame = drawing(rectangle(-0.94, -0.94, 1.88, 1.88, 0.12), rectangle(-0.8, -0.8, 1.6, 1.6, 0.06, fill="paper"))
    return drawing(frame, glyph("萬", 1.5, typeface("zh-Hant", BLACK)))


@cache
def tens() -> Drawing:
    """Ten and myriad in one: a cross in a ring."""
    return drawing(ring(0, 0, 1, 0.82), scaled(ten(), 0.62))


@cache
def tiger() -> Drawing:
    """A tiger's face, full front."""
    ears = drawing(circle(-0.62, -0.66, 0.27), circle(-0.62, -0.66, 0.12, fill="red"))
    head = curve(
        [
            (0, -0.8),
            (0.5, -0.72),
            (0.82, -0.3),
            (0.86, 0.2),
            (0.6, 0.72),
            (0, 0.92),
            (-0.6, 0.72),
            (-0.86, 0.2),
            (-0.82, -0.3),
            (-0.5, -0.72),
        ],
        closed=True,
        fill="paper",
        line="black",
        width=0.09,
    )
    half = drawing(
        brush([(-0.84, -0.28), (-0.6, -0.3), (-0.42, -0.22)], [0.16, 0.12, 0.03]),
        brush([(-0.88, 0.06), (-0.64, 0.08), (-0.5, 0.14)], [0.16, 0.12, 0.03]),
        brush([(-0.78, 0.42), (-0.56, 0.4), (-0.4, 0.36)], [0.15, 0.1, 0.03]),
        ellipse(-0.34, -0.06, 0.16, 0.13),
        circle(-0.31, -0.08, 0.055, fill="paper"),
        brush([(-0.56, -0.32), (-0.34, -0.36), (-0.14, -0.2)], [0.05, 0.12, 0.07]),
        brush([(0, 0.5), (-0.16, 0.6), (-0.36, 0.52)], [0.08, 0.09, 0.03]),
    )
    king = drawing(
        brush([(-0.22, -0.66), (0.22, -0.66)], [0.07, 0.09]),
        brush([(-0.16, -0.52), (0.16, -0.52)], [0.06, 0.08]),
        brush([(-0.24, -0.38), (0.24, -0.38)], [0.07, 0.1]),
        brush([(0, -0.68), (0, -0.36)], [0.09, 0.08]),
    )
    nose = curve([(-0.17, 0.26), (0, 0.22), (0.17, 0.26), (0, 0.44)], closed=True, fill="red", line="black", width=0.05)
    return drawing(
        ears, mirrored(ears, 0), head, half, mirrored(half, 0), king, nose, line((0, 0.42), (0, 0.52), width=0.06)
    )


@cache
def plum() -> Drawing:
    """A plum blossom."""
    petal = drawing(circle(0, -0.56, 0.4, fill="red"))
    stamens = [
        at(drawing(line((0, 0), (0, -0.42), ink="paper", width=0.05), circle(0, -0.46, 0.06, fill="paper")), 0, 0)
    ]
    return drawing(
        *(turned(petal, 72 * place) for place in range(5)),
        *(turned(part, 36 + 72 * place) for place in range(5) for part in stamens),
        star(0, 0, 5, 0.2, 0.12, fill="black"),
    )


@cache
def branch() -> Drawing:
    """A branch with a blossom, a bud and fruit; 1.6 wide, 4 high, its foot at the bottom."""
    wood = brush(
        [(-0.5, 2.0), (-0.3, 1.3), (0.22, 0.7), (0.1, -0.1), (-0.3, -0.8), (-0.1, -1.6)],
        [0.34, 0.26, 0.22, 0.17, 0.12, 0.03],
    )
    twigs = [
        brush([(0.18, 0.72), (0.5, 0.4), (0.62, -0.1)], [0.14, 0.09, 0.03]),
        brush([(-0.05, -0.4), (0.3, -0.75), (0.4, -1.2)], [0.11, 0.08, 0.03]),
        brush([(-0.15, 1.1), (-0.55, 0.75), (-0.62, 0.3)], [0.13, 0.08, 0.03]),
    ]
    buds = [
        circle(0.62, -0.2, 0.14, fill="red"),
        circle(0.42, -1.3, 0.12, fill="red"),
        circle(-0.1, -1.72, 0.11, fill="red"),
    ]
    return drawing(
        wood, *twigs, *buds, at(plum(), -0.34, -0.72, 0.46), at(plum(), -0.6, 0.18, 0.34), at(plum(), 0.42, 0.5, 0.3)
    )


_STROKES = {
    "1": [([(-0.95, 0.06), (-0.5, -0.06), (0.35, 0.02), (0.98, -0.08)], [0.42, 0.28, 0.3, 0.5])],
    "2": [
        ([(-0.6, -0.42), (-0.2, -0.52), (0.62, -0.52)], [0.32, 0.22, 0.38]),
        ([(-0.95, 0.5), (-0.4, 0.4), (0.35, 0.46), (0.97, 0.38)], [0.4, 0.28, 0.3, 0.48]),
    ],
    "3": [
        ([(-0.7, -0.66), (-0.2, -0.74), (0.68, -0.74)], [0.3, 0.2, 0.34]),
        ([(-0.5, -0.04), (-0.1, -0.1), (0.5, -0.1)], [0.28, 0.2, 0.32]),
        ([(-0.95, 0.66), (-0.4, 0.56), (0.35, 0.62), (0.97, 0.54)], [0.38, 0.26, 0.28, 0.46]),
    ],
    "4": [
        ([(-0.8, -0.6), (-0.74, 0.1), (-0.62, 0.76)], [0.34, 0.24, 0.16]),
        ([(-0.76, -0.52), (0.0, -0.6), (0.8, -0.56), (0.74, 0.1), (0.6, 0.78)], [0.18, 0.2, 0.4, 0.28, 0.2]),
        ([(-0.24, -0.54), (-0.28, 0.0), (-0.52, 0.34)], [0.24, 0.2, 0.06]),
        ([(0.2, -0.54), (0.2, 0.08), (0.56, 0.24)], [0.24, 0.18, 0.12]),
        ([(-0.64, 0.68), (0.6, 0.64)], [0.18, 0.22]),
    ],
    "5": [
        ([(-0.7, -0.76), (-0.1, -0.82), (0.68, -0.84)], [0.3, 0.2, 0.34]),
        ([(0.02, -0.8), (-0.16, -0.1), (-0.36, 0.62)], [0.26, 0.24, 0.2]),
        ([(-0.62, -0.12), (0.0, -0.2), (0.5, -0.2), (0.44, 0.64)], [0.2, 0.18, 0.36, 0.2]),
        ([(-0.97, 0.74), (-0.4, 0.66), (0.35, 0.7), (0.97, 0.64)], [0.34, 0.24, 0.26, 0.44]),
    ],
    "6": [
        ([(-0.06, -0.98), (0.1, -0.8), (0.18, -0.62)], [0.14, 0.34, 0.22]),
        ([(-0.97, -0.26), (-0.4, -0.34), (0.35, -0.32), (0.97, -0.4)], [0.34, 0.24, 0.26, 0.42]),
        ([(-0.28, -0.08), (-0.46, 0.4), (-0.88, 0.84)], [0.34, 0.26, 0.05]),
        ([(0.26, -0.06), (0.58, 0.34), (0.86, 0.82)], [0.14, 0.3, 0.42]),
    ],
    "7": [
        ([(-0.94, 0.0), (-0.2, -0.14), (0.86, -0.4)], [0.38, 0.24, 0.36]),
        (
            [(-0.2, -0.94), (-0.16, -0.2), (-0.12, 0.5), (0.2, 0.74), (0.74, 0.7), (0.88, 0.34)],
            [0.4, 0.3, 0.32, 0.34, 0.36, 0.06],
        ),
    ],
    "8": [
        ([(-0.3, -0.66), (-0.42, 0.0), (-0.92, 0.72)], [0.4, 0.32, 0.05]),
        ([(0.02, -0.8), (0.3, -0.2), (0.6, 0.34), (0.95, 0.7)], [0.12, 0.28, 0.42, 0.46]),
    ],
    "9": [
        ([(-0.2, -0.94), (-0.3, -0.1), (-0.86, 0.8)], [0.38, 0.3, 0.05]),
        (
            [(-0.8, -0.28), (-0.1, -0.36), (0.42, -0.42), (0.4, 0.3), (0.56, 0.68), (0.92, 0.6), (0.96, 0.26)],
            [0.3, 0.22, 0.36, 0.28, 0.36, 0.34, 0.06],
        ),
    ],
}


@cache
def numeral(digit: str, ink: str = "black") -> Drawing:
    """A number from 1 to 9 as a Chinese numeral, written with a broad brush."""
    return drawing(*(brush(points, widths, fill=ink) for points, widths in _STROKES[digit]))
