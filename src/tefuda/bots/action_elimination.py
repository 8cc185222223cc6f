"""A race between the actions at the root: all are tried in the same worlds, and fall out once they are clearly worse.

In one world most of what a deal brings is the same whatever the searcher does. So two actions are compared world by
world: the differences scatter less than what either brings, and fewer simulations tell the actions apart."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.verbs import rule

MOST_RACERS = 64  #: racers at most; of more legal actions the last are left out
FIRST_HEAT = 8  #: worlds in which all are tried before any falls out
HEAT = 1.25  #: factor by which the worlds grow from heat to heat
ROUNDS, RUNNING, NEXT_HEAT = range(3)  # places of a race's numbers


class Race(NamedTuple):
    """Racers are numbered in the order in which they entered."""

    #: ROUNDS: worlds in which all who run were tried; RUNNING: how many do; NEXT_HEAT: the round after which some may
    #: fall out
    numbers: NDArray[np.int64]
    edges: NDArray[np.int64]  #: [racer] of the tree
    running: NDArray[np.int64]  #: the racers who are left
    worths: NDArray[np.float64]  #: [racer] in this round
    bonus: NDArray[np.float64]  #: [racer] added to the mean worth
    sums: NDArray[np.float64]  #: [racer] of worths, less those of the first who ran
    products: NDArray[np.float64]  #: [racer, one who entered no later] of the same


def new_race() -> Race:
    """An empty race."""
    return Race(
        numbers=np.zeros(3, np.int64),
        edges=np.zeros(MOST_RACERS, np.int64),
        running=np.zeros(MOST_RACERS, np.int64),
        worths=np.zeros(MOST_RACERS),
        bonus=np.zeros(MOST_RACERS),
        sums=np.zeros(MOST_RACERS),
        products=np.zeros((MOST_RACERS, MOST_RACERS)),
    )


@rule
def begin(race: Race, racers: int) -> None:
    """Begin a race of so many, whose edges are set."""
    race.numbers[ROUNDS], race.numbers[RUNNING], race.numbers[NEXT_HEAT] = 0, racers, FIRST_HEAT
    for k in range(racers):
        race.running[k] = k
    race.sums[:] = 0.0
    race.products[:, :] = 0.0


@rule
def note_round(race: Race) -> None:
    """Add up the worths of those who run."""
    n, zero = race.numbers[RUNNING], race.worths[race.running[0]]
    race.numbers[ROUNDS] += 1
    for i in race.running[:n]:
        race.worths[i] -= zero
        race.sums[i] += race.worths[i]
    for a in range(n):
        for b in range(a + 1):
            i, j = race.running[a], race.running[b]
            race.products[i, j] += race.worths[i] * race.worths[j]


@rule
def lead(race: Race, i: int, j: int) -> tuple[float, float]:
    """The mean by which one racer was better than another, and its variance; both have run so far."""
    rounds = race.numbers[ROUNDS]
    mean = (race.sums[i] - race.sums[j]) / rounds
    squares = race.products[i, i] + race.products[j, j] - 2.0 * race.products[max(i, j), min(i, j)]
    return mean, max(squares / rounds - mean * mean, 0.0) / max(rounds - 1, 1)


@rule
def leader(race: Race) -> int:
    """The racer with the best mean and bonus together."""
    best: int
    best, most = race.running[0], -np.inf
    for i in race.running[: race.numbers[RUNNING]]:
        amount = race.sums[i] / race.numbers[ROUNDS] + race.bonus[i]
        if amount > most:
            best, most = i, amount
    return best


@rule
def run_heat(race: Race, errors: float, kept: int) -> None:
    """If it is time: who is worse than the leader by so many standard errors falls out; ``kept`` never does."""
    rounds = race.numbers[ROUNDS]
    if rounds < race.numbers[NEXT_HEAT]:
        return
    race.numbers[NEXT_HEAT] = int(rounds * HEAT) + 1
    best, left = leader(race), 0
    for k in range(race.numbers[RUNNING]):
        i = race.running[k]
        ahead, variance = lead(race, best, i)
        ahead += race.bonus[best] - race.bonus[i]
        if i in (best, kept) or ahead * ahead <= errors * errors * variance:
            race.running[left] = i
            left += 1
    race.numbers[RUNNING] = left
