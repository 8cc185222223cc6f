"""Tables of what was played, and their files: a row for each seat of each game, or for each sampled decision.

docs/lab.md describes the columns. Numbers are kept small, since a run may have millions of rows. Each file is there
wholly or not at all."""

import os
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tefuda.engine.description import Description
from tefuda.engine.files import whole
from tefuda.engine.play import ILLEGAL, MADE
from tefuda.engine.recorder import CHOICES, DECISIONS
from tefuda.engine.sentence import Sentence
from tefuda.lab.experiment import Arm, Experiment, line_names
from tefuda.lab.measure.decisions import ActionValues, PlayWorth
from tefuda.lab.play.python_game import is_worthwhile
from tefuda.lab.play.runner import GameBatch

Schema = dict[str, pl.DataType | type[pl.DataType]]  #: columns and their types

PLAYED_AGAIN = 100  # deals of the first arm, from the first on, that are played a second time with other random numbers
ROW_GROUP = 1 << 17  #: rows of a group of a Parquet file
KEY = ("arm", "seed", "deal", "rotation")  #: columns that name a game

_KINDS = {float: pl.Float64, bool: pl.Boolean}

_DECISION_COLUMNS: Schema = {
    "decision": pl.Int32,
    "seat": pl.Int8,
    **{name: _KINDS[kind] for name, kind in ActionValues.__annotations__.items()},
    "leader": pl.Int8,
    **{name: _KINDS[kind] for name, kind in PlayWorth.__annotations__.items()},
    "unknown": pl.Float64,
}

READ_COLUMNS: Schema = {"binds": pl.Boolean, "advice": pl.Float64, "scatter": pl.Float64}
"""Columns of decisions read under the options of another arm; each of them for every arm."""


def deal_schema(experiment: Experiment) -> Schema:
    """The columns of ``results.parquet`` and their types."""
    lines = {"lines": pl.List(pl.Enum(line_names(experiment.description))), "worths": pl.List(pl.Float64)}
    return {
        **_key_schema(experiment),
        "seat": pl.Int8,
        "bot": pl.Enum(sorted({each for arm in experiment.arms for each in arm.bots})),
        "payoff": pl.Float64,
        **({"again": pl.Float64} if experiment.plays_again else {}),
        **({"luck": pl.Float64} if any(measures_luck(experiment, arm) for arm in experiment.arms) else {}),
        **dict.fromkeys(("moves", "decisions", "choices", "illegal"), pl.Int32),
        "acts_first": pl.Boolean,
        **dict.fromkeys(experiment.places, pl.Boolean),
        **dict.fromkeys(experiment.numbers, pl.Int32),
        **({"behind": pl.Float64} if "recovery" in experiment.measures else {}),
        **(lines if "lines" in experiment.measures else {}),
    }


def measures_luck(experiment: Experiment, arm: Arm) -> bool:
    """True if the luck of the cards is measured in an arm: where bots differ, and one thinks for long."""
    return experiment.luck and not arm.score and arm.rotations > 1 and is_worthwhile(arm.game, arm.bots)


def _key_schema(experiment: Experiment) -> Schema:
    names = pl.Enum([arm.name for arm in experiment.arms])
    return {"arm": names, "seed": pl.Int64, "deal": pl.Int64, "rotation": pl.Int8}


def deal_rows(experiment: Experiment, arm: Arm, batch: GameBatch, again: GameBatch | None = None) -> pl.DataFrame:
    """A row for each seat of each game of a batch, whose first deals may have been played ``again``."""
    games, seats = batch.payoffs.shape
    seat, unit = np.arange(seats), experiment.description.rules.unit
    twice = [] if again is None else (again.payoffs.ravel() / unit).tolist()
    columns: dict[str, Any] = {
        "arm": np.full(games * seats, arm.name),
        "seed": np.full(games * seats, experiment.seed),
        "deal": np.repeat(batch.deals, seats),
        "rotation": np.repeat(batch.rotations, seats),
        "seat": np.tile(seat, games),
        "bot": np.array(arm.bots)[batch.sitting].ravel(),
        "payoff": batch.payoffs.ravel() / unit,
        "again": [*twice, *[None] * (games * seats - len(twice))],
        "luck": [None] * (games * seats) if batch.luck is None else batch.luck.ravel() / unit,
        "acts_first": (batch.firsts[:, None] == seat).ravel(),
        "behind": batch.behind.ravel() / unit,
    }
    for name, which in (("moves", MADE), ("decisions", DECISIONS), ("choices", CHOICES), ("illegal", ILLEGAL)):
        columns[name] = batch.counts[:, :, which].ravel()
    columns |= {place: (batch.finals[place][:, None] == seat).ravel() for place in experiment.places}
    columns |= {number: np.repeat(batch.finals[number], seats) for number in experiment.numbers}
    if "lines" in experiment.measures:
        columns |= sheet_columns(experiment.description, batch, seats)
    schema = deal_schema(experiment)
    return pl.DataFrame({name: pl.Series(name, columns[name]).cast(kind) for name, kind in schema.items()})


def sheet_columns(description: Description, batch: GameBatch, seats: int) -> dict[str, pl.Series]:
    """The lines of the score sheet of each seat of each game, and the worth of each, if it names points."""
    sheets = [description.display.sheet(state, seat) for state in batch.finals for seat in range(seats)]
    names = [[line.code.removeprefix("sheet.") for line in sheet] for sheet in sheets]
    worths = [[_worth(line) for line in sheet] for sheet in sheets]
    return {"lines": pl.Series(names, dtype=pl.List(pl.String)), "worths": pl.Series(worths, dtype=pl.List(pl.Float64))}


def _worth(line: Sentence) -> float | None:
    text = line.fields.get("points")
    return None if text is None else float(text.replace("−", "-"))


def decision_rows(
    experiment: Experiment, arm: Arm, batch: GameBatch, analyses: Sequence[Mapping[str, Sequence[object]]]
) -> pl.DataFrame:
    """A row for each decision of the sampled games, as analysed; columns that were not measured are null."""
    read = {f"{what} {other.name}": kind for other in experiment.arms for what, kind in READ_COLUMNS.items()}
    schema: Schema = {**_key_schema(experiment), "of": pl.Int32, **_DECISION_COLUMNS, **read}
    frames = [pl.DataFrame(schema=schema)]
    for points, analysis in zip(batch.decisions, analyses, strict=True):
        n, game = len(points.states), points.game
        key: dict[str, object] = {"deal": int(batch.deals[game]), "rotation": int(batch.rotations[game]), "of": n}
        key |= {"arm": arm.name, "seed": experiment.seed}
        columns = {**{name: [value] * n for name, value in key.items()}, **analysis}
        series = [pl.Series(name, columns.get(name, [None] * n), kind, strict=False) for name, kind in schema.items()]
        frames.append(pl.DataFrame(series))
    return pl.concat(frames)


# Files


def write_table(table: pl.LazyFrame | pl.DataFrame, path: Path, metadata: dict[str, str] | None = None) -> None:
    """Write a Parquet file; its bytes depend on the rows and the metadata alone."""
    with whole(path) as unfinished:
        table.lazy().sink_parquet(unfinished, compression="zstd", row_group_size=ROW_GROUP, metadata=metadata)
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())  # else a power cut could leave the new name without the content


def parquet_bytes(table: pl.DataFrame) -> bytes:
    """A table as a Parquet file; its bytes depend on the rows alone."""
    file = BytesIO()
    table.write_parquet(file, compression="zstd", row_group_size=ROW_GROUP)
    return file.getvalue()


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file."""
    with whole(path) as unfinished, unfinished.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def is_readable(path: Path) -> bool:
    """True if a Parquet file can be read."""
    try:
        pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError):
        return False
    return True
