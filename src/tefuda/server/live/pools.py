"""Work beside the event loop: tasks, and threads for bots and for everything else that must not hold up a move."""

import asyncio
import os
import random
import secrets
import sys
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

from tefuda.bots.advice import THINKING
from tefuda.bots.players import Bot, bot, choose_play
from tefuda.bots.search import BY_HINTS, SearchBot
from tefuda.server.event_loop import BusyTime, Threads
from tefuda.server.live.answer_times import AnswerTimes
from tefuda.server.live.compiler import GameCompiler
from tefuda.server.settings import ServerSettings
from tefuda.server.store.sql import Store
from tefuda.table.deal import Deal

if TYPE_CHECKING:
    from tefuda.server.live.notices import Notices

Params = ParamSpec("Params")
Result = TypeVar("Result")

THREADS = 2  # threads for background work: few, since each that is busy slows down the moves of all tables

NICENESS = 5
"""Niceness of these threads: where cores are scarce they get a third of what the event loop gets. With much less,
one that holds the interpreter's lock would be kept waiting with it."""


class Background:
    """Background work of one process."""

    def __init__(self) -> None:
        self._threads = Threads("background", THREADS, _yield_to_others)
        self._tasks: set[asyncio.Task[Any]] = set()

    async def in_thread(self, work: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Do longer work, such as reading a whole log again, in one of a few threads; its result."""
        return await self._threads.run(work, *args, **kwargs)

    def spawn(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Start a task, without waiting for its end."""
        task = asyncio.create_task(BusyTime(work, lambda: getattr(work, "__qualname__", "a task")))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Cancel all of it."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.close()


class Payer(NamedTuple):
    """The account that a job goes on: the address from which it is asked for, and the hash of a guest or a token, of
    which one address may have as many as it likes."""

    address: str
    person: str | None


@dataclass
class _Job:
    work: Callable[[], Any]
    begun: asyncio.Future[asyncio.Future[Any]]  # the result to come, once a thread is at it
    since: float = field(default_factory=time.monotonic)


OnWait = Callable[[str, float], object]
"""Called, when a job begins, with the name of its pool and the seconds that it has waited."""


class FairPool:
    """A bounded pool of threads in which addresses take turns, and within an address its people: the many jobs of one
    make no other wait. With two threads or more, one address never has all of them."""

    def __init__(self, threads: int, name: str, observe: OnWait = lambda _name, _seconds: None) -> None:
        self._name, self._observe = name, observe
        self._threads = Threads(name, threads, _yield_to_others)
        self._idle = threads
        self._most_of_one = max(1, threads - 1)
        self._running: Counter[str] = Counter()
        self._queues: OrderedDict[str, OrderedDict[str | None, deque[_Job]]] = OrderedDict()

    async def run(self, payer: Payer, work: Callable[[], Result]) -> Result:
        """Do a job when its turn has come; its result."""
        begun: asyncio.Future[asyncio.Future[Result]] = asyncio.get_running_loop().create_future()
        people = self._queues.setdefault(payer.address, OrderedDict())
        people.setdefault(payer.person, deque()).append(_Job(work, begun))
        self._start_jobs()
        return await asyncio.shield(await begun)

    @property
    def waiting(self) -> int:
        """Number of jobs that wait."""
        return sum(len(jobs) for people in list(self._queues.values()) for jobs in list(people.values()))

    def close(self) -> None:
        """Let the jobs that run finish, and start no more."""
        self._threads.close()

    def _start_jobs(self) -> None:
        """Give the next jobs to idle threads."""
        while self._idle:
            address = next((each for each in self._queues if self._running[each] < self._most_of_one), None)
            if address is None:
                return  # all who wait have as many threads as they may
            job = self._take(address)
            if not job.begun.done():  # else whoever wanted it has gone
                self._idle -= 1
                self._observe(self._name, time.monotonic() - job.since)
                self._running[address] += 1
                running = self._threads.run(job.work)
                running.add_done_callback(partial(self._finish, address))
                job.begun.set_result(running)

    def _take(self, address: str) -> _Job:
        """Take the next job of an address; the address, and the person whose job it is, go behind all others."""
        people = self._queues.pop(address)
        person, jobs = people.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            people[person] = jobs
        if people:
            self._queues[address] = people
        return job

    def _finish(self, address: str, finished: asyncio.Future[Any]) -> None:
        self._idle += 1
        self._running[address] -= 1
        if not self._running[address]:
            del self._running[address]
        if not finished.cancelled():
            finished.exception()  # seen, even if whoever wanted the result has gone
            self._start_jobs()


def _yield_to_others() -> None:
    """Let this thread have what other threads and processes leave of the cores. Compiled rules run without the lock of
    the interpreter, so a search then delays a play no more than it would from another process."""
    if sys.platform == "linux":  # elsewhere niceness is of whole processes
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


class Thought(NamedTuple):
    """A play that a bot has found: when its turn to think came, by ``time.monotonic``, and the seconds of its
    thinking; where there was only one play, of such a bot's thinking elsewhere."""

    word: str
    began: float
    seconds: float


class BotPool:
    """Bots that think for tables, so many searches at a time; see ``FairPool``."""

    def __init__(self, threads: int, observe: OnWait = lambda _name, _seconds: None) -> None:
        self._searches, self._quick = FairPool(threads, "searches", observe), FairPool(1, "bots", observe)
        self._of_thread = threading.local()
        self._seconds: dict[tuple[str, str], deque[float]] = {}  # of the latest thoughts, by bot and game

    async def choose(self, payer: Payer, deal: Deal, spec: str, seed: int | None = None) -> Thought:
        """Let a bot choose for the mover, on a copy of the deal that is the bot's to play on; the seed is random by
        default."""
        pool = self._searches if spec.startswith("search") else self._quick

        def work() -> Thought:
            began, is_forced = time.monotonic(), len(deal.legal_actions()) == 1
            word = self._choose(deal, spec, seed)
            known = self._seconds.setdefault((spec, deal.game.name), deque(maxlen=64))
            if is_forced:
                return Thought(word, began, random.choice(known) if known else 0.0)  # noqa: S311 - no secret
            known.append(time.monotonic() - began)
            return Thought(word, began, known[-1])

        return await pool.run(payer, work)

    async def play_out(self, payer: Payer, deal: Deal, specs: Sequence[str], seed: int) -> list[int]:
        """Let bots play a deal to its end, a turn of the payer's for each play; what it pays. ``specs`` name the bot on
        each seat."""
        while not deal.over:
            spec = specs[deal.mover]
            await self._searches.run(payer, lambda: self._choose(deal, spec, seed))  # noqa: B023 - awaited here
        return deal.payoff()

    async def search(self, payer: Payer, work: Callable[[SearchBot], Result]) -> Result:
        """Do work with a search of the budget of a hint; its result."""
        return await self._searches.run(payer, lambda: work(self._search()))

    @property
    def waiting(self) -> dict[str, int]:
        """Number of jobs that wait, by the pool's name."""
        return {"searches": self._searches.waiting, "bots": self._quick.waiting}

    def close(self) -> None:
        """Let the bots that think finish, and start no more."""
        self._searches.close()
        self._quick.close()

    def _choose(self, deal: Deal, spec: str, seed: int | None) -> str:
        choose_play(self._bot(spec), deal, secrets.randbits(64) if seed is None else seed)
        return deal.history[-1][1]

    def _search(self) -> SearchBot:
        """This thread's search, with the budget of a hint."""
        search = self._bot(f"search:{THINKING.iterations}it")
        assert isinstance(search, SearchBot)
        search.settings = BY_HINTS
        return search

    def _bot(self, spec: str) -> Bot:
        """This thread's own bot; one search for all budgets and settings, since its trees are large."""
        kind, _, budget = spec.partition(":") if spec.startswith("search") else (spec, "", "")
        bots: dict[str, Bot] = self._of_thread.__dict__
        if kind not in bots:
            bots[kind] = bot(kind)
        found = bots[kind]
        if isinstance(found, SearchBot):
            told = SearchBot.read(budget)
            found.budget, found.settings = told.budget, told.settings
        return found


@dataclass(eq=False)
class Resources:
    """The part of what a process shares that its live tables use; the whole is ``http/context.Server``."""

    store: Store
    settings: ServerSettings
    compiler: GameCompiler
    bots: BotPool
    background: Background
    answer_times: AnswerTimes
    notices: "Notices"
