"""What a bot makes of a rule, beside its own scatter: nothing where it is nothing, and all where it is all."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
from numpy.typing import NDArray

from tefuda.engine.rng import Rng, below
from tefuda.lab.experiment import Experiment
from tefuda.lab.experiment_file import parse
from tefuda.lab.measure.decisions import advice_difference
from tefuda.lab.measure.figures import sampled_by_deal
from tefuda.lab.measure.intervals import Interval
from tefuda.lab.report.findings import RuleEffect, rule_effects
from tefuda.lab.report.sentences import rule_effect_sentence
from tefuda.lab.report.vocabulary import Words
from tefuda.lab.runs import Worker
from tefuda.table.view import View

ARMS = [{"name": "a"}, {"name": "b", "options": {"target": 500}}]


class Dice:
    """Plays at random; how its dice fall depends on the options, what it plays does not."""

    def choose(self, view: View, legal: list[int], rng: Rng) -> int:
        for _ in range(int(view.record.target) // 500):
            below(rng, 7)
        return legal[below(rng, len(legal))]


class Obedient:
    """Plays its first action under one rule and its last one under the other."""

    def choose(self, view: View, legal: list[int], rng: Rng) -> int:
        return legal[0 if int(view.record.target) == 1000 else -1]


def asked(adviser: str, **more: Any) -> Experiment:
    given = {"question": "?", "game": "gong-zhu", "measures": ["length", "binds"], "answer": "advice", "arms": ARMS}
    return parse("why", {**given, "adviser": adviser, "deals": 60, "sample": 60, **more})


def found(given: Experiment) -> RuleEffect:
    decisions = Worker(given).play(range(given.sample)).decisions
    assert decisions is not None
    return rule_effects(given, sampled_by_deal(decisions), "a")[0]


def shares(effect: RuleEffect) -> tuple[Interval, Interval]:
    assert effect.scatter is not None
    assert effect.beyond is not None
    return effect.scatter, effect.beyond


def draws(rng: np.random.Generator, chances: list[float], count: int) -> NDArray[np.int64]:
    return rng.choice(len(chances), p=chances, size=(count, 2))


def said_of(given: Experiment, effect: RuleEffect) -> str:
    """What a report in English says of it."""
    return rule_effect_sentence(Words(given, "en"), effect)


@pytest.mark.parametrize(
    ("here", "there"),
    [([0.5, 0.5], [0.5, 0.5]), ([0.6, 0.4, 0], [1, 0, 0]), ([1, 0], [0, 1]), ([0.2, 0.8], [0.3, 0.7])],
)
def test_beyond_scatter_lies_half_the_squared_distance(here: list[float], there: list[float]) -> None:
    rng = np.random.default_rng(1)
    pairs = zip(draws(rng, here, 20_000).tolist(), draws(rng, there, 20_000).tolist(), strict=True)
    said = np.array([advice_difference((a[0], a[1]), (b[0], b[1])) for a, b in pairs])
    expected = float(((np.array(here) - np.array(there)) ** 2).sum()) / 2
    assert (said[:, 0] - said[:, 1]).mean() == pytest.approx(expected, abs=0.01)


def test_a_search_that_a_rule_does_not_touch_says_the_same_beyond_its_scatter() -> None:
    given = asked("search:30it", deals=3, sample=3)
    effect = found(given)
    scatter, beyond = shares(effect)
    assert effect.advice.mean == scatter.mean > 0, "a small search scatters"
    assert (beyond.mean, beyond.low, beyond.high) == (0, 0, 0)
    said = said_of(given, effect)
    assert said.startswith("No answer:")
    assert "does “search:30it” (looks ahead) answer differently under “b” than when it is asked again" in said


def test_dice_that_fall_otherwise_are_no_other_play() -> None:
    effect = found(asked("tests.lab.test_adviser:Dice"))
    scatter, beyond = shares(effect)
    assert scatter.mean > 0.5
    assert beyond.deviation > 0
    assert beyond.low < 0 < beyond.high


def test_who_plays_by_the_rule_is_found_wholly() -> None:
    given = asked("tests.lab.test_adviser:Obedient")
    effect = found(given)
    scatter, beyond = shares(effect)
    assert (scatter.mean, beyond.mean) == (0, 1)
    assert beyond.low > 0.9  # two deals more are counted, one each way
    assert "by 100 percentage points (90 to" in said_of(given, effect)


def test_the_rules_of_thumb_have_no_scatter() -> None:
    given = asked("hints", deals=2, sample=2)
    effect = found(given)
    assert (effect.scatter, effect.beyond, effect.advice.mean) == (None, None, 0)
    said = said_of(given, effect)
    assert said.startswith("No answer:")
    assert "such a case comes up in 78% of them at the most" in said  # 1 − √0.05: of two deals none, with 95%


def test_several_rules_are_read_at_the_same_decisions() -> None:
    arms = [*ARMS, {"name": "c", "options": {"partnership": True}}]
    given = asked("search:30it", deals=3, sample=3, arms=arms)
    decisions = Worker(given).play(range(3)).decisions
    assert decisions is not None
    one, two = rule_effects(given, sampled_by_deal(decisions), "a")
    assert (one.read, two.read) == ("b", "c")
    assert shares(one)[1].mean == 0
    assert two.advice.mean > 0


def test_less_than_scatter_is_chance_and_said_to_be() -> None:
    share = Interval(0.5, 0.4, 0.6, 40, 0.3)
    effect = RuleEffect("a", "b", share, share, share, Interval(-0.05, -0.09, -0.01, 40, 0.1))
    assert "nothing shows that" in said_of(asked("search:30it"), effect)
