"""``tefuda check``: running scenario files, and playing tours through."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tefuda.engine import toml
from tefuda.engine.errors import TefudaError
from tefuda.table import tour
from tefuda.table.scenario import CaseResult, ScenarioError, check_file


def run(paths: Sequence[Path]) -> int:
    """Run files, and the .toml files of folders; print what failed and how many passed.

    Returns:
        Exit status: 0 only if every case passed, 2 if a file could not be run, else 1.
    """
    results: list[CaseResult] = []
    unreadable = 0
    for path in _files(paths):
        try:
            found = [_tour(path)] if _is_tour(path) else check_file(path)
        except (ScenarioError, tour.TourError) as error:
            sys.stderr.write(f"tefuda: {error}\n")
            unreadable += 1
            continue
        results += found
        for result in found:
            _report(result)
    failed = sum(not result.passed for result in results)
    sys.stdout.write(f"{len(results) - failed} passed, {failed + unreadable} failed\n")
    return 2 if unreadable else 1 if failed else 0


def _files(paths: Sequence[Path]) -> Iterable[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.rglob("*.toml"))
        if not found:
            raise TefudaError(f"{path}: no .toml files in this folder")
        yield from found


def _is_tour(path: Path) -> bool:
    """Whether a file has steps; what is wrong with one that cannot be read is for others to say."""
    try:
        return "step" in toml.read(path)
    except TefudaError:
        return False


def _tour(path: Path) -> CaseResult:
    """A tour counts as one case, which fails if a play in it does not follow the rules."""
    found, failures = tour.load(path), list[str]()
    try:
        tour.check(found)
    except tour.TourError as error:
        failures.append(str(error).removeprefix(f"{path}: "))
    return CaseResult(str(path), "tour", tuple(failures))


def _report(result: CaseResult) -> None:
    if not result.passed:
        sys.stdout.write(f"{result.file}: {result.case}: {'; '.join(result.failures)}\n")
