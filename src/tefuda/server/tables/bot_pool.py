"""The threads in which bots think. The hosts of tables take turns, so that nobody's many bots make others wait."""

import asyncio
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from tefuda.bots.players import Bot, advice, bot, choose_play
from tefuda.bots.search import Budget, PlayEstimate, SearchBot, estimate_plays
from tefuda.table.deal import Deal

Result = TypeVar("Result")

HINT_BUDGET = "100ms"
"""How long the search behind a hint thinks."""


@dataclass
class _Job:
    work: Callable[[], Any]
    done: asyncio.Future[Any]


@dataclass(frozen=True)
class PlayAdvice:
    """What bots would play for the mover.

    Attributes:
        play: by the rules of thumb.
        ideas: what a search found of each play, the best first.
    """

    play: str
    ideas: list[PlayEstimate]


class BotPool:
    """A bounded pool of threads. Each owner has a queue of jobs, and the queues take turns.

    Args:
        threads: how many bots think at a time.
    """

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, "bots")
        self._idle = threads
        self._queues: OrderedDict[str, deque[_Job]] = OrderedDict()
        self._of_thread = threading.local()

    async def choose(self, owner: str, deal: Deal, spec: str) -> str:
        """The word that a bot plays for the mover.

        Args:
            owner: whose turn of the pool it takes.
            deal: a copy, for the bot to play on.
            spec: which bot.
        """
        return await self._queue(owner, lambda: self._choose(deal, spec))

    async def advise(self, owner: str, deal: Deal) -> PlayAdvice:
        """What bots think of the mover's plays; arguments as of ``choose``."""
        return await self._queue(owner, lambda: self._advise(deal))

    def close(self) -> None:
        """Let the bots that think finish, and start no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _queue(self, owner: str, work: Callable[[], Result]) -> Result:
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(owner, deque()).append(_Job(work, done))
        self._start_jobs()
        return await done

    def _start_jobs(self) -> None:
        """Give the next jobs to idle threads."""
        while self._idle and self._queues:
            owner, jobs = self._queues.popitem(last=False)
            job = jobs.popleft()
            if jobs:
                self._queues[owner] = jobs  # behind the others
            if not job.done.done():
                self._idle -= 1
                running = asyncio.get_running_loop().run_in_executor(self._threads, job.work)
                running.add_done_callback(lambda finished, job=job: self._finish(job, finished))  # type: ignore[misc]

    def _finish(self, job: _Job, finished: asyncio.Future[Any]) -> None:
        self._idle += 1
        if not finished.cancelled() and not job.done.done():
            error = finished.exception()
            if error is None:
                job.done.set_result(finished.result())
            else:
                job.done.set_exception(error)
        if not finished.cancelled():
            self._start_jobs()

    def _choose(self, deal: Deal, spec: str) -> str:
        choose_play(self._bot(spec), deal, secrets.randbits(64))
        return deal.history[-1][1]

    def _advise(self, deal: Deal) -> PlayAdvice:
        search = self._bot(f"search:{HINT_BUDGET}")
        assert isinstance(search, SearchBot)
        return PlayAdvice(advice(deal), estimate_plays(deal, search, secrets.randbits(32)))

    def _bot(self, spec: str) -> Bot:
        """This thread's own bot; one search for all budgets, since its trees are large."""
        kind, _, budget = spec.partition(":")
        bots: dict[str, Bot] = self._of_thread.__dict__
        if kind not in bots:
            bots[kind] = bot(kind)
        found = bots[kind]
        if isinstance(found, SearchBot):
            found.budget = Budget.read(budget)
        return found
