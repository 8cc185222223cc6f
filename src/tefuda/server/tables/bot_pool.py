"""Bots think in a few threads; whose turn it is to be thought for goes round among the hosts of the tables."""

import asyncio
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from tefuda.bots.players import Bot, advice, bot, choose_play
from tefuda.bots.search import Budget, Idea, SearchBot, ideas
from tefuda.table.deal import Deal

Found = TypeVar("Found")

HINT = "100ms"
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
    ideas: list[Idea]


class BotPool:
    """A bounded pool.

    Somebody with a hundred tables waits for himself, not others for him: each owner has a queue, and the queues take
    turns.

    Args:
        threads: how many bots think at a time.
    """

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, "thinker")
        self._idle = threads
        self._queues: OrderedDict[str, deque[_Job]] = OrderedDict()
        self._mine = threading.local()

    async def think(self, owner: str, deal: Deal, spec: str) -> str:
        """The word that a bot plays for the mover.

        Args:
            owner: whose turn it takes.
            deal: a copy, for the bot to play on.
            spec: which bot.
        """
        return await self._wait(owner, lambda: self._choose(deal, spec))

    async def hint(self, owner: str, deal: Deal) -> PlayAdvice:
        """What bots think of the mover's plays; arguments as of ``think``."""
        return await self._wait(owner, lambda: self._advise(deal))

    async def _wait(self, owner: str, work: Callable[[], Found]) -> Found:
        done: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(owner, deque()).append(_Job(work, done))
        self._start()
        return await done

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _start(self) -> None:
        """Give the next jobs to idle threads."""
        while self._idle and self._queues:
            owner, jobs = self._queues.popitem(last=False)
            job = jobs.popleft()
            if jobs:
                self._queues[owner] = jobs  # behind the others
            if not job.done.done():
                self._idle -= 1
                running = asyncio.get_running_loop().run_in_executor(self._pool, job.work)
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
            self._start()

    def _choose(self, deal: Deal, spec: str) -> str:
        choose_play(self._player(spec), deal, secrets.randbits(64))
        return deal.history[-1][1]

    def _advise(self, deal: Deal) -> PlayAdvice:
        search = self._player(f"search:{HINT}")
        assert isinstance(search, SearchBot)
        return PlayAdvice(advice(deal), ideas(deal, search, secrets.randbits(32)))

    def _player(self, spec: str) -> Bot:
        """This thread's own; one search for all budgets, since its trees are large."""
        kind, _, budget = spec.partition(":")
        players: dict[str, Bot] = self._mine.__dict__
        if kind not in players:
            players[kind] = bot(kind)
        player = players[kind]
        if isinstance(player, SearchBot):
            player.budget = Budget.read(budget)
        return player
