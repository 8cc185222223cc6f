"""The review of a finished deal over HTTP: asked for, waited for, and told."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse

from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.routes import must_see_records
from tefuda.server.live.pools import Payer
from tefuda.server.live.reviews import ReviewJob, ReviewKey
from tefuda.server.table import deal_reviews, message_types, permission
from tefuda.server.table.callers import Refused
from tefuda.server.table.permission import seat_of
from tefuda.server.table.reports import encoded
from tefuda.server.table.request_types import EXACT
from tefuda.server.table.table_state import TableState

router = APIRouter()

LONGEST_WAIT = 20
"""Seconds for which a question may wait for its answer."""

ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"model": message_types.Review},
    202: {"model": message_types.ReviewProgress},
}


@router.get(
    "/tables/{table}/review",
    summary="Where a finished deal was won and lost",
    response_class=Response,
    responses=ANSWERS,
)
async def review(
    context: Context,
    table: str,
    deal: Annotated[int, Query(ge=1, le=EXACT, description="number in its session")] = 1,
    session: Annotated[int | None, Query(ge=1, le=EXACT, description="which game; the present one by default")] = None,
    seat: Annotated[int | None, Query(ge=0, le=EXACT, description="whose decisions; yours by default")] = None,
    wait: Annotated[int, Query(ge=0, le=LONGEST_WAIT, description="seconds for which to wait for it")] = 0,
) -> Response:
    """Every decision of a seat judged from what that seat could know, and what the deal brought as the sum of luck, own
    plays and the others' plays. 202 says how far it is: ask again. While a deal's hands may not be shown, only whoever
    played a seat may have its review, and it has no ``luck``, ``others`` and ``worths``, which follow from hidden
    hands."""
    now = await must_see_records(context, table)
    if now.past is not None:
        raise now.past.refusal()
    key = ReviewKey(
        table, min(session or now.session, now.session), deal, seat_of(now, context.caller) if seat is None else seat
    )
    shown = deal_reviews.is_shown(now, key.session, key.deal)
    job = await _job(context, now, key, shown=shown)
    found = await job.wait(wait)
    if found is None:
        return JSONResponse({"judged": job.judged, "decisions": job.decisions}, 202)
    told = await context.services.background.in_thread(
        deal_reviews.review_answer, job.table, found, context.caller, context.language, shown=shown
    )
    return Response(encoded(told), media_type="application/json")


async def _job(context: RequestContext, now: TableState, key: ReviewKey, *, shown: bool) -> ReviewJob:
    """The review, begun if need be.

    Raises:
        Refused: the caller may not have it, there is no such deal, or too much is asked.
    """
    known = context.services.reviews.find(key)
    after = await after_deal(context, now, key) if known is None else known.table
    permission.may_see_review(after, context.caller, key.seat, shown=shown)
    payer = Payer(context.address, context.caller.lasting)
    return known or context.services.reviews.start(key, after, payer)


async def after_deal(context: RequestContext, now: TableState, key: ReviewKey) -> TableState:
    """The table as it stood after the deal, from its log where the deal is not the latest.

    Raises:
        Refused: there is no such deal, or this address has asked for too much.
    """
    if (key.session, key.deal) == (now.session, now.deals):
        return now.copy()
    if key.session == now.session and key.deal > now.deals:
        raise Refused("no_such_deal", 404, count=now.deals)
    if not context.may_read_log():
        raise Refused("too_many", 429)
    log = await context.services.tables.log(key.table)
    after = await context.services.background.in_thread(deal_reviews.after_deal, log, key.session, key.deal)
    if (after.session, after.deals) != (key.session, key.deal):
        raise Refused("no_such_deal", 404, count=after.deals)
    return after
