"""Files for printers of cards: as many dots as the size asks for, with bleed, and how many of each card."""

import csv
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.decks.pictures import needed

needed("resvg_py")
Image = needed("PIL.Image")

from tefuda import games  # noqa: E402
from tefuda.decks.data import load  # noqa: E402
from tefuda.decks.faces import LAYERS, Style  # noqa: E402
from tefuda.decks.singles import LIST, write_cards  # noqa: E402
from tefuda.decks.sizes import SizeError, card_size  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ma Diao in poker size with all layers and 3 mm of bleed."""
    deck = load(games.description("ma-diao"))
    where = tmp_path_factory.mktemp("cards")
    seen: list[tuple[int, int]] = []
    style = Style(frozenset(LAYERS), "ja")
    write_cards(deck, style, card_size(deck, "poker"), where, 3.0, lambda done, total: seen.append((done, total)))
    assert seen == [(done, 41) for done in range(1, 42)]
    return where


@pytest.mark.slow
def test_pictures_have_300_dots_to_the_inch(folder: Path) -> None:
    """63 + 6 mm by 88 + 6 mm."""
    for name in ("TM", "C8", "back"):
        with Image.open(folder / "png" / f"{name}.png") as picture:
            assert picture.size == (815, 1110)
            assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.1)


def test_the_bleed_is_covered_where_the_card_is(folder: Path) -> None:
    """The notch bar and the pattern of the back reach the outermost dots; the side of a face is white."""
    face, back = (Image.open(folder / "png" / f"{name}.png").convert("RGB") for name in ("TM", "back"))
    assert all(sum(face.getpixel((x, 0))) < 400 for x in range(815))
    assert face.getpixel((0, 555)) == (255, 255, 255)
    ends = [[(x, y) for x in range(0, 815, 5)] for y in (0, 1109)]
    sides = [[(x, y) for y in range(0, 1110, 5)] for x in (0, 814)]
    assert all(any(sum(back.getpixel(spot)) < 400 for spot in edge) for edge in ends + sides)


def test_drawings_have_the_same_measure(folder: Path) -> None:
    svg = ElementTree.parse(folder / "svg" / "TM.svg").getroot()
    assert (svg.get("width"), svg.get("height")) == ("69mm", "94mm")
    assert "万万" in "".join(svg.itertext())


def test_the_list_makes_a_pack(tmp_path: Path) -> None:
    deck = load(games.description("sap-ng-wu"))
    write_cards(deck, Style(), card_size(deck, "mini"), tmp_path)
    rows = list(csv.DictReader((tmp_path / LIST).read_text("utf-8").splitlines()))
    assert sum(int(row["copies"]) for row in rows) == 84
    assert all((tmp_path / row[side]).exists() for row in rows for side in ("front", "back"))
    assert rows[0]["name"] == deck.cards[rows[0]["card"]].names["en"]


def test_a_bleed_that_is_not_printed_is_refused_in_one_line(tmp_path: Path) -> None:
    deck = load(games.description("luk-fu"))
    with pytest.raises(SizeError, match="a bleed of 30 mm: it must be from 0 to 10 mm"):
        write_cards(deck, Style(), card_size(deck, "poker"), tmp_path, 30.0)


@pytest.mark.parametrize(
    ("size", "dots"),
    [
        ("bridge", (750, 1125)),
        ("poker-us", (825, 1125)),
        ("mini", (600, 825)),
        ("tarot", (900, 1500)),
        ("jumbo", (1125, 1575)),
    ],
)
def test_sizes_in_inches_have_the_dots_that_printers_check(tmp_path: Path, size: str, dots: tuple[int, int]) -> None:
    """300 dots to the inch: the card, and an eighth of an inch on each side."""
    deck = load(games.description("luk-fu"))
    one = replace(deck, cards=dict([next(iter(deck.cards.items()))]))
    write_cards(one, Style(), card_size(deck, size), tmp_path, 3.175)
    for file in (tmp_path / "png").iterdir():
        with Image.open(file) as picture:
            assert picture.size == dots
