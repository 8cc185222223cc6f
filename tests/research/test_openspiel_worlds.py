"""``resample_from_infostate``: no sampled world contradicts what was seen, and nothing tells it from the truth.

Every world is dealt anew, from its own deck, and played again through OpenSpiel's own methods: each action that led
here is legal in it, and at the end every seat, not only the one that imagined it, knows what it knows in the world."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tefuda import games
from tefuda.engine import verbs
from tefuda.engine.record import duplicate
from tefuda.table.deal import Deal
from tefuda.testing import Playout
from tests.contract.particulars import particulars

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is left out: uv sync --extra openspiel")

from tefuda.research import openspiel  # noqa: E402
from tefuda.research.openspiel.game_parameters import DIGIT  # noqa: E402
from tefuda.research.openspiel.nodes import PlayNode  # noqa: E402

FAST = ("gong-zhu", "sap-ng-wu")


def played_deal(game: Any, seed: int) -> tuple[Playout, list[Any]]:
    """A random deal played through OpenSpiel: as the contract suite keeps it, and the states at every moment."""
    chance, state = random.Random(seed), game.new_initial_state()
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chance.choices(outcomes, weights)[0])
    history = state.history()
    number = (history[0] * DIGIT + history[1]) * DIGIT + history[2]
    deal = game.rules.game.deal(deck=np.array(history[3:]), chance=number)
    moments, actions = [state.clone()], []
    while not state.is_terminal():
        actions.append(chance.choice(state.legal_actions()))
        state.apply_action(actions[-1])
        moments.append(state.clone())
    records = np.concatenate([moment.node.states for moment in moments])
    movers = np.array([max(moment.current_player(), -1) for moment in moments])
    return Playout(game.rules.game, (seed,), deal, records, np.array(actions), movers), moments


def dealt(game: Any, deal: Deal) -> Any:
    """The OpenSpiel state of a deal before its first action."""
    assert deal.before is not None
    assert deal.deck is not None
    rules, states = game.rules, duplicate(deal.before)
    verbs.deal(states[0], deal.deck)
    state = game.new_initial_state()
    state.node = rules.begun(states)
    return state


def decided(table: PlayNode, values: Any) -> PlayNode:
    """The same moment, chance having decided otherwise what nobody can see yet."""
    states = duplicate(table.states)
    for name, value in values.items():
        states[name][0] = value
    return PlayNode(table.rules, states, [*table.legal, table.player], table.plays, table.story, table.memory)


def replayed(game: Any, played: Playout, moment: int, world: NDArray[Any]) -> Any:
    """This world, dealt and played again; every action must be legal."""
    told = particulars(game.rules.name).hooks
    state = dealt(game, told.redeal(played, moment, world[0]))
    chance = told.chance_in_play(played, moment, world[0])
    for made, action in enumerate([*told.actions_seen(played, moment, world[0]), None]):
        if made in chance:
            state.node = decided(state.node, chance[made])
        if action is not None:
            assert action in state.legal_actions(), f"{played}, moment {moment}: action {made} is not legal in a world"
            state.apply_action(action)
    return state


def sampled(game: Any, deals: int, looks: int) -> Iterator[tuple[Playout, int, int, Any, Any]]:
    """Worlds sampled by every seat, so many times a deal: the played, moment, seat, true state and sampled state."""
    for seed in range(deals):
        played, moments = played_deal(game, seed)
        sampler = random.Random(seed + 1).random
        every = max(1, len(moments) // looks)
        for moment in range(seed % every, len(moments) - 1, every):
            for seat in range(game.num_players()):
                true = moments[moment]
                yield played, moment, seat, true, true.resample_from_infostate(seat, sampler)


def check_worlds(name: str, deals: int, looks: int, given: Any = None) -> int:
    """How many worlds were sampled, replayed and found to be possible."""
    game = pyspiel.load_game(openspiel.short_name(name), given or {})
    worlds = 0
    for played, moment, seat, true, world in sampled(game, deals, looks):
        where = f"{played}, moment {moment}, seat {seat}"
        assert world.history() == [], "the history of a sampled world would be the true one"
        assert world.current_player() == true.current_player(), where
        again = replayed(game, played, moment, world.node.states)
        for each in range(game.num_players()):
            same = again.information_state_string(each) == world.information_state_string(each)
            assert same, f"{where}: seat {each} would know something else in the world, had it been played"
        worlds += 1
    return worlds


def check_no_leak(name: str, deals: int, looks: int) -> None:
    """Whoever draws a world cannot tell it from the truth, by any string or tensor, nor by what they may do."""
    game = pyspiel.load_game(openspiel.short_name(name))
    redrawn = 0
    for played, moment, seat, true, world in sampled(game, deals, looks):
        where = f"{played}, moment {moment}, seat {seat}"
        assert true.information_state_string(seat) == world.information_state_string(seat), where
        assert true.information_state_tensor(seat) == world.information_state_tensor(seat), where
        assert true.observation_string(seat) == world.observation_string(seat), where
        assert true.observation_tensor(seat) == world.observation_tensor(seat), where
        assert true.legal_actions(seat) == world.legal_actions(seat), where
        redrawn += str(true) != str(world)
    assert redrawn > 0, "all that was sampled is the truth"


@pytest.mark.parametrize("name", FAST)
def test_sampled_worlds_replay(name: str) -> None:
    assert check_worlds(name, 3, 18) > 150


def test_worlds_of_hidden_answers_replay() -> None:
    assert check_worlds("gong-zhu", 2, 28, {"expose_order": "simultaneous"}) > 150


@pytest.mark.parametrize("name", FAST)
def test_nothing_leaks(name: str) -> None:
    check_no_leak(name, 2, 6)


@pytest.mark.deep
@pytest.mark.parametrize("name", games.names())
def test_a_thousand_sampled_worlds_of_any_game_replay(name: str) -> None:
    assert check_worlds(name, 25, 16) > 1000


@pytest.mark.deep
@pytest.mark.parametrize("name", games.names())
def test_nothing_leaks_in_any_game(name: str) -> None:
    check_no_leak(name, 4, 12)


def test_there_is_nothing_to_sample_before_the_deal() -> None:
    state = pyspiel.load_game("tefuda_gong_zhu").new_initial_state()
    with pytest.raises(ValueError, match="the cards are not dealt"):
        state.resample_from_infostate(0, random.random)
    _, moments = played_deal(state.get_game(), 0)
    with pytest.raises(ValueError, match="there is no player 4; players are 0 to 3"):
        moments[3].resample_from_infostate(4, random.random)


def test_openspiels_python_search_uses_the_same_worlds() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    game = pyspiel.load_game("tefuda_gong_zhu")
    _, moments = played_deal(game, 3)
    searcher = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), 200.0, 20)
    assert searcher.step(moments[20]) in moments[20].legal_actions()
