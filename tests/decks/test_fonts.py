"""The package's own font: every character that is needed, the same outlines as Noto Sans CJK, its licence with it; and
fonts that bring further characters.

Where the variable collection of Noto Sans CJK lies, ``TEFUDA_NOTO_CJK`` may say; without it, it is not compared with.
"""

import os
from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTCollection, TTFont
from fontTools.ttLib.scaleUpem import scale_upem
from tools.deck_font import needed_characters

import tefuda
from tefuda import games
from tefuda.decks.data import load
from tefuda.decks.fonts import (
    BLACK,
    BOLD,
    LICENCE,
    PACKAGED_FACES,
    REGULAR,
    FontError,
    MissingGlyphError,
    Typeface,
    typeface,
    use_font,
)
from tests.decks.pictures import needed

NEEDED = needed_characters()


@pytest.mark.parametrize("language", PACKAGED_FACES)
def test_every_character_of_decks_and_printed_pages_is_there(language: str) -> None:
    """Otherwise: uv run python -m tools.deck_font NotoSansCJK-VF.otf.ttc."""
    face = Typeface(language, BOLD)
    assert all(face.glyph(character).width > 0 for character in NEEDED)


@pytest.mark.parametrize("language", ["ja", "zh-Hant", "zh-Hans"])
def test_the_font_of_the_pages_has_the_names_of_all_cards(language: str) -> None:
    """Otherwise: uv run --group page-fonts python -m tools.page_fonts NotoSansCJK-VF.otf.ttc."""
    needed("brotli")
    shown = TTFont(Path(tefuda.__file__).parent / f"web/static/fonts/cjk-{language}.woff2").getBestCmap()
    decks = [load(games.description(name)) for name in games.names()]
    called = {each for deck in decks for card in deck.cards.values() for each in card.names[language]}
    assert [each for each in sorted(called) if ord(each) > 0x2E7F and ord(each) not in shown] == []


def with_character(character: str, like: str, name: str, units: int = 1000) -> TTFont:
    """A font of one character, which looks like another."""
    font = TTFont(BytesIO(Typeface("zh-Hant", BOLD).subset(like)))
    for table in font["cmap"].tables:
        table.cmap = {ord(character): table.cmap[ord(like)]}
    font["name"].setName(name, 1, 3, 1, 0x409)
    scale_upem(font, units)
    return font


def test_another_character_is_refused_in_one_line_that_says_what_helps() -> None:
    with pytest.raises(MissingGlyphError, match=r"has no '鑫' \(U\+946B\): name a font .* tefuda deck … --font FILE$"):
        Typeface("zh-Hant", REGULAR).glyph("鑫")


@pytest.mark.parametrize("units", [1000, 2048])
def test_a_font_brings_the_characters_that_ours_lacks(tmp_path: Path, units: int) -> None:
    file = tmp_path / "further.ttf"
    with_character("鑫", "金", "Other", units).save(file)
    ours = Typeface("zh-Hant", BOLD)
    both = Typeface("zh-Hant", BOLD, file)
    assert both.glyph("鑫").width == pytest.approx(ours.glyph("金").width)
    assert both.glyph("金").outline == ours.glyph("金").outline
    reach = [
        [value for _, *rest in face.glyph(each).outline for value in rest]
        for face, each in ((both, "鑫"), (ours, "金"))
    ]
    assert (min(reach[0]), max(reach[0])) == pytest.approx((min(reach[1]), max(reach[1])), abs=2)
    assert set(TTFont(BytesIO(both.subset("鑫金"))).getBestCmap()) == set(map(ord, " 鑫金"))
    with pytest.raises(
        MissingGlyphError, match=r"neither the package's font nor further.ttf has '\\ue000' \(U\+E000\)$"
    ):
        both.glyph("\ue000")


def test_each_language_takes_its_face_of_a_collection(tmp_path: Path) -> None:
    fonts = TTCollection()
    fonts.fonts = [with_character("鑫", "一", "Other JP"), with_character("鑫", "金", "Other TC")]
    fonts.save(tmp_path / "both.ttc")
    one, other = (
        len(Typeface(language, BOLD, tmp_path / "both.ttc").glyph("鑫").outline) for language in ("ja", "zh-Hant")
    )
    assert one < other
    assert len(Typeface("en", BOLD, tmp_path / "both.ttc").glyph("鑫").outline) == one


def test_the_font_of_a_process_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tefuda.decks.fonts._further", [])
    with_character("鑫", "金", "Other").save(tmp_path / "further.ttf")
    use_font(tmp_path / "further.ttf")
    assert typeface("ja", BOLD).glyph("鑫").outline
    typeface.cache_clear()


@pytest.mark.parametrize(
    ("content", "said"), [(b"no font", "x.ttf: this is no font"), (None, "x.ttf: No such file or directory")]
)
def test_a_file_that_is_no_font_is_refused_in_one_line(tmp_path: Path, content: bytes | None, said: str) -> None:
    if content is not None:
        (tmp_path / "x.ttf").write_bytes(content)
    with pytest.raises(FontError, match=said) as caught:
        use_font(tmp_path / "x.ttf")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("weight", [REGULAR, BOLD, BLACK])
@pytest.mark.parametrize("language", PACKAGED_FACES)
def test_outlines_are_those_of_noto_sans_cjk(language: str, weight: int, monkeypatch: pytest.MonkeyPatch) -> None:
    noto = os.environ.get("TEFUDA_NOTO_CJK")
    if not noto:
        pytest.skip("left out: let TEFUDA_NOTO_CJK name NotoSansCJK-VF.otf.ttc (docs/decks.md, The font)")
    ours, full = Typeface(language, weight), Typeface(language, weight, Path(noto))
    assert full.glyph("鑫").outline
    monkeypatch.setattr(full, "_fonts", full._fonts[1:])
    for character in NEEDED[::9]:
        assert ours.glyph(character).outline == full.glyph(character).outline, character
        assert ours.glyph(character).width == full.glyph(character).width, character


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
