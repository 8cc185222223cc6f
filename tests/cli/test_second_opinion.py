"""What a search says of a hint: the hint is always among what is shown, and nothing is said on too few tries."""

import pytest

from tefuda.bots.search import PlayEstimate
from tefuda.cli.second_opinion import MOST_PLAYS, second_opinion


def play(word: str, visits: int, mean: float, spread: float = 2.0) -> PlayEstimate:
    return PlayEstimate(word, visits, mean, spread, worth=mean, doubt=spread**2 / visits)


@pytest.mark.parametrize(
    ("found", "code", "first"),
    [
        ([play("T5", 9000, 1.0), play("K1", 900, 0.5)], "search_agrees", "T5"),
        ([play("K1", 900, 1.05), play("T5", 800, 1.0)], "search_as_good", "T5"),
        ([play("K1", 9000, 1.5), play("T5", 800, 0.5)], "search_better", "K1"),
        ([play("K1", 70_000, 0.0), play("T5", 2, -4.0)], "search_doubts", "K1"),
        ([play("K1", 70_000, 0.0), play("T5", 40, -4.0)], "search_doubts", "K1"),
        ([play("K1", 70_000, 0.0)], "search_doubts", "K1"),
    ],
)
def test_it_agrees_or_says_how_far_not(found: list[PlayEstimate], code: str, first: str) -> None:
    opinion = second_opinion("T5", found)
    assert opinion.code == code
    assert opinion.plays[0].play == first
    assert "T5" in [each.play for each in opinion.plays[:2]]


def test_the_hint_is_shown_however_many_plays_there_are() -> None:
    found = [play(f"K{k}", 1000 - k, 1.0 - k / 10) for k in range(1, 20)] + [play("T5", 400, -9.0)]
    opinion = second_opinion("T5", found)
    assert len(opinion.plays) == MOST_PLAYS
    assert [each.play for each in opinion.plays[:3]] == ["K1", "T5", "K2"]
    assert opinion.fields == {"play": "K1", "gain": "9.9"}


def test_plays_that_were_hardly_tried_have_no_figures() -> None:
    opinion = second_opinion("T5", [play("T5", 70_000, 1.0), play("K1", 40, 5.0), play("K2", 2, 9.0)])
    assert opinion.counted == {"T5"}
