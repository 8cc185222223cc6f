"""Where compiled code is kept on disk, and under which key.

Numba notices a change in the file of a cached function but not in the files of the functions it calls. So the folder is
named after a hash of every source of this package and of every package that adds a game: any change starts a new one,
but for changes in rooms of this package where nothing is compiled.
"""

import atexit
import hashlib
import importlib.util
import os
import shutil
import sys
import tempfile
import warnings
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import platformdirs

GAMES = "tefuda.games"
"""The entry-point group in which packages announce their games."""

UNCOMPILED = ("cli", "decks", "lab", "server", "web")
"""Folders of this package without a compiled function (tested)."""

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


@cache
def key() -> str:
    """A short hash of the Python version and of every source file that can be compiled."""
    digest = hashlib.sha256(sys.version.encode())
    for folder in source_folders():
        for path in sorted(folder.rglob("*.py")):
            place = path.relative_to(folder)
            if folder.name != "tefuda" or place.parts[0] not in UNCOMPILED:
                digest.update(str(place).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def folder() -> Path:
    """Where code compiled from the present sources is kept."""
    return root() / "compiled" / key()


def use_for_compiled_code() -> None:
    """Tell Numba to keep compiled code in ``folder()``; call before any function is decorated.

    A folder that the user has chosen with ``NUMBA_CACHE_DIR`` gets a subfolder, so that the key holds there too.
    """
    from numba import config

    base = Path(config.CACHE_DIR) / "tefuda" if os.environ.get("NUMBA_CACHE_DIR") else root() / "compiled"
    try:
        (base / key()).mkdir(parents=True, exist_ok=True)
        writable = os.access(base / key(), os.W_OK)
    except OSError:
        writable = False
    if not writable:
        # Numba would fall back to folders beside the sources, which the key does not protect.
        warnings.warn(f"{base} cannot be written; TEFUDA_CACHE_DIR names another place. Nothing is kept.", stacklevel=2)
        base = Path(tempfile.mkdtemp(prefix="tefuda-"))
        atexit.register(shutil.rmtree, base, ignore_errors=True)
    config.CACHE_DIR = str(base / key())


def forget_old() -> None:
    """Delete all but the newest few folders of compiled code (each holds a few megabytes)."""
    base = folder().parent
    if not base.is_dir():
        return
    others = sorted((p for p in base.iterdir() if p.name != key()), key=lambda p: p.stat().st_mtime, reverse=True)
    for path in others[KEEP:]:
        shutil.rmtree(path, ignore_errors=True)
