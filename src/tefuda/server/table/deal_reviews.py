"""Reviews of deals: permission to have one, and the answer that tells it."""

from collections.abc import Sequence
from typing import Any

from tefuda.bots.advice import advice_reason
from tefuda.bots.players import advice
from tefuda.bots.review import DealReview, Decision, say_moment
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.server.store.port import Event
from tefuda.server.table.callers import Caller
from tefuda.server.table.events import apply
from tefuda.server.table.message_types import Review, ReviewedMoment
from tefuda.server.table.player_names import notation_text, seat_names
from tefuda.server.table.table_state import TableState
from tefuda.table.deal import Deal

MOMENTS = 3
"""The dearest decisions, told in words."""


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
    return session < now.session or now.shown.issuperset(range(1, number + 1))


def review_answer(table: TableState, review: DealReview, caller: Caller, language: str, *, shown: bool) -> Review:
    """A review as its reader is told it, at the table as it stood after the deal. What follows from hidden hands is
    left out until they may be shown."""
    assert table.deal is not None
    parts, dearest = review.rounded_parts(), review.moments[:MOMENTS]
    told: dict[str, Any] = {part: parts[part] for part in ("own", "gain")}
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
        "moments": [_moment(table, each, caller, language, review.decimals) for each in dearest],
        "summary": "" if dearest else catalogue(TEXTS, language)("review.nothing", count=len(review.decisions)),
    }


def _moment(table: TableState, decision: Decision, caller: Caller, language: str, decimals: int) -> ReviewedMoment:
    """A decision that was not the best, in words."""
    assert table.deal is not None
    spell, names = notation_text(table.game.description, language), seat_names(table, language)
    is_own = table.seat_of(caller) == decision.seat
    text = say_moment(decision, decimals, language, spell, "" if is_own else names[decision.seat])
    seat = None if is_own else decision.seat
    reason = _reason(table.deal.at(decision.plays), decision, language, names, seat)
    return {"plays": decision.plays, "text": text, "reason": reason}


def _reason(moment: Deal, decision: Decision, language: str, names: Sequence[str], seat: int | None) -> str:
    """The difference between the best play and the one that was made, and what speaks for it where the rules of thumb
    advise it too; empty if there is neither."""
    game, spell, found = moment.game.description, notation_text(moment.game.description, language), []
    if decision.contrast is not None:
        found.append(decision.contrast.say(game, language, names, spell, seat, "review"))
    if decision.holding is not None:
        found.append(decision.holding.say(game, language, names, spell, seat, "review"))
    if advice(moment) == decision.best:
        reason = advice_reason(moment, decision.best, language, names, spell)
        if reason and seat is not None:  # it speaks to its player, who is not the reader
            reason = catalogue(TEXTS, language)("page.review.advised", name=names[seat], reason=reason)
        found.append(reason)
    return (" " if language == LANGUAGES[0] else "").join(found)
