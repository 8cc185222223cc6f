"""The folders of compiled code on disk, and their keys.

Numba notices a change in the file of a cached function but not in the files of the functions it calls. So the folder is
named after a hash of every source of this package and of every package that adds a game, and of the versions of
Python, Numba and NumPy: any change starts a new one, except in folders of this package where nothing is compiled."""

import atexit
import hashlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points, version
from io import BytesIO
from pathlib import Path
from typing import Any

import platformdirs

from tefuda.engine.files import whole

GAMES = "tefuda.games"  #: the entry-point group in which packages announce their games
UNCOMPILED = ("cli", "decks", "lab", "server", "web")  #: folders of this package without a compiled function (tested)
LIBRARIES = ("numba", "llvmlite", "numpy")  #: libraries whose versions compiled code depends on
SEAL = hashlib.sha256  #: the hash whose digest ends each file of compiled code: it tells that the file is whole

UNRESOLVED = b".numba.unresolved$"
"""Begins the names that code has for functions which other code is to bring: loaded alone, it would call nothing."""

KEEP = 3  #: folders of older sources that are kept, for people who switch between versions


@cache
def root() -> Path:
    """The folder of all caches: ``TEFUDA_CACHE_DIR``, or the user's own cache folder."""
    given = os.environ.get("TEFUDA_CACHE_DIR")
    return Path(given) if given else Path(platformdirs.user_cache_dir("tefuda"))


def source_folders() -> list[Path]:
    """The package folders whose code can be compiled: Tefuda's and those of packages that add games."""
    packages = {"tefuda"} | {entry.module.partition(".")[0] for entry in entry_points(group=GAMES)}
    found = []
    for name in sorted(packages):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations:
            found += [Path(place) for place in spec.submodule_search_locations]
    return found


def versions() -> str:
    """Versions that compiled code depends on besides the sources."""
    return " ".join([sys.version, *(f"{library} {version(library)}" for library in LIBRARIES)])


@cache
def key() -> str:
    """A short hash of these versions and of every source file that can be compiled."""
    digest = hashlib.sha256(versions().encode())
    for folder in source_folders():
        for path in sorted(folder.rglob("*.py")):
            place = path.relative_to(folder)
            if folder.name != "tefuda" or place.parts[0] not in UNCOMPILED:
                digest.update(str(place).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def base() -> Path:
    """The folder of all compiled code, in the one that ``NUMBA_CACHE_DIR`` names if any."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) / "tefuda" if chosen else root() / "compiled"


def folder() -> Path:
    """The folder of code compiled from the present sources."""
    return base() / key()


class NotKeptWarning(UserWarning):
    """Compiled code cannot be kept, so that every start compiles again."""


_kept = True


def is_kept() -> bool:
    """True if compiled code is kept for the next start."""
    return _kept


def use_for_compiled_code() -> None:
    """Tell Numba to keep compiled code in ``folder()``; call before any function is decorated."""
    global _kept
    from numba import config

    place = folder()
    try:
        place.mkdir(parents=True, exist_ok=True)
        _kept = os.access(place, os.W_OK)
    except OSError:
        _kept = False
    if not _kept:
        # Numba would fall back to folders beside the sources, which the key does not protect.
        warnings.warn(not_kept(), NotKeptWarning, stacklevel=2)
        place = Path(tempfile.mkdtemp(prefix="tefuda-"))
        atexit.register(shutil.rmtree, place, ignore_errors=True)
    config.CACHE_DIR = str(place)
    _name_records_by_content()


def _name_records_by_content() -> None:
    """Tell records apart by their fields in the names of compiled functions.

    Numba names them by numbers, which each process gives its record types as they come. Functions for the records of
    two games, kept by two processes, can then have one name, and a process that loads both runs one in place of the
    other."""
    from numba import types

    @cache
    def number(name: str) -> int:
        return int.from_bytes(hashlib.sha256(name.encode()).digest()[:7])

    types.Record.mangling_args = property(lambda record: (type(record).__name__, (number(record.name),)))


def not_kept() -> str:
    """Why compiled code is not kept, in one line."""
    return (
        f"{base()} cannot be written, so compiled code is not kept and every start compiles again; "
        "set TEFUDA_CACHE_DIR to a folder that can be written"
    )


class DamagedWarning(UserWarning):
    """Compiled code on disk is not as it was written, so it is compiled again."""


Compiled = Any  #: a function that Numba has compiled, which brings no types


def guard(compiled: Compiled) -> None:
    """Let a compiled function load only what is on disk as it was written; the rest is deleted and compiled again.

    A power cut, a full disk or a folder copied in part damages files. Numba loads what it can read, and so would run
    machine code with other bytes in it. And two processes that compile a function for two games at once may give one
    file's name to the code of both: one game would then run the other's."""
    compile_it, files = compiled.compile, _Files(compiled)

    def compile_guarded(signature: Sequence[object]) -> object:
        files.check()
        before = sum(compiled.stats.cache_misses.values())
        found = compile_it(signature)
        if tuple(signature) not in compiled.signatures:
            files.delete()
            found = compile_it(signature)
        if sum(compiled.stats.cache_misses.values()) > before:
            files.seal()
        return found

    compiled.compile = compile_guarded


class _Files:
    """The files of one function: an index, and one for each of the types with which it is called."""

    def __init__(self, compiled: Compiled) -> None:
        function = compiled.py_func
        self._stats = compiled.stats
        self._name = f"{Path(function.__code__.co_filename).stem}.{re.sub('[<>]', '', function.__qualname__)}"
        self._checked = False

    def _found(self) -> list[Path]:
        folder = Path(self._stats.cache_path)
        return [folder / name for name in _names(folder) if name.partition("-")[0] == self._name]

    def check(self) -> None:
        """Delete all of them if one is not whole: once, before the first is loaded."""
        if self._checked:
            return
        found = self._found()
        unsound = [content for path in found if (content := _content(path)) is not None and not _is_sealed(content)]
        damaged = not all(map(_is_unsealed, unsound))
        if unsound:
            self.delete()
        if damaged:
            for path in folder().glob("*.compiled"):
                path.unlink(missing_ok=True)
            _tell_damage()
        self._checked = True

    def delete(self) -> None:
        """Delete all of them."""
        for path in self._found():
            path.unlink(missing_ok=True)
        _names.cache_clear()

    def seal(self) -> None:
        """End each file by its digest, now that Numba has written it; delete what could not be loaded."""
        _names.cache_clear()
        for path in self._found():
            with suppress(OSError):  # another process has deleted or replaced it: then it is compiled once more
                content = path.read_bytes()
                if UNRESOLVED in content:
                    path.unlink()
                elif not _is_sealed(content):
                    with whole(path, f".{os.getpid()}") as fresh:
                        fresh.write_bytes(content + SEAL(content).digest())


@cache
def _tell_damage() -> None:
    """Say it: once, however many files it is."""
    warnings.warn(f"compiled code in {folder()} was damaged; it is compiled again", DamagedWarning, 2)


@cache
def _names(folder: Path) -> list[str]:
    """Names of the files of compiled code in a folder, of all its functions."""
    return [path.name for path in folder.glob("*.nb[ci]")]


def _content(path: Path) -> bytes | None:
    """A file's content; None if another process has just deleted it."""
    with suppress(FileNotFoundError):
        return path.read_bytes()
    return None


def _is_sealed(content: bytes) -> bool:
    size = SEAL().digest_size
    return SEAL(content[:-size]).digest() == content[-size:]


def _is_unsealed(content: bytes) -> bool:
    """True if Numba has written all of it, and the process has not sealed it yet or was stopped before."""
    from pickletools import genops  # needed only where something is wrong

    rest = BytesIO(content)
    try:
        while rest.tell() < len(content):
            for _ in genops(rest):
                pass
    except ValueError:
        return False
    return content != b""


def forget_old() -> None:
    """Delete all but the newest few folders of compiled code (each holds a few megabytes)."""
    if not base().is_dir():
        return
    others = sorted((p for p in base().iterdir() if p.name != key()), key=lambda p: p.stat().st_mtime, reverse=True)
    for path in others[KEEP:]:
        shutil.rmtree(path, ignore_errors=True)
