"""Pictures of decks: some of the cards, fanned."""

from xml.etree import ElementTree

import pytest

from tefuda import games
from tefuda.decks import data
from tefuda.decks.data import DeckError
from tefuda.decks.faces import Style
from tefuda.decks.sprite import picture
from tefuda.engine import toml
from tefuda.engine.toml import Table

GAMES = games.names()


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_is_named_by_what_is_in_it_and_says_what_it_is(game: str) -> None:
    deck = data.load(games.description(game))
    name, text = picture(deck, Style(language="ja"))
    assert (name, text) == picture(deck, Style(language="ja"))
    assert name != picture(deck, Style(language="en"))[0]
    assert deck.titles["ja"] in "".join(ElementTree.fromstring(text).itertext())


def test_the_cards_that_are_shown_must_be_of_the_deck() -> None:
    game = games.description("gong-zhu")
    told = dict(toml.read(game.files.decks[0]))
    told["shown"] = ["SQ", "S99"]
    with pytest.raises(DeckError, match="poker: shown: 'S99' is not a card of gong-zhu"):
        data._deck("gong-zhu", game.cards, "poker", Table(told, "poker", DeckError))
    del told["shown"]
    assert len(data._deck("gong-zhu", game.cards, "poker", Table(told)).shown) >= 5
