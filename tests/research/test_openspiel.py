"""The games in OpenSpiel: its own conformance test, its algorithms and its search run on them."""

import gzip
import json
import pickle
import random
import subprocess
import sys
from difflib import unified_diff
from typing import Any

import numpy as np
import pytest

from tefuda import games
from tefuda.bots.players import bot
from tefuda.bots.search import Budget
from tefuda.engine.description import TINY
from tefuda.engine.errors import TefudaError
from tefuda.lab.play.match import Match
from tefuda.table.game import load
from tefuda.testing import option_sets

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is left out: uv sync --extra openspiel")

from bench.ismcts import ISMCTSBot, ISMCTSPlayer, ISMCTSSettings  # noqa: E402

from tefuda.research import openspiel  # noqa: E402
from tefuda.research.openspiel.game_parameters import as_parameter  # noqa: E402
from tests.golden.openspiel import path_of, playthrough  # noqa: E402

GONG_ZHU = "tefuda_gong_zhu"
LAST_TRICKS = {"last": 8, "worlds": 8, "seed": 0}
"""The last two tricks of a deal of Gong Zhu in which points are still to be won: 419 states."""

SAMPLER = random.Random(1).random


def played(game: Any, actions: int, seed: int = 1) -> Any:
    """A state after so many random actions of players."""
    chance, state = random.Random(seed), game.new_initial_state()
    while state.is_chance_node() or actions > 0:
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
            actions -= 1
    return state


def test_every_game_is_registered() -> None:
    names = {*games.names(), *games.miniatures(), *games.miniatures(TINY)}
    assert {openspiel.short_name(name) for name in names} <= set(pyspiel.registered_names())


@pytest.mark.parametrize(
    "game",
    [
        GONG_ZHU,
        "tefuda_gong_zhu(players=5,five_deck=pagat,expose_order=simultaneous)",
        "tefuda_gong_zhu(last=8)",
        "tefuda_luk_fu(tigers_value=8)",
        "tefuda_gong_zhu_miniature",
        "tefuda_gong_zhu_miniature(players=3,all_deals=0)",
        "tefuda_gong_zhu_miniature(reward=gain)",
        "tefuda_luk_fu_tiny",
        "tefuda_kakkuri_tiny(stalemate_turns=3)",
    ],
)
def test_openspiels_conformance_test(game: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=2, serialize=True, verbose=False)


@pytest.mark.deep
@pytest.mark.parametrize("name", games.names())
def test_openspiels_conformance_test_of_all_options(name: str) -> None:
    for seats, options in option_sets(games.description(name)):
        given = {option: as_parameter(value) for option, value in options.items()}
        game = pyspiel.load_game(openspiel.short_name(name), {"players": seats, **given})
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_the_deal_is_the_tables() -> None:
    """The digits and the deck that chance draws deal what ``Game.deal`` deals, and the plays have the same words."""
    state = pyspiel.load_game(GONG_ZHU, {"first_leader": "draw"}).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[-1][0])
    deck = np.array(state.history()[3:])
    assert deck.tolist() == sorted(range(52), reverse=True)
    deal = load("gong-zhu", first_leader="draw").deal(deck=deck, chance=(1 << 30) - 1)
    while not deal.over:
        assert state.current_player() == deal.mover
        assert state.legal_actions() == deal.legal_actions()
        assert [state.action_to_string(deal.mover, action) for action in state.legal_actions()] == deal.legal()
        action = state.legal_actions()[-1]
        state.apply_action(action)
        deal.act(action)
    assert state.is_terminal()
    assert state.returns() == deal.payoff()


def test_chance_draws_what_is_left_of_the_pack() -> None:
    """Sap Ng Wu has each card four times: the same face again is a little less likely."""
    state = pyspiel.load_game("tefuda_sap_ng_wu").new_initial_state()
    for _ in range(3):
        assert state.chance_outcomes() == [(digit, 1 / 1024) for digit in range(1024)]
        state.apply_action(5)
    assert state.chance_outcomes() == [(face, 4 / 84) for face in range(21)]
    state.apply_action(20)
    assert state.chance_outcomes() == [(face, 4 / 83) for face in range(20)] + [(20, 3 / 83)]
    assert state.action_to_string(20) == games.description("sap-ng-wu").cards[20]


@pytest.mark.parametrize("game", [GONG_ZHU, f"{GONG_ZHU}(last=8)", "tefuda_gong_zhu_miniature"])
@pytest.mark.parametrize("outcome", [-2, 10**6])
def test_chance_decides_only_among_its_outcomes(game: str, outcome: int) -> None:
    state = pyspiel.load_game(game).new_initial_state()
    with pytest.raises(TefudaError, match=f"{outcome} is no outcome of this chance node"):
        state.apply_action(outcome)


def test_with_gains_every_game_is_zero_sum() -> None:
    game, same = pyspiel.load_game(GONG_ZHU, {"reward": "gain"}), pyspiel.load_game(GONG_ZHU)
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    payoffs, gains = (played(each, 56).returns() for each in (same, game))
    others = [(sum(payoffs) - own) / 3 for own in payoffs]
    assert gains == pytest.approx([own - mean for own, mean in zip(payoffs, others, strict=True)])
    assert game.min_utility() <= min(gains) <= max(gains) <= game.max_utility()


def test_a_card_is_drawn_once_and_actions_are_legal() -> None:
    state = pyspiel.load_game(GONG_ZHU).new_initial_state()
    for outcome in (0, 0, 0, 51):
        state.apply_action(outcome)
    with pytest.raises(TefudaError, match="51 is no outcome"):
        state.apply_action(51)
    with pytest.raises(TefudaError, match=r"action 51 is not legal here; legal are 52"):
        played(pyspiel.load_game(GONG_ZHU), 0).apply_action(51)


def test_information_states_recall_and_observations_do_not() -> None:
    game = pyspiel.load_game(GONG_ZHU)
    state = played(game, 30)
    seat = state.current_player()
    assert state.information_state_string(seat).count(":") >= 30
    tensor = np.array(state.information_state_tensor(seat))
    assert len(tensor) == game.information_state_tensor_size() == game.observation_tensor_size() + 2 * 72
    plays = tensor[game.observation_tensor_size() :].reshape(-1, 2)
    assert (plays[:30] > 0).all()
    assert not plays[30:].any()
    assert '"hands"' in state.observation_string(seat)


def test_information_states_begin_with_the_hand_in_words() -> None:
    """The first deal of C10 DJ DQ HA HQ SJ SK SQ: two cards to each from the left."""
    state = pyspiel.load_game("tefuda_gong_zhu_tiny").new_initial_state()
    state.apply_action(0)
    assert [state.information_state_string(seat).rpartition("|")[0] for seat in (0, 1)] == ["0|DJ C10|", "1|HA DQ|"]
    state.apply_action(state.string_to_action("DJ"))
    assert [state.information_state_string(seat).rpartition("|")[0] for seat in (0, 1)] == [
        "0|C10| 0:DJ",
        "1|HA DQ| 0:DJ",
    ]


@pytest.mark.parametrize("given", [{}, {"players": 5, "five_deck": "pagat", "reward": "gain"}, {"last": 8}])
def test_games_and_states_go_to_other_processes(given: dict[str, Any]) -> None:
    game = pyspiel.load_game(GONG_ZHU, given)
    state = played(game, 3)
    code = (
        "import pickle, sys; game, state = pickle.load(sys.stdin.buffer); "
        "print(game, state, state.get_game().num_players(), sep='|', end='')"
    )
    told = subprocess.run([sys.executable, "-c", code], input=pickle.dumps((game, state)), capture_output=True)
    assert told.stdout.decode() == f"{game}|{state}|{given.get('players', 4)}", told.stderr.decode()


def test_private_information_alone_is_the_player_s_own() -> None:
    """With what is public it makes the whole observation."""
    game = pyspiel.load_game(GONG_ZHU)
    state, kinds = played(game, 30), pyspiel.PrivateInfoType
    private, public, both = (
        game.make_py_observer(
            pyspiel.IIGObservationType(public_info=is_public, perfect_recall=False, private_info=kind)
        )
        for is_public, kind in ((False, kinds.SINGLE_PLAYER), (True, kinds.NONE), (True, kinds.SINGLE_PLAYER))
    )
    for observer in (private, both):
        observer.set_from(state, 2)
    assert set(private.dict) == {"player", "hands", "pending"}
    assert all((both.dict[name] == plane).all() for name, plane in private.dict.items())
    shown = [json.loads(observer.string_from(state, 2)) for observer in (private, public, both)]
    assert shown[0] | {**shown[1], "viewer": 2} == shown[2]


def test_observations_have_names_for_what_they_say() -> None:
    """And leave out options and the numbers of earlier deals, which are the same in all of them."""
    seen = json.loads(played(pyspiel.load_game(GONG_ZHU), 30).observation_string(0))
    assert seen["phase"] == "playing"
    assert set(seen["led"]) <= set("SHDC")
    assert not {"expose_order", "target", "totals", "deals", "finished"} & set(seen)


def check_playthrough(name: str) -> None:
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    told = playthrough(name, None, seed=3)
    assert told == playthrough(name, None, seed=3)
    assert "PrivateObservationString(0) = " in told


def test_openspiels_playthrough_generator_runs() -> None:
    check_playthrough("tefuda_gong_zhu_miniature")


@pytest.mark.deep
@pytest.mark.parametrize("name", [*games.names(), "sap-ng-wu-miniature"])
def test_openspiels_playthrough_generator_runs_on_every_game(name: str) -> None:
    check_playthrough(openspiel.short_name(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_openspiels_playthrough_says_what_it_said(name: str) -> None:
    """If the change is meant: ``python -m tests.golden.openspiel``, and read the difference."""
    old, new = gzip.decompress(path_of(name).read_bytes()).decode(), playthrough(name)
    difference = list(unified_diff(old.splitlines(), new.splitlines(), "recorded", "now", lineterm="", n=0))
    if difference:
        pytest.fail("\n".join(line[:200] for line in difference[:30]), pytrace=False)


def test_observers_say_what_they_cannot_show() -> None:
    game = pyspiel.load_game(GONG_ZHU)
    spectator = pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE)
    state = played(game, 12)
    public = game.make_py_observer(spectator)
    assert public.string_from(state, 0).startswith("-1|")
    public.set_from(state, 0)
    assert not public.dict["hands"].any()
    everything = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(ValueError, match="a single player's private information or none"):
        game.make_py_observer(everything)
    for recall, kind in ((True, pyspiel.PrivateInfoType.SINGLE_PLAYER), (False, pyspiel.PrivateInfoType.NONE)):
        with pytest.raises(ValueError, match="without recall a single player's private information alone"):
            game.make_py_observer(
                pyspiel.IIGObservationType(perfect_recall=recall, public_info=False, private_info=kind)
            )
    with pytest.raises(ValueError, match="take no parameters"):
        game.make_py_observer(None, {"planes": 3})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"players": 7}, "gong-zhu is played by 4 or 5"),
        ({"five_deck": "small"}, "five_deck: 'small' is not one of"),
        ({"last": 100}, "last: 100, but the deal of seed 0 has 56 actions in all"),
        ({"last": 4, "worlds": 1000}, "worlds: 1000, but of the last 4 actions of seed 0 there are 12$"),
        ({"reward": "points"}, "reward: 'points' is not one of payoff, gain"),
        ({"last": -1}, "last: -1 is below 0"),
    ],
)
def test_what_cannot_be_loaded_is_said_in_a_line(given: dict[str, Any], message: str) -> None:
    with pytest.raises(TefudaError, match=message):
        pyspiel.load_game(GONG_ZHU, given)


def test_external_sampling_mccfr_learns_the_last_tricks() -> None:
    from open_spiel.python.algorithms import exploitability
    from open_spiel.python.algorithms.external_sampling_mccfr import ExternalSamplingSolver
    from open_spiel.python.policy import UniformRandomPolicy

    game = pyspiel.load_game(GONG_ZHU, LAST_TRICKS)
    uniform = exploitability.nash_conv(game, UniformRandomPolicy(game))
    np.random.seed(1)  # OpenSpiel's solver draws from here
    solver = ExternalSamplingSolver(game)
    for _ in range(300):
        solver.iteration()
    learnt = exploitability.nash_conv(game, solver.average_policy())
    assert 0 <= learnt < uniform / 5


def search(seed: int, **settings: Any) -> Any:
    return ISMCTSBot(seed, ISMCTSSettings(**{"budget": Budget(iterations=60), **settings}))


def test_openspiels_ismcts_plays_and_beats_random_bots() -> None:
    game = pyspiel.load_game(GONG_ZHU)
    gains = []
    for seed in range(8):
        bots = [search(seed), *(pyspiel.make_uniform_random_bot(seat, seed + 1) for seat in range(1, 4))]
        returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, seed + 1)
        gains.append(returns[0] - sum(returns[1:]) / 3)
    assert sum(gains) > 0


@pytest.mark.parametrize("compiled_rollouts", [True, False])
def test_openspiels_ismcts_chooses_among_the_legal_actions(compiled_rollouts: bool) -> None:
    game = pyspiel.load_game(GONG_ZHU, LAST_TRICKS)
    state = played(game, 0)
    bot = search(3, compiled_rollouts=compiled_rollouts)
    policy, action = bot.step_with_policy(state)
    assert dict(policy)[action] == 1.0
    assert sorted(dict(policy)) == state.legal_actions()


def test_the_same_seed_makes_the_same_search_of_openspiels() -> None:
    state = played(pyspiel.load_game(GONG_ZHU), 0)
    one, other = (search(5) for _ in range(2))
    assert [one.step(state) for _ in range(3)] == [other.step(state) for _ in range(3)]


def test_a_budget_of_milliseconds_becomes_what_the_last_choice_has_shown_to_fit() -> None:
    """OpenSpiel counts simulations: of one millisecond it would make none."""
    state = played(pyspiel.load_game(GONG_ZHU), 0)
    bot = search(5, budget=Budget(milliseconds=1))
    assert bot.step(state) in state.legal_actions()
    bot.rate = 40_000.0
    policy, _ = bot.step_with_policy(state)
    assert sorted(action for action, _ in policy) == state.legal_actions()
    forced = played(pyspiel.load_game(GONG_ZHU), 0)
    while len(forced.legal_actions()) > 1:
        forced.apply_action(forced.legal_actions()[0])
    known = bot.rate
    assert bot.step(forced) == forced.legal_actions()[0]
    assert bot.rate == known


def test_openspiels_search_plays_a_match_of_ours() -> None:
    game = load("gong-zhu")
    result = Match(game, ["bench.ismcts:30it", "random", "random", "random"], 2, 0, threads=1).play()
    assert [entry.illegal for entry in result.entries] == [0, 0, 0, 0]
    assert all(entry.faults == () for entry in result.entries)


def test_bots_of_openspiel_by_name() -> None:
    made = bot("bench.ismcts:250it")
    assert isinstance(made, ISMCTSPlayer)
    assert made.settings.budget == Budget(iterations=250)
    with pytest.raises(TefudaError, match="is not written like 100ms"):
        bot("bench.ismcts:fast")
    tuned = bot("bench.ismcts:100ms,uct_c=150,compiled_rollouts=0")
    assert isinstance(tuned, ISMCTSPlayer)
    assert (tuned.settings.uct_c, tuned.settings.compiled_rollouts) == (150.0, False)
    with pytest.raises(TefudaError, match="no setting 'c'"):
        bot("bench.ismcts:100ms,c=3")
    with pytest.raises(TefudaError, match="uct_c='big' is not a number"):
        bot("bench.ismcts:100ms,uct_c=big")
