"""The scheduler of what happens at a table by itself: shuffles, deals, bots' plays, clocks that run out."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Hashable
from logging import getLogger
from typing import TYPE_CHECKING, NamedTuple

from tefuda.bots.search import Budget
from tefuda.engine.notation import is_declaration
from tefuda.server.live.answer_times import keep
from tefuda.server.live.daily_games import DailyGames, bots_seed, new_shuffle
from tefuda.server.live.pools import Resources
from tefuda.server.store.port import AnswerTime, Unavailable
from tefuda.server.table import events
from tefuda.server.table.callers import Refused
from tefuda.server.table.events import Decide
from tefuda.server.table.message_types import Speed
from tefuda.server.table.table_state import TableState
from tefuda.table.deal import Deal

if TYPE_CHECKING:
    from tefuda.server.live.live_table import LiveTable

GRACE = 5.0  # seconds that are left of a clock at least when a table is loaded
RETRY = 1.0  # seconds until something that failed is tried again

SPEEDS: dict[Speed, float] = {"slow": 2.5, "normal": 1.0, "fast": 0.35, "instant": 0.0}
"""Time that bots wait at each speed, as a part of the usual time."""

BUDGETS = 1.1, 1.5  # budgets of time that a bot has, at least and at most, beside its pause: it thinks a little longer

log = getLogger("tefuda.server")


class ScheduledStep(NamedTuple):
    """The next step, so many seconds from now: ``prepare`` gives what then happens, unless the table has gone on; a
    bot's answer when the bot's time has come."""

    wait: float
    prepare: Callable[[], Awaitable[Decide]]


class Question(NamedTuple):
    """A person with a choice has been asked in the deal ``began``, after so many plays, ``at`` this time in
    milliseconds."""

    began: int
    plays: int
    seat: int
    at: int
    player: str | None


class Scheduler:
    """Schedules the next step of one table."""

    def __init__(self, resources: Resources, table: "LiveTable", daily: DailyGames) -> None:
        self._resources, self._table, self._daily = resources, table, daily
        self._timer: asyncio.TimerHandle | None = None
        self._rings = 0.0  # when, by the loop's time
        self._next: ScheduledStep | None = None  # what is to be taken when it is due, if the table
        self._due, self._seq = 0.0, 0  # still stands at this seq
        self._underway = 0  # the seq for which the latest step is being taken
        self._drawn: tuple[tuple[int, int], float] = ((0, 0), 0.0)  # a moment, and when the table answers in it
        self._thinking: tuple[Hashable, asyncio.Task[str]] | None = None  # a moment, and a bot's answer in it
        self._asked: Question | None = None  # if a person with a choice is to play now
        self._clock = (0, 0.0)  # an event's time, and when that was by ``time.monotonic``

    def schedule(self) -> None:
        """Set the timer for the next step.

        A timer that rings earlier stays, and is set again then: most clocks are stopped long before they run out."""
        self._note_answer()
        self._next = None if self._table.is_unloaded else self._next_step()
        if self._next is None:
            self.stop()
            return
        self._seq, self._due = self._table.state.seq, asyncio.get_running_loop().time() + max(0.0, self._next.wait)
        if self._timer is None or self._due < self._rings:
            self._set(self._due)

    @property
    def is_busy(self) -> bool:
        """True while a step is being taken."""
        return self._underway > 0

    @property
    def due(self) -> int | None:
        """When the next step is due, in milliseconds since 1970; None if there is none."""
        if self._next is None and not self.is_busy:
            return None
        return int(1000 * (time.time() + self._due - asyncio.get_running_loop().time()))

    def stop(self) -> None:
        """Let nothing more happen."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _next_step(self) -> ScheduledStep | None:
        state = self._table.state
        if state.is_deserted:
            return None
        phase = state.phase
        if phase == "shuffling":
            return self._next_of_shuffle(state)
        if phase != "playing":
            return None
        seat = state.present.mover
        bot = state.bot_at(seat)
        if bot is not None:
            return ScheduledStep(0, lambda: self._bot_play(bot))
        answer = state.own_answer()
        if answer is not None and self._may_answer_for(seat):
            return _step(self._until_answer(answer), lambda _: events.play_for(seat, answer))
        chair, clock = state.chairs[seat], state.clock
        if answer is None:
            asked = state.began, len(state.present.history), seat, state.acted
            self._asked = Question(*asked, chair.guest or chair.token)
        if clock is None:
            return None
        return _step(self._until(state.acted, clock), lambda _: events.miss(seat))

    def _next_of_shuffle(self, state: TableState) -> ScheduledStep | None:
        if state.shuffle is None:
            return ScheduledStep(0, lambda: self._daily.begin(state)) if state.day else _step(0, new_shuffle)
        if state.shuffle.closed:
            if not state.shuffle.unopened:
                return ScheduledStep(0, lambda: self._daily.deal(state)) if state.day else _step(0, events.deal)
            within = float(state.clock or 0) if state.is_slow else self._resources.settings.reveal_within
            return _step(self._until(state.shuffle.at, within), events.name_unrevealed)
        if not state.waited_for():
            people = any(chair.person for chair in state.chairs)
            return _step(0 if people or not state.begun else self._pause(), events.close_seals)
        patience = state.clock if state.asks_to_go_on else self._resources.settings.patience
        if patience is None:
            return None
        return _step(self._until(state.shuffle.at, patience), events.close_seals)

    def _may_answer_for(self, seat: int) -> bool:
        """Tell if the table gives a seat's answer: not the only one of a person who is away, for whom a choice would
        have to wait."""
        state = self._table.state
        return state.is_alone or self._table.is_here(seat) or state.present.sole_answer() is None

    def _until_answer(self, word: str) -> float:
        """Seconds until the table answers for the mover; the moment stays the same if it is asked again."""
        state = self._table.state
        moment = (state.began, len(state.present.history))
        if self._drawn[0] != moment:
            chair = state.chairs[state.present.mover]
            times, question = self._resources.answer_times, (state.game.name, word)
            # Bots do not look at the clock.
            seconds = self._pause() if state.is_alone else times.draw(question, chair.guest or chair.token)
            self._drawn = (moment, time.monotonic() + seconds)
        return self._drawn[1] - time.monotonic()

    def _note_answer(self) -> None:
        """Remember how long a person took for a declaration that they could choose."""
        state, asked = self._table.state, self._asked
        deal, self._asked = state.deal, None
        if deal is None or asked is None or (state.began, len(deal.history)) != (asked.began, asked.plays + 1):
            return
        seat, word = deal.history[-1]
        if seat == asked.seat and is_declaration(word):
            answer = AnswerTime(state.game.name, word, asked.player, (state.acted - asked.at) / 1000)
            self._resources.background.spawn(keep(self._resources.store, answer))

    def bot_time(self, bot: str) -> float:
        """Seconds that a bot takes for a play. They are drawn before it thinks, and thinking is a part of them: they
        are no other where it has only one play."""
        budget = Budget.read(bot.partition(":")[2].partition(",")[0]) if bot.startswith("search:") else Budget()
        is_shown = self._resources.settings.pace > 0  # else programs play alone
        return self._pause() + is_shown * budget.milliseconds / 1000 * random.uniform(*BUDGETS)  # noqa: S311

    def _pause(self) -> float:
        """Seconds that a bot waits at this table."""
        usual = self._resources.settings.pace * SPEEDS[self._table.state.speed]
        return usual * random.uniform(0.6, 1.4)  # noqa: S311 - no secret

    def _until(self, since: int, seconds: float) -> float:
        """Seconds until a clock of so many seconds, started at ``since`` (milliseconds), runs out.

        Only the first look at a clock asks what time it is: a change of the machine's time changes no clock that runs.
        A player who comes back to a table has ``GRACE`` seconds at least."""
        if self._clock[0] != since:
            passed = min(max(0.0, time.time() - since / 1000), max(0.0, seconds - GRACE))
            self._clock = (since, time.monotonic() - passed)
        return self._clock[1] + seconds - time.monotonic()

    def _set(self, time: float) -> None:
        self.stop()
        self._timer, self._rings = asyncio.get_running_loop().call_at(time, self._ring), time

    def _ring(self) -> None:
        self._timer = None
        if self._next is None:  # the latest step has failed
            self.schedule()
        elif asyncio.get_running_loop().time() < self._due:
            self._set(self._due)
        else:
            step, self._next = self._next, None
            if self._underway != self._seq:  # else the next who comes to the table would have it taken once more
                self._underway = self._seq
                self._resources.background.spawn(self._take(step, self._seq))

    async def _take(self, step: ScheduledStep, seq: int) -> None:
        """Take a step that was meant for the table as it stood at ``seq``, unless no one watches: the next who comes
        back starts the scheduler again."""
        table = self._table
        try:
            if not table.is_watched or table.state.seq != seq:
                return
            decide = await step.prepare()
            if not table.is_unloaded:
                await table.carry_out(lambda now: decide(now) if now.seq == seq else [])
        except Exception as error:  # whatever a bot or the store raises, the table must go on
            known = isinstance(error, Refused | Unavailable)
            log.warning("%s", error, exc_info=not known, extra={"table": table.state.name, "seq": seq})
            if self._next is None and not table.is_unloaded:
                self._set(asyncio.get_running_loop().time() + RETRY)
        finally:
            if self._underway == seq:
                self._underway = 0

    async def _bot_play(self, bot: str) -> Decide:
        """Let a bot think for the mover; once, whatever is said at the table meanwhile."""
        state = self._table.state
        seat, moment = state.present.mover, (state.began, bot, tuple(state.present.history))
        if self._thinking is None or self._thinking[0] != moment:
            seed = bots_seed(state.present) if state.day else None
            self._thinking = moment, self._resources.background.spawn(self._think(bot, state.present.copy(), seed))
        try:
            word = await asyncio.shield(self._thinking[1])
        except Exception:
            self._thinking = None  # it thinks again
            raise
        return lambda _: events.play_for(seat, word)

    async def _think(self, bot: str, deal: Deal, seed: int | None) -> str:
        """Let a bot think until its time is over; its play. For its turn it waits, whatever it has to think about; if
        thinking takes longer, so does an answer without a choice."""
        seconds = self.bot_time(bot)
        if bot.startswith("search"):
            await self._resources.compiler.wait_for_search(deal.game.name)
        thought = await self._resources.bots.choose(self._table.payer, deal, bot, seed)
        if self._resources.settings.pace:  # else programs play alone, and nothing is to be hidden
            seconds = max(seconds, thought.seconds)
        await asyncio.sleep(thought.began + seconds - time.monotonic())
        return thought.word


def _step(wait: float, decide: Decide) -> ScheduledStep:
    async def prepare() -> Decide:
        return decide

    return ScheduledStep(wait, prepare)
