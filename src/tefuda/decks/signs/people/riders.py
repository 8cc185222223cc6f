"""Riders: a horse seen from its side, and somebody's upper half on its back."""

from tefuda.decks.shapes import Drawing, above, brush, circle, curve, drawing, line, moved, polygon, scaled

WAIST = 25.6
"""Where a figure is cut, in its own measure."""

_SEAT, _SIZE = (2.0, 24.6), 0.66
"""Where a rider's waist is, and how large the rider is beside figures that stand."""


def rider(who: Drawing) -> Drawing:
    """A figure on a horse that goes to the left, 20 wide and 40 high as figures are."""
    bust = scaled(above(who, WAIST), _SIZE)
    return drawing(_horse(), moved(bust, _SEAT[0], _SEAT[1] - WAIST * _SIZE), _saddle())


def _horse() -> Drawing:
    """Black, with a red mane and bridle; the farther legs stand behind the nearer ones."""
    body = curve(
        [
            (-8.9, 21.4),
            (-8.1, 18.4),
            (-6.4, 14.6),
            (-4.7, 13.4),
            (-3.0, 15.6),
            (-1.8, 19.6),
            (0.4, 23.6),
            (4.4, 24.2),
            (7.6, 23.8),
            (8.9, 26.4),
            (8.4, 30.4),
            (4.6, 31.0),
            (0.0, 31.6),
            (-3.6, 31.4),
            (-5.4, 28.4),
            (-4.9, 24.4),
            (-4.8, 20.8),
            (-6.2, 20.6),
            (-7.6, 22.8),
        ],
        closed=True,
    )
    ear = polygon([(-5.5, 14.2), (-5.2, 11.2), (-3.9, 13.8)])
    legs = drawing(
        _leg([(-4.2, 29.6), (-4.0, 33.6), (-4.3, 38.9)], 2.2),
        _leg([(6.9, 28.8), (6.2, 33.8), (6.9, 38.9)], 2.6),
    )
    farther = drawing(
        _leg([(-3.4, 29.6), (-7.6, 31.4), (-7.2, 35.4)], 2.0),
        _leg([(4.4, 29.6), (2.8, 34.0), (3.6, 38.9)], 2.2),
    )
    tail = brush([(8.2, 25.0), (9.5, 27.2), (9.4, 31.4), (9.0, 35.6)], [0.8, 1.4, 1.3, 0.2])
    mane = [
        brush([(-4.0 + 0.75 * k, 14.4 + 2.1 * k), (-2.2 + 0.8 * k, 15.4 + 2.1 * k)], [1.0, 0.3], fill="red")
        for k in range(4)
    ]
    bridle = [
        brush([(-6.9, 16.4), (-5.4, 18.4), (-4.7, 20.4)], [0.3, 0.4, 0.3], fill="red"),
        brush([(-8.3, 19.6), (-6.9, 20.9)], [0.4, 0.4], fill="red"),
        line((-6.6, 20.6), (-2.2, 23.4), (1.4, 23.0), ink="red", width=0.36),
    ]
    eye = circle(-6.2, 16.4, 0.42, fill="paper")
    return drawing(farther, tail, legs, body, ear, *mane, *bridle, eye, circle(-8.2, 21.0, 0.24, fill="paper"))


def _leg(points: list[tuple[float, float]], width: float) -> Drawing:
    """A leg that narrows downwards, with a hoof under a white line."""
    x, y = points[-1]
    hoof = polygon([(x - 0.8, y - 0.2), (x + 0.7, y - 0.2), (x + 1.0, y + 1.1), (x - 1.3, y + 1.1)])
    gap = line((x - 1.0, y - 0.2), (x + 0.9, y - 0.2), ink="paper", width=0.3)
    return drawing(brush(points, [width, width * 0.62, width * 0.5]), hoof, gap)


def _saddle() -> Drawing:
    """The cloth over the horse's back, the rider's leg, and the stirrup."""
    cloth = curve(
        [(-1.6, 24.0), (2.0, 24.6), (5.8, 24.0), (6.0, 28.2), (2.0, 29.0), (-1.8, 28.2)],
        closed=True,
        fill="red",
        line="paper",
        width=0.4,
    )
    leg = brush([(2.6, 24.8), (0.6, 27.6), (1.2, 31.6)], [2.6, 2.1, 1.2], fill="paper", line="black", width=0.3)
    boot = curve([(0.3, 31.0), (2.0, 31.0), (1.8, 33.4), (-1.0, 33.6), (-0.6, 32.8)], closed=True)
    return drawing(cloth, leg, boot, circle(5.0, 27.0, 0.36, fill="paper"), circle(-0.6, 27.0, 0.36, fill="paper"))
