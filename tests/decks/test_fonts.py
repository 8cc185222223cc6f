"""The package's own font: every character that is needed, the same outlines as Noto Sans CJK, its licence with it."""

from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from tools.deck_font import needed_characters

import tefuda
from tefuda import games
from tefuda.decks.data import load
from tefuda.decks.fonts import BLACK, BOLD, LICENCE, PACKAGED_FACES, REGULAR, MissingGlyphError, Typeface
from tests.decks.pictures import needed

NEEDED = needed_characters()


@pytest.mark.parametrize("language", PACKAGED_FACES)
def test_every_character_of_decks_and_printed_pages_is_there(language: str) -> None:
    """Otherwise: uv run --extra cjk python -m tools.deck_font."""
    face = Typeface(language, BOLD, packaged=True)
    assert all(face.advance(character) > 0 for character in NEEDED)


@pytest.mark.parametrize("language", ["ja", "zh-Hant", "zh-Hans"])
def test_the_font_of_the_pages_has_the_names_of_all_cards(language: str) -> None:
    """Otherwise: uv run --extra cjk --group page-fonts python -m tools.page_fonts."""
    needed("brotli")
    shown = TTFont(Path(tefuda.__file__).parent / f"web/static/fonts/cjk-{language}.woff2").getBestCmap()
    decks = [load(games.description(name)) for name in games.names()]
    called = {each for deck in decks for card in deck.cards.values() for each in card.names[language]}
    assert [each for each in sorted(called) if ord(each) > 0x2E7F and ord(each) not in shown] == []


def test_another_character_is_refused_in_one_line_that_says_what_helps() -> None:
    with pytest.raises(MissingGlyphError, match=r"has no '鑫' \(U\+946B\): uv run --extra cjk …"):
        Typeface("zh-Hant", REGULAR, packaged=True).outline("鑫")


def test_with_noto_sans_cjk_installed_every_character_is_there() -> None:
    pytest.importorskip("manimgx_fonts_cjk", reason="left out: uv sync --extra cjk")
    assert Typeface("zh-Hant", REGULAR).outline("鑫")
    with pytest.raises(MissingGlyphError, match=r"no font has '\\ue000' \(U\+E000\)$"):
        Typeface("zh-Hant", REGULAR).outline("\ue000")


@pytest.mark.parametrize("weight", [REGULAR, BOLD, BLACK])
@pytest.mark.parametrize("language", PACKAGED_FACES)
def test_outlines_are_those_of_noto_sans_cjk(language: str, weight: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("manimgx_fonts_cjk", reason="left out: uv sync --extra cjk")
    ours, full = Typeface(language, weight, packaged=True), Typeface(language, weight)
    monkeypatch.setattr(full, "_fonts", full._fonts[1:])
    for character in NEEDED[::9]:
        assert ours.outline(character) == full.outline(character), character
        assert ours.advance(character) == full.advance(character), character


def test_copyright_and_licence_go_with_every_font() -> None:
    made = TTFont(BytesIO(Typeface("ja", REGULAR).subset("手札")))
    notice, licence = made["name"].getDebugName(0), made["name"].getDebugName(13)
    assert "Adobe" in notice
    assert "SIL Open Font License, Version 1.1" in licence
    text = LICENCE.read_text("utf-8")
    assert notice.lstrip("© ").rstrip(".") in text
    assert "PERMISSION & CONDITIONS" in text
    reserved = "Source"
    assert reserved in text
    assert not any(reserved in made["name"].getDebugName(number) for number in (1, 2))
