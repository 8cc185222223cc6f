"""Joins runs of one experiment that played different seeds, perhaps on different machines."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from tefuda.engine.errors import TefudaError
from tefuda.lab.run.files import DECISIONS, RESULTS, write_table
from tefuda.lab.run.run import Run, open_run


def merge(paths: Sequence[Path], output: Path) -> Run:
    """Join runs into a new one, which holds their rows seed by seed.

    Raises:
        TefudaError: the runs are not of one experiment, two have a seed in common, or one is not finished.
    """
    runs = sorted((open_run(path) for path in paths), key=seeds_of)
    seeds = [seed for run in runs for seed in seeds_of(run)]
    _check(runs, seeds)
    whole = replace(runs[0].experiment, deals=sum(run.finished() for run in runs), stop=False)
    joined = Run(output, whole, merged={"seeds": seeds})
    metadata = {"deals": str(whole.deals), "seeds": " ".join(map(str, seeds))}
    with ExitStack() as stack:
        for run in (*runs, joined):
            stack.enter_context(run.damage_named())
        if whole.sample:
            write_table(pl.scan_parquet([run.path / DECISIONS for run in runs]), output / DECISIONS, metadata)
        write_table(pl.scan_parquet([run.results for run in runs]), output / RESULTS, metadata)
    return joined


def _check(runs: Sequence[Run], seeds: Sequence[int]) -> None:
    """Check that runs can be joined; ``seeds`` are those that they played."""
    first = shared_identity(runs[0])
    for run in runs[1:]:
        own = shared_identity(run)
        other = ", ".join(key for key in sorted({*first, *own}) if first.get(key) != own.get(key))
        if other:
            raise TefudaError(f"{run.path} and {runs[0].path} are not runs of one experiment: they differ in {other}")
    if len(set(seeds)) < len(seeds):
        twice = max(seeds, key=seeds.count)
        raise TefudaError(f"seed {twice} was played by two of the runs; only different deals add up")
    for run in runs:
        if run.parts() or not run.results.exists():
            raise TefudaError(f"{run.path}: it is not finished; tefuda lab run goes on with it")


def seeds_of(run: Run) -> list[int]:
    """The seeds that a run played: several if it was joined itself."""
    return list(run.identity.get("seeds", [run.experiment.seed]))


def shared_identity(run: Run) -> dict[str, Any]:
    """What joined runs have in common: all that their deals depend on except the seed."""
    return {key: value for key, value in run.identity.items() if key not in ("seed", "seeds", "sources")}
