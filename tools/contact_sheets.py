"""Draws the contact sheets of all decks into docs/decks/: every card and the back, as ``tefuda deck`` draws them.

uv run --group pictures python -m tools.contact_sheets"""

from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image

from tefuda import games
from tefuda.decks.data import load
from tefuda.decks.faces import LAYERS, Style
from tefuda.decks.sprite import contact_sheet, document

FOLDER = Path(__file__).parents[1] / "docs" / "decks"
WIDTH, COLOURS = 1500, 96
"""Pixels across; so few colours are enough for the inks and keep the files small."""


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


if __name__ == "__main__":
    main()
