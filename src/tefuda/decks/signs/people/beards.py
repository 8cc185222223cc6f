"""Beards."""

from collections.abc import Callable, Mapping

from tefuda.decks.shapes import (
    Drawing,
    brush,
    curve,
    drawing,
    mirrored,
)


def _moustache() -> Drawing:
    wing = drawing(brush([(0.15, 11.85), (1.1, 11.95), (1.9, 12.8)], [0.24, 0.42, 0.08]))
    return drawing(wing, mirrored(wing, 0))


def _short_beard() -> Drawing:
    return drawing(
        _moustache(), curve([(-0.8, 13.2), (0, 13.0), (0.8, 13.2), (0.5, 14.9), (0, 15.8), (-0.5, 14.9)], closed=True)
    )


def _long_beard() -> Drawing:
    hair = curve(
        [
            (-2.6, 11.4),
            (-1.5, 12.9),
            (0, 12.9),
            (1.5, 12.9),
            (2.6, 11.4),
            (2.5, 15.0),
            (1.5, 19.0),
            (0, 22.0),
            (-1.5, 19.0),
            (-2.5, 15.0),
        ],
        closed=True,
    )
    lines = [
        brush([(x, 14.4), (x * 0.8, 17.0), (x * 0.4, 19.8)], [0.08, 0.2, 0.05], fill="paper")
        for x in (-1.5, -0.5, 0.5, 1.5)
    ]
    return drawing(hair, *lines, _moustache(), _mouth())


def _full_beard() -> Drawing:
    hair = curve(
        [
            (-3.3, 8.6),
            (-2.6, 11.2),
            (-1.4, 11.7),
            (0, 11.3),
            (1.4, 11.7),
            (2.6, 11.2),
            (3.3, 8.6),
            (4.2, 11.6),
            (3.6, 12.6),
            (4.1, 14.0),
            (2.9, 14.4),
            (2.9, 16.2),
            (1.5, 15.6),
            (0, 17.2),
            (-1.5, 15.6),
            (-2.9, 16.2),
            (-2.9, 14.4),
            (-4.1, 14.0),
            (-3.6, 12.6),
            (-4.2, 11.6),
        ],
        closed=True,
    )
    return drawing(hair, _mouth())


def _mouth() -> Drawing:
    return drawing(
        brush([(-0.8, 12.7), (0, 12.6), (0.8, 12.7)], [0.3, 0.62, 0.3], fill="paper"),
        brush([(-0.6, 12.7), (0.6, 12.7)], [0.2, 0.2], fill="red"),
    )


BEARDS: Mapping[str, Callable[[], Drawing]] = {
    "none": lambda: (),
    "short": _short_beard,
    "long": _long_beard,
    "full": _full_beard,
}
