"""What plays of several cards are called, and what a card's note says: in every game, option and language."""

import pytest

from tefuda.engine.texts import LANGUAGES, catalogue
from tefuda.games import description, names
from tefuda.table.reasons import say_line
from tests.contract.particulars import Note, particulars


@pytest.mark.parametrize("game", names())
def test_every_card_has_a_note_in_every_language(game: str) -> None:
    described = description(game)
    template = described.template()[0]
    for word in described.cards:
        lines = described.display.card_lines(template, word)
        assert lines
        for language in LANGUAGES:
            assert all("{" not in say_line(described, line, language) for line in lines)


@pytest.mark.parametrize("game", names())
def test_what_plays_are_called_stands_in_the_catalogues(game: str) -> None:
    described = description(game)
    called = set(map(described.display.combination, getattr(described.notation, "words", ()))) - {""}
    assert all(text in catalogue(described.files.texts, language) for text in called for language in LANGUAGES)


CALLED = [(game, word, called) for game in names() for word, called in particulars(game).combinations.items()]
OTHERS = [(game, word) for game in names() for word in particulars(game).without_name]
NOTES = [pytest.param(game, note, id=f"{game}-{note.card}") for game in names() for note in particulars(game).notes]


@pytest.mark.parametrize(("game", "word", "called"), CALLED)
def test_a_play_of_several_cards_has_a_name(game: str, word: str, called: str) -> None:
    described = description(game)
    assert catalogue(described.files.texts, "en")(described.display.combination(word)) == called


@pytest.mark.parametrize(("game", "word"), OTHERS)
def test_other_plays_have_none(game: str, word: str) -> None:
    assert description(game).display.combination(word) == ""


@pytest.mark.parametrize(("game", "note"), NOTES)
def test_a_note_says_what_a_card_counts(game: str, note: Note) -> None:
    described = description(game)
    lines = described.display.card_lines(described.template(None, note.options)[0], note.card)
    assert note.said in [say_line(described, line, "en") for line in lines]
