"""Compiling before the first use: once for all processes, and again after an update."""

import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from tefuda import games
from tefuda.cli.decision import SearchLoader
from tefuda.engine import cache, compilation

GAME = games.description(games.names()[0])


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of compiled code."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(cache, "root", lambda: tmp_path)
    monkeypatch.setattr(cache, "is_kept", lambda: True)
    cache.folder().mkdir(parents=True)
    return cache.folder()


def test_the_versions_of_python_numba_and_numpy_are_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sys.version in cache.versions()
    first = cache.key.__wrapped__()
    for library in ("numba", "llvmlite", "numpy"):
        with monkeypatch.context() as patch:
            patch.setattr(cache, "version", lambda name, changed=library: "0" if name == changed else "1")
            second = cache.key.__wrapped__()
            patch.setattr(cache, "version", lambda name: "1")
            assert len({first, second, cache.key.__wrapped__()}) == 3


def test_what_is_marked_is_warm(kept: Path) -> None:
    assert not compilation.is_warm(GAME)
    compilation.mark(GAME)
    assert compilation.is_warm(GAME)
    assert not compilation.is_warm(GAME, compilation.SEARCH)


HOLDER = """
import sys, pathlib
from filelock import FileLock
with FileLock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.readline()
    pathlib.Path(sys.argv[2]).touch()
"""


def test_whoever_comes_second_waits_for_the_first_and_compiles_nothing(kept: Path) -> None:
    marker, lock = kept / f"{GAME.name}.table.compiled", kept / f"{GAME.name}.table.lock"
    command = [sys.executable, "-c", HOLDER, str(lock), str(marker)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"held\n"
        told = []

        def waiting() -> None:
            told.append("waiting")
            assert first.stdin is not None
            first.stdin.write(b"\n")
            first.stdin.flush()

        with compilation.lock(GAME, waiting=waiting):
            assert compilation.is_warm(GAME)
        assert told == ["waiting"]


def test_where_nothing_can_be_kept_there_is_no_lock_and_no_helper(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "is_kept", lambda: False)
    with compilation.lock(GAME):
        assert not list(kept.iterdir())
    compilation.Helper(GAME, "no:such").wait()


def test_a_helper_that_fails_or_is_stopped_does_no_harm(kept: Path) -> None:
    compilation.Helper(GAME, "tefuda.nowhere:nothing").wait()
    helper = compilation.Helper(GAME, "time:sleep")
    helper.stop()
    helper.wait()


def test_a_folder_that_cannot_be_made_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder", "utf-8")
    monkeypatch.setenv("TEFUDA_CACHE_DIR", str(file))
    done = subprocess.run(
        [sys.executable, "-m", "tefuda", "check", "missing.toml"], capture_output=True, text=True, check=False
    )
    lines = done.stderr.splitlines()
    assert len(lines) <= 2
    assert f"{file}/compiled cannot be written" in lines[0]
    assert "Warning" not in done.stderr


def test_the_search_is_loaded_while_the_player_thinks(kept: Path) -> None:
    loaded = Event()
    compilation.mark(GAME, compilation.SEARCH)
    loader = SearchLoader(GAME, loaded.wait)
    assert not loader.is_ready(0.0)
    loaded.set()
    assert loader.is_ready()
    loader.stop()
