"""Finds problems for games to ship: moments of deals between bots in which one play is clearly the best.

    uv run python -m tools.problems luk-fu [--count 60] [--seed 0] [--output FILE]

A moment is a problem if three long searches that know nothing of each other name the same play, each is sure that it
beats every other, and all judges find that it does, the rules of thumb, the network and nested play
(``nested_search``), at first and with twice the effort; it is graded by how often weaker players miss it. A file that
is there already is gone on with, also after Ctrl-C."""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import count, islice
from math import sqrt
from pathlib import Path

import numpy as np

import tefuda
from tefuda.bots.advice import MOST_PLAYS, first_actions, listed_play
from tefuda.bots.nested_search import SIMULATIONS, roll_out_nested
from tefuda.bots.net import is_learned
from tefuda.bots.play_estimates import SURE, ActionEstimate, PlayEstimate, Rollouts, try_actions
from tefuda.bots.players import HintsBot, advice, bot, choose_play
from tefuda.bots.problem import Problem, read
from tefuda.bots.search import BY_HINTS, Budget, SearchBot
from tefuda.engine.errors import TefudaError
from tefuda.engine.files import whole
from tefuda.engine.notation import SUMMARY
from tefuda.engine.rng import generator
from tefuda.table.deal import Deal
from tefuda.table.game import Game

FIRST = Budget(iterations=1_000)  #: budget of the search that looks for moments worth a longer one
LONG = Budget(iterations=30_000)  #: budget of each of the searches that must agree
SEARCHES = 3  #: searches that must agree, each with worlds of its own
NEXT_SEARCH = 1_000_003  #: distance between the seeds of the searches at one moment
WEAK = Budget(iterations=30)  #: budget of a player who looks ahead for a moment only
TRIALS = 12  #: trials of each weaker player

MAKER_WORLDS, NESTED_WORLDS = 1_000, 60
"""The worlds in which the judges compare the best play with all others, and those of nested play."""

EFFORTS = (1, 2)
"""By these the worlds of the other judges, and the simulations of nested play, are multiplied: the answer must not
change."""

LEAST_SHARE = 0.01
"""The share of all simulations below which a play's mean says nothing: the search has turned away from it."""

LEAST_GAIN = 0.2  #: lead of the best play over the second, in standard deviations of what it brings
LEAST_FAILED = 0.3  #: share of weaker players who must miss it: else it is none
MOST_A_DEAL = 2  #: most problems from one deal, which would else be much alike
PLAYERS = "hints:slip=15"  #: bot that plays the deals: people's positions are not those of perfect play


def main() -> None:
    """Find what is missing, and write the file again after each deal that has one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--count", type=int, default=60, help="problems in the file")
    parser.add_argument("--seed", type=int, default=0, help="of the first deal")
    parser.add_argument("--output", type=Path, help="by default GAME-problems.jsonl")
    asked = parser.parse_args()
    path = asked.output or Path(f"{asked.game}-problems.jsonl")
    found = read(path) if path.exists() else []
    hard, easy = ([each for each in found if each.is_hard == hard] for hard in (True, False))
    begin = max((each.seed + 1 for each in found), default=asked.seed)
    maker = ProblemMaker(tefuda.load(asked.game), begin).problems()
    while len(hard) + len(easy) < asked.count:
        for each in next(maker):
            kind, most = (hard, asked.count) if each.is_hard else (easy, asked.count // 2)
            if len(kind) < most and len(hard) + len(easy) < asked.count:
                kind.append(each)
                write(path, [*hard, *easy])
                sys.stderr.write(f"{path}: {len(hard) + len(easy)} problems, {len(hard)} of them hard\n")


def write(path: Path, problems: Sequence[Problem]) -> None:
    """Write problems to a file, the easiest first."""
    lines = [json.dumps(asdict(each), separators=(",", ":"), ensure_ascii=False) for each in sort(problems)]
    with whole(path) as file:
        file.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def sort(problems: Sequence[Problem]) -> list[Problem]:
    """Sort problems, the easiest first."""
    return sorted(problems, key=lambda each: (each.failed, each.seed, len(each.plays)))


def play_estimate(play: str, parts: Sequence[ActionEstimate], unit: int) -> PlayEstimate:
    """Sum up the findings on the actions that a play may begin with."""
    visits = sum(part.visits for part in parts)
    shares = np.array([part.visits / visits for part in parts])
    mean = float(shares @ [part.mean for part in parts])
    square = float(shares @ [part.spread**2 + part.mean**2 for part in parts])
    worth = float(shares @ [part.worth for part in parts])
    doubt = float(shares**2 @ [part.doubt for part in parts])
    return PlayEstimate(
        play, visits, mean / unit, sqrt(max(0.0, square - mean**2)) / unit, worth / unit, doubt / unit**2
    )


def theme(deal: Deal, play: str) -> str:
    """Name what a play of the mover does, as ``Problem.theme``: the first word of the code of its reason."""
    why, action = deal.game.description.display.why_advised, deal.game.description.notation.actions(deal.array, play)[0]
    if why is None:
        return deal.view(deal.mover).scene.phase
    code = why(deal.view(deal.mover).record, action, play).code
    return f"themes.{code.removeprefix('advice.').partition('_')[0]}"


def estimate_plays(deal: Deal, bot: SearchBot, seed: int = 0) -> list[PlayEstimate]:
    """Search from the mover's view, and estimate every play tried: the one that the bot would make first, then the most
    visited. Plays that begin with the same action are one."""
    found: dict[str, list[ActionEstimate]] = defaultdict(list)
    for estimate in bot.think(deal.view(deal.mover), generator((seed, len(deal.history)))):
        found[deal.word(estimate.action)].append(estimate)
    unit = deal.game.description.rules.unit
    merged = [play_estimate(play, parts, unit) for play, parts in found.items()]
    return merged[:1] + sorted(merged[1:], key=lambda play: (-play.visits, -play.mean))


class ProblemMaker:
    """Finds problems of one game with its usual options, from the deal with this seed on.

    ``TefudaError`` if no network knows the table: there is one judge only."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        if not is_learned(game.description, game.deal(0).array[0]):
            raise TefudaError(
                f"{game.name} has no net to judge problems beside the rules of thumb; train one: tefuda train"
            )
        self._game, self._seeds = game, count(seed)
        self._first, self._long, self._weak = (SearchBot(each, settings=BY_HINTS) for each in (FIRST, LONG, WEAK))
        self._player = bot(PLAYERS)

    def problems(self) -> Iterator[list[Problem]]:
        """Yield the problems of each deal, without end."""
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
        """Make the problem of this moment, if it is one; what takes longest is asked last."""
        found = self._best(deal, self._first, seed, sure=1.0)
        if found is None or SUMMARY.fullmatch(found[0].play):
            return None  # of cards to be thrown face down the search does not say which
        best, usual = found[0].play, advice(deal, seed)
        failed = self._failed(deal, best, seed)
        if failed < LEAST_FAILED or self._judged(deal, found, usual, seed, quickly=True) is None:
            return None
        for trial in reversed(range(SEARCHES)):
            found = self._best(deal, self._long, seed + trial * NEXT_SEARCH, sure=1.5)
            if found is None or found[0].play != best:
                return None
        judged = self._judged(deal, found, usual, seed)
        if judged is None:
            return None
        plays, rules = tuple(word for _, word in deal.history), deal.game.description.rules_version
        named = theme(deal, best)
        return Problem(rules, seed, plays, deal.mover, named, usual, round(failed, 3), _rounded(found), *judged)

    def _judged(
        self, deal: Deal, found: Sequence[PlayEstimate], usual: str, seed: int, *, quickly: bool = False
    ) -> tuple[float, dict[str, tuple[float, float]]] | None:
        """Measure the best play's gain over the usual one, 0 if they are equal, and every judge's least lead over
        another; None if another may be as good by one of them. ``quickly`` nested play is left out, and the second
        effort."""
        words = [found[0].play, usual, *(each.play for each in found[1:] if not SUMMARY.fullmatch(each.play))]
        actions = first_actions(deal, words)[:MOST_PLAYS]
        least, to_usual = dict[str, tuple[float, float]](), list[float]()
        for effort in EFFORTS[:1] if quickly else EFFORTS:
            for name, rollouts in islice(self._judges(deal, actions, seed, effort), 2 if quickly else None):
                leads = self._leads(rollouts, len(actions))
                doubtful = min(leads, key=lambda lead: lead[0] - SURE * lead[1], default=(0.0, 0.0))
                if doubtful[0] <= SURE * doubtful[1]:
                    return None
                least[name] = round(doubtful[0], 3), round(doubtful[1], 3)
                to_usual.append(leads[0][0])
        equal = listed_play(deal, usual) == found[0].play
        return 0.0 if equal else round(min(to_usual), 2), least

    def _leads(self, rollouts: Rollouts, actions: int) -> list[tuple[float, float]]:
        """Leads of the first action over each of the others, as people count them, with their standard errors."""
        unit = self._game.description.rules.unit
        found = [rollouts.of(0, place).more for place in range(1, actions)]
        return [(mean / unit, error / unit) for mean, error in found]

    @staticmethod
    def _judges(deal: Deal, actions: Sequence[int], seed: int, effort: int) -> Iterator[tuple[str, Rollouts]]:
        """Let each judge try some actions, the quick ones first."""
        game, seeds = deal.game.description, (seed, len(deal.history), effort)
        yield from zip(
            ("hints", "net"),
            try_actions(game, deal.array, deal.mover, actions, seeds, effort * MAKER_WORLDS).rollouts,
            strict=True,
        )
        simulations = effort * SIMULATIONS
        yield "nested", roll_out_nested(game, deal.array, deal.mover, actions, seeds, NESTED_WORLDS, simulations)

    @staticmethod
    def _best(deal: Deal, search: SearchBot, seed: int, sure: float) -> list[PlayEstimate] | None:
        """Search: estimates, the best first, if it is better than every other by so many times the usual doubt."""
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
        """Measure the share of weaker players who miss a play: by rules alone, by rules of thumb, by a short look."""
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
    """Round figures to as many digits as they are sure of."""
    digits = {"mean": 2, "spread": 2, "worth": 3, "doubt": 6}
    return tuple(
        replace(each, **{name: round(getattr(each, name), number) for name, number in digits.items()})
        for each in found[:MOST_PLAYS]
    )


if __name__ == "__main__":
    main()
