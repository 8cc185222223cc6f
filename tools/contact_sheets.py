"""Draws the contact sheets of all decks into docs/decks/: every card and the back, as ``tefuda deck`` draws them.

uv run --group pictures python -m tools.contact_sheets"""

from io import BytesIO
from math import ceil
from pathlib import Path

import resvg_py
from PIL import Image

from tefuda import games
from tefuda.decks.data import Deck, load
from tefuda.decks.faces import LAYERS, Style
from tefuda.decks.shapes import Drawing, drawing, rectangle
from tefuda.decks.sprite import BACK, document, on_paper

FOLDER = Path(__file__).parents[1] / "docs" / "decks"
WIDTH, COLOURS = 1500, 96
"""Pixels across; so few colours are enough for the inks and keep the files small."""

GAP = 3.0  # millimetres between the cards

GROUND = "#e7e1d3"
"""Colour behind the cards."""


def main() -> None:
    """Every deck for learners, and one with all layers."""
    FOLDER.mkdir(exist_ok=True)
    for name in games.names():
        game = games.description(name)
        for path in game.files.decks:
            picture(name, path.stem, Style())
    picture("ma-diao", "heroes", Style(frozenset(LAYERS), "zh-Hant"), "-accessible")
    picture("luk-fu", "six-tigers", Style(frozenset({"traditional"})), "-traditional")


def picture(game: str, name: str, style: Style, more: str = "") -> None:
    """One sheet as a PNG."""
    deck = load(games.description(game), name)
    parts, width, height = contact_sheet(deck, style)
    svg = document(parts, width, height, deck.inks)
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH, dpi=96, skip_system_fonts=True))
    few = Image.open(BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(FOLDER / f"{game}-{name}{more}.png", optimize=True)


def contact_sheet(deck: Deck, style: Style) -> tuple[Drawing, float, float]:
    """All cards and the back side by side, and the sheet's width and height in millimetres.

    There are as many columns as make the sheet half again as wide as it is high."""
    width, height = deck.size
    cards = [on_paper(deck, word, style) for word in (*deck.cards, BACK)]
    columns = ceil((len(cards) * height / width * 1.5) ** 0.5)
    parts = [
        card.moved(GAP + place % columns * (width + GAP), GAP + place // columns * (height + GAP))
        for place, card in enumerate(cards)
    ]
    size = GAP + columns * (width + GAP), GAP + ceil(len(cards) / columns) * (height + GAP)
    return drawing(rectangle(0, 0, *size, fill=GROUND), *parts), *size


if __name__ == "__main__":
    main()
