"""Joining runs of one experiment that played other seeds, on other machines perhaps."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from tefuda.engine.errors import TefudaError
from tefuda.lab.run import DECISIONS, RESULTS, Run, open_run, write


def merge(paths: Sequence[Path], output: Path) -> Run:
    """Join runs into a new one: its rows are theirs, seed by seed.

    Raises:
        TefudaError: they are not of one experiment, two have a seed in common, or one is not finished.
    """
    runs = sorted((open_run(path) for path in paths), key=seeds_of)
    first = comparable(runs[0])
    for run in runs[1:]:
        own = comparable(run)
        other = ", ".join(key for key in sorted({*first, *own}) if first.get(key) != own.get(key))
        if other:
            raise TefudaError(f"{run.path} and {runs[0].path} are not runs of one experiment: they differ in {other}")
    seeds = [seed for run in runs for seed in seeds_of(run)]
    if len(set(seeds)) < len(seeds):
        raise TefudaError(
            f"seed {max(seeds, key=seeds.count)} was played by two of the runs; only different deals add up"
        )
    for run in runs:
        if run.parts() or not run.results.exists():
            raise TefudaError(f"{run.path}: it is not finished; tefuda lab run goes on with it")
    whole = replace(runs[0].experiment, deals=sum(run.finished() for run in runs), stop=False)
    joined = Run(output, whole, merged={"seeds": seeds})
    metadata = {"deals": str(whole.deals), "seeds": " ".join(map(str, seeds))}
    with ExitStack() as stack:
        for run in (*runs, joined):
            stack.enter_context(run.sound())
        if whole.sample:
            write(pl.scan_parquet([run.path / DECISIONS for run in runs]), output / DECISIONS, metadata)
        write(pl.scan_parquet([run.results for run in runs]), output / RESULTS, metadata)
    return joined


def seeds_of(run: Run) -> list[int]:
    """The seeds that a run played, several if it was joined itself."""
    return list(run.depends.get("seeds", [run.experiment.seed]))


def comparable(run: Run) -> dict[str, Any]:
    """What runs that are joined have in common: all that their deals depend on but the seed."""
    return {key: value for key, value in run.depends.items() if key not in ("seed", "seeds", "sources")}
