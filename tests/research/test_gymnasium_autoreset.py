"""The autoreset modes of Gymnasium's vector environment: last observations, ignored actions, masks of tables."""

from typing import Any

import numpy as np
import pytest

from tefuda.engine.errors import TefudaError
from tefuda.research.vector import VectorEnv

pytest.importorskip("gymnasium", reason="gymnasium is left out: uv sync --extra gymnasium")

import gymnasium
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import FlattenObservation, RecordEpisodeStatistics

from tefuda.research.gymnasium import environment_id


def make(**arguments: Any) -> Any:
    return gymnasium.make_vec(environment_id("gong-zhu"), **{"num_envs": 6, **arguments})


def first(envs: Any) -> Any:
    return envs.action_masks().argmax(axis=1)


def to_an_end(envs: Any) -> Any:
    """The first step that ends a deal."""
    while True:
        step = envs.step(first(envs))
        if step[2].any():
            return step


@pytest.mark.slow
def test_a_seat_sees_what_the_same_seat_of_a_table_sees() -> None:
    envs = make(opponents="hints")
    observed, infos = envs.reset(seed=9)
    single = gymnasium.make(environment_id("gong-zhu"))
    assert envs.single_observation_space == single.observation_space
    for _ in range(30):
        for row in range(envs.num_envs):
            deal = envs.raw.table(row)
            assert deal.mover == infos["seat"][row]
            view = envs.raw.observation.encode(deal.view(deal.mover).array)[0]
            np.testing.assert_array_equal(observed["observation"][row], view)
            assert np.flatnonzero(observed["action_mask"][row]).tolist() == deal.legal_actions()
        observed, *_, infos = envs.step(first(envs))


@pytest.mark.parametrize("copies", [True, False])
def test_the_next_step_deals_and_ignores_its_action(copies: bool) -> None:
    envs, same = make(autoreset_mode="NextStep", copy=copies), make()
    assert envs.metadata["autoreset_mode"] is envs.unwrapped.autoreset_mode is AutoresetMode.NEXT_STEP
    for each in (envs, same):
        each.reset(seed=1)
    now, beside = to_an_end(envs), to_an_end(same)
    row = int(now[2].argmax())
    assert now[0]["action_mask"][row].all()
    assert now[1][row] == beside[1][row] == now[4]["payoffs"][row, row % 4]
    final = beside[4]["final_obs"][row]
    np.testing.assert_array_equal(now[0]["observation"][row], final["observation"])
    assert beside[4]["final_info"]["payoffs"][row].tolist() == now[4]["payoffs"][row].tolist()
    after = envs.step(np.where(now[2], 0, first(envs)))
    assert after[1][row] == 0
    assert not after[2][row]
    for key in ("observation", "action_mask"):
        np.testing.assert_array_equal(after[0][key][row], beside[0][key][row])


def test_without_autoreset_a_mask_says_where_to_deal() -> None:
    envs = make(autoreset_mode="Disabled")
    envs.reset(seed=1)
    ends = to_an_end(envs)[2]
    with pytest.raises(TefudaError, match="the deal is over"):
        envs.step(first(envs))
    before = [envs.raw.table(row).state.tobytes() for row in range(6)]
    observed, _ = envs.reset(seed=50, options={"reset_mask": ends})
    after = [envs.raw.table(row).state.tobytes() for row in range(6)]
    assert [b != a for b, a in zip(before, after, strict=True)] == ends.tolist() or ends.all()
    fresh = make().reset(seed=50)[0]
    np.testing.assert_array_equal(observed["observation"][ends], fresh["observation"][ends])
    envs.step(first(envs))


def test_gymnasium_s_own_wrapper_counts_episodes_of_next_step() -> None:
    envs = RecordEpisodeStatistics(make(autoreset_mode="NextStep"))
    envs.reset(seed=1)
    lengths = list[int]()
    for _ in range(40):
        _, rewards, ends, _, infos = envs.step(first(envs.unwrapped))
        if ends.any():
            assert infos["episode"]["r"][ends].tolist() == pytest.approx(rewards[ends].tolist())
            lengths += infos["episode"]["l"][ends].tolist()
    assert lengths


@pytest.mark.parametrize("mode", ["NextStep", "Disabled"])
def test_gymnasium_s_wrappers_of_observations_take_these_modes(mode: str) -> None:
    envs = FlattenObservation(make(autoreset_mode=mode))
    assert envs.reset(seed=1)[0].shape == (6, envs.unwrapped.raw.observation.size + envs.unwrapped.raw.actions)


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(TefudaError, match="autoreset_mode: 'Often' is not one of NextStep, SameStep, Disabled"):
        make(autoreset_mode="Often")
    envs = make()
    with pytest.raises(TefudaError, match="nothing is dealt"):
        envs.reset(options={"reset_mask": np.ones(6, np.bool_)})
    envs.reset(seed=1)
    for mask in ([True] * 6, np.ones(6), np.ones(5, np.bool_), np.zeros(6, np.bool_)):
        with pytest.raises(TefudaError, match="reset_mask"):
            envs.reset(options={"reset_mask": mask})
    with pytest.raises(TefudaError, match="finished=True"):
        VectorEnv("gong-zhu", tables=2).show_finished(np.zeros(1, np.int64), np.zeros(2, np.int8))
