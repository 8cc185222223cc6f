"""Deals in words: turns, refusals and what they cost, whole games."""

import pytest

import tefuda
from tefuda.research.text import TextEnv
from tests.bots.model_server import legal


@pytest.mark.parametrize("game", tefuda.list_games())
def test_agents_play_a_deal_by_textarenas_interface(game: str) -> None:
    env, done = TextEnv(game), False
    env.reset(num_players=env.game.seats, seed=1)
    while not done:
        seat, text = env.get_observation()
        assert seat == env.state.current_player_id
        assert text.startswith(tefuda.rules_text(game)) == (env.game_info[seat]["turn_count"] == 0)
        done, info = env.step(f"I say [{legal(text)[-1]}]")
        assert info["refused"] is None
    rewards, info_by_seat = env.close()
    unit = env.game.description.rules.unit
    assert [rewards[seat] * unit for seat in range(env.game.seats)] == env.deal.payoff()
    assert sum(each["turn_count"] for each in info_by_seat.values()) == env.turn
    assert env.get_observation()[0] == env.state.current_player_id == -1


def test_wrong_answers_are_asked_again_then_replaced_and_cost_points() -> None:
    env = TextEnv(tefuda.load("gong-zhu", exposing=False), retries=1, cost=5)
    env.reset(seed=3)
    seat, _ = env.get_observation()
    advised = tefuda.advice(env.deal, env._session.seed)
    done, info = env.step("I fold.")
    assert (done, info["play"], info["replaced"]) == (False, None, False)
    again, text = env.get_observation()
    assert again == seat
    assert text.startswith("That was not accepted: I fold. is not a play")
    _, info = env.step("")
    assert (info["play"], info["replaced"]) == (advised, True)
    assert env.game_info[seat] == {"turn_count": 1, "refused": 2, "replaced": 1}
    payoff = env.deal.payoff()
    assert env.close()[0][seat] == payoff[seat] - 10


def test_against_bots_one_seat_is_asked_deal_after_deal() -> None:
    env = TextEnv("kakkuri", "hints", seat=2, whole_game=True)
    env.reset(seed=1)
    while not env.done:
        seat, text = env.get_observation()
        assert seat == 2
        env.step(legal(text)[0])
    assert len(env._session.deals) == 12
    assert sum(env.close()[0].values()) == 0


def test_wrong_uses_are_errors() -> None:
    env = TextEnv("gong-zhu")
    with pytest.raises(tefuda.TefudaError, match="call reset"):
        env.step("SQ")
    with pytest.raises(tefuda.TefudaError, match="num_players: 9; this table has 4"):
        env.reset(num_players=9)
    with pytest.raises(tefuda.TefudaError, match="there is no seat 4"):
        TextEnv("gong-zhu", "hints", seat=4)
    with pytest.raises(tefuda.TefudaError, match="opponents: 2 bots; 3 are wanted"):
        TextEnv("gong-zhu", ["hints", "hints"])
    with pytest.raises(tefuda.TefudaError, match="there are no texts in 'xx'"):
        TextEnv("gong-zhu", language="xx")
