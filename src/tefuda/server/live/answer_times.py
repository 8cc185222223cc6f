"""Times that people take to answer, so that an answer without a choice takes as long as one with a choice.

If the table gave a seat's only answer at once, or always after the same pause, the others could tell from the time who
had a choice. So it waits for a time drawn from those in which people have answered such questions: first of the player
in this seat, else of all here, else from what people usually take. The database keeps the times, for all processes
that share it and for the next start."""

import asyncio
import random
from collections import deque
from collections.abc import Collection, Hashable
from contextlib import suppress
from functools import lru_cache

from tefuda.server.store.port import AnswerTime, Unavailable
from tefuda.server.store.sql import Store

LEAST_OWN = 8  # times of a player that must be known before their own are drawn from
LEAST_KNOWN = 20  # times of all players that must be known before these are drawn from

MOST_OWN, MOST_KNOWN, MOST_PLAYERS = 32, 256, 2000

USUAL_MEDIAN, USUAL_SPREAD = 2.5, 0.8
"""A log-normal distribution: seconds, and the standard deviation of their logarithm."""

JITTER = 0.15  # largest part by which a time differs from the one that it is drawn from
LONGEST = 30.0  # seconds; a player who takes longer has gone away
LEARN_EVERY = 10.0  # seconds between looks at what has been kept


async def keep(store: Store, answer: AnswerTime) -> None:
    """Keep how long a player with a choice has taken; it is no loss if that fails now and then."""
    with suppress(Unavailable):
        await store.keep_answer(answer)


class AnswerTimes:
    """The times in which people have answered, as far as one process knows them; ``scale`` multiplies the usual time,
    0 for no wait."""

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        self._all: dict[Hashable, deque[float]] = {}
        self._own = lru_cache(MOST_PLAYERS)(lambda _question, _player: deque[float](maxlen=MOST_OWN))
        self._random = random.SystemRandom()

    async def learn(self, store: Store) -> None:
        """Learn the times that are kept, as long as the process lives."""
        seen = 0
        while True:
            with suppress(Unavailable):
                for number, answer in await store.answers(seen):
                    self.note((answer.game, answer.word), answer.player, answer.seconds)
                    seen = number
            await asyncio.sleep(LEARN_EVERY)

    def note(self, question: Hashable, player: Hashable, seconds: float) -> None:
        """Remember how many seconds a player with a choice has taken for a question: a game, and what was answered."""
        seconds = min(max(0.0, seconds), LONGEST)
        self._all.setdefault(question, deque(maxlen=MOST_KNOWN)).append(seconds)
        self._own(question, player).append(seconds)

    def draw(self, question: Hashable, player: Hashable) -> float:
        """Seconds after which an answer without a choice is shown."""
        own, known = self._own(question, player), self._all.get(question, ())
        if len(own) >= LEAST_OWN:
            return self._like(own)
        if len(known) >= LEAST_KNOWN:
            return self._like(known)
        usual = self._scale * USUAL_MEDIAN * self._random.lognormvariate(0.0, USUAL_SPREAD)
        return min(usual, LONGEST)

    def _like(self, times: Collection[float]) -> float:
        """A time like one of these, and never just the same, which would give it away."""
        return self._random.choice(list(times)) * self._random.uniform(1 - JITTER, 1 + JITTER)
