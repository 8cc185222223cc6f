"""Compiles a game as the tests use it: ``python -m tests.compiled gong-zhu``.

Before the tests of a whole run begin, all games are compiled so, as many at once as there are cores. Else the workers
would each compile the same."""

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from tefuda import games
from tefuda.bots.search import compile_search
from tefuda.engine import cache, compilation
from tefuda.table.game import load
from tefuda.testing import check_contract
from tests.contract.particulars import TESTS, particulars
from tests.searched import SEARCHED

TESTED = "tests"
"""What is compiled for a game's tests."""


def compile_all(told: Callable[[str], object]) -> None:
    """Compile every game in processes of their own; ``told`` of each that is done. What fails is left to the tests."""
    if not cache.is_kept():
        return
    missing = [name for name in games.names() if not compilation.is_warm(games.description(name), TESTED)]
    if missing:
        told(f"compiling {', '.join(missing)} before the tests begin")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name in pool.map(_compile_in_a_process, missing):
            told(f"compiled {name}")


def _compile_in_a_process(name: str) -> str:
    subprocess.run([sys.executable, "-m", "tests.compiled", name], cwd=TESTS.parent, check=False)
    return name


def compile_game(name: str) -> None:
    """Use all that the normal run's tests of this game use."""
    game = games.description(name)
    for _, compile_it in compilation.steps(game, helped=False):
        compile_it()
    compilation.mark(game)
    if name in SEARCHED:
        compile_search(game)
        compilation.mark(game, compilation.SEARCH)
    check_contract(load(name), 1, 1, particulars(name).hooks)
    compilation.mark(game, TESTED)


if __name__ == "__main__":
    compile_game(sys.argv[1])
