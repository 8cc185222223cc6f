"""Packs in which cards exist several times, and plays that are groups of cards."""

import numpy as np
import pytest

from tefuda.engine.kit.positions import CopyReader, PositionError
from tefuda.engine.notation import NO_ACTION, NotationError, OneActionNotation

WORDS = ("A", "B", "C")


def reader(**fields: list[str]) -> CopyReader:
    return CopyReader(fields, ("hands",), WORDS, np.array([0, 0, 1, 2, 2, 2]), 2)


def test_copies_are_counted_and_each_is_placed_once() -> None:
    cards = reader(hands=["A C C", "A"])
    assert cards.per_seat("hands")[0].tolist() == [1, 0, 2]
    with pytest.raises(PositionError, match="won: A stands 1 times more than it exists"):
        cards.placed("A", "won")


def test_unknown_cards_are_named() -> None:
    with pytest.raises(PositionError, match="hands: 'D' is not a card of this pack"):
        reader().placed("A D", "hands")


GROUPS = OneActionNotation(("A", "B+A", "show:A+B", "pass"), "cards such as A", cards=WORDS)


@pytest.mark.parametrize(
    ("word", "normal", "action"),
    [
        ("a", "A", 0),
        ("A+B", "B+A", 1),
        ("SHOW:b+a", "show:A+B", 2),
        ("Pass", "pass", 3),
        ("C+A", "A+C", NO_ACTION),
        ("A+A", "A+A", NO_ACTION),
        ("show:C", "show:C", NO_ACTION),
    ],
)
def test_any_group_of_cards_can_be_read(word: str, normal: str, action: int) -> None:
    assert GROUPS.normal(word) == normal
    assert GROUPS.actions(None, word) == (action,)


@pytest.mark.parametrize("word", ["D", "A+D", "hide:A", "A+pass", "show:", ""])
def test_what_is_not_made_of_cards_cannot(word: str) -> None:
    with pytest.raises(NotationError):
        GROUPS.actions(None, word)
