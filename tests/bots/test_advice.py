"""One verdict: what the rules of thumb advise stands unless every judge finds something else better."""

import re

import numpy as np
import pytest

from tefuda import Session, load
from tefuda.bots.advice import MOST_PLAYS, Advice, Weighed, figure, find_advice
from tefuda.bots.play_estimates import Gain, Rollouts, Trial, agreed
from tefuda.bots.search import BY_HINTS, Budget, SearchBot
from tefuda.engine import verbs
from tefuda.engine.texts import LANGUAGES
from tefuda.games import description
from tests.searched import every_game

GAME = description("gong-zhu")


def judge(*means: float) -> Rollouts:
    """A judge who finds that plays bring so much on average, give or take 0.1."""
    noise = np.tile([-1.0, 1.0], 50)[:, None] * np.arange(1, len(means) + 1)
    incidents = np.zeros((100, len(means), verbs.MOST_INCIDENTS), np.int64)
    gains = ((np.array(means) + noise) * GAME.rules.unit).astype(np.float64)
    return Rollouts(gains, incidents, np.zeros(100, GAME.record))


def verdict(*judges: Rollouts, nested: Rollouts | None = None) -> Advice:
    """Between the usual play, T5, and K1, K2 and so on; nested play finds what the last judge does."""
    plays = ["T5", *(f"K{k}" for k in range(1, judges[0].gains.shape[1]))]
    confirming = (nested or judges[-1]).of
    return Weighed(range(len(plays)), plays, Trial(GAME, judges), len(plays), confirming).advice()


@pytest.mark.parametrize(
    ("judges", "gain"),
    [
        ([(3.0, 0.5), (5.0, 0.5)], Gain(3.0, 2.0, 6.0)),  # both are sure: the smaller figure
        ([(5.0, 0.5), (3.0, 0.5)], Gain(3.0, 2.0, 6.0)),
        ([(3.0, 0.5), (0.5, 0.5)], Gain(0.0, -0.5, 4.0)),  # one is not sure
        ([(3.0, 0.5), (-5.0, 0.5)], Gain(0.0, -6.0, 4.0)),  # they contradict each other
        ([(3.0, 0.5)], Gain(0.0, 2.0, 4.0)),  # one alone may be wrong
        ([(1e-14, 0.0), (1e-14, 0.0)], Gain(0.0, 1e-14, 1e-14)),  # nothing but rounding
    ],
)
def test_a_gain_is_what_both_judges_find_and_the_smaller_of_their_figures(
    judges: list[tuple[float, float]], gain: Gain
) -> None:
    assert agreed(judges) == gain
    assert gain.seems == (len(judges) == 1)


@pytest.mark.parametrize(
    ("judges", "play", "code", "fields"),
    [
        ([judge(1), judge(1)], "T5", "", {}),
        ([judge(9, 1), judge(6, 1)], "T5", "agrees_by", {"other": "K1", "gain": "5.0"}),
        ([judge(9, 1, 4), judge(6, 1, 4)], "T5", "agrees_by", {"other": "K2", "gain": "2.0"}),
        ([judge(1, 9), judge(1, 6)], "K1", "better", {"other": "T5", "gain": "5.0"}),
        ([judge(1, 9, 7), judge(1, 6, 7)], "K2", "better", {"other": "T5", "gain": "6.0"}),
        ([judge(1, 9), judge(1, 1)], "T5", "close", {"other": "K1"}),
        ([judge(1, 9), judge(6, 1)], "T5", "close", {"other": "K1"}),
        ([judge(1, 99), judge(1, 0)], "T5", "close", {"other": "K1"}),
        ([judge(1, 9)], "T5", "may_be_better", {"other": "K1"}),
        ([judge(9, 1)], "T5", "agrees", {}),
        ([judge(1, 1)], "T5", "close", {"other": "K1"}),
    ],
)
def test_what_is_advised_stands_unless_every_judge_finds_something_better(
    judges: list[Rollouts], play: str, code: str, fields: dict[str, str]
) -> None:
    found = verdict(*judges)
    assert (found.play, found.usual, found.code, found.fields) == (play, "T5", code, fields)
    assert [each.play for each in found.plays][:1] == ([play] if code and len(judges) > 1 else [])


@pytest.mark.parametrize(
    ("nested", "play", "code", "fields"),
    [
        (judge(1, 4), "K1", "better", {"other": "T5", "gain": "3.0"}),
        (judge(1, 30), "K1", "better", {"other": "T5", "gain": "5.0"}),
        (judge(1, 1.15), "T5", "close", {"other": "K1"}),  # not sure: 0.15 with a standard error of 0.1
        (judge(9, 1), "T5", "close", {"other": "K1"}),
    ],
)
def test_what_nested_play_does_not_confirm_is_close(
    nested: Rollouts, play: str, code: str, fields: dict[str, str]
) -> None:
    found = verdict(judge(1, 9), judge(1, 6), nested=nested)
    assert (found.play, found.code, found.fields) == (play, code, fields)


def test_the_range_of_a_gain_holds_what_nested_play_finds() -> None:
    tried, error = Trial(GAME, [judge(4, 1), judge(6, 1)]), 1.0 / 99**0.5
    sure, doubtful = tried.gain(0, 1, judge(9, 1)), tried.gain(0, 1, judge(1, 9))
    assert (sure.size, sure.low, sure.high) == pytest.approx((3.0, 3.0 - 2 * error, 8.0 + 2 * error))
    assert (doubtful.size, doubtful.low, doubtful.high) == pytest.approx((0.0, -8.0 - 2 * error, 5.0 + 2 * error))
    assert not doubtful.seems


def test_figures_of_a_play_span_what_both_judges_find() -> None:
    (usual, _) = verdict(judge(9, 1), judge(5, 1)).plays
    assert usual.worth == pytest.approx(7.0)
    assert usual.visits == 200
    assert usual.error == pytest.approx(2.0 + 2 * 1.0 / 99**0.5)


@pytest.mark.parametrize(("gain", "said"), [(0.04, "0.04"), (0.94, "0.94"), (0.96, "1.0"), (12.34, "12.3")])
def test_a_small_gain_is_not_said_to_be_nought(gain: float, said: str) -> None:
    assert figure(gain) == said


@pytest.mark.slow
@pytest.mark.parametrize("name", every_game())
def test_sentences_agree_with_the_figures_in_every_language(name: str) -> None:
    deal, bot = Session(load(name), 4).next_deal(), SearchBot(Budget(iterations=300), settings=BY_HINTS)
    for number in range(12):
        if deal.over:
            break
        found = find_advice(deal, bot, number, 100)
        assert found == find_advice(deal, bot, number, 100)
        assert found.play in deal.legal() or deal.why_not(found.play) is None
        assert len(found.plays) <= MOST_PLAYS
        for language in LANGUAGES:
            said = found.sentence(deal, language)
            assert found.play in said
            assert not re.search(r"[0-9]+([.][0-9])? ?%", said)
            assert not any(re.search(r"[{}`#@]", sentence) for sentence in [said, *found.figures(deal, language)])
        deal.play(found.usual)
