"""The threads in which bots think: some for searches, one for quick bots, which never wait for a search."""

import random
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tefuda.bots.advice import THINKING, Advice, find_advice
from tefuda.bots.players import Bot, bot, choose_play
from tefuda.bots.review import ChoicePoint, Decision, Reviewer
from tefuda.bots.search import BY_HINTS, SearchBot
from tefuda.server.live.fair_pool import FairPool, Payer
from tefuda.table.deal import Deal


class Thought(NamedTuple):
    """What a bot plays.

    Attributes:
        word: its play.
        began: when its turn to think came, by ``time.monotonic``.
        seconds: how long it has thought; where there was only one play, how long such a bot has thought elsewhere.
    """

    word: str
    began: float
    seconds: float


class BotPool:
    """Bots that think for tables.

    Args:
        threads: how many searches run at a time.
        observe: see ``FairPool``.
    """

    def __init__(self, threads: int, observe: Callable[[str, float], object] = lambda _name, _seconds: None) -> None:
        self._searches, self._quick = FairPool(threads, "searches", observe), FairPool(1, "bots", observe)
        self._of_thread = threading.local()
        self._seconds: dict[tuple[str, str], deque[float]] = {}  # of the latest thoughts, by bot and game

    async def choose(self, payer: Payer, deal: Deal, spec: str, seed: int | None = None) -> Thought:
        """What a bot plays for the mover.

        Args:
            payer: whose turn of the pool it takes.
            deal: a copy, for the bot to play on.
            spec: which bot.
            seed: of its choices; a random one by default.
        """
        pool = self._searches if spec.startswith("search") else self._quick

        def work() -> Thought:
            began, is_forced = time.monotonic(), len(deal.legal_actions()) == 1
            word, known = (
                self._choose(deal, spec, seed),
                self._seconds.setdefault((spec, deal.game.name), deque(maxlen=64)),
            )
            if is_forced:
                return Thought(word, began, random.choice(known) if known else 0.0)  # noqa: S311 - no secret
            known.append(time.monotonic() - began)
            return Thought(word, began, known[-1])

        return await pool.run(payer, work)

    async def play_out(self, payer: Payer, deal: Deal, specs: Sequence[str], seed: int) -> list[int]:
        """What a deal pays when bots play it to its end.

        Args:
            payer: whose turns of the pool they take, one a play.
            deal: for them to play on.
            specs: which bot plays each seat.
            seed: of their choices.
        """
        while not deal.over:
            spec = specs[deal.mover]
            await self._searches.run(payer, lambda: self._choose(deal, spec, seed))  # noqa: B023 - awaited here
        return deal.payoff()

    async def advise(self, payer: Payer, deal: Deal) -> Advice:
        """What to play in the mover's place; arguments as of ``choose``."""
        return await self._searches.run(payer, lambda: self._advise(deal))

    async def judge(self, payer: Payer, choice: ChoicePoint) -> Decision:
        """Judge a decision of a finished deal, for a review; ``payer`` as of ``choose``."""
        return await self._searches.run(payer, lambda: self._reviewer().judge(choice))

    async def worths(self, payer: Payer, deal: Deal, seat: int) -> list[float]:
        """What each moment of a finished deal was worth to a seat; ``payer`` as of ``choose``."""
        return await self._searches.run(payer, lambda: self._reviewer().worths(deal, seat))

    @property
    def waiting(self) -> dict[str, int]:
        """How many jobs wait, by the pool's name."""
        return {"searches": self._searches.waiting, "bots": self._quick.waiting}

    def close(self) -> None:
        """Let the bots that think finish, and start no more."""
        for pool in (self._searches, self._quick):
            pool.close()

    def _choose(self, deal: Deal, spec: str, seed: int | None) -> str:
        choose_play(self._bot(spec), deal, secrets.randbits(64) if seed is None else seed)
        return deal.history[-1][1]

    def _advise(self, deal: Deal) -> Advice:
        return find_advice(deal, self._search())

    def _reviewer(self) -> Reviewer:
        """Judges with this thread's search."""
        return Reviewer(search=self._search())

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
