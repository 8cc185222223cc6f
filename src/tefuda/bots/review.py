"""Where a deal was won and lost: every decision of a seat judged from what that seat could know.

A search says what was best. If something else was played, both are played on by rules of thumb in the same worlds that
the seat thought possible: what the better one brings more there was given away. What a deal brought in the end is the
sum of three parts. *Own plays* is what was given away; *the others' plays* is by how much each of their plays changed
what the deal was worth with all hands open; *luck* is the rest: what the cards were worth as they were dealt, and how
they turned out to lie.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.rollouts import rollout_payoffs
from tefuda.bots.search import Budget, SearchBot
from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.objective import gain_weights
from tefuda.engine.playout import HINTS, play_batch
from tefuda.engine.rng import generator
from tefuda.table.deal import Deal

SIMULATIONS = 1000
"""Of the search, a decision."""

WORLDS = 400
"""In which two plays are compared."""

PLAYOUTS = 40
"""From each moment, for what the deal is worth there with all hands open."""

SURE = 2.0
"""Standard errors by which another play must be better before it counts as better."""


@dataclass(frozen=True)
class Decision:
    """A decision among several actions.

    Attributes:
        plays: how many plays had been made in the deal.
        seat: who decided.
        play: the word of the play that was made.
        best: the word of the best play; the same if none is clearly better.
        given_away: what the best brings more, on average, in what people count; 0 if none is clearly better.
        doubt: standard error of that.
    """

    plays: int
    seat: int
    play: str
    best: str
    given_away: float = 0.0
    doubt: float = 0.0


@dataclass(frozen=True)
class DealReview:
    """What became of one seat's deal, in what people count; gains are over the others (``engine/objective.py``).

    Attributes:
        seat: whose.
        decisions: all of the seat's, in their order.
        worths: what the deal was worth to the seat with all hands open, after dealing and after each play.
        luck, own, others: the parts of ``gain``; they add up to it.
        gain: what the deal brought.
    """

    seat: int
    decisions: Sequence[Decision]
    worths: Sequence[float]
    luck: float
    own: float
    others: float
    gain: float

    @property
    def moments(self) -> list[Decision]:
        """The decisions that gave something away, the dearest first."""
        return sorted((each for each in self.decisions if each.given_away), key=lambda each: -each.given_away)


class Reviewer:
    """Judges deals. The same view and seed are judged the same, whatever the others hold.

    Args:
        simulations: of the search, a decision.
        worlds: in which two plays are compared.
        seed: of all that is drawn.
    """

    def __init__(self, simulations: int = SIMULATIONS, worlds: int = WORLDS, seed: int = 0) -> None:
        self._search, self._worlds, self._seed = SearchBot(Budget(iterations=simulations)), worlds, seed

    def review(self, deal: Deal, seat: int, progress: Callable[[], object] = lambda: None) -> DealReview:
        """Review a seat's deal.

        Args:
            deal: played to its end.
            seat: whose decisions are judged.
            progress: called after each play.

        Raises:
            TefudaError: the deal is not over, or there is no such seat.
        """
        if not deal.over:
            raise TefudaError("the deal is not over: it can be reviewed when it is")
        if not 0 <= seat < deal.game.seats:
            raise TefudaError(f"there is no seat {seat}; seats are 0 to {deal.game.seats - 1}")
        moment, decisions, states = deal.at(0), list[Decision](), [deal.at(0).array]
        for mover, word in deal.history:
            for action in moment.game.description.notation.actions(moment.array, word):
                if mover == seat and len(moment.legal_actions()) > 1:
                    decisions.append(self.judge(moment, word, action))
                moment.act(action)
            states.append(moment.array)
            progress()
        return self._sum_up(deal, seat, decisions, self._worths(np.concatenate(states), deal)[:, seat])

    def judge(self, moment: Deal, word: str, made: int) -> Decision:
        """Compare an action with the best, from the mover's view alone.

        Args:
            moment: before the action.
            word: the play that the action is part of.
            made: the action, legal.
        """
        number, seat, state = len(moment.history), moment.mover, moment.array
        played = int(verbs.listed(state[0], made))
        best = self._search.think(moment.view(seat), generator((self._seed, number)))[0].action
        if best == played:
            return Decision(number, seat, word, word)
        payoffs = rollout_payoffs(state, 0, generator((self._seed, number, 1)), [best, played], self._worlds)
        gains = payoffs @ gain_weights(state[0])[:, seat] / moment.game.description.rules.unit
        more = gains[:, 0] - gains[:, 1]
        mean, doubt = float(more.mean()), float(more.std(ddof=1)) / sqrt(len(more))
        if mean <= SURE * doubt:
            return Decision(number, seat, word, word, 0.0, doubt)
        return Decision(number, seat, word, moment.word(best), mean, doubt)

    def _worths(self, states: NDArray[Any], deal: Deal) -> NDArray[np.float64]:
        """What each moment was worth to each seat with all hands open, shape (moments, seats); the last is exact."""
        many = np.repeat(states, PLAYOUTS)
        policies = np.full((len(many), deal.game.seats), HINTS, np.int8)
        payoffs = play_batch(many, policies, self._seed, threads=1).reshape(len(states), PLAYOUTS, -1)
        worths: NDArray[np.float64] = payoffs.mean(1) @ gain_weights(states[0]) / deal.game.description.rules.unit
        return worths

    @staticmethod
    def _sum_up(deal: Deal, seat: int, decisions: Sequence[Decision], worths: NDArray[np.float64]) -> DealReview:
        changes = [after - before for before, after in pairwise(worths.tolist())]
        others = sum(change for change, (mover, _) in zip(changes, deal.history, strict=True) if mover != seat)
        own, gain = -sum(each.given_away for each in decisions), float(worths[-1])
        return DealReview(seat, decisions, worths.tolist(), gain - own - others, own, others, gain)
