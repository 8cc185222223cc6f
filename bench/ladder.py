"""A ladder: every bot plays every other on duplicate deals, and all are rated on one scale.

Two bots take alternate seats, so partners play alike; each deal is played in every rotation that seats them otherwise.
The bot that gains more over these rotations wins the deal. Ratings follow the model of Bradley and Terry: a lead of 400
points wins ten deals out of eleven. Their intervals come from drawing the deals anew, the same for all pairs."""

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.players import bot
from tefuda.engine.errors import TefudaError
from tefuda.engine.estimates import Estimate, estimate
from tefuda.engine.option import Value
from tefuda.lab.play.match import MatchFolder
from tefuda.lab.play.runner import DealRunner, MatchBlock, identity_of, warm_bots
from tefuda.table.game import Game

SCALE = 400 / np.log(10)  #: rating points that one unit of the model's logarithm is worth
DRAWN_ANEW = 400  #: times that deals are drawn anew for the intervals

DOUBT = 0.5
"""Deals that each bot is taken to have won, and lost, beside those played: one that wins all would have no rating."""

MOST_STEPS, PRECISE = 200, 1e-12  # steps of the fit at most, and the step below which it ends

Pair = tuple[int, int]  #: the places of two bots in the list, the smaller first


@dataclass(frozen=True)
class BotRating:
    """A bot's strength in rating points, with its 95% interval; the first bot of the ladder has 0, without one."""

    bot: str
    rating: float
    low: float
    high: float


@dataclass(frozen=True)
class LadderResult:
    """A ladder as far as every pair has played it: ``deals`` of those ``asked`` for.

    ``ratings`` begin with the strongest; ``gains`` are by pair of specs, per deal and as people count it; ``seconds``
    of thinking include those of interrupted runs."""

    game: str
    rules_version: int
    options: dict[str, Value]
    seed: int
    bots: tuple[str, ...]
    deals: int
    asked: int
    ratings: tuple[BotRating, ...]
    gains: dict[tuple[str, str], Estimate]
    seconds: float
    interrupted: bool

    def gain(self, bot: str, other: str) -> Estimate | None:
        """What a bot gains a deal over another; None for itself."""
        if (bot, other) in self.gains:
            return self.gains[bot, other]
        found = self.gains.get((other, bot))
        return found and replace(found, mean=-found.mean)

    def as_dict(self) -> dict[str, object]:
        """Everything as plain data for JSON."""
        gains = [{"bot": one, "against": other, **asdict(gain)} for (one, other), gain in self.gains.items()]
        return {**asdict(self), "gains": gains}


@dataclass(frozen=True)
class Ladder:
    """A ladder to be played; TefudaError for an unknown bot, one that is named twice, or fewer than two."""

    game: Game
    bots: Sequence[str]  #: the first is the zero of the scale
    deals: int  #: for each pair
    seed: int  #: deck k is that of ``game.deal((seed, k))``
    folder: Path  #: where the deals and the record of every game are kept; those that are there already count
    threads: int | None = None  #: games played at a time; None for as many as there are cores

    def __post_init__(self) -> None:
        for each in self.bots:
            bot(each)
        twice = next((each for each in self.bots if list(self.bots).count(each) > 1), None)
        if twice is not None:
            raise TefudaError(f"{twice}: a ladder has each bot once")
        if len(self.bots) < 2:
            raise TefudaError(f"a ladder takes at least two bots, not {len(self.bots)}")

    @property
    def pairs(self) -> list[Pair]:
        """All pairs of bots."""
        return list(itertools.combinations(range(len(self.bots)), 2))

    def seated(self, pair: Pair) -> list[str]:
        """A pair's bots in alternate seats."""
        return [self.bots[pair[seat % 2]] for seat in range(self.game.seats)]

    def play(self, progress: Callable[[], None] = lambda: None) -> LadderResult:
        """Play what is missing, deal by deal over all pairs, and keep each deal at once.

        Ctrl-C ends it after the deals played so far, KeyboardInterrupt before every pair has played one. ``progress``
        is called after each deal of a pair, those of earlier runs too. TefudaError if the folder cannot be written."""
        folders = {pair: self._folder(pair) for pair in self.pairs}
        earlier = {pair: folder.blocks() for pair, folder in folders.items()}
        found = {pair: list[tuple[float, float]]() for pair in self.pairs}
        missing, interrupted = list[tuple[Pair, int]](), False
        for number, pair in itertools.product(range(self.deals), self.pairs):
            if (block := next(earlier[pair], None)) is None:
                missing.append((pair, number))
            else:
                found[pair].append(self._counted(block))
                progress()
        runner = cache(self._runner)
        try:
            for pair, number in missing:
                block = runner(pair).play(range(number, number + 1), keep_records=True).by_bot()
                folders[pair].add(number, block)
                found[pair].append(self._counted(block))
                progress()
        except KeyboardInterrupt:
            if not all(found.values()):
                raise
            interrupted = True
        return self._result(found, interrupted)

    def _runner(self, pair: Pair) -> DealRunner:
        """What plays a pair's deals, in every rotation that differs."""
        bots = self.seated(pair)
        warm_bots(self.game, bots)
        return DealRunner(self.game, bots, self.seed, in_python=True, threads=self.threads)

    def _folder(self, pair: Pair) -> MatchFolder:
        """Open the folder in which two bots' deals are kept."""
        one, other = (re.sub(r"[^\w.]+", "_", self.bots[place]) for place in pair)
        identity = {**identity_of(self.game, self.seated(pair), self.seed), "ladder": 1}
        return MatchFolder(self.folder / f"{one}-{other}", identity)

    def _counted(self, block: MatchBlock) -> tuple[float, float]:
        """The first bot's gain over the second in a deal, as people count it, and the seconds that they thought."""
        points = block.points[0].mean(0) / self.game.description.rules.unit
        is_one = np.arange(self.game.seats) % 2 == 0
        return float(points[is_one].mean() - points[~is_one].mean()), float(block.seconds.sum())

    def _result(self, found: dict[Pair, list[tuple[float, float]]], interrupted: bool) -> LadderResult:
        deals = min(self.deals, *map(len, found.values()))
        gains = {pair: np.array([gain for gain, _ in each[:deals]]) for pair, each in found.items()}
        return LadderResult(
            game=self.game.name,
            rules_version=self.game.description.rules_version,
            options=self.game.changed_options(),
            seed=self.seed,
            bots=tuple(self.bots),
            deals=deals,
            asked=self.deals,
            ratings=tuple(rate(self.bots, gains, np.random.default_rng(self.seed))),
            gains={(self.bots[one], self.bots[other]): estimate(gain) for (one, other), gain in gains.items()},
            seconds=sum(sum(seconds for _, seconds in each) for each in found.values()),
            interrupted=interrupted,
        )


def rate(bots: Sequence[str], gains: dict[Pair, NDArray[np.float64]], rng: np.random.Generator) -> list[BotRating]:
    """The ratings, the strongest first; the first of the bots has 0. ``rng`` draws deals anew.

    ``gains`` are by pair, float64 of shape (deals,): above 0 where the first of the two has won the deal."""
    deals = len(next(iter(gains.values())))
    strength = _strengths(len(bots), gains, np.arange(deals))
    again = np.array([_strengths(len(bots), gains, rng.integers(deals, size=deals)) for _ in range(DRAWN_ANEW)])
    low, high = np.quantile(again, (0.025, 0.975), axis=0)
    found = [BotRating(*each) for each in zip(bots, strength.tolist(), low.tolist(), high.tolist(), strict=True)]
    return sorted(found, key=lambda each: -each.rating)


def _strengths(bots: int, gains: dict[Pair, NDArray[np.float64]], deals: NDArray[np.int64]) -> NDArray[np.float64]:
    """Rating points from these deals; float64 of shape (bots,). A level deal is half a win for each."""
    wins = np.full((bots, bots), DOUBT / (bots - 1)) * (1 - np.eye(bots))
    for (one, other), gain in gains.items():
        won = np.sum(np.sign(gain[deals]) + 1) / 2
        wins[one, other] += won
        wins[other, one] += len(deals) - won
    strengths = SCALE * bradley_terry(wins)
    found: NDArray[np.float64] = strengths - strengths[0]
    return found


def bradley_terry(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """The likeliest log-strengths under the model of Bradley and Terry; float64 of shape (bots,).

    Newton's method, with the first bot's strength held at 0; the log-likelihood is concave. ``wins``, float64 of shape
    (bots, bots), are times that each bot has won against each other, above 0 off the diagonal."""
    strengths = np.zeros(len(wins))
    games, won = wins + wins.T, wins.sum(1)
    for _ in range(MOST_STEPS):
        chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        spread = games * chances * chances.T
        step = np.zeros(len(wins))
        curvature = np.diag(spread.sum(1)) - spread
        step[1:] = np.linalg.solve(curvature[1:, 1:], (won - (games * chances).sum(1))[1:])
        strengths += np.clip(step, -1, 1)
        if np.abs(step).max() < PRECISE:
            break
    return strengths
