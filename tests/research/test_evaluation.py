"""Evaluation by duplicate deals: fair, the same as a match, and clear about a policy's mistakes."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tefuda
from tefuda.engine.errors import TefudaError
from tefuda.lab.play.match import Match
from tefuda.research.evaluation import PolicyBot, evaluate


def first(observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> Any:
    """Always the first legal action."""
    return np.argmax(masks, 1)


@pytest.mark.slow
def test_a_bot_gains_nothing_against_itself() -> None:
    found = evaluate("hints", "gong-zhu", deals=20)
    assert (found.mean, found.margin) == pytest.approx((0, 0), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("bots", [("hints", "random"), ("random", "hints")])
def test_it_is_what_a_match_says(bots: tuple[str, str]) -> None:
    game = tefuda.load("gong-zhu")
    entry = Match(game, [bots[0], *[bots[1]] * 3], deals=40, seed=5).play().entries[0]
    found = evaluate(bots[0], game, against=bots[1], deals=40, seed=5)
    assert found.mean == pytest.approx(entry.gain.mean)
    assert found.margin == pytest.approx(entry.gain.margin)


def test_gz_22_a_policy_plays_both_partners() -> None:
    """One game a deal for each team; what is gained is one team's points less the other's."""
    game = tefuda.load("gong-zhu", partnership=True)
    entries = Match(game, ["hints", "random"] * 2, deals=30, seed=2).play().entries
    found = evaluate("hints", game, against="random", deals=30, seed=2)
    assert found.mean == pytest.approx(entries[0].points.mean - entries[1].points.mean)


def test_a_policy_is_the_same_as_a_bot() -> None:
    batched = evaluate(first, "gong-zhu", deals=10, seed=1)
    assert evaluate(PolicyBot(first), "gong-zhu", deals=10, seed=1) == batched
    assert batched.mean < 0


def test_a_policy_may_be_told_options() -> None:
    sizes = set()

    def note(observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> Any:
        sizes.add(observations.shape[1])
        return first(observations, masks)

    evaluate(note, "gong-zhu", deals=1)
    evaluate(note, "gong-zhu", deals=1, options=["partnership"])
    assert max(sizes) - min(sizes) == 2


@pytest.mark.parametrize(
    ("policy", "complaint"),
    [
        (lambda observations, masks: np.argmin(masks, 1), "chose action .*, which is not legal there"),
        (lambda observations, masks: np.full(len(masks), 10_000), "chose action 10000, which is not legal there"),
        (lambda observations, masks: np.zeros(len(masks)), "returned float64 of shape"),
    ],
)
def test_mistakes_of_a_policy_are_told(policy: Any, complaint: str) -> None:
    with pytest.raises(TefudaError, match=complaint):
        evaluate(policy, "gong-zhu", deals=1)


def test_something_that_is_no_policy_is_an_error() -> None:
    with pytest.raises(TefudaError, match=r"5 is no policy: give a function of observations and masks, a network"):
        evaluate(5, "gong-zhu", deals=1)  # type: ignore[arg-type]
    with pytest.raises(TefudaError, match="None is no policy"):
        evaluate("hints", "gong-zhu", None, deals=1)  # type: ignore[arg-type]


def test_no_deals_are_an_error() -> None:
    with pytest.raises(TefudaError, match="deals: 0 is not a whole number from 1"):
        evaluate("hints", "gong-zhu", deals=0)
