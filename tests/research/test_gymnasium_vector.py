"""Gymnasium's vector environment: its interface, and that it is the raw one with bots seated."""

from typing import Any

import numpy as np
import pytest

from tefuda import games
from tefuda.engine.errors import TefudaError
from tefuda.research.vector import VectorEnv

pytest.importorskip("gymnasium", reason="gymnasium is left out: uv sync --extra gymnasium")

import gymnasium
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from tefuda.research.gymnasium import environment_id


def make(name: str = "gong-zhu", **arguments: Any) -> Any:
    return gymnasium.make_vec(environment_id(name), **{"num_envs": 6, **arguments})


def first_legal(observations: dict[str, Any]) -> Any:
    return observations["action_mask"].argmax(1)


@pytest.mark.deep
@pytest.mark.parametrize("name", games.names())
def test_all_stays_in_the_spaces_at_every_number_of_seats(name: str) -> None:
    for seats in games.description(name).seats:
        envs = make(name, seats=seats)
        observations, infos = envs.reset(seed=3)
        for _ in range(200):
            assert observations in envs.observation_space
            assert infos["seat"].shape == (6,)
            actions = first_legal(observations)
            assert actions in envs.action_space
            observations, rewards, ends, cut, infos = envs.step(actions)
            assert rewards.shape == ends.shape == cut.shape == (6,)
            assert not cut.any()
            assert (rewards[~ends] == 0).all()
        envs.close()


def test_it_is_a_vector_environment_that_deals_again_by_itself() -> None:
    envs = make(opponents="random")
    assert isinstance(envs, gymnasium.vector.VectorEnv)
    assert envs.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    observations, _ = envs.reset(seed=1)
    assert observations in envs.observation_space
    ended = 0
    for _ in range(60):
        observations, rewards, ends, _, infos = envs.step(first_legal(observations))
        ended += int(ends.sum())
        assert observations["action_mask"].any(1).all()
        assert ("final_info" in infos) == ends.any()
        if ends.any():
            assert (infos["_final_info"] == ends).all()
            everybody = infos["final_info"]["rewards"]
            assert (everybody[np.arange(6), infos["seat"]] == rewards)[ends].all()
    assert ended >= 6


def test_it_plays_what_the_raw_environment_plays() -> None:
    envs, raw = make(opponents="hints", seat=2), VectorEnv("gong-zhu", 6, bots=dict.fromkeys((0, 1, 3), "hints"))
    observations, _ = envs.reset(seed=5)
    batch = raw.reset(5)
    for _ in range(40):
        assert (observations["observation"] == batch.observations).all()
        assert (observations["action_mask"] == batch.masks).all()
        actions = first_legal(observations)
        observations, rewards, ends, *_ = envs.step(actions)
        batch = raw.step(actions)
        assert (rewards == batch.rewards[:, 2]).all()
        assert (ends == batch.ends).all()


@pytest.mark.parametrize("copies", [True, False])
@pytest.mark.parametrize("key", ["observation", "action_mask"])
def test_what_is_returned_may_be_kept_unless_that_is_given_up(key: str, copies: bool) -> None:
    envs = make(copy=copies)
    before, _ = envs.reset(seed=1)
    kept = before[key].copy()
    envs.step(first_legal(before))
    assert (before[key] == kept).all() == copies


def test_memory_of_observations_is_used_again_when_nobody_holds_any_part_of_it() -> None:
    envs = make()
    observations, _ = envs.reset(seed=1)
    part, first = observations["observation"][2:4], observations["observation"].ctypes.data
    kept, places = part.copy(), set[int]()
    for _ in range(8):
        observations, *_ = envs.step(first_legal(observations))
        places.add(observations["observation"].ctypes.data)
    assert (part == kept).all()
    assert first not in places
    assert len(places) < 4
    del part
    places.clear()
    for _ in range(8):
        observations, *_ = envs.step(first_legal(observations))
        places.add(observations["observation"].ctypes.data)
    assert first in places


def test_wrappers_of_others_count_episodes() -> None:
    envs = RecordEpisodeStatistics(make(opponents="random"))
    observations, _ = envs.reset(seed=1)
    lengths = list[int]()
    for _ in range(40):
        observations, _, ends, _, infos = envs.step(first_legal(observations))
        lengths += infos["episode"]["l"][ends].tolist() if ends.any() else []
    assert lengths
    assert all(13 <= length <= 14 for length in lengths)


def test_every_table_may_have_a_seed_of_its_own() -> None:
    envs = make()
    seeds = list(range(envs.num_envs))
    one, again = (envs.reset(seed=seeds)[0]["observation"] for _ in range(2))
    assert (one == again).all()
    other = envs.reset(seed=[None, *seeds[1:]])[0]["observation"]
    assert (other[1:] == one[1:]).all()
    with pytest.raises(TefudaError, match="seeds of tables are whole numbers of shape"):
        envs.reset(seed=seeds[1:])


def test_the_same_seed_gives_the_same() -> None:
    envs = make()
    one, again = (envs.reset(seed=7)[0]["observation"] for _ in range(2))
    assert (one == again).all()
    assert (envs.reset(seed=8)[0]["observation"] != one).any()


def test_illegal_actions_are_errors_or_replaced() -> None:
    envs = make()
    observations, _ = envs.reset(seed=1)
    illegal = observations["action_mask"].argmin(1)
    with pytest.raises(TefudaError, match="is not legal"):
        envs.step(illegal)
    replacing = make(illegal="replace")
    replacing.reset(seed=1)
    replacing.step(illegal)
    with pytest.raises(TefudaError, match="table 0: action 1000000 is not one of 0 to 67"):
        replacing.step(np.full(6, 10**6))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seat": 4}, "there is no seat 4"),
        ({"opponents": ["random"]}, "1 bots; 3 are wanted"),
        ({"opponents": "search:100ms"}, "thinks table by table"),
        ({"illegal": "end"}, "illegal: 'end'"),
        ({"seats": 9}, "not by 9"),
        ({"num_envs": 0}, "tables"),
        ({"colour": "red"}, "unexpected keyword argument 'colour'"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(TefudaError, match=message):
        make(**arguments)


def test_wrong_calls_are_named() -> None:
    envs = make()
    with pytest.raises(TefudaError, match="call reset"):
        envs.step(np.zeros(6, np.int64))
    with pytest.raises(TefudaError, match="there are none"):
        envs.reset(options={"colour": np.ones(6, bool)})
    observations, _ = envs.reset(seed=1)
    with pytest.raises(TefudaError, match="whole numbers of shape"):
        envs.step(first_legal(observations)[:3])
    with pytest.raises(TefudaError, match="whole numbers of shape"):
        envs.step(first_legal(observations).astype(float))
