"""PettingZoo's own conformance tests, and what is ours: payoffs, illegal actions, hidden hands."""

import copy
import importlib
import pickle
from functools import partial
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.engine.errors import TefudaError

pytest.importorskip("pettingzoo", reason="pettingzoo is left out: uv sync --extra pettingzoo")

from pettingzoo.test import api_test, max_cycles_test, seed_test

from tefuda.research.pettingzoo import DealEnv, env, parallel_env
from tefuda.testing import option_sets

FAST = ("gong-zhu",)

# Like PettingZoo's own card games: observations are a dictionary with the mask, which is empty when the deal is over.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def check(name: str, **arguments: Any) -> None:
    made = partial(env, name, **arguments)
    api_test(made(), num_cycles=100)
    seed_test(made, num_cycles=100)


@pytest.mark.parametrize("name", FAST)
def test_environments_conform(name: str) -> None:
    check(name)


@pytest.mark.deep
@pytest.mark.parametrize("name", games.names())
def test_environments_with_all_options_conform(name: str) -> None:
    for seats, options in option_sets(games.description(name)):
        check(name, seats=seats, **options)


@pytest.mark.parametrize("name", games.names())
def test_every_game_has_a_module_named_with_the_version_of_its_rules(name: str) -> None:
    version = games.description(name).rules_version
    module = importlib.import_module(f"tefuda.research.pettingzoo.{name.replace('-', '_')}_v{version}")
    assert module.env().metadata["name"] == module.__name__.rpartition(".")[2]
    assert isinstance(module.raw_env(reward="gain"), DealEnv)
    assert len(module.parallel_env(seats=4).possible_agents) == 4


def test_a_deal_is_cut_short() -> None:
    """PettingZoo's test draws actions without looking at the mask, so the environment replaces illegal ones.

    It wants every agent to have acted as often as the limit says, which holds where everyone plays one card in turn."""
    arguments: dict[str, Any] = {"exposing": False, "illegal": "replace"}
    made = {
        "env": partial(env, "gong-zhu", **arguments),
        "parallel_env": partial(parallel_env, "gong-zhu", **arguments),
    }
    max_cycles_test(SimpleNamespace(**made))


@pytest.mark.deep
@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("seed", range(20))
def test_no_agent_acts_more_often_than_the_limit_says(name: str, seed: int) -> None:
    table = env(name, max_cycles=4)
    table.reset(seed=seed)
    acted = dict.fromkeys(table.possible_agents, 0)
    while not any(table.terminations.values()) and not any(table.truncations.values()):
        agent = table.agent_selection
        acted[agent] += 1
        table.step(lowest(agent, table.last()[0]))
    cut = set(table.truncations.values())
    assert len(cut) == 1, "a deal is cut short for everyone at once"
    assert max(acted.values()) <= 4
    assert (acted[table.agent_selection] == 4) == cut.pop()


def play(table: Any, choose: Any) -> dict[str, float]:
    """Play to the end; what each agent has received in all."""
    received = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        observation, reward, terminated, truncated, _ = table.last()
        received[agent] += reward
        table.step(None if terminated or truncated else choose(agent, observation))
    return received


def lowest(agent: str, observation: dict[str, Any]) -> int:
    return int(observation["action_mask"].argmax())


def test_rewards_are_the_payoffs_of_the_deal() -> None:
    table = env("gong-zhu")
    table.reset(seed=3)
    received = play(table, lowest)
    deal = tefuda.load("gong-zhu").deal(seed=(3, 0))
    while not deal.over:
        deal.act(deal.legal_actions()[0])
    assert list(received.values()) == deal.payoff()


def test_rewards_may_be_gains() -> None:
    """GZ-22: partners gain what their team has more than the other."""
    table = env("gong-zhu", partnership=True, reward="gain")
    table.reset(seed=4)
    rewards = play(table, lowest)
    assert rewards["player_0"] == rewards["player_2"] == -rewards["player_1"] == -rewards["player_3"] != 0


def test_an_agent_sees_its_own_hand_and_may_act_in_its_turn_only() -> None:
    table = DealEnv("gong-zhu")
    table.reset(seed=1)
    hands = [table.observe(agent)["observation"][table.observation["hands"]] for agent in table.agents]
    assert np.array_equal(sum(hands), np.ones(52))
    able = [agent for agent in table.agents if table.observe(agent)["action_mask"].any()]
    assert able == [table.agent_selection]


def test_an_illegal_action_ends_the_deal_at_its_maker_s_cost() -> None:
    table = env("gong-zhu")
    table.reset(seed=1)
    sinner = table.agent_selection
    table.step(0)
    assert all(table.terminations.values())
    assert {agent: reward for agent, reward in table.rewards.items() if reward} == {sinner: -4000.0}


def test_an_illegal_action_may_be_an_error() -> None:
    table = env("gong-zhu", illegal="raise")
    table.reset(seed=1)
    with pytest.raises(TefudaError, match=r"action 0 is not legal for seat \d; legal \(see action_mask\): 52"):
        table.step(0)


def test_seats_and_options_are_those_of_the_game() -> None:
    table = env("gong-zhu", seats=5, five_deck="pagat")
    assert table.possible_agents == [f"player_{seat}" for seat in range(5)]
    with pytest.raises(TefudaError, match="illegal: 'ignore' is not one of end, replace, raise"):
        env("gong-zhu", illegal="ignore")
    with pytest.raises(TefudaError, match="max_cycles: 0 is not a whole number from 1"):
        env("gong-zhu", max_cycles=0)


def test_what_is_rendered_is_what_the_agent_to_act_sees() -> None:
    """Not what others have answered, which nobody sees before all have (GZ-7)."""

    def rendered(seed: int, choice: int) -> tuple[int, str]:
        table = env("gong-zhu", expose_order="simultaneous", render_mode="ansi")
        table.reset(seed=seed)
        legal = np.flatnonzero(table.last()[0]["action_mask"])
        table.step(int(legal[choice]))
        return len(legal), table.render()

    seed = next(seed for seed in count() if rendered(seed, 0)[0] > 1)
    text = rendered(seed, 0)[1]
    assert text == rendered(seed, -1)[1]
    assert "Exposing cards" in text
    assert "expose:none" in text


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda table: table.reset(options={"five_deck": "pagat"}), "options: five_deck: there are none"),
        (lambda table: table.reset(seed=-1), "seed: -1 is not a whole number from 0"),
        (lambda table: table.step(True), "action: True is not a whole number"),
        (lambda table: table.step(-1), "action: -1 is not one of 0 to 67"),
        (lambda table: table.step(10**9), "action: 1000000000 is not one of 0 to 67"),
    ],
)
def test_what_cannot_be_meant_is_an_error_and_changes_nothing(call: Any, told: str) -> None:
    table = env("gong-zhu", illegal="end")
    table.reset(seed=1)
    before = table.unwrapped.observe(table.agent_selection)["action_mask"].tolist()
    with pytest.raises(TefudaError, match=told):
        call(table)
    assert table.unwrapped.observe(table.agent_selection)["action_mask"].tolist() == before
    assert not any(table.terminations.values())


@pytest.mark.parametrize("made", [env, parallel_env, tefuda.load])
def test_an_unknown_keyword_is_a_type_error_as_python_has_it(made: Any) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'") as error:
        made("gong-zhu", frameskip=1)
    assert isinstance(error.value, TefudaError)


def test_a_game_that_is_made_has_its_options_already() -> None:
    with pytest.raises(TefudaError, match=r"seats, five_deck: <Game gong-zhu, 4 seats> has its seats and options"):
        env(tefuda.load("gong-zhu"), seats=5, five_deck="pagat")


def test_an_environment_can_be_copied_and_sent_to_another_process() -> None:
    table = env("gong-zhu")
    table.reset(seed=1)
    for twin in (copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        twin.step(lowest("", twin.last()[0]))
        assert twin.agent_selection != table.agent_selection
