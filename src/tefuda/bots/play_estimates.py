"""Estimates of what plays are worth: found by a search, from the roots of its trees, or by judges.

The judges are two players of different strength: the rules of thumb, and the game's network. Each makes all further
plays, in the same worlds. A difference that only one of them finds may be a habit of that player and no truth about the
game. Near the end of a deal a third counts out all that can happen (``ending``). A play counts as better only where all
find it clearly better, and its gain is the smallest of their figures; all else is close. At a table that no network
knows there is one judge before the end, and everything is close."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.bots import search_tree
from tefuda.bots.ending import SAME, SolvedEnding, solve_ending
from tefuda.bots.net import Network, is_learned, own_network
from tefuda.bots.net_player import new_net_player, play_each_by_net
from tefuda.bots.search_tree import NONE
from tefuda.engine import recorder
from tefuda.engine.description import Description
from tefuda.engine.objective import gain_weights
from tefuda.engine.play import HINTS, play_batch
from tefuda.engine.record import States
from tefuda.engine.rng import Rng, generator, generators
from tefuda.engine.verbs import MOST_INCIDENTS
from tefuda.engine.views import observe_all

FEWEST_VISITS = 30  #: simulations of a play below which their mean tells nothing
WORLDS = 400  #: worlds in which the judges compare plays
SURE = 2.0  #: standard errors by which a play must be better for a judge to find it clearly better


@dataclass(frozen=True)
class PlayEstimate:
    """Findings of a search, or of the judges, on one play, in what people count (points, chips, stakes)."""

    play: str  #: as ``Deal.legal`` lists it
    visits: int  #: simulations that began with it
    mean: float  #: of what it brought the mover in them
    spread: float  #: standard deviation of that
    worth: float  #: mean of what the search plays for (``SearchSettings.relative``)
    doubt: float  #: variance of that mean

    @property
    def judged(self) -> bool:
        """True if it was tried often enough for its mean to say something."""
        return self.visits >= FEWEST_VISITS

    @property
    def error(self) -> float:
        """Largest distance of its true worth from ``worth``, in 19 of 20 cases."""
        return 2 * sqrt(self.doubt)


# By a search


@dataclass(frozen=True)
class ActionEstimate:
    """Findings of a search on one action."""

    action: int  #: kernel number
    visits: int  #: simulations that began with it
    worth: float  #: mean of what they were worth to the mover (``SearchSettings.relative``), in the smallest unit
    doubt: float  #: variance of that mean
    mean: float  #: of the mover's payoff in them, in the game's smallest unit
    spread: float  #: standard deviation of that payoff
    advised: bool  #: true if the network, or, where there is none, the rules of thumb advise it
    bonus: float = 0.0  #: the addition to its worth for that (``SearchSettings.prior``)
    rounds: int = 0  #: worlds in which it raced, if it was among the last (``SearchSettings.race``); else 0
    lead: float = 0.0  #: by how much it was better there than what is advised, on average
    lead_doubt: float = 0.0  #: variance of that mean


def prefer_advised(found: list[ActionEstimate], trust: float) -> list[ActionEstimate]:
    """Put the advised action first unless the first is better by so many standard errors.

    Simulations scatter. Where they cannot tell two actions apart, experience may."""
    first = found[0]
    for advised in found:
        if advised.advised:
            ahead, doubt = first.worth - advised.worth, first.doubt + advised.doubt
            if first.rounds:
                if not advised.rounds:  # it has lost the race; its mean is of other worlds
                    break
                ahead, doubt = first.lead, first.lead_doubt
            if ahead + first.bonus - advised.bonus <= trust * sqrt(doubt):
                return [advised, *(other for other in found if other is not advised)]
    return found


def root_estimates(trees: Sequence[np.void], fading: int) -> list[ActionEstimate]:
    """Add up the findings at the roots of these trees; ``fading`` is that of their settings. First come the actions
    that were tried beside all others to the end, the best of them first, then the most visited."""
    sums: dict[int, NDArray[np.float64]] = defaultdict(lambda: np.zeros(10))
    for grown in trees:
        edge = int(grown["first"][0])
        while edge != NONE:
            found = grown["edges"][edge]
            action, visits, worth = int(found["action"]), int(found["visits"]), float(found["worth"])
            payoff, payoff_squared, worth_squared, rounds, lead, doubt = map(float, grown["sums"][action].item())
            scale = sqrt(float(grown["deviations"]) / max(int(grown["worths"]), 1))
            bonus = scale * search_tree.faded(float(found["bonus"]), int(rounds) or visits, fading)
            advised = action == int(grown["advised"])
            of_visits = (visits, advised, visits * worth, worth_squared, visits * bonus, payoff, payoff_squared)
            sums[action] += [*of_visits, rounds, lead * rounds, doubt * rounds**2]
            edge = int(found["next"])
    estimates = [_action_estimate(action, amounts) for action, amounts in sums.items() if amounts[0]]
    return sorted(estimates, key=rank)


def ending_estimates(ending: SolvedEnding, advised: int) -> list[ActionEstimate]:
    """Give the solution of an ending as a search gives its findings, the best first, of equals the advised action: its
    visits are worlds, its means those of gains over the others."""
    worths = zip(ending.actions, ending.worths.tolist(), strict=True)
    found = [ActionEstimate(each, ending.worlds, worth, 0.0, worth, 0.0, each == advised) for each, worth in worths]
    return sorted(found, key=lambda each: (-round(each.worth / SAME), not each.advised, each.action))


def rank(found: ActionEstimate) -> tuple[float, ...]:
    """Key by which estimates are sorted."""
    return (-found.rounds, 0 if found.rounds else -found.visits, -found.worth - found.bonus, found.action)


def _action_estimate(action: int, sums: NDArray[np.float64]) -> ActionEstimate:
    """Divide an action's sums over all trees."""
    visits, advised, worth, worth_squared, bonus, payoff, payoff_squared, rounds, lead, doubt = sums.tolist()
    return ActionEstimate(
        action=action,
        visits=int(visits),
        worth=worth / visits,
        doubt=_deviation(visits, worth, worth_squared) ** 2 / visits,
        mean=payoff / visits,
        spread=_deviation(visits, payoff, payoff_squared),
        advised=advised > 0,
        bonus=bonus / visits,
        rounds=int(rounds),
        lead=lead / max(rounds, 1),
        lead_doubt=doubt / max(rounds, 1) ** 2,
    )


def _deviation(number: float, total: float, squares: float) -> float:
    return sqrt(max(0.0, squares / number - (total / number) ** 2))


# Rollouts: from one decision, actions played on in worlds the mover believes in (determinizations), by rules of thumb
# or by the game's network


class Rollouts(NamedTuple):
    """The outcome of some actions, each tried in the same worlds with the same random numbers."""

    gains: NDArray[np.float64]  #: (worlds, actions): the mover's (``engine/objective.py``), in the smallest unit
    incidents: NDArray[np.int64]  #: of shape (worlds, actions, MOST_INCIDENTS): what became of the mover
    worlds: States  #: records of shape (worlds,), at the decision

    def of(self, *places: int) -> "Rollouts":
        """Select these actions, in this order."""
        return Rollouts(self.gains[:, places], self.incidents[:, places], self.worlds)

    @property
    def more(self) -> tuple[float, float]:
        """The lead of the first of two actions over the second: the mean and its standard error."""
        return mean_and_error(self.gains[:, 0] - self.gains[:, 1])


def mean_and_error(numbers: NDArray[np.float64]) -> tuple[float, float]:
    """Mean of some numbers, and its standard error."""
    return float(numbers.mean()), float(numbers.std(ddof=1)) / sqrt(len(numbers))


def rollout_payoffs(
    states: States, k: int, rng: Rng, actions: Sequence[int], worlds: int, network: Network | None = None
) -> list[NDArray[np.int64]]:
    """Payoffs after each action of the k-th state's mover, in the same worlds for every action and judge.

    The rules of thumb judge, then a network that knows the table, if given. Of each they have the shape (worlds,
    actions, seats), and are in the game's smallest unit; ``rng`` draws the worlds."""
    payoffs, _, drawn = _tried(states, k, rng, actions, worlds)
    if network is None:
        return [payoffs]
    return [payoffs, _tried_by_net(network, drawn, 0, generators((int(rng[0]),), worlds), actions)[0]]


def _tried(
    states: States, k: int, rng: Rng, actions: Sequence[int], worlds: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], States]:
    """Payoffs and incidents of ``recorder.try_each``, and its worlds."""
    payoffs = np.zeros((worlds, len(actions), int(states[k]["seats"])), np.int64)
    incidents = np.zeros((worlds, len(actions), MOST_INCIDENTS), np.int64)
    view, drawn = np.zeros(1, states.dtype), np.zeros(worlds + 1, states.dtype)
    recorder.try_each(states, k, rng, np.array(actions, np.int64), view, drawn, payoffs, incidents)
    return payoffs, incidents, drawn[:worlds]


def roll_out(state: States, seat: int, rng: Rng, actions: Sequence[int], worlds: int) -> Rollouts:
    """Play on from each legal action by rules of thumb, in worlds that ``rng`` draws; only the mover's view is read."""
    payoffs, incidents, drawn = _tried(state, 0, rng, actions, worlds)
    return Rollouts(payoffs @ gain_weights(state[0])[:, seat], incidents, drawn)


def _tried_by_net(
    network: Network, worlds: States, seat: int, rngs: NDArray[np.uint64], actions: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Payoffs of shape (worlds, actions, seats), and incidents of ``seat``, after each action of the mover, or none
    (NONE); a network that knows the table makes every further choice.

    The generators of a world, ``rngs`` of shape (worlds, 1), serve every action."""
    each, first = len(actions), np.tile(np.array(actions, np.int64), len(worlds))
    states, rngs = np.repeat(worlds, each), np.repeat(rngs, each, 0)
    payoffs = np.zeros((len(states), int(worlds[0]["seats"])), np.int64)
    incidents = np.zeros((len(states), MOST_INCIDENTS), np.int64)
    play_each_by_net(new_net_player(states.dtype, network), states, first, rngs, seat, payoffs, incidents)
    return payoffs.reshape(len(worlds), each, -1), incidents.reshape(len(worlds), each, -1)


# By judges


@dataclass(frozen=True)
class Gain:
    """Advantage of one play over another, as people count it."""

    size: float = 0.0  #: the smallest that a judge finds; 0 where they do not all find that it is clearly more
    low: float = 0.0  #: between this and ``high`` it lies by every judge, in 19 of 20 cases
    high: float = 0.0

    @property
    def seems(self) -> bool:
        """True if the only judge finds the play clearly better; one alone may be wrong."""
        return self.low > SAME and not self.size


def agreed(found: Sequence[tuple[float, float]]) -> Gain:
    """Combine the findings of several judges, a mean and a standard error each, into what they have in common."""
    low = min(mean - SURE * error for mean, error in found)
    high = max(mean + SURE * error for mean, error in found)
    sure = low > SAME and len(found) > 1
    return Gain(min(mean for mean, _ in found) if sure else 0.0, low, high)


@dataclass(frozen=True)
class Trial:
    """Some actions of one moment, tried by every judge."""

    game: Description
    rollouts: Sequence[Rollouts]  #: of each judge who plays on, the weakest first
    #: of shape (actions,), the mean gain after each by the exact solution of an ending (``ending``); else None
    counted: NDArray[np.float64] | None = None
    worlds: int = 0  #: those that were solved; 0 if it is no ending

    def gain(self, place: int, other: int, *further: Rollouts) -> Gain:
        """Compare two of the actions that were tried, given by their places: the gain of the first over the second, by
        all judges and those who tried these two ``further``."""
        unit = self.game.rules.unit
        found = [each.more for each in (*(each.of(place, other) for each in self.rollouts), *further)]
        if self.counted is not None:
            found.append((self.counted[place] - self.counted[other], 0.0))
        return agreed([(mean / unit, error / unit) for mean, error in found])

    @property
    def decided(self) -> bool:
        """True if it is an ending in which every action brings the same, against others who make the most of theirs."""
        return self.counted is not None and bool(np.ptp(self.counted) < SAME)

    def estimate(self, place: int, play: str = "") -> PlayEstimate:
        """Sum up the findings on an action, with which ``play`` begins; its worth lies in the middle of them."""
        unit, gains = self.game.rules.unit, self.rollouts[-1].gains[:, place]
        found = agreed([mean_and_error(each.gains[:, place] / unit) for each in self.rollouts])
        worth, doubt = (found.low + found.high) / 2, ((found.high - found.low) / (2 * SURE)) ** 2
        return PlayEstimate(play, len(gains) * len(self.rollouts), worth, float(gains.std()) / unit, worth, doubt)


def try_actions(
    game: Description,
    state: NDArray[np.void],
    seat: int,
    actions: Sequence[int],
    seeds: tuple[int, ...],
    worlds: int = WORLDS,
) -> Trial:
    """Try some legal actions of the mover, ``seat``, by every judge, in the same worlds.

    The findings on one depend on no other. Of ``state``, one record, only the mover's view is read; ``seeds`` are those
    of the worlds and of what is left to chance in them."""
    rollouts = [roll_out(state, seat, generator((*seeds, 1)), actions, worlds)]
    if is_learned(game, state[0]):
        rngs = generators((*seeds, 2), worlds)
        payoffs, incidents = _tried_by_net(own_network(game), rollouts[0].worlds, seat, rngs, actions)
        rollouts.append(Rollouts(payoffs @ gain_weights(state[0])[:, seat], incidents, rollouts[0].worlds))
    ending = solve_ending(observe_all(state, np.array([seat])), generator((*seeds, 3)))
    if ending is None or not ending.exact:
        return Trial(game, rollouts)
    return Trial(game, rollouts, ending.worths[[ending.actions.index(each) for each in actions]], ending.worlds)


def open_payoffs(game: Description, states: NDArray[np.void], seed: int) -> NDArray[np.int64]:
    """Let the best judge play deals on, with all hands as they lie: from records of shape (deals,), which may be
    overwritten, the payoffs, int64 of shape (deals, seats)."""
    if is_learned(game, states[0]):
        return _tried_by_net(own_network(game), states, 0, generators(seed, len(states)), [NONE])[0][:, 0]
    policies = np.full((len(states), int(states[0]["seats"])), HINTS, np.int8)
    return play_batch(states, policies, seed, threads=1)
