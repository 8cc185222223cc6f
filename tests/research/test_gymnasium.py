"""Gymnasium's own check, and what is ours: bots in the other seats, rewards, illegal actions."""

from typing import Any

import numpy as np
import pytest

from tefuda import games
from tefuda.engine.errors import TefudaError

pytest.importorskip("gymnasium", reason="gymnasium is left out: uv sync --extra gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env

from tefuda.research.gymnasium import SeatEnv, environment_id
from tefuda.testing import option_sets

FAST = ("gong-zhu",)


def make(name: str, **arguments: Any) -> Any:
    return gymnasium.make(environment_id(name), **arguments).unwrapped


@pytest.mark.parametrize("name", FAST)
def test_environments_pass_the_check(name: str) -> None:
    check_env(make(name))


@pytest.mark.deep
@pytest.mark.parametrize("name", games.names())
def test_environments_with_all_options_pass_the_check(name: str) -> None:
    for seats, options in option_sets(games.description(name)):
        check_env(make(name, seats=seats, illegal="replace", **options))


def test_ids_have_the_version_of_the_rules() -> None:
    assert environment_id("sap-ng-wu") == f"tefuda/SapNgWu-v{games.description('sap-ng-wu').rules_version}"
    assert environment_id("kakkuri") == "tefuda/Kakkuri-v3"
    for name in games.names():
        assert gymnasium.spec(environment_id(name)).kwargs == {"game": name}


def test_masks_are_there_to_be_asked_for() -> None:
    env = make("gong-zhu", opponents="random")
    observation, _ = env.reset(seed=1)
    assert env.action_masks().dtype == bool
    assert (env.action_masks() == observation["action_mask"]).all()
    following = env.step(int(env.action_masks().argmax()))[0]
    assert (env.action_masks() == following["action_mask"]).all()


def play(env: Any, seed: int) -> tuple[float, dict[str, Any], int]:
    observation, info = env.reset(seed=seed)
    steps = 0
    while True:
        assert observation["action_mask"].any()
        observation, reward, terminated, _, info = env.step(int(observation["action_mask"].argmax()))
        steps += 1
        if terminated:
            return reward, info, steps
        assert reward == 0


@pytest.mark.parametrize("opponents", ["random", "hints", ["hints", "random", "random"]])
def test_the_reward_is_the_payoff_of_the_learner_s_seat(opponents: Any) -> None:
    env = make("gong-zhu", opponents=opponents)
    seats = set()
    for seed in range(12):
        reward, info, steps = play(env, seed)
        assert reward == info["payoffs"][info["seat"]]
        assert 13 <= steps <= 14
        seats.add(info["seat"])
    assert seats == {0, 1, 2, 3}


def test_the_reward_may_be_the_gain() -> None:
    """The payoff less the mean of the others', also after an illegal action."""
    env = make("gong-zhu", opponents="hints", reward="gain")
    reward, info, _ = play(env, 3)
    own = info["payoffs"][info["seat"]]
    assert reward == pytest.approx(own - (sum(info["payoffs"]) - own) / 3)
    env.reset(seed=1)
    assert env.step(0)[1] == -4000


def test_one_seat_may_be_kept() -> None:
    assert {play(make("gong-zhu", seat=2), seed)[1]["seat"] for seed in range(4)} == {2}


@pytest.mark.deep
def test_the_sitter_is_dealt_to_again() -> None:
    env = make("luk-fu", seats=4, seat=1)
    for seed in range(6):
        play(env, seed)


def test_an_illegal_action_ends_the_deal() -> None:
    env = make("gong-zhu")
    env.reset(seed=1)
    *_, reward, terminated, _, info = env.step(0)
    assert terminated
    assert reward == -4000
    assert sum(info["payoffs"]) == -4000


def test_what_does_not_exist_is_named() -> None:
    with pytest.raises(TefudaError, match="seat: there is no seat 4; seats are 0 to 3"):
        make("gong-zhu", seat=4)
    with pytest.raises(TefudaError, match="opponents: 2 bots; 3 are wanted"):
        make("gong-zhu", opponents=["random", "hints"])
    with pytest.raises(TefudaError, match="there is no bot 'clever'"):
        make("gong-zhu", opponents="clever")
    with pytest.raises(TefudaError, match="opponents: 5 is neither"):
        make("gong-zhu", opponents=5)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("x", "action: 'x' is not a whole number"),
        (3.5, "action: 3.5 is"),
        (None, "None is"),
        ([1, 2], r"\[1, 2\] is"),
        (True, "action: True is not a whole number"),
        (-1, "action: -1 is not one of 0 to 67"),
        (68, "action: 68 is not one of 0 to 67"),
    ],
)
def test_what_is_no_action_is_an_error_not_an_illegal_action(action: Any, message: str) -> None:
    env = SeatEnv("gong-zhu")
    env.reset(seed=1)
    with pytest.raises(TefudaError, match=message):
        env.step(action)


def test_steps_before_the_deal_and_after_its_end_are_errors() -> None:
    env = SeatEnv("gong-zhu")
    with pytest.raises(TefudaError, match="nothing is dealt"):
        env.step(0)
    observation, _ = env.reset(seed=1)
    over = False
    while not over:
        observation, _, over, *_ = env.step(int(np.flatnonzero(observation["action_mask"])[0]))
    with pytest.raises(TefudaError, match="the deal is over"):
        env.step(0)


def test_what_reset_does_not_know_is_named() -> None:
    env = SeatEnv("gong-zhu")
    with pytest.raises(TefudaError, match=r"options: five_deck: there are none"):
        env.reset(options={"five_deck": "pagat"})
    with pytest.raises(TefudaError, match="seed: -1 is not a whole number from 0"):
        env.reset(seed=-1)


@pytest.mark.parametrize("make_it", [gymnasium.make, gymnasium.make_vec])
def test_an_unknown_keyword_is_a_type_error_as_python_has_it(make_it: Any) -> None:
    """TorchRL tries arguments, and looks for these words."""
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'") as error:
        make_it(environment_id("gong-zhu"), frameskip=1)
    assert isinstance(error.value, TefudaError)


def test_what_is_rendered_is_what_the_learner_sees() -> None:
    env = make("gong-zhu", exposing=False, seat=2, render_mode="ansi")
    env.reset(seed=1)
    deal = env._episode.deal
    lying = {word for _, word in deal.history}
    shown = {word for word in env.render().split() if word in deal.game.description.cards}
    assert shown == {*deal.view(2).hand(), *lying}
