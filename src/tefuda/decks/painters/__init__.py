"""Painters, which compose the faces of a deck; its data file names one.

A painter gets a card and the part of it that the layers at both ends leave free."""

from collections.abc import Callable, Mapping

from tefuda.decks.data import Card
from tefuda.decks.painters import chinese, western
from tefuda.decks.shapes import Drawing, Frame

PAINTERS: Mapping[str, Callable[[Card, Frame], Drawing]] = {
    "dominoes": chinese.dominoes,
    "french": western.french,
    "mekuri": western.mekuri,
    "money": chinese.hakka,
    "treasury": chinese.ming,
}
"""All painters by name."""
