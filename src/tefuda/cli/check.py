"""``tefuda check``: running scenario files, and playing tours through."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tefuda.cli.json_output import print_json
from tefuda.engine import toml
from tefuda.engine.errors import TefudaError
from tefuda.table import tour
from tefuda.table.scenario import CaseResult, ScenarioError, check_file


def run(paths: Sequence[Path], as_json: bool = False) -> int:
    """Run files, and the .toml files of folders; print what failed and how many passed, or every case as JSON.

    Returns:
        Exit status: 0 only if every case passed, 2 if a file could not be run, else 1.
    """
    results: list[CaseResult] = []
    unreadable: list[str] = []
    for path in _files(paths):
        try:
            found = [_tour(path)] if _is_tour(path) else check_file(path)
        except (ScenarioError, tour.TourError) as error:
            sys.stderr.write(f"tefuda: {error}\n")
            unreadable.append(str(error))
            continue
        results += found
    if as_json:
        print_json({"cases": results, "unreadable": unreadable})
    else:
        _report(results, len(unreadable))
    return 2 if unreadable else 0 if all(result.passed for result in results) else 1


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


def _report(results: Sequence[CaseResult], unreadable: int) -> None:
    """Print what failed, and how many did."""
    failed = [result for result in results if not result.passed]
    for result in failed:
        sys.stdout.write(f"{result.file}: {result.case}: {'; '.join(result.failures)}\n")
    sys.stdout.write(f"{len(results) - len(failed)} passed, {len(failed) + unreadable} failed\n")
