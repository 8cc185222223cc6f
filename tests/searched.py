"""The games whose search the normal run tests, and so compiles: the usual one, and one that hides cards to its end.

To compile a search, and what its choices are explained with, takes longer than all else that the tests of a game
compile. The deep run searches in every game."""

from functools import cache
from typing import Any

import pytest

from tefuda import games, load
from tefuda.bots.advice import Advice
from tefuda.bots.problem import Problem, problems_of
from tefuda.table.deal import Deal

SEARCHED = ("gong-zhu", "luk-fu")


def every_game() -> list[Any]:
    """Every game as a value of a test's parameter; those that are not searched by default are marked ``deep``."""
    return [name if name in SEARCHED else pytest.param(name, marks=pytest.mark.deep) for name in games.names()]


@cache
def solved(name: str) -> list[tuple[Problem, Deal, Advice]]:
    """The problems that a game ships, their moments and their solutions. They take long to find, and are found once."""
    game = load(name)
    moments = [(problem, problem.deal(game)) for problem in problems_of(game.description)]
    return [(problem, deal, problem.solution(deal)) for problem, deal in moments]
