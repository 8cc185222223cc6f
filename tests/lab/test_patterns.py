"""Plays named by their words and by numbers of the record."""

import pytest

from tefuda import load
from tefuda.engine.errors import TefudaError
from tefuda.lab.play.question_bots import PlayPattern


def found(text: str) -> list[str]:
    """The plays of a deal in which the mover may expose the pig and the sheep."""
    deal = load("gong-zhu").deal(seed=24)
    actions = PlayPattern.read(text).among(deal.view(deal.mover), deal.legal_actions())
    return [deal.word(action) for action in actions]


def test_the_whole_word_must_match() -> None:
    assert found("expose:none") == ["expose:none"]
    assert found("expose:.*SQ.*") == ["expose:SQ", "expose:SQ+DJ"]
    assert found("expose") == []


def test_all_conditions_must_hold() -> None:
    assert found("expose:none if held=13 and tricks<1") == ["expose:none"]
    assert found("expose:none if held>=13 and tricks>0") == []
    assert found("expose:none if best_card=-1") == ["expose:none"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "say which play"),
        ("(", r"'\(' is not a regular expression"),
        ("stop if fu", "'fu' is not written like held<3"),
        ("stop if fu<3 and", "is not written like held<3"),
    ],
)
def test_what_cannot_be_read(text: str, said: str) -> None:
    with pytest.raises(TefudaError, match=said):
        PlayPattern.read(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("expose:no", "gong-zhu: no play is called 'expose:no'; did you mean 'expose:none'"),
        ("SQ if hold<3", "gong-zhu: its record has no number 'hold'; did you mean 'held'"),
    ],
)
def test_what_the_game_does_not_know(text: str, said: str) -> None:
    game = load("gong-zhu")
    with pytest.raises(TefudaError, match=said):
        PlayPattern.read(text).check(game.description, game.template)
