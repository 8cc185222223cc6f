"""What people carry: what is behind them, and what before."""

from collections.abc import Callable, Mapping

from tefuda.decks.shapes import (
    Drawing,
    brush,
    circle,
    curve,
    drawing,
    ellipse,
    line,
    mirrored,
    moved,
    polygon,
    rectangle,
    turned,
)

Carried = tuple[Drawing, Drawing]


def _shaft(top: float, bottom: float = 39.6, x: float = 8.2, width: float = 0.7) -> Drawing:
    return drawing(
        line((x, top), (x, bottom), width=width),
        *(line((x - 0.35, y), (x + 0.35, y), ink="red", width=0.5) for y in (top + 2.0, bottom - 3.0)),
    )


def _staff() -> Carried:
    return _shaft(1.5), ()


def _lance() -> Carried:
    return drawing(
        _shaft(6.0),
        curve([(8.2, 0.4), (9.1, 3.4), (8.2, 6.2), (7.3, 3.4)], closed=True),
        *(brush([(8.2, 6.0), (8.2 + x, 8.6)], [0.4, 0.1], fill="red") for x in (-1.0, 0.0, 1.0)),
    ), ()


def _glaive() -> Carried:
    """The crescent-moon blade."""
    blade = curve(
        [(7.4, 11.0), (6.6, 7.0), (7.4, 2.6), (9.6, 0.6), (9.2, 3.4), (9.9, 6.6), (9.0, 11.0)],
        closed=True,
        fill="paper",
        line="black",
        width=0.4,
    )
    return drawing(
        _shaft(10.0),
        blade,
        brush([(8.9, 3.6), (8.9, 7.4), (8.4, 10.0)], [0.1, 0.5, 0.2]),
        brush([(7.3, 11.2), (9.1, 11.2)], [0.9, 0.9], fill="red"),
    ), ()


def _fork() -> Carried:
    head = drawing(
        line((8.2, 1.0), (8.2, 8.0), width=0.6),
        curve([(6.2, 1.8), (6.4, 5.4), (8.2, 6.6), (10.0, 5.4), (10.2, 1.8)], line="black", width=0.6),
    )
    return drawing(_shaft(7.0), moved(head, -0.4, 0)), ()


def _spade() -> Carried:
    """A monk's staff: a crescent above, a spade below."""
    moon = brush([(5.9, 2.0), (6.6, 5.0), (8.2, 5.8), (9.8, 5.0), (10.5, 2.0)], [0.1, 0.9, 1.2, 0.9, 0.1])
    return moved(
        drawing(_shaft(5.6, 36.0), moon, polygon([(6.9, 35.6), (9.5, 35.6), (10.0, 39.8), (6.4, 39.8)])), -0.6, 0
    ), ()


def _oar() -> Carried:
    return drawing(
        line((8.2, 1.0), (8.2, 28.0), width=0.8),
        curve([(7.2, 27.0), (9.2, 27.0), (9.4, 38.0), (8.2, 39.6), (7.0, 38.0)], closed=True),
        brush([(8.2, 28.6), (8.2, 37.4)], [0.1, 0.4], fill="paper"),
    ), ()


def _mace() -> Carried:
    """The wolf-tooth club."""
    teeth = [
        polygon([(x, y), (x + side * 0.9, y + 0.4), (x, y + 0.8)])
        for side, x in ((-1, 7.3), (1, 9.1))
        for y in (1.8, 3.2, 4.6, 6.0, 7.4)
    ]
    return drawing(
        _shaft(9.0),
        *teeth,
        curve([(8.2, 0.6), (9.3, 2.4), (9.2, 8.0), (8.2, 9.4), (7.2, 8.0), (7.1, 2.4)], closed=True),
        *(circle(8.2, y, 0.26, fill="paper") for y in (2.6, 4.4, 6.2)),
    ), ()


def _axe() -> Carried:
    blade = curve(
        [(8.2, 2.0), (5.2, 0.6), (4.6, 4.4), (5.4, 8.0), (8.2, 6.4)], closed=True, fill="black", line="paper", width=0.3
    )
    return moved(
        drawing(_shaft(1.0), blade, brush([(5.4, 1.6), (5.1, 4.4), (5.7, 7.0)], [0.1, 0.5, 0.1], fill="paper")), -0.5, 0
    ), ()


def _axes() -> Carried:
    one = drawing(
        line((4.6, 28.6), (8.4, 15.6), width=0.8),
        curve(
            [(7.4, 18.8), (4.9, 16.2), (6.4, 13.0), (8.8, 13.2), (8.6, 15.6)],
            closed=True,
            fill="black",
            line="paper",
            width=0.3,
        ),
        brush([(5.6, 16.0), (6.6, 13.8), (8.2, 13.7)], [0.1, 0.4, 0.1], fill="paper"),
    )
    return (), drawing(one, mirrored(one, 0))


def _sword() -> Carried:
    """Held upright before the shoulder."""
    blade = curve(
        [(5.9, 22.4), (6.3, 8.0), (7.2, 4.0), (8.1, 8.0), (7.5, 22.4)],
        closed=True,
        fill="paper",
        line="black",
        width=0.36,
    )
    return (), moved(
        drawing(
            blade,
            line((7.0, 8.0), (6.8, 22.0), width=0.22),
            brush([(4.9, 22.8), (6.7, 23.2), (8.5, 22.8)], [0.6, 0.9, 0.6]),
            brush([(6.7, 23.4), (6.6, 27.0)], [0.9, 0.8], fill="red"),
        ),
        0.6,
        0,
    )


def _swords() -> Carried:
    one = drawing(
        curve(
            [(5.4, 27.2), (7.0, 12.6), (9.2, 8.4), (8.6, 14.6), (6.6, 27.4)],
            closed=True,
            fill="paper",
            line="black",
            width=0.36,
        ),
        brush([(4.4, 27.0), (6.0, 27.5), (7.6, 27.6)], [0.5, 0.8, 0.5]),
        brush([(5.9, 27.8), (5.5, 30.6)], [0.8, 0.7], fill="red"),
    )
    return (), drawing(one, mirrored(one, 0))


def _whips() -> Carried:
    """Steel whips: jointed rods."""
    one = drawing(
        line((5.2, 28.4), (8.4, 8.6), width=1.1),
        *(
            line(
                (5.2 + 3.2 * t - 0.9, 28.4 - 19.8 * t),
                (5.2 + 3.2 * t + 0.9, 28.4 - 19.8 * t + 0.3),
                ink="paper",
                width=0.3,
            )
            for t in (0.25, 0.4, 0.55, 0.7, 0.85)
        ),
        line((4.9, 30.4), (5.2, 28.4), ink="red", width=1.2),
    )
    return (), drawing(one, mirrored(one, 0))


def _bow() -> Carried:
    wood = brush(
        [(5.6, 3.0), (7.2, 6.4), (8.9, 13.0), (7.6, 20.0), (8.9, 27.0), (7.2, 33.6), (5.6, 37.0)],
        [0.3, 0.8, 1.0, 1.1, 1.0, 0.8, 0.3],
    )
    arrows = [line((-6.6 + x, 9.0), (-5.2 + x, 20.0), width=0.34) for x in (-1.3, 0.0, 1.3)]
    heads = [brush([(-6.7 + x, 8.6), (-6.4 + x, 11.0)], [0.9, 0.5], fill="red") for x in (-1.3, 0.0, 1.3)]
    return drawing(*arrows, *heads), drawing(
        wood, line((5.6, 3.0), (5.6, 37.0), width=0.2), brush([(7.8, 18.4), (7.6, 21.6)], [1.3, 1.3], fill="red")
    )


def _scroll() -> Carried:
    roll = drawing(
        rectangle(4.6, 17.0, 3.0, 9.6, 0.5, fill="paper", line="black", width=0.36),
        rectangle(4.2, 16.0, 3.8, 1.3, 0.5),
        rectangle(4.2, 26.2, 3.8, 1.3, 0.5),
    )
    return (), drawing(roll, *(line((x, 18.4), (x, 25.0), width=0.24) for x in (5.5, 6.7)), circle(6.1, 25.0, 0.0001))


def _fan() -> Carried:
    leaf = drawing(
        *(
            turned(drawing(ellipse(6.6, 16.6, 0.9, 4.2, fill="paper", line="black", width=0.3)), angle, 6.6, 22.6)
            for angle in (-36, 36, -18, 18, 0)
        )
    )
    return (), drawing(leaf, line((6.6, 21.6), (5.4, 26.4), width=0.6), circle(6.6, 21.4, 0.6, fill="red"))


def _banner() -> Carried:
    """The seal of command on a banner."""
    flag = curve([(8.0, 2.0), (4.6, 2.6), (4.0, 6.6), (5.0, 9.4), (8.0, 9.0)], closed=True, fill="red")
    return drawing(_shaft(1.0), moved(drawing(flag), 0, 0)), drawing(
        rectangle(-1.7, 20.9, 3.4, 3.0, 0.3, fill="red", line="black", width=0.3),
        rectangle(-0.6, 20.0, 1.2, 1.1, 0.3),
        line((-0.9, 21.9), (0.9, 21.9), ink="paper", width=0.3),
        line((-0.9, 22.9), (0.9, 22.9), ink="paper", width=0.3),
    )


ARMS: Mapping[str, Callable[[], Carried]] = {
    "none": lambda: ((), ()),
    "staff": _staff,
    "lance": _lance,
    "glaive": _glaive,
    "fork": _fork,
    "spade": _spade,
    "oar": _oar,
    "mace": _mace,
    "axe": _axe,
    "axes": _axes,
    "sword": _sword,
    "swords": _swords,
    "whips": _whips,
    "bow": _bow,
    "scroll": _scroll,
    "fan": _fan,
    "seal": _banner,
}
