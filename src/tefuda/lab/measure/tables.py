"""What was played, as tables: a row for each seat of each game, and a row for each decision of the sampled games.

docs/lab.md describes the columns. Numbers are kept small, since a run may have millions of rows.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import polars as pl

from tefuda.engine.description import Description
from tefuda.engine.playout import ILLEGAL, MADE
from tefuda.engine.recorder import CHOICES, DECISIONS
from tefuda.lab.experiment.schema import Arm, Experiment, line_names
from tefuda.lab.play.card_luck import is_worthwhile
from tefuda.lab.play.player import GameBatch

PLAYED_AGAIN = 100
"""Deals of the first arm, from the first on, that are played a second time with other random numbers."""

KEY = ("arm", "seed", "deal", "rotation")
"""Columns that name a game."""

_DECISION_COLUMNS = {
    "decision": pl.Int32,
    "seat": pl.Int8,
    "gap": pl.Float64,
    "matters": pl.Boolean,
    "care": pl.Float64,
    "expected": pl.Float64,
    "first": pl.Float64,
    "leader": pl.Int8,
    "worth": pl.Float64,
    "pays": pl.Boolean,
    "costs": pl.Boolean,
    "taken": pl.Boolean,
    "chance": pl.Float64,
    "differs": pl.Boolean,
    "unknown": pl.Float64,
}

READ_COLUMNS = {"binds": pl.Boolean, "advice": pl.Float64, "scatter": pl.Float64}
"""What is found where a decision is read under the options of another arm; a column each for every arm."""


def deal_schema(experiment: Experiment) -> dict[str, Any]:
    """The columns of ``results.parquet`` and their types."""
    lines = {"lines": pl.List(pl.Enum(line_names(experiment.description))), "worths": pl.List(pl.Float64)}
    return {
        **_key_schema(experiment),
        "seat": pl.Int8,
        "bot": pl.Enum(sorted({each for arm in experiment.arms for each in arm.bots})),
        "payoff": pl.Float64,
        **({"again": pl.Float64} if experiment.plays_again else {}),
        **({"luck": pl.Float64} if any(measures_luck(experiment, arm) for arm in experiment.arms) else {}),
        "moves": pl.Int32,
        "decisions": pl.Int32,
        "choices": pl.Int32,
        "illegal": pl.Int32,
        "acts_first": pl.Boolean,
        **dict.fromkeys(experiment.places, pl.Boolean),
        **dict.fromkeys(experiment.numbers, pl.Int32),
        **({"behind": pl.Float64} if "recovery" in experiment.measures else {}),
        **(lines if "lines" in experiment.measures else {}),
    }


def measures_luck(experiment: Experiment, arm: Arm) -> bool:
    """Whether the luck of the cards is measured in an arm: where bots differ, and one thinks for long."""
    return experiment.luck and arm.rotations > 1 and is_worthwhile(arm.game, arm.bots)


def _key_schema(experiment: Experiment) -> dict[str, Any]:
    names = pl.Enum([arm.name for arm in experiment.arms])
    return {"arm": names, "seed": pl.Int64, "deal": pl.Int64, "rotation": pl.Int8}


def deal_rows(experiment: Experiment, arm: Arm, batch: GameBatch, again: GameBatch | None = None) -> pl.DataFrame:
    """A row for each seat of each game of a batch, with the columns of ``deal_schema``.

    Args:
        experiment, arm, batch: what was played.
        again: its first deals, played again with other random numbers.
    """
    games, seats = batch.payoffs.shape
    description = experiment.description
    seat = np.arange(seats)
    columns: dict[str, Any] = {
        "arm": np.full(games * seats, arm.name),
        "seed": np.full(games * seats, experiment.seed),
        "deal": np.repeat(batch.deals, seats),
        "rotation": np.repeat(batch.rotations, seats),
        "seat": np.tile(seat, games),
        "bot": np.array(arm.bots)[batch.sitting].ravel(),
        "payoff": batch.payoffs.ravel() / description.rules.unit,
        "moves": batch.counts[:, :, MADE].ravel(),
        "decisions": batch.counts[:, :, DECISIONS].ravel(),
        "choices": batch.counts[:, :, CHOICES].ravel(),
        "illegal": batch.counts[:, :, ILLEGAL].ravel(),
        "acts_first": (batch.firsts[:, None] == seat).ravel(),
    }
    twice = [] if again is None else (again.payoffs.ravel() / description.rules.unit).tolist()
    columns["again"] = [*twice, *[None] * (games * seats - len(twice))]
    columns["luck"] = None if batch.luck is None else batch.luck.ravel() / description.rules.unit
    for place in experiment.places:
        columns[place] = (batch.finals[place][:, None] == seat).ravel()
    for number in experiment.numbers:
        columns[number] = np.repeat(batch.finals[number], seats)
    if "recovery" in experiment.measures:
        columns["behind"] = batch.behind.ravel() / description.rules.unit
    if "lines" in experiment.measures:
        columns |= sheet_columns(description, batch, seats)
    schema = deal_schema(experiment)
    height = games * seats
    return pl.DataFrame({name: _series(name, columns[name], height).cast(kind) for name, kind in schema.items()})


def _series(name: str, values: Any, height: int) -> pl.Series:
    """A column; empty where there are no values."""
    return pl.Series(name, [None] * height if values is None else values)


def sheet_columns(description: Description, batch: GameBatch, seats: int) -> dict[str, pl.Series]:
    """For each seat of each game the lines of its score sheet, and what each is worth, if it says so."""
    sheets = [[description.display.sheet(state, seat) for seat in range(seats)] for state in batch.finals]
    rows = list(chain.from_iterable(sheets))
    flat = list(chain.from_iterable(rows))
    lengths = np.array([len(row) for row in rows])
    table = pl.DataFrame(
        {
            "row": np.repeat(np.arange(len(rows)), lengths),
            "lines": [line.code.removeprefix("sheet.") for line in flat],
            "worths": [line_worth(line.fields) for line in flat],
        },
        schema={"row": pl.Int64, "lines": pl.String, "worths": pl.Float64},
    )
    every = pl.DataFrame({"row": np.arange(len(rows))}, schema={"row": pl.Int64})
    found = every.join(table.group_by("row", maintain_order=True).agg("lines", "worths"), on="row", how="left")
    found = found.sort("row").with_columns(pl.col("lines", "worths").fill_null([]))
    return {"lines": found["lines"], "worths": found["worths"]}


def line_worth(fields: Mapping[str, str]) -> float | None:
    """The points that a line of a score sheet names."""
    text = fields.get("points")
    return None if text is None else float(text.replace("−", "-"))


def decision_schema(experiment: Experiment) -> dict[str, Any]:
    """The columns of ``decisions.parquet`` and their types."""
    read = {f"{what} {arm.name}": kind for arm in experiment.arms for what, kind in READ_COLUMNS.items()}
    return {**_key_schema(experiment), "of": pl.Int32, **_DECISION_COLUMNS, **read}


def decision_rows(
    experiment: Experiment, arm: Arm, batch: GameBatch, analyses: Sequence[Mapping[str, Any]]
) -> pl.DataFrame:
    """A row for each decision of the sampled games; columns that were not measured are null.

    Args:
        experiment, arm, batch: what was played, with its decisions.
        analyses: of each game's decisions, the columns that ``DecisionAnalyst`` found.
    """
    schema = decision_schema(experiment)
    frames = [pl.DataFrame(schema=schema)]
    for points, analysis in zip(batch.decisions, analyses, strict=True):
        n = len(points.states)
        key = {
            "arm": arm.name,
            "seed": experiment.seed,
            "deal": int(batch.deals[points.game]),
            "rotation": int(batch.rotations[points.game]),
            "of": n,
        }
        columns = {**{name: [value] * n for name, value in key.items()}, **analysis}
        series = [pl.Series(name, columns.get(name, [None] * n), kind, strict=False) for name, kind in schema.items()]
        frames.append(pl.DataFrame(series))
    return pl.concat(frames)
