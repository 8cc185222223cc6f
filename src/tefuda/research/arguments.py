"""Arguments of callers, checked before anything reads them: compiled code looks at no bounds."""

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tefuda.bots.players import Bot, bot
from tefuda.engine import rng
from tefuda.engine.errors import TefudaError, whole
from tefuda.engine.option import Value
from tefuda.table.game import Game, load

FEWEST_PER_THREAD = 1024  #: tables that make another thread worthwhile


def as_game(game: Game | str, seats: int | None = None, options: Mapping[str, Value] = MappingProxyType({})) -> Game:
    """The game to be played, by name, with seats and options as ``tefuda.load`` takes them, or made.
    ``UnknownGameError`` and ``OptionError`` as of ``tefuda.load``; ``TefudaError`` if it is something else, or seats or
    options are given for a game that has its own."""
    if isinstance(game, str):
        return load(game, seats, **options)
    if not isinstance(game, Game):
        raise TefudaError(f"game: {game!r} is neither a name nor a game (tefuda.load)")
    if seats is not None or options:
        given = ", ".join([*["seats"] * (seats is not None), *options])
        raise TefudaError(f"{given}: {game!r} has its seats and options; give them to tefuda.load, or the game by name")
    return game


def check_whole(name: str, value: int, least: int) -> int:
    """A whole number from ``least``, NumPy's too, as an int; ``TefudaError`` with the argument's name if it is none."""
    number = whole(value)
    if number is None or number < least:
        raise TefudaError(f"{name}: {value!r} is not a whole number from {least}")
    return number


def check_word(name: str, given: object, known: Sequence[str]) -> None:
    """Let one of these words pass; ``TefudaError`` with the name of the argument for anything else."""
    if given not in known:
        raise TefudaError(f"{name}: {given!r} is not one of {', '.join(known)}")


def check_seat(seat: int | None, seats: int, otherwise: str) -> None:
    """Let a seat of the table pass, or None, which stands for others; ``TefudaError`` for anything else."""
    if seat is not None and (type(seat) is not int or not 0 <= seat < seats):
        raise TefudaError(f"seat: there is no seat {seat!r}; seats are 0 to {seats - 1}, None for {otherwise}")


def as_opponents(opponents: Any, count: int) -> list[Any]:
    """The opponents after the learner's seat; one alone plays all other seats. ``TefudaError`` for a wrong number."""
    several = isinstance(opponents, Sequence) and not isinstance(opponents, str)
    wanted = list(opponents) if several else [opponents] * count
    if len(wanted) != count:
        raise TefudaError(f"opponents: {len(wanted)} bots; {count} are wanted, or one kind for all")
    return wanted


def refuse_options(options: Mapping[str, object] | None, *known: str) -> None:
    """Raise ``TefudaError`` for options that ``reset`` does not know: a game's are given to the environment itself."""
    others = ", ".join(sorted(map(str, set(options or ()) - set(known))))
    if others:
        there = f"there are none but {', '.join(known)}" if known else "there are none"
        raise TefudaError(f"reset: options: {others}: {there}; the game's are arguments of the environment itself")


def thread_count(threads: int | None, tables: int) -> int:
    """In how many threads to step: as asked, but at most one for each table; by default as many as there are cores, but
    fewer where each would have few tables. ``TefudaError`` if it is not a whole number from 1."""
    if threads is None:
        return max(1, min(os.cpu_count() or 1, tables // FEWEST_PER_THREAD))
    check_whole("threads", threads, 1)
    return min(threads, tables)


def as_actions(actions: ArrayLike, tables: int, source: str = "actions:") -> NDArray[np.int64]:
    """An action for each table, not yet known to be legal. ``TefudaError``, which begins with the ``source``, if these
    are not whole numbers of shape (tables,)."""
    chosen = np.asarray(actions)
    if chosen.shape != (tables,) or chosen.dtype.kind not in "iu":
        found = f"{chosen.dtype} of shape {chosen.shape}"
        raise TefudaError(f"{source} {found}; whole numbers of shape ({tables},) are wanted")
    return np.ascontiguousarray(chosen, np.int64)


def as_flags(name: str, given: ArrayLike, tables: int) -> NDArray[np.bool_]:
    """Flags of tables; ``TefudaError`` if these are not bool of shape (tables,)."""
    flags = np.asarray(given)
    if flags.shape != (tables,) or flags.dtype != np.bool_:
        raise TefudaError(f"{name}: {flags.dtype} of shape {flags.shape}; bool of shape ({tables},) is wanted")
    return np.ascontiguousarray(flags)


Seed = int | Sequence[int] | NDArray[np.integer]
"""Seed of all tables: one number, or several together; or an array of shape (tables,), one for each table alone. Such a
table has the deals of the first table of ``reset`` with that number."""


def generators(seed: Seed, tables: int, *others: int) -> NDArray[np.uint64]:
    """A generator for every table, by a seed of all tables or one of each: uint64 of shape (tables, 1). With other
    numbers, ``others``, the same seed gives other generators. ``TefudaError`` if the seed is no whole number from 0,
    nor several, or an array has another type or shape."""
    if not isinstance(seed, np.ndarray):
        return rng.generators((*numbers(seed), *others) if others else seed, tables)
    if seed.shape != (tables,) or not np.issubdtype(seed.dtype, np.integer):
        raise TefudaError(
            f"seed: an array of shape {seed.shape} and type {seed.dtype}; seeds of tables are whole numbers of "
            f"shape ({tables},)"
        )
    return np.stack([rng.generator((number, *others) if others else number) for number in seed.tolist()])


def numbers(seed: Seed) -> tuple[int, ...]:
    """All numbers of a seed."""
    return tuple(seed) if isinstance(seed, Sequence | np.ndarray) else (seed,)


def as_bots(opponents: Any, count: int) -> list[Bot]:
    """The opponents as bots, which may be named; ``TefudaError`` for a wrong number, or what is no bot."""
    wanted = as_opponents(opponents, count)
    for each in wanted:
        if not isinstance(each, str) and not hasattr(each, "choose"):
            raise TefudaError(f"opponents: {each!r} is neither the name of a bot nor a bot")
    return [bot(each) if isinstance(each, str) else each for each in wanted]
