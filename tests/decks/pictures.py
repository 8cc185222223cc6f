"""Drawings made into pixels, for tests that look at them."""

from io import BytesIO
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tefuda.decks.data import Card, Deck
from tefuda.decks.faces import Style, face
from tefuda.decks.shapes import Drawing, drawing
from tefuda.decks.sprite import document, edge

WHY = "left out; to look at the cards: uv sync --extra decks --group pictures"


def needed(module: str) -> Any:
    """A module of the extra or of the group for pictures."""
    return pytest.importorskip(module, reason=f"{module} is not installed: {WHY}")


def pixels(parts: Drawing, deck: Deck, width: int) -> NDArray[np.float64]:
    """A drawing of a card's size, so many pixels wide: array of shape (height, width, 3), 0 to 255."""
    resvg, image = needed("resvg_py"), needed("PIL.Image")
    svg = document(parts, *deck.size, deck.inks)
    png = bytes(resvg.svg_to_bytes(svg_string=svg, width=width, dpi=96, skip_system_fonts=True))
    return np.asarray(image.open(BytesIO(png)).convert("RGB"), float)


def card_pixels(deck: Deck, card: Card, style: Style, width: int) -> NDArray[np.float64]:
    """A card as it is seen on a screen."""
    return pixels(drawing(edge(deck), face(deck, card, style)), deck, width)
