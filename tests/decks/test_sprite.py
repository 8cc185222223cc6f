"""The sprite of a deck: small, complete, named by what is in it."""

import gzip
import xml.etree.ElementTree as ET

from tefuda.decks.data import Deck
from tefuda.decks.faces import LAYERS, Style
from tefuda.decks.fonts import REGULAR, typeface
from tefuda.decks.sprite import sprite
from tests.decks.pictures import needed

MOST = 150 * 1024
SVG = "{http://www.w3.org/2000/svg}"


def test_sprites_have_every_card_and_are_small(deck: Deck) -> None:
    made = sprite(deck, Style(frozenset(LAYERS), "zh-Hant"))
    tree = ET.fromstring(made.text)
    ids = [symbol.get("id") for symbol in tree.iter(f"{SVG}symbol")]
    assert ids == [*deck.cards, "back"]
    assert [title.text for title in tree.iter(f"{SVG}title")] == [card.names["zh-Hant"] for card in deck.cards.values()]
    assert len(gzip.compress(made.text.encode())) <= MOST


def test_everything_that_is_used_is_defined(drawn: Deck) -> None:
    tree = ET.fromstring(sprite(drawn, Style()).text)
    defined = {"#" + path.get("id", "") for path in tree.iter(f"{SVG}path")}
    assert {use.get("href") for use in tree.iter(f"{SVG}use")} <= defined


def test_the_name_changes_with_what_is_in_it(drawn: Deck) -> None:
    names = {sprite(drawn, style).name for style in (Style(), Style(language="ja"), Style(frozenset({"traditional"})))}
    assert len(names) == 3


def test_a_font_for_the_web_has_the_characters_and_nothing_else() -> None:
    from io import BytesIO

    from fontTools.ttLib import TTFont

    needed("brotli")
    content = typeface("zh-Hant", REGULAR).subset("九萬貫", "woff2")
    assert set(TTFont(BytesIO(content)).getBestCmap()) == set(map(ord, " 九萬貫"))
    assert len(content) < 3000


def test_glyph_forms_fit_the_language() -> None:
    """骨 and 直 are drawn in different ways in Japan, Taiwan and China."""
    forms = {language: typeface(language, REGULAR).glyph("骨").outline for language in ("ja", "zh-Hant", "zh-Hans")}
    assert len(set(forms.values())) == 3
