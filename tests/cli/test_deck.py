"""``tefuda deck`` as it is typed."""

import csv
import json
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.decks.pictures import needed

from tefuda.cli.app import main


def typed(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["tefuda", "deck", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_cards_are_listed_with_their_names(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(monkeypatch, "sap-ng-wu", "--lang", "ja") == 0
    out = capsys.readouterr().out
    assert "84 cards, 22 × 82 mm" in out
    assert "ちょうさん" in out


def test_files_of_a_deck(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    needed("brotli")
    assert typed(monkeypatch, "luk-fu", "--svg", str(tmp_path)) == 0
    about = json.loads((tmp_path / "cards.json").read_text("utf-8"))
    assert about["cards"]["T9"]["names"]["zh-Hant"] == "九拾"
    assert (tmp_path / about["sprite"]).stat().st_size > 10_000
    assert "SIL OPEN FONT LICENSE" in (tmp_path / "OFL.txt").read_text("utf-8")
    assert "<title>nine of tens</title>" in (tmp_path / "T9.svg").read_text("utf-8")
    assert (tmp_path / "names-en.woff2").read_bytes().startswith(b"wOF2")


def test_single_cards_and_a_box(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    needed("resvg_py")
    needed("reportlab")
    files = ["--cards", str(tmp_path / "cards"), "--box", str(tmp_path / "box.pdf")]
    assert typed(monkeypatch, "luk-fu", *files, "--size", "poker", "--lang", "zh-Hant") == 0
    said = capsys.readouterr().out
    assert "38 faces and the back as PNG (300 dpi) and SVG, 63 × 88 mm and 3 mm of bleed" in said
    assert "a box of 64.5 × 89.5 × 14.3 mm inside" in said
    assert all((tmp_path / "cards" / "png" / f"{card}.png").exists() for card in "LF")
    assert (tmp_path / "box.pdf").read_bytes().startswith(b"%PDF")


def test_a_zip_for_a_printer_of_cards(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """In the current folder unless -o names another; in the printer's usual size unless --size does."""
    picture = needed("PIL.Image")
    needed("resvg_py")
    monkeypatch.chdir(tmp_path)
    assert typed(monkeypatch, "sap-ng-wu", "--for", "TheGameCrafter") == 0
    assert "sap-ng-wu-dominoes-thegamecrafter.zip: 21 faces, the back and what" in capsys.readouterr().out
    assert typed(monkeypatch, "sap-ng-wu", "--for", "makeplayingcards", "--size", "mini", "-o", "mini.zip") == 0
    for file, dots in (("sap-ng-wu-dominoes-thegamecrafter.zip", (825, 1125)), ("mini.zip", (597, 822))):
        with ZipFile(tmp_path / file) as packed:
            pictures = [name for name in packed.namelist() if name.endswith(".png")]
            assert {picture.open(BytesIO(packed.read(name))).size for name in pictures} == {dots}
            rows = list(csv.DictReader(packed.read("cards.csv").decode().splitlines()))
        assert {"png/back.png", "png/66.png", "png/title.png", "png/reference-1.png"} <= set(pictures)
        assert {row[side] for row in rows for side in ("front", "back")} == set(pictures)
        assert next(int(row["copies"]) for row in rows if row["card"] == "66") == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["luk-fu", "-o", "x.pdf", "--paper", "a3"], "there is no paper 'a3'"),
        (["luk-fu", "-o", "x.pdf", "--layers", "indx"], "did you mean 'index'"),
        (["luk-fu", "--deck", "western"], "its decks are six-tigers"),
        (["luk-fu", "--lang", "fr"], "no texts in 'fr'"),
        (["luk-fu", "--box", "box.svg"], "box.svg does not end in .pdf"),
        (["luk-fu", "--paper", "a5"], "there is no paper 'a5'"),
        (["luk-fu", "--paper", "letter"], "--paper says how to print, but nothing is printed: add -o FILE.pdf"),
        (["luk-fu", "--size", "poker", "--svg", "cards"], "--size says how to print"),
        (["luk-fu", "--for", "moo"], "there is no 'moo'; there are: thegamecrafter, makeplayingcards"),
        (
            ["luk-fu", "--for", "thegamecrafter", "--size", "jumbo"],
            "sizes that thegamecrafter cuts: there is no 'jumbo'",
        ),
        (["luk-fu", "--for", "thegamecrafter", "-o", "x.pdf"], "x.pdf does not end in .zip"),
        (["luk-fu", "--bleed", "0"], "add --cards FOLDER"),
        (["luk-fu", "-o", "x.pdf", "--size", "pocker"], "did you mean 'poker'"),
        (["luk-fu", "--svg", "cards", "--font", "none.ttf"], "none.ttf: No such file or directory"),
        (["luk-fu", "--svg", "cards", "--font", __file__], "test_deck.py: this is no font"),
    ],
)
def test_bad_words_are_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    if "-o" in words:
        needed("reportlab")
    if "--font" in words:
        needed("fontTools")
    assert typed(monkeypatch, *words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
