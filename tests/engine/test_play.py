"""The loop that plays deals on: players and observers of one's own, and advice that is not legal."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import rng, verbs
from tefuda.engine.play import ILLEGAL, MADE, NO_ACTION, POLICIES, ByPolicy, decide, legal_or_random, note, play_on
from tefuda.engine.record import Ints, Rng, StateRecord, States
from tefuda.engine.verbs import implements, rule
from tests.engine.test_verbs import UP, start


class Lowest(NamedTuple):
    """The player that makes the lowest legal action."""


@implements(decide, Lowest)
def decide_lowest(player: Lowest, state: StateRecord, seat: int, rng: Rng, legal: Ints) -> tuple[int, int]:
    n = int(verbs.legal(state, legal))
    return (int(legal[0]) if n > 0 else NO_ACTION), n


class Notes(NamedTuple):
    """The observer that writes down who acts, and among how many actions."""

    rows: NDArray[np.int64]
    length: NDArray[np.int64]


@implements(note, Notes)
def note_all(observer: Notes, state: StateRecord, seat: int, action: int, choices: int) -> None:
    row = observer.rows[observer.length[0]]
    row[0], row[1], row[2] = seat, action, choices
    observer.length[0] += 1


@implements(verbs.advise, UP)
def advise_two(state: StateRecord, rng: Rng) -> int:
    """Advise an action that is never legal."""
    return 2


@implements(verbs.legal_set, UP)
def no_set(state: StateRecord) -> int:
    return 0


@rule
def play_lowest(states: States, rng: Rng, legal: Ints, rows: Ints, length: Ints) -> int:
    return int(play_on(Lowest(), Notes(rows, length), states[0], rng, legal))


@rule
def play_advised(states: States, policies: NDArray[np.int8], tally: Ints, rng: Rng, legal: Ints, rows: Ints) -> int:
    return int(play_on(ByPolicy(policies, tally), Notes(rows, np.zeros(1, np.int64)), states[0], rng, legal))


@rule
def replaced(advised: int, rng: Rng, legal: Ints, n: int) -> int:
    return int(legal_or_random(advised, rng, legal, n))


def test_a_player_and_an_observer_of_ones_own_are_named_tuples() -> None:
    up, _, out = start()
    rows, length = np.zeros((20, 3), np.int64), np.zeros(1, np.int64)
    assert play_lowest(up, rng.generator(1), out, rows, length) == length[0] == 10
    assert rows[:10].tolist() == [[k % 2, 1, 2] for k in range(10)]


def test_advice_that_is_not_legal_is_counted_and_a_random_action_made() -> None:
    up, _, out = start()
    tally, rows = np.zeros((2, 2), np.int64), np.zeros((20, 3), np.int64)
    made = play_advised(up, np.full(2, POLICIES["hints"], np.int8), tally, rng.generator(1), out, rows)
    assert tally[:, MADE].sum() == tally[:, ILLEGAL].sum() == made
    assert set(rows[:made, 1].tolist()) == {1, 3}


def test_legal_advice_draws_no_random_number() -> None:
    generator, legal = rng.generator(3), np.array([1, 3, 0, 0])
    before = generator.copy()
    assert replaced(3, generator, legal, 2) == 3
    assert (generator == before).all()
    assert replaced(2, generator, legal, 2) in (1, 3)
    assert (generator != before).all()
