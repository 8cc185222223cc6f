"""The solution of Leduc poker beside published figures."""

import pytest

import tefuda
from tefuda.research.tree import GameTree, every_deal, solve


def test_solution() -> None:
    """936 information sets; what uniform play loses to the best answer; the value of the game to the first to act."""
    tree = GameTree(*every_deal(tefuda.load("leduc-poker")))
    policy = solve(tree, 200)
    assert len(tree.deals) == 936
    assert tree.exploitability(tree.uniform()) == pytest.approx(2.3736, abs=1e-4)
    assert tree.value(policy)[0] == pytest.approx(-0.0856, abs=0.003)
    assert tree.exploitability(policy) < 0.03
