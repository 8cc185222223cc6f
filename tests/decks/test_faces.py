"""Faces: every card is drawn, no two are alike, and what they look like changes only on purpose."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from tefuda import games
from tefuda.decks.artwork import figure
from tefuda.decks.backs import back
from tefuda.decks.data import Deck, DeckError, load
from tefuda.decks.faces import LAYERS, LayerError, Style, face
from tefuda.decks.shapes import drawing
from tefuda.decks.sprite import edge
from tests.decks.pictures import card_pixels, pixels
from tests.decks.snapshots import FOLDER, snapshots

ALL = frozenset(LAYERS)


@pytest.mark.parametrize("layers", [{"traditional"}, {"index"}], ids=["traditional", "index"])
def test_no_two_cards_look_alike(drawn: Deck, layers: set[str]) -> None:
    seen = {word: card_pixels(drawn, card, Style(frozenset(layers)), 64) for word, card in drawn.cards.items()}
    for one, other in combinations(seen, 2):
        assert (np.abs(seen[one] - seen[other]).max(axis=2) > 60).sum() >= 6, (one, other)


def test_nothing_is_drawn_beyond_the_card(drawn: Deck) -> None:
    width, height = drawn.size
    for style in (Style(ALL, "zh-Hant"), Style(ALL, "en"), Style(frozenset({"traditional"}))):
        for card in drawn.cards.values():
            left, top, right, bottom = face(drawn, card, style).box()
            assert left >= -0.01, (card.word, style)
            assert top >= -0.01, (card.word, style)
            assert right <= width + 0.01, (card.word, style)
            assert bottom <= height + 0.01, (card.word, style)


def test_backs_look_the_same_upside_down(drawn: Deck) -> None:
    width, height = drawn.size
    for saving in (False, True):
        upright = drawing(edge(drawn), back(drawn, saving))
        both = [pixels(parts, drawn, 192) for parts in (upright, upright.turned(180, width / 2, height / 2))]
        assert (np.abs(both[0] - both[1]).max(axis=2) > 60).mean() < 0.002


def test_an_ink_saving_back_is_mostly_paper(drawn: Deck) -> None:
    dark = [
        (pixels(drawing(edge(drawn), back(drawn, saving)), drawn, 96).mean(axis=2) < 128).mean()
        for saving in (False, True)
    ]
    assert dark[1] < 0.5 * dark[0]


def test_snapshots() -> None:
    """What a change does to the drawings is seen in review: python -m tests.decks.snapshots writes them anew."""
    kept = {path.stem: path.read_text("utf-8") for path in FOLDER.glob("*.svg")}
    assert snapshots().keys() == kept.keys()
    changed = [name for name, text in snapshots().items() if text != kept[name]]
    assert not changed


def test_unknown_layers_and_languages_are_refused_in_one_line() -> None:
    with pytest.raises(LayerError, match="did you mean 'index'"):
        Style(frozenset({"indx"}))
    with pytest.raises(LayerError, match="no names in 'fr'"):
        Style(language="fr")


def test_names_that_the_library_does_not_have_are_refused_in_one_line() -> None:
    deck = load(games.description("luk-fu"))
    card = deck.cards["T9"]
    with pytest.raises(DeckError, match=r"painter of six-tigers: there is no 'mony'; .*; did you mean 'money'"):
        face(replace(deck, painter="mony"), card, Style())
    with pytest.raises(DeckError, match=r"sign: there is no 'tenn'; .*; did you mean 'ten'"):
        face(deck, replace(card, suit=replace(card.suit, sign="tenn")), Style())
    with pytest.raises(DeckError, match=r"back of six-tigers: there is no 'wave'; .*; did you mean 'waves'"):
        back(replace(deck, back="wave"))
    with pytest.raises(DeckError, match=r"hat: there is no 'crow'; .*; did you mean 'crown'"):
        figure("crow", "none", "robe", "none")
