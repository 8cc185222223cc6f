"""OpenSpiel's own golden files: ``uv run --extra openspiel python -m tests.golden.openspiel``, by hand.

A playthrough is every answer of its interface in one deal, in the format of OpenSpiel's repository. It is kept packed
(``tests/<game>/golden/openspiel.txt.gz``; ``zless`` shows it), as most of it are arrays. It tells of the tiny game,
which has all that the whole one has, in few moments."""

import gzip
from pathlib import Path

from open_spiel.python.algorithms import generate_playthrough

from tefuda import games
from tefuda.engine.description import TINY
from tefuda.research import openspiel
from tests.golden.regenerate import records_of

SEED = 3


def path_of(name: str) -> Path:
    """Where the playthrough of a game's tiny one lies."""
    return records_of(name) / "openspiel.txt.gz"


def playthrough(name: str) -> str:
    """Every answer of OpenSpiel's interface in one deal of the tiny game."""
    told: str = generate_playthrough.playthrough(openspiel.short_name(f"{name}{TINY}"), None, seed=SEED)
    return told


def main() -> None:
    """Write what is missing or no longer right."""
    for name in games.names():
        path, told = path_of(name), playthrough(name).encode()
        if not path.exists() or gzip.decompress(path.read_bytes()) != told:
            path.write_bytes(gzip.compress(told, mtime=0))


if __name__ == "__main__":
    main()
