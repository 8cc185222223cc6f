"""Plays a block of an experiment: its deals in every arm, and the tables of what they brought."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import polars as pl

from tefuda.lab.experiment.reader import parse
from tefuda.lab.experiment.schema import Arm, Experiment
from tefuda.lab.measure.decisions import DecisionAnalyst
from tefuda.lab.measure.tables import PLAYED_AGAIN, deal_rows, decision_rows, measures_luck
from tefuda.lab.play.bot_games import AGAIN
from tefuda.lab.play.player import DealPlayer, GameBatch


@dataclass
class RunBlock:
    """What some deals brought in every arm.

    Attributes:
        numbers: of the deals.
        deals: their rows, as ``tables.deal_rows`` gives them.
        decisions: the rows of their decisions, as ``tables.decision_rows`` gives them; None outside the sample.
        thinking: seconds that bots took.
    """

    numbers: range
    deals: pl.DataFrame
    decisions: pl.DataFrame | None
    thinking: float


class Worker:
    """Plays blocks of an experiment.

    Args:
        experiment: what is played.
        stop: an event; once set, whatever is being played ends soon.
    """

    def __init__(self, experiment: Experiment, stop: Any = None) -> None:
        self.experiment, self.stop = experiment, stop or threading.Event()
        self._arms = [
            (
                arm,
                DealPlayer(
                    arm.game,
                    arm.bots,
                    experiment.seed,
                    self.stop,
                    experiment.whole_games,
                    measures_luck(experiment, arm),
                ),
                DecisionAnalyst(arm, experiment.arms_like(arm), experiment.measures, experiment.adviser),
            )
            for arm in experiment.arms
        ]

    def play(self, numbers: range) -> RunBlock:
        """Play these deals in every arm.

        Raises:
            InterruptedError: ``stop`` was set.
        """
        sampled = numbers.start < self.experiment.sample
        deals, decisions, thinking = [], [], 0.0
        for k, (arm, player, analyst) in enumerate(self._arms):
            if self.stop.is_set():
                raise InterruptedError
            batch = player.play(numbers, keep_decisions=sampled)
            last = min(numbers.stop, PLAYED_AGAIN) if self.experiment.plays_again and k == 0 else 0
            again = player.play(range(numbers.start, last), stream=AGAIN) if numbers.start < last else None
            thinking += batch.thinking + (again.thinking if again else 0.0)
            deals.append(deal_rows(self.experiment, arm, batch, again))
            if sampled:
                decisions.append(self._decision_rows(k, arm, batch, analyst))
        return RunBlock(numbers, pl.concat(deals), pl.concat(decisions) if decisions else None, thinking)

    def _decision_rows(self, k: int, arm: Arm, batch: GameBatch, analyst: DecisionAnalyst) -> pl.DataFrame:
        """The rows of the decisions of a batch, played in the k-th arm."""
        analyses = [
            analyst.analyse(
                points,
                (self.experiment.seed, int(batch.deals[points.game]), k, int(batch.rotations[points.game])),
            )
            for points in batch.decisions
        ]
        return decision_rows(self.experiment, arm, batch, analyses)


@dataclass(frozen=True)
class ExperimentJob:
    """An experiment as plain data; its pieces are blocks: ranges of deals.

    Attributes:
        name: of the experiment.
        keys: what its file says.
        words: what decides how its deals go, in short.
    """

    name: str
    keys: dict[str, Any]
    words: str

    @classmethod
    def of(cls, experiment: Experiment) -> Self:
        """What an experiment is."""
        return cls(experiment.name, experiment.as_file(), f"experiment {experiment.digest()}")

    def compile(self) -> None:
        """Compile what its blocks need, by playing a deal."""
        self._worker().play(range(1))

    def player(self, stop: Any) -> Callable[[range], RunBlock]:
        """What plays blocks."""
        return self._worker(stop).play

    def _worker(self, stop: Any = None) -> Worker:
        return Worker(parse(self.name, self.keys), stop)
