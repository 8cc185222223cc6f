"""Where compiled code is kept on disk, and under which key.

Numba notices a change in the file of a cached function but not in the files of the functions it calls. So the folder is
named after a hash of every source of this package and of every package that adds a game, and of the versions of
Python, Numba and NumPy: any change starts a new one, except in folders of this package where nothing is compiled.
"""

import atexit
import hashlib
import importlib.util
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points, version
from pathlib import Path

import platformdirs

GAMES = "tefuda.games"
"""The entry-point group in which packages announce their games."""

UNCOMPILED = ("cli", "decks", "lab", "server", "web")
"""Folders of this package without a compiled function (tested)."""

LIBRARIES = ("numba", "llvmlite", "numpy")
"""Whose versions compiled code depends on."""

PICKLE_BEGINS, PICKLE_ENDS = b"\x80", b"."
"""The first and the last byte of each file in which Numba keeps compiled code, and of its index files."""

KEEP = 3
"""Folders of older sources that are kept, for people who switch between versions."""


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
    """What compiled code depends on besides the sources."""
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
    """Where code compiled from the present sources is kept."""
    return base() / key()


class NotKeptWarning(UserWarning):
    """Compiled code cannot be kept, so that every start compiles again."""


_kept = True


def is_kept() -> bool:
    """Whether compiled code is kept for the next start."""
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


def not_kept() -> str:
    """Why compiled code is not kept, in one line."""
    return (
        f"{base()} cannot be written, so compiled code is not kept and every start compiles again; "
        "set TEFUDA_CACHE_DIR to a folder that can be written"
    )


def damaged() -> Iterator[Path]:
    """Files of compiled code that were cut off or overwritten; Numba would fail to read them."""
    for path in folder().rglob("*.nb[ci]"):
        with suppress(FileNotFoundError), path.open("rb") as file:
            first = file.read(1)
            file.seek(-1 if first else 0, os.SEEK_END)
            if first != PICKLE_BEGINS or file.read(1) != PICKLE_ENDS:
                yield path


def forget_old() -> None:
    """Delete all but the newest few folders of compiled code (each holds a few megabytes)."""
    if not base().is_dir():
        return
    others = sorted((p for p in base().iterdir() if p.name != key()), key=lambda p: p.stat().st_mtime, reverse=True)
    for path in others[KEEP:]:
        shutil.rmtree(path, ignore_errors=True)
