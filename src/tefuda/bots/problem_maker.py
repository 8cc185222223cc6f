"""Finds problems (``bots/problem.py``) in deals between bots.

A moment is a problem if three long searches that know nothing of each other name the same play, each is sure that it
beats every other, and both judges (``bots/judges.py``) find that it does; it is graded by how often weaker players miss
it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from math import sqrt

from tefuda.bots.estimates import PlayEstimate
from tefuda.bots.judges import SURE, try_actions
from tefuda.bots.net import is_learned
from tefuda.bots.players import HintsBot, advice, bot, choose_play
from tefuda.bots.problem import Problem
from tefuda.bots.search import BY_HINTS, Budget, SearchBot, estimate_plays
from tefuda.bots.verdict import MOST_PLAYS, first_actions, listed_play
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import SUMMARY
from tefuda.table.deal import Deal
from tefuda.table.game import Game

FIRST = Budget(iterations=1_000)
"""Of the search that looks for moments worth a longer one."""

LONG = Budget(iterations=30_000)
"""Of each of the searches that must agree."""

SEARCHES = 3
"""That must agree, each with worlds of its own."""

NEXT_SEARCH = 1_000_003
"""Between the seeds of the searches at one moment."""

WEAK = Budget(iterations=30)
"""Of a player who looks ahead for a moment only."""

TRIALS = 12
"""Of that player."""

WORLDS = 1_000
"""In which the judges compare the best play with all others."""

LEAST_SHARE = 0.01
"""Of all simulations, below which a play's mean says nothing: the search has turned away from it."""

LEAST_GAIN = 0.2
"""By which the best play must beat the second, in standard deviations of what it brings."""

LEAST_FAILED = 0.3
"""Share of weaker players who must miss it: else it is none."""

MOST_A_DEAL = 2
"""Problems from one deal, which would else be much alike."""

PLAYERS = "hints:slip=15"
"""Who play the deals: people's positions are not those of perfect play."""


class ProblemMaker:
    """Finds problems of one game.

    Args:
        game: with its usual options.
        seed: of the first deal; the next deals have the next seeds.

    Raises:
        TefudaError: no network knows the table: there is one judge only.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        if not is_learned(game.description, game.deal(0).array[0]):
            raise TefudaError(
                f"{game.name} has no net to judge problems beside the rules of thumb; train one: tefuda train"
            )
        self._game, self._seeds = game, count(seed)
        self._first, self._long, self._weak = (SearchBot(each, settings=BY_HINTS) for each in (FIRST, LONG, WEAK))
        self._player = bot(PLAYERS)

    def problems(self) -> Iterator[list[Problem]]:
        """Without end: those of each deal."""
        for seed in self._seeds:
            yield self._of_deal(seed)

    def _of_deal(self, seed: int) -> list[Problem]:
        deal, found = self._game.deal(seed), list[Problem]()
        while not deal.over and len(found) < MOST_A_DEAL:
            if len(deal.legal()) > 1 and deal.own_answer() is None:
                problem = self._at(deal, seed)
                if problem is not None:
                    found.append(problem)
            choose_play(self._player, deal, seed)
        return found

    def _at(self, deal: Deal, seed: int) -> Problem | None:
        """The problem of this moment, if it is one."""
        if self._best(deal, self._first, seed, sure=1.0) is None:
            return None
        searches = [self._best(deal, self._long, seed + trial * NEXT_SEARCH, sure=1.5) for trial in range(SEARCHES)]
        found = searches[0]
        if found is None or any(each is None or each[0].play != found[0].play for each in searches):
            return None
        if SUMMARY.fullmatch(found[0].play):
            return None  # of cards to be thrown face down the search does not say which
        usual = advice(deal, seed)
        gain = self._gain(deal, found, usual, seed)
        if gain is None:
            return None
        failed = self._failed(deal, found[0].play, seed)
        if failed < LEAST_FAILED:
            return None
        scene = deal.view(deal.mover).scene
        plays = tuple(word for _, word in deal.history)
        version = deal.game.description.rules_version
        return Problem(version, seed, plays, deal.mover, scene.phase, usual, round(failed, 3), _rounded(found), gain)

    @staticmethod
    def _gain(deal: Deal, found: Sequence[PlayEstimate], usual: str, seed: int) -> float | None:
        """What the best play brings more than the usual one; 0 if they are the same, None if it is not better than
        every other by every judge."""
        words = [found[0].play, usual, *(each.play for each in found[1:] if not SUMMARY.fullmatch(each.play))]
        actions = first_actions(deal, words)
        seeds = (seed, len(deal.history))
        trial = try_actions(deal.game.description, deal.array, deal.mover, actions, seeds, WORLDS)
        gains = [trial.gain(0, place).size for place in range(1, len(actions))]
        if not all(gains):
            return None
        return 0.0 if listed_play(deal, usual) == found[0].play else round(gains[0], 2)

    @staticmethod
    def _best(deal: Deal, search: SearchBot, seed: int, sure: float) -> list[PlayEstimate] | None:
        """What a search finds, the best first, if one play is better than every other by so many times the usual
        doubt; else None."""
        found = estimate_plays(deal, search, seed)
        tries = sum(each.visits for each in found)
        judged = [each for each in found if each.judged and each.visits >= LEAST_SHARE * tries]
        if not judged:
            return None
        best, *others = sorted(judged, key=lambda each: -each.worth)
        for each in others:
            least = max(SURE * sure * sqrt(each.doubt + best.doubt), LEAST_GAIN * best.spread)
            if best.worth - each.worth <= least:
                return None
        return [best, *others, *(each for each in found if each not in judged)]

    def _failed(self, deal: Deal, best: str, seed: int) -> float:
        """The share of weaker players who miss a play: one who knows nothing but the rules, one with the rules of
        thumb, one who looks ahead for a moment."""
        plays = len(deal.legal())
        thumb = [self._plays(HintsBot(), deal, seed + trial) for trial in range(TRIALS)]
        weak = [self._plays(self._weak, deal, seed + trial) for trial in range(TRIALS)]
        missed = [sum(play != best for play in each) / TRIALS for each in (thumb, weak)]
        return (1 - 1 / plays + sum(missed)) / 3

    @staticmethod
    def _plays(player: HintsBot | SearchBot, deal: Deal, seed: int) -> str:
        made = deal.copy()
        choose_play(player, made, seed)
        return listed_play(deal, made.history[-1][1])


def _rounded(found: list[PlayEstimate]) -> tuple[PlayEstimate, ...]:
    """Figures with as many digits as they are sure of."""
    return tuple(
        replace(
            each, mean=round(each.mean, 2), spread=round(each.spread, 2), worth=round(each.worth, 3),
            doubt=round(each.doubt, 6),
        )
        for each in found[:MOST_PLAYS]
    )  # fmt: skip
