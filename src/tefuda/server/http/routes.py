"""The API over HTTP, version 1: whatever can be done over a socket can be done here too.

The commands have their routes in ``command_routes``."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from tefuda.engine.texts import catalogue
from tefuda.server.http import create_table
from tefuda.server.http.context import Context, RequestContext, Server, pay_for_log
from tefuda.server.http.error_answers import reason_of
from tefuda.server.http.orders import Key
from tefuda.server.http.socket import NDJSON, STREAMED, ndjson
from tefuda.server.live import reviews
from tefuda.server.live.pools import Payer
from tefuda.server.live.reviews import ReviewJob, ReviewKey
from tefuda.server.live.reviews import hint as find_hint
from tefuda.server.live.subscribers import Subscriber
from tefuda.server.table import answer_types, permission, replays, request_types
from tefuda.server.table.callers import Refused
from tefuda.server.table.commands import why_not
from tefuda.server.table.message_types import StateMessage
from tefuda.server.table.permission import may_see_records, seat_of
from tefuda.server.table.player_names import notation_text, seat_names
from tefuda.server.table.reports import encoded
from tefuda.server.table.request_types import BOTS, EXACT
from tefuda.server.table.table_messages import is_summary
from tefuda.server.table.table_state import TableState
from tefuda.table.head_log import PAGE, Head
from tefuda.table.reasons import say_all
from tefuda.table.record import Record, RecordError

router = APIRouter()

MOST_LISTED = 100  # tables in the list of the public ones
PAID = [Depends(pay_for_log)]  # the dependencies of routes that read a whole log


JSON = "application/json"


def _gives(kind: Any) -> dict[str, Any]:
    """Arguments of a route that writes its answer itself: what the answer is."""
    return {"response_class": Response, "responses": {200: {"model": kind}}}


def _json(answer: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> Response:
    return Response(encoded(answer), media_type=JSON)


# Games


@router.get("/games", summary="The games")
def list_games(context: Context) -> list[answer_types.GameLine]:
    """Names and titles of all games, the numbers of players (the usual one first), and whether they are compiled."""
    compiler = context.services.compiler
    return [
        {
            "game": name,
            "seats": list(description.seats),
            "ready": compiler.is_ready(name),
            "title": (texts := catalogue(description.files.texts, context.language))("title"),
            "native": texts("native"),
        }
        for name, description in compiler.games.items()
    ]


@router.get("/games/{game}", summary="One game: options, rules, cards")
def show_game(context: Context, game: str) -> answer_types.GameDetails:
    """Everything a form, a help page or a drawing of cards needs, in the reader's language."""
    description = context.services.compiler.description(game)
    language = context.language
    return {
        "game": game,
        "rules_version": description.rules_version,
        "seats": list(description.seats),
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "rule": option.rule,
                "values": list(option.values),
                "least": option.least,
                "most": option.most_at_table,
                "texts": say_all(description, f"options.{option.name}", language),
            }
            for option in description.rules.options
        ],
        "presets": {name: preset["options"] for name, preset in description.presets.items()},
        "rules": say_all(description, "rules", language),
        "cards": {word: {"text": face.text, "colour": face.colour} for word, face in description.display.faces.items()},
        "bots": list(BOTS),
    }


# Tables


@router.get("/tables", summary="The public tables", **_gives(list[answer_types.ListedTable]))
async def list_tables(context: Context) -> Response:
    """The latest changed first, at most a hundred."""
    found = await context.services.store.public(MOST_LISTED)
    return _json([{"table": each.table, "at": each.at, **each.summary} for each in found if is_summary(each.summary)])


@router.post("/tables", summary="Open a table", status_code=201)
async def open_table(
    context: Context, response: Response, order: request_types.NewTable, key: Key = None
) -> answer_types.Opened:
    """Makes the caller its host, who may seat and remove bots and close it. The answer has the host's token unless they
    have brought one; with a name they also take the first seat."""
    return await create_table.create_table(context, response, order, key)


@router.get("/tables/{table}", summary="A table as you may see it", **_gives(StateMessage))
async def show_table(context: Context, table: str) -> Response:
    """A message as the streams send it."""
    message = await context.services.tables.first_message(table, Subscriber(context.caller, context.language))
    return Response(message, media_type=JSON)


@router.get("/tables/{table}/why", summary="Why a play is illegal")
async def why(context: Context, table: str, play: Annotated[str, Query(max_length=200)]) -> answer_types.WhyNot:
    """Asks without playing."""
    state = (await context.services.tables.get(table)).state
    reason = why_not(state, seat_of(state, context.caller), play, context.language)
    return answer_types.WhyNot(legal=reason is None, reason=None if reason is None else reason_of(reason))


@router.get("/tables/{table}/hint", summary="What to play, and why")
async def hint(
    context: Context, table: str, quick: Annotated[bool, Query(description="at once, by rules of thumb alone")] = False
) -> answer_types.Hint:
    """A play in your place by the rules of thumb, or what is clearly better: at a table where all others are bots."""
    caller = context.caller
    state = (await context.services.tables.get(table)).state
    verdict, text = await find_hint(context.services, state, caller, context.address, context.language, quick=quick)
    spell = notation_text(state.game.description, context.language)
    told = ({**asdict(each), "name": spell(each.play), "error": each.error, "judged": True} for each in verdict.plays)
    ideas = [answer_types.Idea.model_validate(each) for each in told]
    return answer_types.Hint(play=verdict.play, usual=verdict.usual, text=text, ideas=ideas)


# Streams, records, proofs


async def must_see_records(context: RequestContext, table: str) -> TableState:
    """The table; records of one without spectators are for those who sit there. ``Refused`` if the caller does not."""
    state = (await context.services.tables.get(table)).state
    may_see_records(state, context.caller)
    return state


@router.get("/tables/{table}/events", summary="What happens, as it happens", **STREAMED)
async def events(
    context: Context,
    table: str,
    after: Annotated[int | None, Query(ge=0, le=EXACT, description="the seq of your last message")] = None,
    patch: Annotated[bool, Query(description="what plays change of the table laid out, for pages")] = False,
    brief: Annotated[bool, Query(description="plays and shuffles in brief, for programs that keep the table")] = False,
) -> StreamingResponse:
    """A message now, and one whenever something has happened, as lines of JSON. Messages are those of the socket; an
    empty line only keeps the connection alive."""
    if after is not None and not context.may_read_log():
        after = None  # the table as it stands is sent all the same
    tables = context.services.tables
    subscriber = Subscriber(context.caller, context.language, patch, brief, address=context.address)
    await tables.subscribe(table, subscriber, after)
    return StreamingResponse(
        ndjson(subscriber.waiting, lambda: tables.unsubscribe(table, subscriber)), media_type=NDJSON
    )


@router.get(
    "/tables/{table}/record",
    summary="The record (.tfd)",
    dependencies=PAID,
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def show_record(
    context: Context, table: str, session: Annotated[int | None, Query(ge=1, le=EXACT, description="which game")] = None
) -> PlainTextResponse:
    """Finished deals with the proofs of their shuffles: at once where a deal leaves no card unseen, else when the
    session is over. ``tefuda verify`` and ``tefuda replay`` read it."""
    state = await must_see_records(context, table)
    in_thread = context.services.background.in_thread
    if state.past is not None:
        text = await in_thread(state.past.record, session, [chair.name or "-" for chair in state.chairs])
    else:
        text = await in_thread(replays.write_record, await context.services.tables.log(table), session)
    return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{table}.tfd"'})


@router.get(
    "/tables/{table}/replay", summary="A finished deal, step by step", dependencies=PAID, **_gives(answer_types.Replay)
)
async def replay(
    context: Context,
    table: str,
    deal: Annotated[int, Query(ge=1, le=EXACT, description="number in its session")] = 1,
    session: Annotated[
        int | None, Query(ge=1, le=EXACT, description="which game; else the latest with this deal")
    ] = None,
) -> Response:
    """Every hand open, for the deals that the record holds; sentences in the reader's language. ``proof`` is what the
    deck can be computed from again."""
    state, in_thread = await must_see_records(context, table), context.services.background.in_thread
    if state.past is not None:
        return _json(await in_thread(replays.past_story, state, deal, session, context.language))
    found, deals = await context.services.tables.shown_deals(table, session, deal)
    if deal > len(deals):
        raise Refused("no_such_deal", 404, count=len(deals))
    chosen, language = deals[deal - 1], context.language
    names = seat_names(found, language)
    steps = await in_thread(replays.replay_steps, chosen, deal, names, language)
    shown = {"names": names, "session": found.session, "proof": replays.proof(chosen), "moments": steps}
    return Response(await in_thread(encoded, shown), media_type=JSON)


@router.get(
    "/tables/{table}/proofs", summary="The proofs of this game's shuffles", **_gives(list[answer_types.DeckProof])
)
async def proofs(context: Context, table: str) -> Response:
    """All deals whose secrets may be shown now, each with what its deck can be computed from again; with the latest
    also the hands dealt."""
    return _json(replays.proofs(await must_see_records(context, table)))


@router.get("/tables/{table}/commitments", summary="The chain of commitments", **_gives(list[answer_types.ChainEntry]))
async def commitments(context: Context, table: str) -> Response:
    """All that was fixed before the deals of this table, the oldest first: commitments, closed lists of seals, seats
    that did not reveal. Each ``link`` is a hash of its entry and of the link before it, so whoever keeps one can tell
    later that nothing before it has changed (``tefuda verify --chain``)."""
    live = await context.services.tables.get(table)
    await live.until_kept()
    return _json(live.state.chain.entries)


@router.get("/chain", summary="The log of all tables", **_gives(answer_types.LogPart))
async def chain(context: Context, after: Annotated[int, Query(ge=0, le=EXACT)] = 0) -> Response:
    """An entry for each deal: the head of its table's chain of commitments, by which only those who know the chain know
    the table; and one for each table that was pruned. Each is hashed onto the one before, so whoever keeps a head can
    tell later that no table has disappeared. At most 1,000 entries; ask on after the last."""
    head = await _log_head(context)
    entries = await context.services.store.heads.entries(after, min(head.number, after + PAGE))
    return _json({"entries": entries, "head": asdict(head)})


@router.get("/chain/head", summary="The head of the log of all tables", **_gives(Head))
async def chain_head(context: Context) -> Response:
    """The newest entry's number and link, signed."""
    return _json(asdict(await _log_head(context)))


async def _log_head(context: RequestContext) -> Head:
    store = context.services.store
    return Head.sign(store.secret, *await store.heads.newest())


@router.post("/verify", summary="Verify a record's shuffles")
async def verify(context: Context, order: request_types.RecordText) -> answer_types.Verification:
    """Computes every deck again from its proof, and replays every play. Of a table that is kept here (``kept``) plays
    and names are compared too. ``fair`` is false or null: no server can answer for its own shuffles. Compare the proofs
    with what you kept from before the deals, or let ``tefuda verify --receipt`` do it."""
    context.pay_for_log(len(order.record))
    services = context.services
    async with services.verifying:  # one at a time: several would hold up everybody's plays
        return await _verify(services, order.record)


async def _verify(services: Server, text: str) -> answer_types.Verification:
    saved = await services.background.in_thread(Record.parse, text)
    await services.compiler.wait_until_ready(saved.load_game().name)
    try:
        deals = await services.background.in_thread(saved.verify)
    except RecordError as error:
        return {"consistent": False, "fair": False, "error": str(error)}
    proofs = [deal.proof for deal in deals if deal.proof]
    log = await services.tables.log_if_any(proofs[0].table.partition("/")[0])
    fault = await services.background.in_thread(replays.record_fault, log, deals, saved.players) if log else None
    if fault:
        return {"consistent": False, "fair": False, "error": f"{saved.source}: {fault}"}
    return {
        "consistent": True,
        "fair": None,
        "kept": bool(log),
        "deals": [cast(answer_types.ShuffleProof, proof.to_json()) for proof in proofs],
    }


# Reviews: asked for, waited for, and told

LONGEST_WAIT = 20  # seconds for which a question may wait for its answer

REVIEWED: dict[str, Any] = _gives(answer_types.Review)
REVIEWED["responses"][202] = {"model": answer_types.ReviewProgress}


@router.get("/tables/{table}/review", summary="Where a finished deal was won and lost", **REVIEWED)
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
    seat = seat_of(now, context.caller) if seat is None else seat
    key = ReviewKey(table, min(session or now.session, now.session), deal, seat)
    shown = reviews.is_shown(now, key.session, key.deal)
    job = await _review_job(context, now, key, shown=shown)
    found = await job.wait(wait)
    in_thread, reader = context.services.background.in_thread, (context.caller, context.language)
    if found is None:
        progress = await in_thread(reviews.progress_answer, job, *reader)
        return Response(encoded(progress), 202, media_type=JSON)
    return _json(await in_thread(reviews.review_answer, job.table, found, *reader, shown=shown))


async def _review_job(context: RequestContext, now: TableState, key: ReviewKey, *, shown: bool) -> ReviewJob:
    """The review, begun if need be. ``Refused`` if the caller may not have it, there is no such deal, or too much is
    asked."""
    known = context.services.reviews.find(key)
    after = await after_deal(context, now, key) if known is None else known.table
    permission.may_see_review(after, context.caller, key.seat, shown=shown)
    return known or context.services.reviews.start(key, after, Payer(context.address, context.caller.lasting))


async def after_deal(context: RequestContext, now: TableState, key: ReviewKey) -> TableState:
    """The table as it stood after the deal, from its log where the deal is not the latest. ``Refused`` if there is no
    such deal, or this address has asked for too much."""
    if (key.session, key.deal) == (now.session, now.deals):
        return now.copy()
    if key.session == now.session and key.deal > now.deals:
        raise Refused("no_such_deal", 404, count=now.deals)
    context.pay_for_log()
    log = await context.services.tables.log(key.table)
    after = await context.services.background.in_thread(reviews.after_deal, log, key.session, key.deal)
    if (after.session, after.deals) != (key.session, key.deal):
        raise Refused("no_such_deal", 404, count=after.deals)
    return after
