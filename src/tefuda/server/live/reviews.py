"""Hints for a person who plays alone against bots; reviews of finished deals, judged one decision at a time among the
bots' other jobs, and kept; and the answer that tells a review."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from logging import getLogger
from typing import NamedTuple

from tefuda.bots.advice import Advice, advice_reason, find_advice, usual_advice
from tefuda.bots.players import advice
from tefuda.bots.review import DealReview, Decision, KeptReviews, Reviewer, choices, say_moment, so_far, sum_up
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.server.live.pools import Payer, Resources
from tefuda.server.store.port import Event, JsonObject
from tefuda.server.table.answer_types import Review, ReviewedMoment, ReviewProgress
from tefuda.server.table.callers import Caller, Refused
from tefuda.server.table.events import apply
from tefuda.server.table.permission import may_have_hint
from tefuda.server.table.player_names import notation_text, seat_names
from tefuda.server.table.table_state import TableState
from tefuda.table.deal import Deal

MOST_REMEMBERED = 64  # reviews that are answered without a look at the table's log
MOST_OF_ONE = 4  # reviews that one address may have made at a time

log = getLogger("tefuda.server")


async def hint(
    resources: Resources, state: TableState, caller: Caller, address: str, language: str, *, quick: bool
) -> tuple[Advice, list[str]]:
    """Find what to play in the caller's place at a live table; the verdict, and the same in sentences. ``quick`` is by
    rules of thumb alone; the first search of a game may have to be compiled. ``Refused`` as by ``may_have_hint``."""
    may_have_hint(state, caller)
    if quick:
        deal = state.present.copy()
        verdict = await resources.background.in_thread(usual_advice, deal)
    else:
        await resources.compiler.wait_for_search(state.game.name)
        may_have_hint(state, caller)
        deal = state.present.copy()
        verdict = await resources.bots.search(Payer(address, caller.lasting), partial(find_advice, deal))
    told = (deal, language, seat_names(state, language), notation_text(deal.game.description, language))
    return verdict, [verdict.sentence(*told), *verdict.figures(*told)]


class ReviewKey(NamedTuple):
    """The key of a review: a table, the number of its session, the deal in it, and the seat that is judged."""

    table: str
    session: int
    deal: int
    seat: int


class ReviewJob:
    """A review of a seat that ``task`` makes, or has made, with a copy of its own of the table as it stood after the
    deal; ``decisions`` are 0 until they are counted, ``judged`` are those that have been judged."""

    task: asyncio.Task[None]

    def __init__(self, table: TableState, seat: int, payer: Payer) -> None:
        self.table, self.seat, self.payer = table, seat, payer
        self.decisions, self.judged = 0, list[Decision]()
        self.review: DealReview | None = None

    async def wait(self, seconds: float) -> DealReview | None:
        """The review, if it is done within so many seconds. ``Refused`` if it could not be made."""
        await asyncio.wait([self.task], timeout=seconds)
        if self.task.done() and self.review is None:
            raise Refused("fault", 500)
        return self.review

    async def make(self, resources: Resources, kept: KeptReviews) -> None:
        """Make the review, or find the one that was kept."""
        deal, in_thread, bots = self.table.present, resources.background.in_thread, resources.bots
        review = await in_thread(kept.read, deal, self.seat)
        if review is None:
            await resources.compiler.wait_for_search(deal.game.name)
            chosen = await in_thread(lambda: list(choices(deal, self.seat)))
            self.decisions = len(chosen)
            for choice in chosen:
                found = await bots.search(self.payer, lambda search: Reviewer(search=search).judge(choice))  # noqa: B023 - awaited here
                self.judged.append(found)
            worths = await bots.search(self.payer, lambda search: Reviewer(search=search).worths(deal, self.seat))
            review = sum_up(deal, self.seat, self.judged, worths)
            await in_thread(kept.keep, deal, review)
        self.review = review


class Reviews:
    """The reviews of one process."""

    def __init__(self, resources: Resources) -> None:
        self._resources, self._kept = resources, KeptReviews()
        self._jobs: OrderedDict[ReviewKey, ReviewJob] = OrderedDict()

    def find(self, key: ReviewKey) -> ReviewJob | None:
        """A review that was asked for a while ago."""
        return self._jobs.get(key)

    def start(self, key: ReviewKey, table: TableState, payer: Payer) -> ReviewJob:
        """Begin a review, unless it has just been begun, of a table as it stood after the deal, which is over; the
        review may keep it. ``Refused`` if this address has asked for too many at a time."""
        if key not in self._jobs:
            others = sum(not job.task.done() and job.payer.address == payer.address for job in self._jobs.values())
            if others >= MOST_OF_ONE:
                raise Refused("too_many", 429)
            self._jobs[key] = ReviewJob(table, key.seat, payer)
            self._jobs[key].task = self._resources.background.spawn(self._make(key))
            done = [key for key, job in self._jobs.items() if job.task.done()]
            for oldest in done[: len(self._jobs) - MOST_REMEMBERED]:
                del self._jobs[oldest]
        return self._jobs[key]

    async def _make(self, key: ReviewKey) -> None:
        try:
            await self._jobs[key].make(self._resources, self._kept)
        except Exception:  # those who wait are told; the next who asks has it tried again
            log.exception("a review failed", extra={"table": key.table, "seq": 0})
            del self._jobs[key]


# The answer

MOMENTS = 3  # the dearest decisions, told in words


def after_deal(events: Sequence[Event], session: int, number: int) -> TableState:
    """A table as it stood after a deal, before the next began: from its whole log, the number of the session and that
    of the deal in it, from 1."""
    table, ends = TableState(), ("dealt", "given", "restarted", "closed")
    for event in events:
        if (table.session, table.deals) == (session, number) and event.kind in ends:
            break
        apply(table, event)
    return table


def is_shown(now: TableState, session: int, number: int) -> bool:
    """Tell if every hand of a deal may be shown at a table as it stands now: those of a record, and no others."""
    is_over = session < now.session and (now.unsealed or not now.round_deals)
    return is_over or now.shown.issuperset(range(1, number + 1))


def progress_answer(job: ReviewJob, caller: Caller, language: str) -> ReviewProgress:
    """The decisions of a review that have been judged, as its reader is told them."""
    found = so_far(job.table.present, job.seat, tuple(job.judged))
    return {
        "judged": len(found.decisions),
        "decisions": job.decisions,
        "moments": [_in_words(job.table, each, caller, language, found.decimals) for each in found.moments[:MOMENTS]],
    }


def review_answer(table: TableState, review: DealReview, caller: Caller, language: str, *, shown: bool) -> Review:
    """A review as its reader is told it, at the table as it stood after the deal. What follows from hidden hands is
    left out until they may be shown."""
    parts, dearest = review.rounded_parts(), review.moments[:MOMENTS]
    told: JsonObject = {part: parts[part] for part in ("own", "gain")}
    if shown:
        told = {**parts, "worths": [round(worth, review.decimals) for worth in review.worths]}
    return {
        "session": table.session,
        "deal": table.deals,
        "seat": review.seat,
        **told,  # type: ignore[typeddict-item]
        "decisions": [
            {name: getattr(each, name) for name in ("plays", "play", "best", "given_away", "doubt", "low", "high")}
            for each in review.decisions
        ],
        "moments": [_in_words(table, each, caller, language, review.decimals) for each in dearest],
        "summary": "" if dearest else catalogue(TEXTS, language)("review.nothing", count=len(review.decisions)),
    }


def _in_words(table: TableState, decision: Decision, caller: Caller, language: str, decimals: int) -> ReviewedMoment:
    """A decision that was not the best, in words."""
    spell, names = notation_text(table.game.description, language), seat_names(table, language)
    is_own = table.seat_of(caller) == decision.seat
    text = say_moment(decision, decimals, language, spell, "" if is_own else names[decision.seat])
    reason = _reason(table.present.at(decision.plays), decision, language, names, None if is_own else decision.seat)
    return {"plays": decision.plays, "text": text, "reason": reason}


def _reason(moment: Deal, decision: Decision, language: str, names: Sequence[str], seat: int | None) -> str:
    """The difference between the best play and the one that was made, and what speaks for it where the rules of thumb
    advise it too; empty if there is neither."""
    game, spell, found = moment.game.description, notation_text(moment.game.description, language), []
    for each in (decision.contrast, decision.holding):
        found += [] if each is None else [each.say(game, language, names, spell, seat, "review")]
    if advice(moment) == decision.best:
        reason = advice_reason(moment, decision.best, language, names, spell)
        if reason and seat is not None:  # it speaks to its player, who is not the reader
            reason = catalogue(TEXTS, language)("page.review.advised", name=names[seat], reason=reason)
        found.append(reason)
    return (" " if language == LANGUAGES[0] else "").join(found)
