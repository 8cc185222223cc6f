"""Data files of decks: every card, every name, every rule's number."""

import re
from pathlib import Path

import pytest

from tefuda import games
from tefuda.decks import data
from tefuda.decks.data import READ_IN, Deck, DeckError
from tefuda.engine.texts import LANGUAGES

SUIT = "{key = 'C', sign = 'ten', letter = 'C', colour = 'blue', name = 'coins'}"
KANJI = re.compile(r"[\u4e00-\u9fff]")


def test_every_game_has_a_deck_with_exactly_its_cards(deck: Deck) -> None:
    assert tuple(deck.cards) == games.description(deck.game).cards


@pytest.mark.parametrize(
    ("game", "size"), [("luk-fu", 37), ("kakkuri", 48), ("gong-zhu", 52), ("ma-diao", 40), ("sap-ng-wu", 84)]
)
def test_packs_have_their_size(game: str, size: int) -> None:
    assert len(data.load(games.description(game)).pack) == size


def test_every_card_has_a_name_of_its_own_in_every_language(deck: Deck) -> None:
    for language in LANGUAGES:
        names = [card.names[language] for card in deck.cards.values()]
        assert all(names)
        assert len(set(names)) == len(names), language


def test_every_name_has_a_reading_without_characters(deck: Deck) -> None:
    for card in deck.cards.values():
        for language in READ_IN:
            assert card.readings[language], (card.word, language)
            assert not KANJI.search(card.readings[language]), (card.word, language)


def test_places_in_a_suit_are_all_different(deck: Deck) -> None:
    for suit in deck.suits:
        places = [card.place for card in deck.cards.values() if card.suit.key == suit.key]
        assert sorted(places) == sorted(set(places)), suit.key


def test_a_deck_of_another_name_is_refused_in_one_line() -> None:
    with pytest.raises(DeckError, match="did you mean 'western'"):
        data.load(games.description("kakkuri"), "westren")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("painter = 1", r"odd.toml: it has no \[\[suit\]\]"),
        (
            f"suit = [{SUIT}]\npainter = 'money'\n[card.T77]",
            "odd.toml: card: T77 is not a card of luk-fu; did you mean 'T7'",
        ),
        ("suit = [{key = 'C'}]", "odd.toml: suit 1: sign is missing"),
        ("suit = [{key = 'C', sign = 3}]", "odd.toml: suit 1: sign: 3 is not a text"),
        (f"suit = [{SUIT}]\nsize = [1]", r"odd.toml: size: \[1\] is not width and height in millimetres"),
        (f"suit = [{SUIT}]\nsize = [1, 2]\n[title]\nen = 'X'", "odd.toml: title: there is no text in ja"),
        (f"suit = [{SUIT}]\nsize = [1, 2]\ntitle = 3", "odd.toml: title: 3 is neither a text nor texts by language"),
        ("size = [", "Invalid"),
    ],
)
def test_what_is_wrong_with_a_data_file_is_said_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "odd.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(DeckError, match=said) as caught:
        data._read("luk-fu", games.description("luk-fu").cards, file)
    assert "\n" not in str(caught.value)


def test_cards_are_spoken_of_with_their_reading() -> None:
    game = games.description("gong-zhu")
    assert data.spoken_name(game, "SQ", "en") == "queen of spades, the pig"
    assert data.spoken_name(game, "SQ", "zh-Hans") == "猪，黑桃Q（zhū, hēi táo Q）"
    assert data.spoken_name(game, "pass", "en") == ""
