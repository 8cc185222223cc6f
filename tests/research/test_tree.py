"""Exact answers: the tree of a small position, best answers in it, and its solution."""

import pytest

import tefuda
from tefuda.bots.players import bot
from tefuda.engine.errors import TefudaError
from tefuda.research.tree import GameTree, every_deal, solve

LAST_TRICKS = (
    ["S2 SA", "SK C2", "SQ C3", "D2 D3"],
    ["S2 SA", "SQ C3", "SK C2", "D2 D3"],
    ["S2 SA", "D2 D3", "SQ C3", "SK C2"],
)
"""Three ways in which the last cards of Gong Zhu may lie: seat 0, who leads, cannot tell them apart. The ace takes the
pig; the two gives it to whoever has the king."""


def position(hands: list[str]) -> tefuda.Deal:
    return tefuda.load("gong-zhu").position({"hands": hands})


@pytest.fixture(scope="module")
def tree() -> GameTree:
    return GameTree([position(hands) for hands in LAST_TRICKS])


def test_who_cannot_tell_worlds_apart_has_one_information_set(tree: GameTree) -> None:
    first = tree.moment[tree.levels[0]]
    assert len(set(first.tolist())) == 1
    assert len(tree.levels) == 9
    assert tree.legal[first[0]].sum() == 2
    assert len(tree.deals) == len(tree.legal)


def test_a_solution_leaves_nothing_to_gain(tree: GameTree) -> None:
    uniform = tree.exploitability(tree.uniform())
    assert uniform > 1
    assert tree.exploitability(solve(tree, 300)) < 0.02 * uniform


def test_a_bot_is_a_policy(tree: GameTree) -> None:
    policy = tree.policy_of(bot("hints"))
    assert (policy.sum(axis=1) == 1).all()
    assert tree.policy_of(bot("random"), 4).max() <= 1
    assert not policy[~tree.legal].any()
    assert tree.exploitability(policy) >= 0


def test_a_world_that_is_twice_as_likely_counts_as_two() -> None:
    first, second, _ = map(position, LAST_TRICKS)
    twice = GameTree([first, position(LAST_TRICKS[0]), second])
    weighed = GameTree([first, second], [2, 1])
    assert len(weighed.deals) == len(twice.deals)
    assert weighed.value(weighed.uniform()) == pytest.approx(twice.value(twice.uniform()))
    assert weighed.exploitability(weighed.uniform()) == pytest.approx(twice.exploitability(twice.uniform()))
    assert weighed.value(solve(weighed, 200)) == pytest.approx(twice.value(solve(twice, 200)), abs=0.5)


def test_players_may_play_for_their_gain(tree: GameTree) -> None:
    gain = GameTree([position(hands) for hands in LAST_TRICKS], reward="gain")
    payoffs = tree.value(tree.uniform())
    assert gain.value(gain.uniform()) == pytest.approx(payoffs - (payoffs.sum() - payoffs) / 3)


def test_large_packs_are_not_gone_through() -> None:
    with pytest.raises(TefudaError, match="gong-zhu has 52 cards, too many"):
        every_deal(tefuda.load("gong-zhu"))


@pytest.mark.deep
@pytest.mark.parametrize("game", ["gong-zhu", "ma-diao"])
def test_openspiel_counts_and_solves_the_same(game: str) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is left out: uv sync --extra openspiel")
    from bench.exact import ending

    small = ending(game, last=8, worlds=8, seed=5)
    tree, theirs = small.tree, small.twin()
    for policy in (tree.uniform(), tree.policy_of(bot("hints"))):
        assert tree.exploitability(policy) == pytest.approx(theirs.exploitability(policy), abs=1e-6)
    for policy in (solve(tree, 100), theirs.solve(100)):
        assert tree.exploitability(policy) == pytest.approx(0, abs=0.2)
        assert tree.exploitability(policy) == pytest.approx(theirs.exploitability(policy), abs=1e-6)
