"""Hats, helmets, and hair without one."""

from collections.abc import Callable, Mapping

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
    polygon,
    rectangle,
    ring,
    turned,
)


def _band() -> Drawing:
    """Hair tied up with a ribbon."""
    hair = curve(
        [(-3.2, 8.2), (-3.0, 5.2), (-1.2, 3.9), (1.2, 3.9), (3.0, 5.2), (3.2, 8.2), (2.0, 6.6), (0, 6.1), (-2.0, 6.6)],
        closed=True,
    )
    knot = drawing(ellipse(0, 2.9, 1.4, 1.25), rectangle(-1.2, 3.75, 2.4, 0.6, fill="red"))
    ends = [
        brush([(1.0, 4.0), (3.4, 3.4), (4.8, 4.6)], [0.5, 0.6, 0.1], fill="red"),
        brush([(1.0, 4.2), (3.0, 4.8), (4.0, 6.6)], [0.4, 0.5, 0.1], fill="red"),
    ]
    return drawing(*ends, hair, knot)


def _wrap() -> Drawing:
    """A cloth wound round the head."""
    cloth = curve(
        [(-3.5, 7.6), (-3.6, 4.6), (-1.6, 2.8), (1.6, 2.8), (3.6, 4.6), (3.5, 7.6), (0, 6.7)],
        closed=True,
        fill="paper",
        line="black",
        width=0.32,
    )
    folds = [
        brush([(-3.3, 6.4), (0, 5.2), (3.2, 4.4)], [0.2, 0.3, 0.1]),
        brush([(-3.3, 4.9), (0, 4.2), (2.2, 3.2)], [0.2, 0.26, 0.1]),
    ]
    rim = brush([(-3.5, 7.2), (0, 6.3), (3.5, 7.2)], [0.9, 0.9, 0.9], fill="red")
    tie = brush([(3.2, 6.8), (4.6, 6.0), (5.2, 8.2)], [0.6, 0.7, 0.1], fill="red")
    return drawing(tie, cloth, *folds, rim)


def _cap() -> Drawing:
    """A constable's flat cap with a tuft."""
    crown = curve([(-3.2, 6.6), (-3.4, 3.4), (-1.0, 2.4), (1.0, 2.4), (3.4, 3.4), (3.2, 6.6)], closed=True)
    rim = brush([(-4.6, 7.3), (0, 6.2), (4.6, 7.3)], [0.5, 1.2, 0.5])
    return drawing(
        crown,
        rim,
        brush([(-2.4, 4.8), (0, 4.2), (2.4, 4.8)], [0.2, 0.4, 0.2], fill="paper"),
        circle(0, 2.3, 0.75, fill="red"),
    )


def _official() -> Drawing:
    """Black gauze with two long wings."""
    crown = drawing(
        curve(
            [
                (-3.1, 6.9),
                (-3.2, 4.6),
                (-2.2, 3.8),
                (-2.0, 1.6),
                (0, 0.9),
                (2.0, 1.6),
                (2.2, 3.8),
                (3.2, 4.6),
                (3.1, 6.9),
                (0, 6.2),
            ],
            closed=True,
        ),
        brush([(-2.6, 4.5), (0, 4.0), (2.6, 4.5)], [0.16, 0.28, 0.16], fill="paper"),
        circle(0, 5.3, 0.5, fill="red"),
    )
    wing = drawing(brush([(3.0, 5.6), (5.4, 5.2), (7.6, 5.7)], [0.4, 0.7, 0.9]))
    return drawing(wing, mirrored(wing, 0), crown)


def _helmet() -> Drawing:
    """Iron, with cheek pieces and a spike."""
    bowl = curve([(-3.6, 7.0), (-3.3, 4.2), (-1.4, 2.4), (1.4, 2.4), (3.3, 4.2), (3.6, 7.0), (0, 6.3)], closed=True)
    cheek = drawing(
        curve([(3.1, 6.6), (4.2, 7.2), (4.3, 11.0), (3.1, 12.4), (3.0, 9.0)], closed=True),
        brush([(3.6, 7.8), (3.7, 11.0)], [0.16, 0.16], fill="paper"),
    )
    ribs = [brush([(x, 6.3), (x * 0.6, 3.0)], [0.16, 0.1], fill="paper") for x in (-1.9, 0.0, 1.9)]
    spike = drawing(
        brush([(0, 2.8), (0, 0.9)], [0.7, 0.1]), brush([(0, 1.9), (1.5, 0.9), (2.3, 2.0)], [0.3, 0.7, 0.1], fill="red")
    )
    return drawing(
        spike,
        cheek,
        mirrored(cheek, 0),
        bowl,
        *ribs,
        brush([(-3.6, 6.9), (0, 6.1), (3.6, 6.9)], [0.5, 0.9, 0.5], fill="red"),
    )


def _plume() -> Drawing:
    """A crested helmet with two pheasant feathers."""
    feather = drawing(
        brush([(1.4, 3.0), (3.2, 0.4), (6.2, 1.0), (7.2, 4.4)], [0.34, 0.6, 0.6, 0.08]),
        brush([(2.2, 2.2), (3.8, 1.0), (5.8, 1.6)], [0.08, 0.16, 0.06], fill="paper"),
    )
    crown = drawing(
        curve(
            [
                (-3.4, 6.9),
                (-3.3, 4.4),
                (-2.0, 3.6),
                (-1.4, 2.0),
                (0, 1.0),
                (1.4, 2.0),
                (2.0, 3.6),
                (3.3, 4.4),
                (3.4, 6.9),
                (0, 6.1),
            ],
            closed=True,
        ),
        circle(0, 3.3, 0.8, fill="red"),
        ring(0, 3.3, 1.15, 0.95, fill="paper"),
        brush([(-3.1, 6.2), (0, 5.3), (3.1, 6.2)], [0.24, 0.44, 0.24], fill="paper"),
    )
    return drawing(feather, mirrored(feather, 0), crown)


def _brim() -> Drawing:
    """A felt hat with a wide brim and a red tassel."""
    crown = curve([(-2.6, 5.6), (-2.0, 2.6), (0, 1.8), (2.0, 2.6), (2.6, 5.6)], closed=True)
    rim = curve(
        [(-6.0, 6.9), (-2.8, 5.0), (0, 4.7), (2.8, 5.0), (6.0, 6.9), (2.8, 6.9), (0, 6.4), (-2.8, 6.9)], closed=True
    )
    tassel = [brush([(0, 1.9), (x, 4.2)], [0.3, 0.12], fill="red") for x in (-1.3, -0.5, 0.4, 1.2)]
    return drawing(
        crown,
        rim,
        circle(0, 1.8, 0.6, fill="red"),
        *tassel,
        brush([(-4.6, 6.3), (0, 5.5), (4.6, 6.3)], [0.1, 0.26, 0.1], fill="paper"),
    )


def _wild() -> Drawing:
    """Hair that no comb has seen."""
    hair = curve(
        [
            (-3.4, 9.6),
            (-4.6, 8.6),
            (-4.0, 7.2),
            (-5.2, 5.4),
            (-3.7, 4.8),
            (-3.6, 2.6),
            (-1.9, 3.2),
            (-0.7, 1.4),
            (0.5, 3.0),
            (2.4, 1.8),
            (2.7, 3.8),
            (4.6, 3.6),
            (4.0, 5.8),
            (5.3, 6.8),
            (4.1, 8.0),
            (3.4, 9.6),
            (2.6, 7.0),
            (0, 6.4),
            (-2.6, 7.0),
        ],
        closed=True,
    )
    return drawing(hair, brush([(-3.3, 6.6), (0, 5.6), (3.3, 6.6)], [0.4, 0.7, 0.4], fill="red"))


def _bald() -> Drawing:
    """A monk's shaven head with the marks of ordination."""
    skull = curve(
        [(-3.0, 8.0), (-3.0, 4.6), (-1.4, 3.2), (1.4, 3.2), (3.0, 4.6), (3.0, 8.0), (1.6, 7.0), (-1.6, 7.0)],
        closed=True,
        fill="paper",
    )
    edge = curve(
        [(-3.05, 8.4), (-3.1, 5.0), (-1.5, 3.2), (1.5, 3.2), (3.1, 5.0), (3.05, 8.4)], line="black", width=0.34
    )
    return drawing(skull, edge, *(circle(x, y, 0.22) for y in (4.3, 5.2) for x in (-0.8, 0.0, 0.8)))


def _pilgrim() -> Drawing:
    """Long hair held by a monk's iron band."""
    hair = curve(
        [
            (-3.1, 7.0),
            (-3.2, 4.6),
            (-1.4, 3.0),
            (1.4, 3.0),
            (3.2, 4.6),
            (3.1, 7.0),
            (4.2, 10.0),
            (4.6, 15.6),
            (3.2, 14.0),
            (2.8, 9.0),
            (2.0, 7.0),
            (0, 6.4),
            (-2.0, 7.0),
            (-2.8, 9.0),
            (-3.2, 14.0),
            (-4.6, 15.6),
            (-4.2, 10.0),
        ],
        closed=True,
    )
    moon = drawing(brush([(-1.0, 4.4), (0, 5.6), (1.0, 4.4)], [0.1, 0.7, 0.1], fill="paper"))
    return drawing(hair, brush([(-3.3, 6.6), (0, 5.8), (3.3, 6.6)], [0.7, 0.7, 0.7], fill="red"), moved(moon, 0, -0.4))


def _crown() -> Drawing:
    """A crown of points and pearls."""
    base = polygon(
        [(-3.3, 6.9), (-3.9, 3.0), (-2.0, 4.4), (-1.4, 1.9), (0, 3.7), (1.4, 1.9), (2.0, 4.4), (3.9, 3.0), (3.3, 6.9)]
    )
    pearls = [circle(x, y, 0.5, fill="red") for x, y in ((-3.9, 2.7), (-1.4, 1.5), (1.4, 1.5), (3.9, 2.7))]
    return drawing(
        base,
        *pearls,
        brush([(-3.2, 6.2), (0, 5.7), (3.2, 6.2)], [0.9, 0.9, 0.9], fill="red"),
        *(circle(x, 5.95, 0.28, fill="paper") for x in (-2.0, -0.7, 0.7, 2.0)),
    )


def _lady() -> Drawing:
    """Hair in two loops, pins and flowers."""
    hair = curve(
        [
            (-3.5, 11.0),
            (-3.7, 6.6),
            (-2.2, 4.0),
            (0, 3.4),
            (2.2, 4.0),
            (3.7, 6.6),
            (3.5, 11.0),
            (2.8, 8.0),
            (1.3, 6.5),
            (0, 6.9),
            (-1.3, 6.5),
            (-2.8, 8.0),
        ],
        closed=True,
    )
    loop = drawing(ring(1.7, 2.6, 1.75, 0.75), brush([(0.4, 4.0), (1.2, 3.0)], [0.8, 0.8]))
    pin = drawing(
        line((2.4, 4.6), (5.4, 3.6), width=0.34),
        circle(5.5, 3.5, 0.55, fill="red"),
        line((5.5, 4.0), (5.5, 6.0), width=0.22),
        circle(5.5, 6.2, 0.32, fill="red"),
    )
    return drawing(pin, mirrored(pin, 0), loop, mirrored(loop, 0), hair, at(_flower(), 0, 4.4))


def _loose() -> Drawing:
    """Long hair that falls over both shoulders, a flower at one side."""
    side = curve(
        [
            (0.2, 3.6),
            (-2.6, 4.2),
            (-4.1, 7.4),
            (-4.6, 13.0),
            (-5.0, 19.4),
            (-3.4, 20.2),
            (-3.0, 14.0),
            (-2.9, 8.6),
            (-1.6, 6.4),
        ],
        closed=True,
    )
    parting = line((0, 3.8), (0, 6.0), ink="paper", width=0.24)
    return drawing(side, mirrored(drawing(side), 0), parting, at(_flower(), -3.3, 6.2, 1.1))


def _comb() -> Drawing:
    """Hair piled up round a broad comb, two pins on each side."""
    puff = curve(
        [
            (-3.6, 10.4),
            (-4.9, 7.2),
            (-3.4, 4.2),
            (0, 3.2),
            (3.4, 4.2),
            (4.9, 7.2),
            (3.6, 10.4),
            (2.6, 7.6),
            (0, 6.4),
            (-2.6, 7.6),
        ],
        closed=True,
    )
    knot = ellipse(0, 2.2, 2.3, 1.5)
    comb = drawing(
        curve([(-2.2, 4.6), (0, 3.3), (2.2, 4.6)], line="red", width=0.9),
        *(line((x, 4.2), (x, 5.4), ink="red", width=0.26) for x in (-1.4, -0.7, 0.0, 0.7, 1.4)),
    )
    pins = drawing(*(line((1.6, y), (6.2, y - rise), ink="red", width=0.36) for y, rise in ((2.4, 1.0), (3.4, 0.3))))
    return drawing(pins, mirrored(pins, 0), knot, puff, comb)


def _flower() -> Drawing:
    petals = (turned(drawing(circle(0, -0.62, 0.5, fill="red")), 72 * place) for place in range(5))
    return drawing(*petals, circle(0, 0, 0.36, fill="paper"))


LADIES = ("lady", "loose", "comb")
"""Hair that goes with a lady's face."""

HATS: Mapping[str, Callable[[], Drawing]] = {
    "band": _band,
    "wrap": _wrap,
    "cap": _cap,
    "official": _official,
    "helmet": _helmet,
    "plume": _plume,
    "brim": _brim,
    "wild": _wild,
    "bald": _bald,
    "pilgrim": _pilgrim,
    "crown": _crown,
    "lady": _lady,
    "loose": _loose,
    "comb": _comb,
}
