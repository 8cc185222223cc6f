"""The luck of the cards: 0 on average, and much of what scatters."""

from pathlib import Path

import numpy as np
import pytest

from tefuda.engine.estimates import FEWEST_DIFFERING, Estimate
from tefuda.lab.play.match import Match
from tefuda.lab.play.python_game import is_worthwhile
from tefuda.lab.play.runner import MatchBlock
from tefuda.lab.play.scores import BotScore, MatchScores
from tefuda.table.game import Game, load

SLIPPING = ["hints:slip=30", "hints", "hints", "hints"]


@pytest.fixture(scope="module")
def game() -> Game:
    return load("gong-zhu")


def first(game: Game, bots: list[str], deals: int, seed: int, luck: bool = True) -> BotScore:
    return Match(game, bots, deals, seed, luck=luck).play().entries[0]


def apart(one: Estimate, other: Estimate) -> float:
    """How far two independent estimates are from each other, in standard errors."""
    assert one.margin is not None
    assert other.margin is not None
    return abs(one.mean - other.mean) / float(np.hypot(one.margin, other.margin)) * 1.96


@pytest.mark.slow
def test_without_luck_a_bot_drawn_at_random_gains_the_same_and_scatters_less(game: Game) -> None:
    """Each action of ``random`` is compared with the others that might have been drawn."""
    bots = ["random", "hints", "hints", "hints"]
    found = first(game, bots, 30, 1)
    assert found.gain_without_luck is not None
    assert found.gain_without_luck.margin is not None
    assert found.gain.margin is not None
    assert found.gain_without_luck.margin < 0.8 * found.gain.margin
    assert apart(found.gain_without_luck, first(game, bots, 3000, 2, luck=False).gain) < 3.5


@pytest.mark.slow
def test_without_luck_a_bot_of_its_own_mind_gains_the_same(game: Game) -> None:
    """Its choices are compared with the same choices in other deals that it could not have told from this one."""
    found = first(game, SLIPPING, 60, 1)
    assert found.gain_without_luck is not None
    assert found.gain_without_luck.mean != found.gain.mean
    assert apart(found.gain_without_luck, first(game, SLIPPING, 600, 2, luck=False).gain) < 3.5


def test_rules_of_thumb_have_no_luck(game: Game) -> None:
    found = first(game, ["hints"] * 4, 5, 1)
    assert found.gain_without_luck == found.gain == Estimate(0.0, 0.0)


@pytest.mark.slow
def test_luck_is_the_same_in_any_blocks_and_threads_and_when_a_match_goes_on(game: Game, tmp_path: Path) -> None:
    whole = Match(game, SLIPPING, 6, 3, luck=True).play().entries[0]
    assert Match(game, SLIPPING, 6, 3, luck=True, block=5, threads=1).play().entries[0].gain_without_luck == (
        whole.gain_without_luck
    )
    Match(game, SLIPPING, 4, 3, luck=True, folder=tmp_path).play()
    again = Match(game, SLIPPING, 6, 3, luck=True, folder=tmp_path).play()
    assert again.earlier == 4
    assert again.entries[0].gain_without_luck == whole.gain_without_luck


def test_luck_is_measured_where_bots_think_for_long(game: Game) -> None:
    assert is_worthwhile(game, ["hints", "search:100it", "random", "net"])
    assert is_worthwhile(game, ["mybot:Lowest", "hints"])
    assert is_worthwhile(load("kakkuri"), ["strongest", "hints"])
    assert not is_worthwhile(game, ["hints", "random", "net", "hints:slip=20", "beginner"])
    assert not is_worthwhile(load("ma-diao"), ["strong", "hints"])
    assert Match(game, ["hints"] * 4, 1, 0, luck=False).compiled
    assert not Match(game, ["hints"] * 4, 1, 0, luck=True).compiled


@pytest.mark.parametrize("is_measured", [False, True])
def test_a_match_is_decided_by_the_gain_without_luck(game: Game, is_measured: bool) -> None:
    """A gain of 10 in every deal does not show beside 400 won or lost by the cards, until their luck is taken away."""
    deals = 2 * FEWEST_DIFFERING
    luck = np.zeros((deals, 4, 4))
    luck[:, :, 0] = np.where(np.arange(deals) % 2, 400, -400)[:, None]
    points = luck.astype(np.int64)
    points[:, :, 0] += 10
    answers = np.zeros((deals, 4, 4, 2), np.int64)
    scores = MatchScores(game)
    scores.add(MatchBlock(points, answers, np.zeros(4), [[]] * 4, luck=luck if is_measured else None))
    assert scores.is_decided() == is_measured


@pytest.mark.slow
def test_a_match_stops_as_soon_as_it_is_decided_without_luck(game: Game) -> None:
    bots = ["random", "hints", "hints", "hints"]
    found = Match(game, bots, 400, 1, until_decided=True, luck=True, block=10).play()
    assert found.decided
    assert FEWEST_DIFFERING <= found.deals < FEWEST_DIFFERING + 10, "that clear, it stops where a match may stop at all"
