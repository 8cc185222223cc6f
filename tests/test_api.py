"""The public names: found by editors, explained, each with an example that runs."""

import doctest
import inspect
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import tefuda

OPTIONS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE
NAMES = [name for name in tefuda.__all__ if name != "__version__"]
ERRORS = [
    name for name in NAMES if inspect.isclass(getattr(tefuda, name)) and issubclass(getattr(tefuda, name), Exception)
]


def members(thing: Any) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that a class defines itself or takes from another class of ours."""
    for name, member in inspect.getmembers(thing):
        plain = inspect.isfunction(member) or inspect.ismethod(member) or isinstance(member, property)
        if not name.startswith("_") and plain:
            yield name, member


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_explained(name: str) -> None:
    thing = getattr(tefuda, name)
    assert inspect.getdoc(thing)
    if name not in ERRORS and inspect.isclass(thing):
        assert [member for member, found in members(thing) if not inspect.getdoc(found)] == []


@pytest.mark.parametrize("name", [name for name in NAMES if name not in (*ERRORS, "OptionHelp", "MatchResult")])
def test_every_public_name_has_an_example(name: str) -> None:
    assert ">>> " in (inspect.getdoc(getattr(tefuda, name)) or "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["", *NAMES])
def test_the_examples_run_on_gong_zhu(name: str) -> None:
    """On one game, so that it is compiled once."""
    thing = getattr(tefuda, name) if name else tefuda
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    for test in doctest.DocTestFinder(recurse=bool(name)).find(thing, name or "tefuda", globs={}):
        runner.run(test)
    assert runner.failures == 0


def test_every_error_is_a_tefuda_error() -> None:
    assert {"IllegalPlay", "OptionError", "RecordError", "TefudaError"} <= set(ERRORS)
    assert all(issubclass(getattr(tefuda, name), tefuda.TefudaError) for name in ERRORS)


def test_a_name_is_imported_when_it_is_used() -> None:
    code = "import sys, tefuda; dir(tefuda); tefuda.TefudaError; print('numpy' in sys.modules, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_what_there_is_not_is_said() -> None:
    with pytest.raises(AttributeError, match="no attribute 'lod'"):
        tefuda.lod  # type: ignore[attr-defined]  # noqa: B018


def test_the_version_is_that_of_the_package() -> None:
    assert tefuda.__version__.count(".") >= 2
