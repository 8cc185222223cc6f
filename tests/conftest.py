"""Games are compiled before the tests begin; then the tests of one game, or of one file, run in one process.

A test belongs to the first game that its name, its file's or its case's name names, or else to its file. The tests of
the pages belong together, so that one server and one browser serve them all: a browser keeps more than one core busy.
So do those of research, which would else compile the same code in several processes at once."""

import os
import re
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tefuda import games
from tefuda.engine import verbs
from tests import compiled

os.environ["TEFUDA_LANG"] = "en"  # whatever the machine speaks

collect_ignore = [] if find_spec("fastapi") else ["server", "web", "cli/test_serve.py"]
"""Tests of the server, where its extra is left out: ``uv run --no-default-groups --group test pytest``."""

_BEGUN = time.monotonic()

try:
    from xdist.scheduler import LoadScopeScheduling
except ImportError:  # tests also run in one process, without xdist
    LoadScopeScheduling = object

_TOGETHER = ("tests/research", "tests/web")
_GAMES = re.compile("|".join(games.names()))


class ByGame(LoadScopeScheduling):  # type: ignore[misc]
    """Gives a worker all tests of a game, of a file, or of a folder of tests that belong together.

    pytest-xdist's own groups (``--dist loadgroup``) are a suffix that it adds to the names of tests in a hook; where
    that hook runs before ours, or pytest does not read the changed name, there are none."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


def group_of(nodeid: str) -> str:
    """The game that a test is about, or its file; one group each for the pages and for research."""
    for folder in _TOGETHER:
        if nodeid.startswith(f"{folder}/"):
            return folder
    found = _GAMES.search(nodeid.replace("_", "-"))
    return found[0] if found else nodeid.partition("::")[0]


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment for commands: they keep their files in a folder of the test, and write plain text."""
    return {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data"), "COLUMNS": "100", "NO_COLOR": "1"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--within", type=float, metavar="SECONDS", help="start no test after this time; -rs tells which")
    parser.addoption("--passed", type=Path, metavar="FILE", help="leave out what FILE names; add what passes")


def pytest_configure(config: pytest.Config) -> None:
    file = config.getoption("--passed")
    if file is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Passed(file))


class Passed:
    """Adds the name of each test that passes to a file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            with self._file.open("a", encoding="utf-8") as names:
                names.write(f"{report.nodeid}\n")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    file = config.getoption("--passed")
    if file is not None and file.exists():
        passed = frozenset(file.read_text(encoding="utf-8").splitlines())
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in passed])
        items[:] = [item for item in items if item.nodeid not in passed]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByGame | None:
    return ByGame(config, log) if config.getoption("dist") == "loadscope" else None


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile all games, if this process is to give all tests to others."""
    config = session.config
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.getoption("keyword")
    if whole and config.getoption("numprocesses", None) and not verbs.UNCOMPILED:
        compiled.compile_all(config.get_terminal_writer().line)


def pytest_runtest_setup(item: pytest.Item) -> None:
    within = item.config.getoption("--within")
    if within is not None and time.monotonic() - _BEGUN > within:
        pytest.skip(f"not started: {within:.0f} seconds are over")
