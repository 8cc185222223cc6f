"""A finished deal tried again from one of its moments: a table of its own, alone against bots."""

from typing import Annotated

from fastapi import APIRouter, Form, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel

from tefuda.bots.levels import level_spec
from tefuda.server.http.context import Context
from tefuda.server.http.create_table import create_given, identify, pay_for_table
from tefuda.server.http.review_routes import after_deal
from tefuda.server.http.routes import must_see_records
from tefuda.server.live.reviews import ReviewKey
from tefuda.server.pages.addresses import Anywhere, From1
from tefuda.server.pages.frame import name_of
from tefuda.server.table import deal_reviews
from tefuda.server.table.callers import Refused
from tefuda.server.table.message_types import GivenDeal
from tefuda.server.table.table_state import TableState
from tefuda.table.record_lines import deal_head

router = APIRouter(include_in_schema=False)

LEVEL = "strong"
"""Of the bots in place of people."""


class Moment(BaseModel):
    """The moment from which to play: a deal of a table, and how many plays had been made; with a seat, the next at
    which that seat was to play."""

    deal: From1 = 1
    session: From1 = 1
    plays: Anywhere = 0
    seat: Anywhere | None = None


@router.post("/r/{table}/again")
async def try_again(context: Context, table: str, moment: Annotated[Moment, Form()]) -> Response:
    """Open a table that stands where the deal stood, with the same hands; the reader plays for whoever was to play."""
    now = await must_see_records(context, table)
    if now.past is not None:
        raise now.past.refusal()
    key = ReviewKey(table, min(moment.session, now.session), moment.deal, 0)
    after = await after_deal(context, now, key)
    if not deal_reviews.is_shown(now, key.session, key.deal):
        raise Refused("hands_hidden", 403)
    given, row = again(after, moment.plays, moment.seat)
    pay_for_table(context)
    response = RedirectResponse("", 303)
    caller, _ = identify(context, response)
    seat, identity = given["seat"], context.services.identity
    name, game = identity.table_name(caller, None), after.game
    level = level_spec(LEVEL, game.description, game.template[0])
    bots = [chair.bot or level for other, chair in enumerate(after.chairs) if other != seat]
    await create_given(context, name, caller, name_of(context, context.profile), game, given, seat, bots, row)
    response.headers["location"] = f"/t/{name}"
    return response


def again(after: TableState, plays: int, seat: int | None = None) -> tuple[GivenDeal, dict[str, object]]:
    """Which deal a table is given that tries one again, and the event that gives it.

    Args:
        after: the table as it stood after the deal, which may be shown.
        plays: how many of its plays are kept.
        seat: who is to play then; by default whoever was to play. If another was, more plays are kept.

    Raises:
        Refused: the deal is not over, or had not so many plays.
    """
    deal = after.deal
    if deal is None or not deal.over:
        raise Refused("deal_not_over")
    movers = [mover for mover, _ in deal.history]
    plays = next((k for k in range(max(plays, 0), len(movers)) if seat in (None, movers[k])), -1)
    if plays < 0:
        raise Refused("no_such_moment", 404, last=len(deal.history) - 1)
    counted = after.game.description.rules.counted
    given: GivenDeal = {
        "kind": "again",
        "table": after.name,
        "session": after.session,
        "deal": after.deals,
        "plays": plays,
        "seat": movers[plays],
        "paid": [counted(points) for points in deal.payoff()],
    }
    head = {name: value for name, value in deal_head(deal, 1).items() if name != "proof"}  # proves another table's deal
    return given, {**head, "plays": [f"{seat}:{word}" for seat, word in deal.history[:plays]]}
