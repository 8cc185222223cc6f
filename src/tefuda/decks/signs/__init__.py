"""A library of signs, drawn by us, that a deck's data file chooses from by name."""

from collections.abc import Callable, Mapping

from tefuda.decks.data import choose
from tefuda.decks.shapes import Drawing
from tefuda.decks.signs import french, latin, money, plain

SIGNS: Mapping[str, Callable[[], Drawing]] = {
    "cash": money.cash,
    "string": money.string,
    "kwan": money.kwan,
    "ten": money.ten,
    "myriad": money.myriad,
    "tens": money.tens,
    "tiger": money.tiger,
    "branch": money.branch,
    "plum": money.plum,
    "disc": plain.disc,
    "square": plain.square,
    "triangle": plain.triangle,
    "spade": french.spade,
    "heart": french.heart,
    "diamond": french.diamond,
    "club": french.club,
    "pig": french.pig,
    "sheep": french.sheep,
    "transformer": french.transformer,
    "baton": latin.baton,
    "sword": latin.sword,
    "oru": latin.oru,
    "cup": latin.cup,
}
"""Drawings round the origin, within a radius of about 1, by name."""


def sign_of(name: str) -> Drawing:
    """A sign of the library.

    Raises:
        DeckError: there is no such sign.
    """
    found: Drawing = choose(SIGNS, name, "sign")()
    return found
