"""Where red means something (MD-10, LF-49), each layer shows which cards are red, and no other card has any red."""

from dataclasses import replace
from itertools import chain, combinations

import numpy as np
import pytest

from tefuda import games
from tefuda.decks.data import Card, Deck, load
from tefuda.decks.faces import LAYERS, Style, face
from tefuda.engine.bits import members_of
from tefuda.games.luk_fu.cards import RED_CARDS as LUK_FU_REDS
from tefuda.games.ma_diao.cards import RED_CARDS as MA_DIAO_REDS
from tefuda.games.ma_diao.state import RedSet
from tests.decks.pictures import card_pixels
from tests.decks.test_sight import seen_by

REDS = {"ma-diao": MA_DIAO_REDS[RedSet.PAGE], "luk-fu": LUK_FU_REDS}
CHOICES = list(chain.from_iterable(combinations(LAYERS, count) for count in (1, 2, 3)))


def inks(deck: Deck, card: Card, style: Style, size: tuple[float, float] | None = None) -> set[str]:
    """The inks that are used for a face."""
    return {ink for part in face(deck, card, style, size) for ink in (part.shape.fill, part.shape.line)}


@pytest.mark.parametrize("game", REDS)
def test_red_cards_are_those_of_the_rule(game: str) -> None:
    description = games.description(game)
    red = {description.cards[card] for card in members_of(REDS[game])}
    assert {word for word, card in load(description).cards.items() if card.red} == red


@pytest.mark.parametrize("layers", CHOICES, ids="+".join)
@pytest.mark.parametrize("size", [None, (63.0, 88.0)], ids=["life", "poker"])
@pytest.mark.parametrize("game", REDS)
def test_every_layer_shows_red_cards_and_no_others_in_red(
    game: str, layers: tuple[str, ...], size: tuple[float, float] | None
) -> None:
    deck = load(games.description(game))
    style = Style(frozenset(layers), "en")
    assert {word for word, card in deck.cards.items() if "red" in inks(deck, card, style, size)} == {
        word for word, card in deck.cards.items() if card.red
    }


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("game", REDS)
def test_red_is_seen_without_seeing_colours(game: str, layer: str) -> None:
    """The same card, red and not red, differs by more than its colour: in grey, and to eyes that see no red."""
    deck = load(games.description(game))
    card = next(card for card in deck.cards.values() if card.red)
    style = Style(frozenset({layer}), "en")
    for sight in ("grey", "protanopia", "deuteranopia"):
        both = [seen_by(sight, card_pixels(deck, each, style, 220)) for each in (card, replace(card, red=False))]
        assert (np.abs(both[0] - both[1]).max(axis=2) >= 90).sum() >= 250


def test_decks_without_such_a_rule_keep_their_colours(deck: Deck) -> None:
    assert deck.reds == (deck.game in REDS)
