"""``tefuda deck`` as it is typed."""

import json
from pathlib import Path

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
    assert "37 faces and the back as PNG (300 dpi) and SVG, 63 × 88 mm and 3 mm of bleed" in said
    assert "a box of 64.5 × 89.5 × 13.3 mm inside" in said
    assert (tmp_path / "cards" / "png" / "L.png").exists()
    assert (tmp_path / "box.pdf").read_bytes().startswith(b"%PDF")


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
