"""A seat's gain: its team's payoff less the mean of what the other teams' seats receive."""

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.objective import gain_weights, is_gain, write_gains


def gains(game: tefuda.Game, payoffs: list[int]) -> list[float]:
    out = np.zeros(game.seats)
    write_gains(game.template[0], np.array(payoffs), out)
    return out.tolist()


def test_alone_it_is_the_payoff_less_the_mean_of_the_others() -> None:
    assert gains(tefuda.load("gong-zhu"), [-100, 0, 30, -50]) == pytest.approx([-280 / 3, 40, 80, -80 / 3])


def test_gz_22_partners_gain_what_their_team_has_more() -> None:
    """Payoffs are the team's for both partners already."""
    game = tefuda.load("gong-zhu", partnership=True)
    assert gains(game, [-70, -50, -70, -50]) == [-20, 20, -20, 20]
    assert [int(verbs.team(game.template[0], seat)) for seat in range(4)] == [0, 1, 0, 1]


@pytest.mark.parametrize("name", games.names())
def test_in_zero_sum_games_it_is_the_payoff_on_another_scale(name: str) -> None:
    game = tefuda.load(name)
    payoffs = np.arange(game.seats) - (game.seats - 1) // 2
    payoffs[-1] -= payoffs.sum()
    assert gains(game, payoffs.tolist()) == pytest.approx(payoffs * game.seats / (game.seats - 1))


def test_as_a_matrix() -> None:
    payoffs = np.array([5, -3, 5, -3])
    for partnership in (False, True):
        game = tefuda.load("gong-zhu", partnership=partnership)
        assert (payoffs @ gain_weights(game.template[0])).tolist() == pytest.approx(gains(game, payoffs.tolist()))


def test_an_unknown_reward_is_an_error() -> None:
    assert is_gain("gain")
    assert not is_gain("payoff")
    with pytest.raises(TefudaError, match="reward: 'points' is not one of payoff, gain"):
        is_gain("points")


def test_search_plays_for_the_gain_where_payoffs_do_not_sum_to_zero() -> None:
    """Where they do, the payoff orders plays as the gain does."""
    for name in games.names():
        game = tefuda.load(name)
        bounds = game.description.rules.bounds
        assert bounds is not None
        assert game.description.search.get("relative", 0) == (not bounds(game.template[0]).zero_sum)
