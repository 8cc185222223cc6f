"""Cards in the sizes that printers offer: composed anew, index at the edge, nothing outside the safe part."""

from itertools import combinations
from math import hypot

import pytest

from tefuda import games
from tefuda.decks.data import Deck, load
from tefuda.decks.faces import LAYERS, Style, corner_of, index
from tefuda.decks.shapes import Drawing
from tefuda.decks.sizes import PRINTERS, SIZES, SizeError, card_size

SAFE = 2.5
"""Millimetres from the cut within which a printer's knife may err."""

TRADITIONAL = Style(frozenset({"traditional"}))
ROUND = 6
"""Commands of the outline of a circle."""

LEAST_PIP, LEAST_GAP = 0.6, 0.4
"""Millimetres: smaller circles are ornaments; between two pips there is so much paper."""


@pytest.mark.parametrize("size", PRINTERS)
def test_faces_stand_inside_the_safe_part(drawn: Deck, size: str) -> None:
    width, height = PRINTERS[size]
    if drawn.size == (width, height):
        pytest.skip("drawn as in life")
    for style in (Style(), Style(frozenset({"traditional"}))):
        for card in drawn.cards.values():
            left, top, right, bottom = card_size(drawn, size).front(drawn, card, style).box()
            assert min(left, top, width - right, height - bottom) >= SAFE, (card.word, style)


@pytest.mark.slow
@pytest.mark.parametrize("size", ["bridge", "poker", "tarot"])
@pytest.mark.parametrize("game", games.names())
def test_the_card_is_filled_and_its_index_stands_at_the_edge(game: str, size: str) -> None:
    deck = load(games.description(game))
    width, height = PRINTERS[size]
    for card in deck.cards.values():
        left, top, right, bottom = card_size(deck, size).front(deck, card, Style()).box()
        assert max(left, width - right) <= 7.0, card.word
        assert max(top, height - bottom) <= 7.0, card.word


@pytest.mark.parametrize("size", SIZES)
def test_what_touches_the_edge_reaches_into_the_bleed(deck: Deck, size: str) -> None:
    measure = card_size(deck, size)
    width, height = measure.sides
    card = next(iter(deck.cards.values()))
    for parts in (measure.front(deck, card, Style(frozenset(LAYERS)), 3.0), measure.back(deck, bleed=3.0)):
        left, top, right, bottom = parts.box()
        assert left <= -2.99
        assert top <= -2.99
        assert right >= width + 2.99
        assert bottom >= height + 2.99


@pytest.mark.slow
def test_no_character_of_the_index_runs_over_what_is_below_it(deck: Deck) -> None:
    """The tail of a Q ends where the other characters end."""
    for card in deck.cards.values():
        for width in (deck.size[0], 57.0):
            number = index(card, width, 0.0, "en", marked=False)[1 if card.red else 0]
            others = [index(other, width, 0.0, "en", marked=False) for other in deck.cards.values()]
            lowest = min(
                Drawing((parts[1 if other.red else 0],)).box()[3]
                for parts, other in zip(others, deck.cards.values(), strict=True)
            )
            assert Drawing((number,)).box()[3] <= lowest + 0.35, card.word


def test_sizes_by_name() -> None:
    deck = load(games.description("luk-fu"))
    assert card_size(deck, "life").sides == (22, 82)
    assert card_size(deck, "large").sides == (29.7, 110.7)
    assert card_size(deck, "poker").sides == (63, 88)
    assert corner_of(deck, (63, 88)) == 3.2
    with pytest.raises(SizeError, match="did you mean 'poker'"):
        card_size(deck, "pocker")


def test_queens_are_all_different_and_knights_ride(drawn: Deck) -> None:
    queens = [card for card in drawn.cards.values() if card.index == "Q" and "hat" in card.art]
    looks = {tuple(card.art[part] for part in ("hat", "robe", "arms")) for card in queens}
    assert len(looks) == len(queens)
    if drawn.name == "komatsu":
        assert all(card.art["horse"] for card in drawn.cards.values() if card.index == "J")


@pytest.mark.parametrize("size", SIZES)
def test_pips_of_dominoes_can_be_told_apart(size: str) -> None:
    deck = load(games.description("sap-ng-wu"))
    for card in deck.cards.values():
        rounds = [
            part for part in card_size(deck, size).front(deck, card, TRADITIONAL) if len(part.shape.path) == ROUND
        ]
        edges = [(*Drawing((part,)).box(), part.shape.fill) for part in rounds]
        pips = [
            ((left + right) / 2, (top + bottom) / 2, (right - left) / 2)
            for left, top, right, bottom, ink in edges
            if ink != "paper"
        ]
        pips = [pip for pip in pips if pip[2] > LEAST_PIP]
        assert len(pips) >= 4, card.word
        for (x, y, radius), (u, v, other) in combinations(pips, 2):
            apart = hypot(x - u, y - v)
            assert apart < 0.01 or apart - radius - other >= LEAST_GAP, card.word
