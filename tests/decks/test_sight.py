"""Any two cards are told apart by their index alone, in grey and by people who see no red or no green."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from tefuda.decks.data import Deck
from tefuda.decks.faces import LAYERS, Style
from tests.decks.pictures import card_pixels

WIDTH = 192
"""Pixels across a card."""

FLOOR, LEVELS = 30, 50
"""So many pixels of the upper fifth differ by at least so many of 255 levels between any two cards."""

SIGHTS = {
    "grey": [[0.2126, 0.7152, 0.0722]] * 3,
    # Viénot, Brettel and Mollon (1999), in linear light.
    "protanopia": [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
    "deuteranopia": [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]],
}


def seen_by(sight: str, picture: NDArray[np.float64]) -> NDArray[np.float64]:
    light = picture / 255
    linear = np.where(light <= 0.04045, light / 12.92, ((light + 0.055) / 1.055) ** 2.4)
    changed = np.clip(linear @ np.array(SIGHTS[sight]).T, 0, 1)
    shown: NDArray[np.float64] = 255 * np.where(
        changed <= 0.0031308, changed * 12.92, 1.055 * changed ** (1 / 2.4) - 0.055
    )
    return shown


@pytest.mark.parametrize("layers", [("traditional", "index"), LAYERS], ids=["index", "accessible"])
def test_indices_are_told_apart(drawn: Deck, layers: tuple[str, ...]) -> None:
    style = Style(frozenset(layers), "en")
    pictures = {word: card_pixels(drawn, card, style, WIDTH) for word, card in drawn.cards.items()}
    for sight in SIGHTS:
        tops = {word: seen_by(sight, picture[: len(picture) // 5]) for word, picture in pictures.items()}
        for one, other in combinations(tops, 2):
            differing = (np.abs(tops[one] - tops[other]).max(axis=2) >= LEVELS).sum()
            assert differing >= FLOOR, (sight, one, other, int(differing))
