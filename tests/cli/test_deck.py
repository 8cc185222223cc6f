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
    assert typed(monkeypatch, "luk-fu", "--svg", str(tmp_path), "--sheet", str(tmp_path / "all.svg")) == 0
    about = json.loads((tmp_path / "cards.json").read_text("utf-8"))
    assert about["cards"]["T9"]["names"]["zh-Hant"] == "九拾"
    assert (tmp_path / about["sprite"]).stat().st_size > 10_000
    assert "SIL OPEN FONT LICENSE" in (tmp_path / "OFL.txt").read_text("utf-8")
    assert "<title>nine of tens</title>" in (tmp_path / "T9.svg").read_text("utf-8")
    assert (tmp_path / "names-en.woff2").read_bytes().startswith(b"wOF2")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["luk-fu", "-o", "x.pdf", "--paper", "a3"], "there is no paper 'a3'"),
        (["luk-fu", "-o", "x.pdf", "--layers", "indx"], "did you mean 'index'"),
        (["luk-fu", "--deck", "western"], "its decks are six-tigers"),
        (["luk-fu", "--lang", "fr"], "no texts in 'fr'"),
        (["luk-fu", "--sheet", "cards.png"], "cards.png does not end in .svg"),
    ],
)
def test_bad_words_are_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    if "-o" in words:
        needed("fpdf")
    assert typed(monkeypatch, *words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
