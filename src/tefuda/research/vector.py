"""Thousands of tables of one game at once, over NumPy arrays: one compiled call makes a move at each of them.

    env = VectorEnv("gong-zhu", tables=4096)
    batch = env.reset(seed=1)
    while training:
        actions = policy(batch.observations, batch.masks)   # of the seats to act, batch.seats
        batch = env.step(actions)
        learn(batch.rewards, batch.ends)

Tables do not wait for each other: where a deal ends, ``step`` says so, gives the payoffs, and the next deal is there.
Nothing happens in Python for a single table."""

import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from rich.console import Console

from tefuda.engine import compilation, rng
from tefuda.engine.errors import TefudaError
from tefuda.engine.objective import Reward, is_gain
from tefuda.engine.record import Ints, duplicate
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.research import arguments, kernels
from tefuda.research.arguments import Seed, as_flags, check_whole, generators
from tefuda.research.buffers import LEARNER, NOTHING, UNSEEN, Arrays, SeatedBots, SpareArrays, Tables, allocate
from tefuda.research.seated_bots import Seating, asked_actions, seat_bots
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.planes import MOST_INT8, Observation, most

_NOBODY = np.zeros(0, np.bool_)


class Batch(NamedTuple):
    """The result of ``reset`` and ``step``; axis 0 is the table.

    They are yours to keep, unless the environment was made with ``fresh=False``: then the next call overwrites them."""

    observations: NDArray[Any]
    """what the seat to act sees (``env.observation`` names the planes), int8 or float32 of shape (tables, numbers), or
    uint8 of shape (tables, bytes) if packed; of shape (tables, 0) without observations"""
    masks: NDArray[np.bool_]  #: the legal actions of the seat to act, shape (tables, actions)
    seats: NDArray[np.int8]  #: the seat to act, shape (tables,)
    rewards: NDArray[np.float32]
    """where the step ended a deal, what each seat receives for it, or its gain over the others, in the game's smallest
    unit; 0 elsewhere; shape (tables, seats)"""
    ends: NDArray[np.bool_]  #: the step ended a deal; all the rest is of the next deal already; shape (tables,)
    history: NDArray[np.int16]
    """the latest actions of the deal, the oldest first, then −1; the seat that made each, counted from the seat to act
    (0: itself), and the action; for others' hidden actions, what everybody is shown. Of shape (tables, length, 2), and
    length 0 without a history."""
    made_by: NDArray[np.int8]
    """the seat that last made each action in this deal, counted from the seat to act (0 is itself), −1 for nobody;
    hidden actions count as the one that everybody is shown. Of shape (tables, actions), (tables, 0) if not asked for.
    """


class VectorEnv(AbstractContextManager["VectorEnv"]):
    """Many tables of one game, each with its own deals; every deal begins with the game's options and no totals.

    The first ``reset`` compiles the game's rules for this machine (ten seconds to a minute) and keeps that for later.
    Deals and results depend on the seed and on nothing else: not on the number of tables or threads. ``TefudaError`` if
    the game is not known, or an argument is out of range.

    Args:
        game: by name, or with seats and options (``tefuda.load``).
        tables: how many.
        observations: whether the batches have any; without them it is more than twice as fast.
        dtype: of the observations, ``np.int8`` or ``np.float32``; ``Observation`` says how they differ.
        packed: write observations in bits, to save memory and time: first a byte for each number of
            ``env.observation.whole_bytes``, then a bit for each of the rest, the lowest first. The planes of
            ``env.observation`` stand in this order, and ``env.observation.unpack`` makes int8 of them.
        history: how many of the latest actions of the deal the batches show; 0 for none.
        made_by: whether the batches show which seat made each action.
        skip_forced: make an action at once if it is the only legal one, so that every step is a decision.
        reward: ``payoff``, or ``gain``: the team's payoff less the mean of the others' (``engine/objective.py``).
        bots: seats that bots play: ``{1: "hints", 2: "random", 3: "net"}``, also ``net:FOLDER`` or a ``Network``. They
            play within ``reset`` and ``step``, so that every decision is the learner's. A deal in which the learner has
            nothing to decide is played, and not reported.
        rotate: at table i everybody sits i seats further on (``learners`` says where).
        options: names of the game's options that observations tell too (``Observation``).
        finished: keep the states of finished deals, for ``show_finished``.
        fresh: every batch has arrays of its own, which nobody overwrites, so that it may be kept, and read by JAX,
            which computes later than it is asked. Memory that nobody holds any more is used again. If false, all
            batches have the same arrays, which the next call overwrites.
        threads: by default as many as there are cores, but fewer where each would have few tables.
    """

    def __init__(
        self,
        game: Game | str,
        tables: int = 1024,
        *,
        observations: bool = True,
        dtype: type[np.int8] | type[np.float32] = np.int8,
        packed: bool = False,
        history: int = 0,
        made_by: bool = False,
        skip_forced: bool = False,
        reward: Reward = "payoff",
        bots: Seating = MappingProxyType({}),
        rotate: bool = False,
        options: Sequence[str] = (),
        finished: bool = False,
        fresh: bool = True,
        threads: int | None = None,
    ) -> None:
        self.game = arguments.as_game(game)
        self.observation = Observation(self.game, options)
        if packed:
            self.observation = self.observation.packed()
        check_whole("tables", tables, 1)
        check_whole("history", history, 0)
        threads = arguments.thread_count(threads, tables)
        if dtype not in (np.int8, np.float32):
            raise TefudaError(f"dtype: {dtype!r} is neither np.int8 nor np.float32")
        if packed and dtype == np.float32:
            raise TefudaError("packed: observations of float32 have no packed form; take int8")
        self.skip_forced = skip_forced
        try:
            self._tables = allocate(
                self.observation, tables, observations=observations, dtype=np.int64 if packed else dtype,
                history=history, made_by=made_by, finished=finished, relative=is_gain(reward),
            )  # fmt: skip
        except MemoryError:
            raise TefudaError(f"tables: {tables:,} do not fit into memory") from None
        self._bots, self._answers = seat_bots(self.game, tables, bots, rotate)
        self._largest = MOST_INT8 if packed else most(self._tables.observations)
        self._cuts = list(pairwise([tables * k // threads for k in range(threads + 1)]))
        self._shares = [self._tables.share(*cut) for cut in self._cuts]
        self._bot_shares = [self._bots and self._bots.share(*cut) for cut in self._cuts]
        like = {name: getattr(self._tables, name) for name in Batch._fields}
        self._spare = SpareArrays[tuple[Tables, list[Tables]]](like) if fresh else None
        self._pool = ThreadPoolExecutor(threads - 1, "tables") if threads > 1 else None
        self._rng: rng.Rng | None = None

    @property
    def tables(self) -> int:
        """The number of tables."""
        return len(self._tables.states)

    @property
    def actions(self) -> int:
        """Size of the action space: the width of the masks."""
        return self.game.description.actions

    @property
    def seats(self) -> int:
        """Players at each table: the width of the rewards."""
        return self.game.seats

    @property
    def masks(self) -> NDArray[np.bool_]:
        """The legal actions now, as the latest batch has them."""
        return self._tables.masks

    @property
    def learners(self) -> NDArray[np.bool_]:
        """The seats that no bot plays; bool of shape (tables, seats)."""
        if self._bots is None:
            return np.ones((self.tables, self.seats), np.bool_)
        learners: NDArray[np.bool_] = self._bots.seated == LEARNER
        return learners

    def reset(self, seed: Seed | None = None) -> Batch:
        """Deal at every table, by a seed of all deals to come, drawn at random by default. ``TefudaError`` if it is no
        whole number from 0, nor several, or an array has another type or shape."""
        given: Seed = secrets.randbits(128) if seed is None else seed
        self._tables.rngs[:] = generators(given, self.tables)
        self._rng = rng.generator((*arguments.numbers(given), 0))
        if self._bots is not None:
            self._bots.rngs[:] = generators(given, self.tables, 1)
        self._compile()
        self._renew()
        self._each(lambda k: self._begin(self._shares[k], self._bot_shares[k]))
        return self.batch()

    def deal_again(self, where: NDArray[np.bool_], seed: Seed | None = None) -> Batch:
        """Deal at the tables of ``where``, bool of shape (tables,). They begin as after ``reset(seed)``; without a seed
        they go on with their own random numbers. ``TefudaError`` if ``reset`` has not been called, ``where`` has
        another shape, or the seed is none (see there)."""
        self._check_dealt("deal_again")
        bots, where = self._bots, as_flags("where", where, self.tables)
        if seed is not None:
            self._tables.rngs[where] = generators(seed, self.tables)[where]
        if seed is not None and bots is not None:
            bots.rngs[where] = generators(seed, self.tables, 1)[where]
        self._renew(Batch._fields)
        for row in np.flatnonzero(where).tolist():
            self._begin(self._tables.share(row, row + 1), bots and bots.share(row, row + 1))
        return self.batch()

    def step(self, actions: ArrayLike, waiting: NDArray[np.bool_] | None = None) -> Batch:
        """Make an action at every table: whole numbers of shape (tables,), each legal for the seat to act (``masks``),
        as an array, or what NumPy makes one of, such as a PyTorch tensor. Tables that are ``waiting``, bool of shape
        (tables,), stay as they are, whatever their action. ``TefudaError`` if ``reset`` has not been called, an action
        is not legal, or ``waiting`` is something else; nothing has changed then."""
        self._check_dealt("step")
        if waiting is not None:
            waiting = as_flags("waiting", waiting, self.tables)
        chosen = arguments.as_actions(actions, self.tables)
        waits = _NOBODY if waiting is None else waiting
        table = int(kernels.first_illegal(self._tables.allowed, self.actions, chosen, waits))
        if table >= 0:
            raise TefudaError(self._refusal(table, int(chosen[table])))
        if waiting is not None:
            chosen = np.where(waiting, NOTHING, chosen)
        self._renew(("masks", "seats") if waiting is not None and waiting.any() else ())  # the rest is written anew
        parts = [chosen[first:last] for first, last in self._cuts]
        self._each(lambda k: self._step(k, parts[k]))
        return self.batch()

    def show_finished(self, rows: Ints, viewers: NDArray[np.int8]) -> tuple[NDArray[Any], Ints]:
        """Views of the deals that the latest step ended at some tables, by number, of shape (rows, numbers), and their
        payoffs, of shape (rows, seats): new arrays. ``viewers`` has the seat that looks, for every table.
        ``TefudaError`` if the environment does not keep finished deals."""
        if not len(self._tables.finished):
            raise TefudaError("finished deals are not kept: make the environment with finished=True")
        like = self._tables.observations
        observations = np.empty((len(rows), like.shape[1] or self.observation.size), like.dtype)
        kernels.show_finished(self._tables, rows, viewers, self._largest, observations)
        return _bytes_of(observations), self._tables.paid[rows]

    def sample(self) -> NDArray[np.int64]:
        """A random legal action for every table, uniformly; int64 of shape (tables,). ``TefudaError`` before
        ``reset``."""
        generator, out = self._check_dealt("sample"), np.empty(self.tables, np.int64)
        kernels.choose_all(self._tables.allowed, self._tables.counts, generator, out)
        return out

    def advise(self) -> NDArray[np.int64]:
        """Actions of the rules of thumb at every table, from the view of the seat to act; int64 of shape (tables,).
        ``TefudaError`` before ``reset``."""
        generator, out = self._check_dealt("advise"), np.empty(self.tables, np.int64)
        kernels.advise_all(self._tables, generator, out)
        return out

    def table(self, number: int) -> Deal:
        """A copy of one table's deal as it stands, to inspect or to play on. ``TefudaError`` before ``reset``, or if
        there is no such table."""
        if not isinstance(number, int | np.integer) or not 0 <= number < self.tables:
            raise TefudaError(f"there is no table {number!r}; tables are 0 to {self.tables - 1}")
        self._check_dealt("table")
        return Deal(self.game, duplicate(self._tables.states[number : number + 1]), None, None)

    def _check_dealt(self, method: str) -> rng.Rng:
        """The generator of ``reset``; ``TefudaError`` if that has not been called."""
        if self._rng is None:
            raise TefudaError(f"nothing is dealt: call reset() before {method}()")
        return self._rng

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _compile(self) -> None:
        """Compile everything by calling it for no table, and say why that takes a while."""
        description, kind = self.game.description, f"vector-{self._tables.observations.dtype}"
        kind += "-bots" if self._bots else ""
        kind += "-finished" if len(self._tables.finished) else ""
        if compilation.is_warm(description, kind):
            return
        none, nothing = self._tables.share(0, 0), np.empty(0, np.int64)
        why = catalogue(TEXTS, "en")("compiling.why", game=catalogue(description.files.texts, "en")("title"))
        with Console(stderr=True).status(why):
            bots = self._bots and self._bots.share(0, 0)
            kernels.deal_all(none)
            kernels.step_all(none, bots, nothing, self.skip_forced, self._largest, False)
            kernels.show_all(none, self._largest)
            if len(self._tables.finished):
                self.show_finished(nothing, none.seats)
            kernels.first_illegal(none.allowed, self.actions, nothing, _NOBODY)
            kernels.choose_all(none.allowed, none.counts, rng.generator(0), nothing)
        compilation.mark(description, kind)

    def batch(self) -> Batch:
        """The result of the latest call."""
        arrays = {name: getattr(self._tables, name) for name in Batch._fields}
        return Batch(**arrays | {"observations": _bytes_of(self._tables.observations)})

    def _renew(self, kept: Sequence[str] = ()) -> None:
        """Write the next batch into memory that nobody else holds; what is kept at some tables begins as it was."""
        if self._spare is None:
            return
        last = self._tables
        self._tables, self._shares = self._spare.take(self._with)
        for name in kept:
            getattr(self._tables, name)[:] = getattr(last, name)

    def _with(self, arrays: Arrays) -> tuple[Tables, list[Tables]]:
        """The tables and their shares with other arrays for the batch."""
        shares = [
            share._replace(**{name: array[first:last] for name, array in arrays.items()})
            for share, (first, last) in zip(self._shares, self._cuts, strict=True)
        ]
        return self._tables._replace(**arrays), shares

    def _begin(self, tables: Tables, bots: SeatedBots | None) -> None:
        """Deal at these tables."""
        kernels.deal_all(tables)
        kernels.step_all(tables, bots, np.full(len(tables.states), NOTHING, np.int64), self.skip_forced, UNSEEN, False)
        self._let_bots_answer(tables, bots)
        tables.ends[:] = False
        tables.rewards[:] = 0
        kernels.show_all(tables, self._largest)

    def _step(self, k: int, chosen: NDArray[np.int64]) -> None:
        """Make the chosen actions at the tables of a share."""
        tables, bots = self._shares[k], self._bot_shares[k]
        kernels.step_all(tables, bots, chosen, self.skip_forced, UNSEEN if self._answers else self._largest, False)
        if self._answers:
            self._let_bots_answer(tables, bots)
            kernels.show_all(tables, self._largest)

    def _let_bots_answer(self, tables: Tables, bots: SeatedBots | None) -> None:
        """Until the learner is on turn at every table."""
        while bots and self._answers:
            chosen = asked_actions(tables, bots, self._answers)
            if chosen is None:
                break
            kernels.step_all(tables, bots, chosen, self.skip_forced, UNSEEN, True)

    def _each(self, task: Callable[[int], object]) -> None:
        """Do a task for every share, the first in this thread."""
        if self._pool is None:
            task(0)
            return
        others = [self._pool.submit(task, k) for k in range(1, len(self._shares))]
        task(0)
        for other in others:
            other.result()

    def _refusal(self, table: int, action: int) -> str:
        tables = self._tables
        legal = ", ".join(str(kernels.action_at(tables.allowed[table], k)) for k in range(tables.counts[table]))
        return f"table {table}: action {action} is not legal for seat {tables.seats[table]}; legal: {legal}"


def _bytes_of(observations: NDArray[Any]) -> NDArray[Any]:
    """Observations as users get them: the bytes of packed ones."""
    return observations.view(np.uint8) if observations.dtype == np.int64 else observations
