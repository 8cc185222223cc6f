"""The score of a match: points, gains and first places of every bot, with intervals."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import lcm
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.estimates import FEWEST_DIFFERING, ControlledMeans, Estimate, Sums, anytime_margin
from tefuda.engine.objective import gain_weights
from tefuda.engine.option import Value
from tefuda.engine.play import ILLEGAL, MADE
from tefuda.lab.play.python_game import MODEL_USE
from tefuda.lab.play.runner import MatchBlock, rotations
from tefuda.table.game import Game

_Number = TypeVar("_Number", np.int64, np.float64)


@dataclass(frozen=True)
class BotScore:
    """A bot's result, under a name that is unique in the match, such as ``random (2)``."""

    name: str
    bot: str
    points: Estimate
    """per deal, as people count them (a team's in partnership games), the mean over the deal's rotations"""
    gain: Estimate  #: points less the mean of what the other sides' bots receive (``engine.objective``)
    first_places: float  #: share of games won; bots that tie share the place
    decisions: int  #: actions that the bot was asked for
    illegal: int  #: answers that were illegal, late, or exceptions; a random legal action was made instead
    microseconds: float
    """per action. In compiled matches they are measured apart, on one core, in deals in which every seat is this bot,
    and include what the table does for an action; in other matches, what the bot took."""
    faults: tuple[str, ...] = ()
    """what the bot did wrong, a line each, in matches that are not compiled; each fault lost it the deal"""
    gain_without_luck: Estimate | None = None  #: the gain with the luck of the cards taken out, if that was measured
    tokens_read: int = 0  #: by a language model, in the whole match
    tokens_written: int = 0
    refused: int = 0  #: answers of a language model that were no legal play; it was asked again


@dataclass(frozen=True)
class MatchResult:
    """A match that was played: ``deals`` of those ``asked`` for, ``earlier`` of them in an earlier run.

    ``options`` are those that differ from the defaults, ``rotations`` games a deal, ``seconds`` on all cores. It was
    ``interrupted`` by Ctrl-C, where only whole deals count, or ended early, as the first bot's gain was ``decided``."""

    game: str
    rules_version: int
    options: dict[str, Value]
    seed: int
    asked: int
    deals: int
    rotations: int
    seconds: float
    interrupted: bool
    entries: tuple[BotScore, ...]
    decided: bool = False
    earlier: int = 0

    def as_dict(self) -> dict[str, object]:
        """Everything as plain data for JSON."""
        return asdict(self)


class MatchScores:
    """Running totals of a match, in whole numbers, so that they do not depend on the size of blocks."""

    def __init__(self, game: Game) -> None:
        seats, unit = game.seats, game.description.rules.unit
        self.seats = seats
        self.unit = unit
        self._weights, self._scale = _whole_weights(game)
        self.shares = lcm(*range(1, seats + 1))  # of a first place, divisible among any number of bots that tie
        self.points = Sums(seats, unit=seats * unit)
        self.gains = Sums(seats, unit=seats * self._scale * unit)
        self.firsts = Sums(seats, unit=seats * self.shares)
        self.differing = 0  # deals in which the first bot gained or lost
        self.without_luck = ControlledMeans(seats)
        self.counts = np.zeros((seats, 2), np.int64)
        self.seconds = np.zeros(seats)
        self.model_use = np.zeros((seats, MODEL_USE), np.int64)
        self.faults: list[list[str]] = [[] for _ in range(seats)]

    @property
    def deals(self) -> int:
        return self.firsts.count

    def add(self, block: MatchBlock) -> None:
        """Add some more deals."""
        points = block.points
        totals = points.sum(1)
        first = points == points.max(2, keepdims=True)
        shares = first * (self.shares // first.sum(2, keepdims=True))
        self.counts += block.counts.sum((0, 1))
        self.seconds += block.seconds
        self.model_use += 0 if block.model_use is None else block.model_use
        self.faults = [before + more for before, more in zip(self.faults, block.faults, strict=True)]
        self.points.add(totals)
        gains = self._gains(points).sum(1)
        self.gains.add(gains)
        self.differing += int(np.count_nonzero(gains[:, 0]))
        self.firsts.add(shares.sum(1))
        if block.luck is not None:
            scale = self._scale * self.unit
            self.without_luck.add(self._gains(points).mean(1) / scale, self._gains(block.luck).mean(1) / scale)

    def _gains(self, points: NDArray[_Number]) -> NDArray[_Number]:
        """Every bot's gain in every rotation, times ``_scale``; of shape (deals, rotations, bots), like the points."""
        gains: NDArray[_Number] = np.einsum("drb,rbk->drk", points, self._weights)
        return gains

    def is_decided(self) -> bool:
        """True if it is clear that the first bot gains, or loses, however often one has looked."""
        if self.differing < FEWEST_DIFFERING:
            return False
        gains = self.without_luck if self.without_luck.count else self.gains
        return abs(gains.mean(0)) > anytime_margin(self.deals, gains.deviation(0))

    def of(self, k: int, name: str, bot: str, seconds: float | None) -> BotScore:
        """The k-th bot's score; ``seconds`` are those of an action if they were measured apart."""
        if seconds is None:
            seconds = self.seconds[k] / max(1, self.counts[k, MADE])
        return BotScore(
            name=name,
            bot=bot,
            points=self.points.estimate(k),
            gain=self.gains.estimate(k),
            first_places=self.firsts.mean(k),
            decisions=int(self.counts[k, MADE]),
            illegal=int(self.counts[k, ILLEGAL]),
            microseconds=float(seconds * 1e6),
            faults=tuple(self.faults[k]),
            gain_without_luck=self.without_luck.estimate(k) if self.without_luck.count else None,
            **dict(zip(("tokens_read", "tokens_written", "refused"), self.model_use[k].tolist(), strict=True)),
        )


def _whole_weights(game: Game) -> tuple[NDArray[np.int64], int]:
    """Weights of the bots' points in their gains, int64 of shape (rotations, bots, bots), and the weights' scale."""
    weights = gain_weights(game.template[0])
    scale = lcm(*(max(1, int(others)) for others in (weights < 0).sum(0)))
    chairs = rotations(game.seats)
    return np.rint(weights * scale).astype(np.int64)[chairs[:, :, None], chairs[:, None, :]], scale


def bot_names(bots: Sequence[str]) -> list[str]:
    """A name for each bot: the second of a kind is ``random (2)``."""
    numbers = [list(bots[:k]).count(each) for k, each in enumerate(bots)]  # of the same kind before it
    return [f"{each} ({number + 1})" if number else each for each, number in zip(bots, numbers, strict=True)]
