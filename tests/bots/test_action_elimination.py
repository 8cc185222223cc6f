"""The race at the root: differences in the same worlds decide who falls out."""

import numpy as np
from numpy.typing import NDArray

from tefuda.bots import action_elimination as race
from tefuda.bots.action_elimination import FIRST_HEAT, MOST_RACERS, RUNNING, Race, new_race

NOBODY = -1

Numbers = NDArray[np.float64]


def run(worths: Numbers, errors: float = 2.0, kept: int = NOBODY, bonus: tuple[float, ...] = ()) -> Race:
    """A race with these worths, one row a world; of those who have fallen out nothing is read."""
    made = new_race()
    race.begin(made, worths.shape[1])
    made.bonus[: len(bonus)] = bonus
    for row in worths:
        made.worths[:] = np.nan
        running = made.running[: made.numbers[RUNNING]]
        made.worths[running] = row[running]
        race.note_round(made)
        race.run_heat(made, errors, kept)
    return made


def left(made: Race) -> list[int]:
    return [int(racer) for racer in made.running[: made.numbers[RUNNING]]]


def worths(rounds: int, lead: float, noise: float, racers: int = 3) -> Numbers:
    """What everybody shares in a world scatters by 100; the first is better by ``lead``."""
    numbers = np.random.default_rng(4)
    shared = numbers.normal(0, 100, (rounds, 1))
    own: Numbers = shared + numbers.normal(0, noise, (rounds, racers)) + lead * (np.arange(racers) == 0)
    return own


def test_who_is_worse_in_the_same_worlds_falls_out_at_once() -> None:
    """A difference of 5 under a scatter of 100."""
    assert left(run(worths(FIRST_HEAT, 5.0, 1.0))) == [0]


def test_nobody_falls_out_before_the_first_heat_or_without_a_difference() -> None:
    assert left(run(worths(FIRST_HEAT - 1, 5.0, 1.0))) == [0, 1, 2]
    assert left(run(np.repeat(worths(100, 0.0, 1.0, 1), 4, axis=1))) == [0, 1, 2, 3]


def test_the_kept_one_stays_and_a_bonus_counts() -> None:
    assert left(run(worths(100, 5.0, 1.0), kept=2)) == [0, 2]
    assert left(run(worths(100, 5.0, 1.0), bonus=(0.0, 10.0, 0.0))) == [1]


def test_leads_are_those_of_the_differences() -> None:
    """Also after the one whose worths the others are counted from has fallen out."""
    numbers = worths(400, -5.0, 3.0)
    made = run(numbers, errors=3.0)
    assert left(made) == [1, 2]
    ahead = numbers[:, 1] - numbers[:, 2]
    mean, variance = race.lead(made, 1, 2)
    np.testing.assert_allclose([mean, variance], [ahead.mean(), ahead.var() / 399])


def test_many_race() -> None:
    assert left(run(worths(50, 50.0, 1.0, MOST_RACERS))) == [0]
