"""Verbs choose a game's rules by the type of its record: from Python, and while a generic kernel is compiled.

Two toy games side by side: in "up" a counter goes up by the number chosen, in "down" it goes down by two."""

from typing import Any

import numpy as np
import pytest

from tefuda.engine import verbs
from tefuda.engine.record import COMMON, Field, record_type
from tefuda.engine.verbs import implements, rule

UP = record_type([*COMMON, Field("height", "i4", "from 0 up to 10")])
DOWN = record_type([*COMMON, Field("depth", "i8", "from 9 down to 0"), Field("moves", "i1", "made")])


@implements(verbs.mover, UP)
def up_mover(state: Any) -> int:
    return state.height % 2 if state.height < 10 else -1


@implements(verbs.legal, UP)
def up_legal(state: Any, out: Any) -> int:
    out[0], out[1] = 1, 3
    return 2


@implements(verbs.apply, UP)
def up_apply(state: Any, action: int) -> None:
    state.height += action


@implements(verbs.mover, DOWN)
def down_mover(state: Any) -> int:
    return 0 if state.depth > 0 else -1


@implements(verbs.legal, DOWN)
def down_legal(state: Any, out: Any) -> int:
    out[0] = 7
    return 1


@implements(verbs.apply, DOWN)
def down_apply(state: Any, action: int) -> None:
    state.depth -= 2
    state.moves += 1


@rule
def play_lowest(states: Any, out: Any) -> int:
    """A generic kernel: play the lowest legal action to the end."""
    made = 0
    while verbs.mover(states[0]) >= 0:
        verbs.legal(states[0], out)
        verbs.apply(states[0], out[0])
        made += 1
    return made


@rule
def play_both(left: Any, right: Any, out: Any) -> int:
    """One kernel in which both games are played."""
    return 100 * play_lowest(left, out) + play_lowest(right, out)


def start() -> tuple[Any, Any, Any]:
    up, down = np.zeros(1, UP), np.zeros(1, DOWN)
    down["depth"] = 9
    return up, down, np.zeros(4, np.int64)


def test_a_verb_called_from_python_goes_by_the_record() -> None:
    up, down, out = start()
    assert (verbs.legal(up[0], out), out[:2].tolist()) == (2, [1, 3])
    assert (verbs.legal(down[0], out), int(out[0])) == (1, 7)
    verbs.apply(up[0], 3)
    verbs.apply(down[0], 7)
    assert (up["height"][0], down["depth"][0], down["moves"][0]) == (3, 7, 1)
    assert (verbs.mover(up[0]), verbs.mover(down[0])) == (1, 0)


def test_a_generic_kernel_is_compiled_for_each_record() -> None:
    up, down, out = start()
    assert play_lowest(up, out) == 10
    assert play_lowest(down, out) == 5
    assert (up["height"][0], down["depth"][0], down["moves"][0]) == (10, -1, 5)


def test_two_games_in_one_kernel() -> None:
    up, down, out = start()
    assert play_both(up, down, out) == 1005


def test_a_record_without_the_verb_is_refused() -> None:
    up, _, out = start()
    with pytest.raises(KeyError):
        verbs.payoff(up[0], out)


@pytest.mark.parametrize(
    "function",
    [lambda state, action: None, lambda s, out: 0, lambda state: 0, lambda state, out, more: 0],
    ids=["another name", "a shorter name", "too few", "too many"],
)
def test_parameters_are_called_as_in_the_verb(function: Any) -> None:
    with pytest.raises(TypeError, match=r"must take \(state, out\)"):
        implements(verbs.legal, UP)(function)


def test_a_verb_says_what_it_takes() -> None:
    assert repr(verbs.imagine) == "<verb imagine(view, rng, state)>"
    assert "ascending" in str(verbs.legal.__doc__)
