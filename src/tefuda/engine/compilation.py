"""Compiling a game's code before it is needed, on two cores at once, in steps that a progress display can show.

Compiled code is kept on disk (``cache``), so this takes time once after each change of the sources. Numba compiles
one function at a time in a process; so a second process compiles what can be compiled beside the rest, and each finds
on disk what the other has finished. The first process holds a lock, and the others wait for what it compiles."""

import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numba
import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from tefuda.engine import cache, rng, turn, verbs
from tefuda.engine.description import Description
from tefuda.engine.play import MOST_ACTIONS
from tefuda.engine.record import States, duplicate

SPARSE = 16  #: one in so many plays is asked about at each position where reasons have only to be loaded

TABLE, SEARCH = "table", "search"  # names of what is compiled for a game; other packages have names of their own

PROGRAM = "from tefuda.engine.compilation import main; main()"

Step = tuple[str, Callable[[], object]]  #: a purpose, and a call that compiles or loads what it needs


def is_warm(game: Description, what: str = TABLE) -> bool:
    """True if all that a table (or something else) needs has been compiled from the present sources."""
    return verbs.UNCOMPILED or _marker(game, what).exists()


def mark(game: Description, what: str = TABLE) -> None:
    """Remember that everything has been compiled; code compiled from much older sources is deleted."""
    with suppress(OSError):  # where nothing can be kept, the next start compiles again
        _marker(game, what).parent.mkdir(parents=True, exist_ok=True)
        _marker(game, what).touch()
        cache.forget_old()


def _marker(game: Description, what: str) -> Path:
    return cache.folder() / f"{game.name}.{what}.compiled"


@contextmanager
def lock(game: Description, what: str = TABLE, waiting: Callable[[], object] = lambda: None) -> Iterator[None]:
    """Held while something is compiled; ``waiting`` is called once if another process holds it.

    Where nothing can be kept there is nothing to wait for, and no lock."""
    if not cache.is_kept():
        yield
        return
    held = FileLock(cache.folder() / f"{game.name}.{what}.lock")
    try:
        held.acquire(timeout=0)
    except Timeout:
        waiting()
        held.acquire()
    try:
        yield
    finally:
        held.release()


def steps(game: Description, *, helped: bool = True) -> list[Step]:
    """Steps that compile or load what a table needs, in this order.

    If ``helped``, a second process compiles what the later steps need while the first are taken; they wait for it."""
    every = SPARSE if is_warm(game) else 1  # each play at each position is asked about only to find all that compiles
    states, following = game.template(), game.template()
    pack, generator = game.rules.pack(states[0]), rng.generator(0)
    out = np.zeros(MOST_ACTIONS, np.int64)
    alone = not helped or is_warm(game) or os.cpu_count() == 1
    beside = None if alone else Helper(game, "tefuda.engine.compilation:compile_beside")

    def shuffle() -> None:
        rng.shuffle(generator, pack)
        rng.below(generator, 2)

    def play_a_deal() -> None:
        moves = 0
        while (seat := verbs.mover(states[0])) >= 0:
            for word in game.notation.plays(states, range(moves % every, game.actions, every)):
                game.rules.why_not(states[0], seat, word)
            game.rules.interrupt(duplicate(states)[0], (seat + 1) % int(states[0].seats))
            turn.act(states, int(out[0]), out)
            moves += 1

    def advise() -> None:
        if beside is not None:
            beside.wait()
        begun = game.template()
        turn.deal(begun, pack, out)
        _take_advice(game, begun, generator, out)

    def settle() -> None:
        verbs.payoff(states[0], out)
        verbs.next_deal(states[0], following[0])
        game.setup.facts(states[0])
        for seat in range(states[0].seats):
            game.display.sheet(states[0], seat)

    return [
        ("shuffling", shuffle),
        ("dealing", lambda: turn.deal(states, pack, out)),
        ("legal plays", lambda: (turn.write_turn(states, out), turn.is_open(states, int(out[0]), game.actions))),
        ("moves and reasons", play_a_deal),
        ("the hint bot", advise),
        ("scoring", settle),
    ]


def _take_advice(game: Description, states: States, generator: rng.Rng, out: NDArray[np.int64]) -> None:
    """Play a deal by the rules of thumb, with the reasons they give."""
    while verbs.mover(states[0]) >= 0:
        action = int(verbs.advise(states[0], generator))
        if game.display.why_advised is not None:
            game.display.why_advised(states[0], action, game.notation.plays(states, [action])[0])
        turn.act(states, action, out)


def compile_beside(game: Description) -> None:
    """Compile in a second process what the first needs after dealing: moves, advice, scoring."""
    states, out = game.template(), np.zeros(MOST_ACTIONS, np.int64)
    record, actions = numba.typeof(states[0]), numba.typeof(out)
    rules: list[tuple[Any, tuple[object, ...]]] = [
        (verbs.advise.implementations[game.record], (record, numba.typeof(rng.generator(0)))),
        (verbs.payoff.implementations[game.record], (record, actions)),
        (verbs.next_deal.implementations[game.record], (record, record)),
        (turn.act, (numba.typeof(states), numba.int64, actions)),
    ]
    for rule, arguments in rules:
        rule.compile(arguments)


class Helper:
    """A process that compiles a part of a game, ``module:function``, which is called with the game that an entry point
    announces; what it has compiled is then on disk.

    It is never needed: what it did not compile, because it could not start or nothing can be kept, is compiled when it
    is first used."""

    def __init__(self, game: Description, part: str) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        if verbs.UNCOMPILED or not cache.is_kept():
            return
        command = [sys.executable, "-c", PROGRAM, game.miniature_of or game.name, part]
        with suppress(OSError):
            self._process = subprocess.Popen(  # noqa: S603 - this Python, on names from this package
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )

    def wait(self) -> None:
        """Until the process has done its part."""
        if self._process is not None:
            self._process.wait()

    def stop(self) -> None:
        """End the process; what it has finished stays on disk."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()


def main() -> None:
    """The program of a helper: the name of a game, and the part to compile."""
    name, part = sys.argv[1:]
    (entry,) = entry_points(group=cache.GAMES, name=name)
    module, _, function = part.partition(":")
    getattr(importlib.import_module(module), function)(entry.load())
