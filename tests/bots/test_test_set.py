"""The test set: positions with what nested play finds their plays to be worth, by which players are judged."""

import numpy as np
import pytest
from bench import test_set

import tefuda
from tefuda.games import names

pytestmark = pytest.mark.slow

POSITIONS = {game: test_set.read(test_set.FOLDER / f"{game}.jsonl") for game in names()}


@pytest.mark.parametrize("game", names())
def test_each_game_has_positions_whose_plays_are_legal(game: str) -> None:
    found = POSITIONS[game]
    assert len(found) >= 200
    assert len({(each.seed, *each.plays) for each in found}) == len(found)
    for position in found[::8]:
        tried = {int(action) for action in position.worths}
        assert 2 <= len(tried & set(position.deal(tefuda.load(game)).legal_actions())) == len(tried)


@pytest.mark.parametrize("game", names())
def test_one_of_the_plays_that_were_tried_loses_nothing_on_average(game: str) -> None:
    """Each half of the worlds judges what the other finds best: a loss may be below zero, but hardly on average."""
    least = [min(position.loss(int(action)) for action in position.worths) for position in POSITIONS[game]]
    most = [max(position.loss(int(action)) for action in position.worths) for position in POSITIONS[game]]
    assert np.mean(least) < np.mean(most) / 3


def test_the_net_loses_less_than_a_player_at_random() -> None:
    """Gong Zhu, on the first forty positions."""
    found, game = POSITIONS["gong-zhu"][:40], tefuda.load("gong-zhu")
    lost = test_set.losses(game, found, ("net", "random"))
    assert np.mean(lost["net"]) < np.mean(lost["random"]) / 2
