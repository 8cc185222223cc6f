"""Backs: a pattern of its own for each deck, light, and to be seen on a small card too."""

import gzip
import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.decks.backs import COLOURS, back
from tefuda.decks.data import Deck, DeckError, load
from tefuda.decks.shapes import drawing
from tefuda.decks.sprite import pattern_svg
from tests.decks.pictures import needed, pixels

STYLES = Path(tefuda.__file__).parent / "web" / "static"


def test_every_deck_has_a_pattern_of_its_own() -> None:
    decks = [load(game, path.stem) for game in map(games.description, games.names()) for path in game.files.decks]
    assert len({deck.back for deck in decks}) == len(decks)


def test_a_pattern_for_a_page_is_light(drawn: Deck) -> None:
    text = pattern_svg(drawn).encode()
    assert len(text) < 6_000
    assert len(gzip.compress(text)) < 1_000


@pytest.mark.parametrize("width", [20, 44, 160])
def test_a_pattern_is_no_grey_on_a_small_card(drawn: Deck, width: int) -> None:
    resvg, image = needed("resvg_py"), needed("PIL.Image")
    height = round(width * drawn.size[1] / drawn.size[0])
    png = bytes(resvg.svg_to_bytes(svg_string=pattern_svg(drawn), width=width, height=height, background="black"))
    light = np.asarray(image.open(BytesIO(png)).convert("L"))
    assert (light > 170).mean() > 0.08
    assert (light < 85).mean() > 0.08


def test_backs_are_printed_in_the_colours_that_the_page_offers() -> None:
    settings = (STYLES / "js" / "storage.js").read_text("utf-8")
    offered = re.search(r"back: \[(.*)\]", settings)
    assert offered
    assert re.findall(r'"(\w+)"', offered[1]) == list(COLOURS)
    styles = (STYLES / "css" / "base.css").read_text("utf-8")
    shown = dict(re.findall(r'\[data-back="(\w+)"\] \{ --back: (#\w+);', styles))
    assert shown == {name: ground for name, ground in COLOURS.items() if name != "black"}


def test_a_printed_back_has_the_colour_that_is_chosen(drawn: Deck) -> None:
    red = pixels(drawing(back(drawn, colour="red")), drawn, 96).reshape(-1, 3)
    assert (np.abs(red - np.array([0xA3, 0x26, 0x2B])).max(axis=1) < 24).mean() > 0.2
    with pytest.raises(DeckError, match=r"colour of a back: there is no 'rad'; .*; did you mean 'red'"):
        back(drawn, colour="rad")
