"""Many seats at once, as Gymnasium's own kind of vector environment: spaces, autoreset, info, errors."""

from typing import Any

import numpy as np
import pytest

from tefuda import games
from tefuda.engine.errors import TefudaError

pytest.importorskip("gymnasium", reason="gymnasium is left out: uv sync --extra gymnasium")

import gymnasium
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from tefuda.research.gymnasium import environment_id
from tefuda.research.vector import VectorEnv

MODES = [mode.value for mode in AutoresetMode]


def make(name: str = "gong-zhu", num_envs: int = 6, **arguments: Any) -> Any:
    return gymnasium.make_vec(environment_id(name), num_envs=num_envs, **arguments)


def check_conventions(envs: Any, steps: int) -> None:
    """Spaces are those of the single environment, batched; everything returned lies in them."""
    single = gymnasium.make(envs.spec.id)
    n = envs.num_envs
    assert isinstance(envs, gymnasium.vector.VectorEnv)
    assert envs.single_action_space == single.action_space
    assert envs.observation_space == batch_space(envs.single_observation_space, n)
    observed, info = envs.reset(seed=3)
    ended = 0
    for _ in range(steps):
        assert observed in envs.observation_space
        assert (observed["action_mask"] == info["action_mask"]).all()
        assert all(info[f"_{key}"].dtype == bool for key in info if not key.startswith("_"))
        actions = envs.sample()
        assert actions in envs.action_space
        observed, rewards, terminations, truncations, info = envs.step(actions)
        assert rewards.shape == terminations.shape == truncations.shape == (n,)
        assert not truncations.any()
        assert not rewards[~terminations].any()
        assert ("_final_info" in info or "_payoffs" in info) == terminations.any()
        ended += int(terminations.sum())
    assert ended >= n


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_conventions(mode: str) -> None:
    check_conventions(make(autoreset_mode=mode), 40)


@pytest.mark.deep
@pytest.mark.parametrize("name", [name for name in games.names() if name != "gong-zhu"])
def test_conventions_in_other_games(name: str) -> None:
    for seats in games.description(name).seats:
        envs = make(name, seats=seats, autoreset_mode="SameStep", skip_forced=True)
        envs.reset(seed=1)
        for _ in range(100):
            observed, *_ = envs.step(envs.sample())
            assert observed in envs.observation_space
        single = gymnasium.make(environment_id(name), seats=seats)
        assert single.observation_space == envs.single_observation_space


def test_a_seat_sees_what_the_same_seat_of_a_table_sees() -> None:
    """Observations and masks are those of ``SeatEnv`` for the same deal."""
    envs = make(opponents="hints", autoreset_mode="SameStep")
    observed, info = envs.reset(seed=9)
    assert info["seat"].tolist() == [0, 1, 2, 3, 0, 1]
    for _ in range(30):
        for row in range(envs.num_envs):
            deal = envs.tables.table(row)
            assert deal.mover == info["seat"][row]
            view = envs.observation.encode(deal.view(deal.mover).array)[0]
            np.testing.assert_array_equal(observed["observation"][row], view)
            assert np.flatnonzero(observed["action_mask"][row]).tolist() == deal.legal_actions()
        observed, _, _, _, info = envs.step(envs.sample())


def test_the_next_step_deals_and_ignores_its_action() -> None:
    envs, same = make(), make(autoreset_mode="SameStep")
    for each in (envs, same):
        each.reset(seed=1)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    for _ in range(20):
        now = envs.step(envs.action_masks().argmax(axis=1))
        beside = same.step(same.action_masks().argmax(axis=1))
        if now[2].any():
            break
    row = int(now[2].argmax())
    assert now[1][row] == beside[1][row] == now[4]["payoffs"][row, row % 4]
    assert now[0]["action_mask"][row].all()
    final = beside[4]["final_obs"][row]
    np.testing.assert_array_equal(now[0]["observation"][row], final["observation"])
    assert beside[4]["final_info"]["payoffs"][row].tolist() == now[4]["payoffs"][row].tolist()
    after = envs.step(np.where(now[2], 0, envs.action_masks().argmax(axis=1)))
    assert after[1][row] == 0
    assert not after[2][row]
    np.testing.assert_array_equal(after[0]["observation"][row], beside[0]["observation"][row])
    np.testing.assert_array_equal(after[0]["action_mask"][row], beside[0]["action_mask"][row])


def test_without_copies_it_is_the_same() -> None:
    copied, shared = make(), make(copy=False)
    assert all((a == b).all() for a, b in zip(*(e.reset(seed=1)[0].values() for e in (copied, shared)), strict=True))
    for _ in range(40):
        actions = copied.action_masks().argmax(axis=1)
        one, other = copied.step(actions), shared.step(actions)
        np.testing.assert_array_equal(one[0]["observation"], other[0]["observation"])
        np.testing.assert_array_equal(one[0]["action_mask"], other[0]["action_mask"])
        np.testing.assert_array_equal(one[1], other[1])


def test_without_autoreset_a_mask_says_where_to_deal() -> None:
    envs = make(autoreset_mode="Disabled")
    envs.reset(seed=1)
    while True:
        _, _, ends, _, _ = envs.step(envs.action_masks().argmax(axis=1))
        if ends.any():
            break
    with pytest.raises(TefudaError, match="the deal is over"):
        envs.step(envs.sample())
    before = [envs.tables.table(row).state.tobytes() for row in range(6)]
    envs.reset(seed=list(range(50, 56)), options={"reset_mask": ends})
    after = [envs.tables.table(row).state.tobytes() for row in range(6)]
    assert [b != a for b, a in zip(before, after, strict=True)] == ends.tolist()
    envs.step(envs.sample())


def test_a_seed_deals_the_same_at_whichever_table() -> None:
    one, other = make(seat=2), make(seat=2)
    first, second = one.reset(seed=7)[0], other.reset(seed=[12, 11, 10, 9, 8, 7])[0]
    np.testing.assert_array_equal(first["observation"], second["observation"][::-1])
    assert (one.reset()[0]["observation"] != first["observation"]).any()
    np.testing.assert_array_equal(one.reset(seed=7)[0]["observation"], first["observation"])


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_gymnasium_s_own_wrapper_counts_episodes(mode: str) -> None:
    envs = RecordEpisodeStatistics(make(autoreset_mode=mode, reward="gain"))
    envs.reset(seed=1)
    returns = []
    for _ in range(40):
        _, rewards, ends, _, info = envs.step(envs.env.sample())
        if ends.any():
            assert info["episode"]["r"][ends].tolist() == pytest.approx(rewards[ends].tolist())
            returns += info["episode"]["l"][ends].tolist()
    assert set(returns) <= {13, 14, 15, 16, 17}


def test_what_is_wrong_is_said() -> None:
    envs = make()
    with pytest.raises(TefudaError, match="nothing is dealt"):
        envs.step(np.zeros(6, np.int64))
    envs.reset(seed=1)
    for actions, why in (
        (np.zeros(5, np.int64), r"int64 of shape \(5,\); whole numbers of shape \(6,\)"),
        (np.zeros(6), r"float64 of shape \(6,\); whole numbers"),
        (np.full(6, 9999), "table 0: action 9999 is not legal for seat 0"),
    ):
        with pytest.raises(TefudaError, match=why):
            envs.step(actions)
    for mask in ([True] * 6, np.ones(6), np.ones(5, np.bool_), np.zeros(6, np.bool_)):
        with pytest.raises(TefudaError, match="reset_mask"):
            envs.reset(options={"reset_mask": mask})
    for seed in ([1, 2], "1", 1.5, -1):
        with pytest.raises(TefudaError, match="seed"):
            envs.reset(seed=seed)
    for arguments, why in (
        ({"seat": 4}, "seat: there is no seat 4"),
        ({"opponents": ["random"]}, "opponents: 1 bots; 3 are wanted"),
        ({"opponents": "search"}, "thinks table by table"),
        ({"autoreset_mode": "Often"}, "autoreset_mode: 'Often' is not one of NextStep, SameStep, Disabled"),
        ({"num_envs": 0}, "tables: 0"),
    ):
        with pytest.raises(TefudaError, match=why):
            make(**arguments)


def test_finished_deals_are_told_of_only_where_they_are_kept() -> None:
    env = VectorEnv("gong-zhu", tables=2)
    with pytest.raises(TefudaError, match="finished=True"):
        env.show_finished(np.zeros(1, np.int64), np.zeros(2, np.int8))
