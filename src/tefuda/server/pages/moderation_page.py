"""The page of the moderators: reports, tables, house rules, whom to keep out or mute, and the log of what was done."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Form
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.server.http.context import Context, RequestContext, pay_for_log
from tefuda.server.pages.home import table_lines, undamaged
from tefuda.server.pages.layout import Typed, page, router
from tefuda.server.store import moderation, stored_tables
from tefuda.server.store.database import Database, now
from tefuda.server.store.moderation import Deed
from tefuda.server.store.port import Ban, StoreError
from tefuda.server.store.stored_tables import PersonReport
from tefuda.server.table.callers import Caller, Refused

MOST_SHOWN = 50  # of each list, the latest
MOST_WORDS = 300  # characters of a reason
DAYS = (7, 1, 30, 0)  # for which somebody is kept out or muted; 0 for good

WITH_REASON = ("ban", "mute", "close")
ON_PAGE = (*WITH_REASON, "unban", "hide", "show", "done", "reopen", "remove_rules")


async def _moderator(context: RequestContext) -> Caller:
    """The reader. ``Refused`` if they are no moderator."""
    caller = context.caller
    if not await context.services.store.is_moderator([caller.guest, caller.token]):
        raise Refused("not_moderator", 403, who=caller.lasting or "…")
    return caller


@router.get("/moderation", dependencies=[Depends(pay_for_log)])
async def moderation_page(context: Context) -> HTMLResponse:
    """The reports, what can be done about them, and what was done."""
    await _moderator(context)
    services, texts = context.services, catalogue(TEXTS, context.language)
    reports, kept, log = await services.background.in_thread(_read, services.store.address)
    latest = {each.subject: each for each in reversed(log)}  # no earlier deed can be undone
    return page(
        context, "moderation.html", reports=reports, kept=kept, log=log, days=DAYS,
        tables=table_lines(context, undamaged(await services.store.public(MOST_SHOWN))),
        rules=await services.store.people.all_rules(MOST_SHOWN),
        said=lambda said: texts(f"page.phrases.{said}") if f"page.phrases.{said}" in texts else said,
        undo=lambda deed: moderation.UNDO.get(deed.deed, "") if latest[deed.subject] is deed else "",
        written=lambda at: datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M"),
    )  # fmt: skip


def _read(address: str) -> tuple[list[PersonReport], list[Ban], list[Deed]]:
    with Database(address) as database:
        reports = stored_tables.list_reports(database, open_only=True, limit=MOST_SHOWN)
        return reports, moderation.list_bans(database), moderation.deeds(database, MOST_SHOWN)


@router.post("/moderation", dependencies=[Depends(pay_for_log)])
async def moderate(
    context: Context, do: Typed, subject: Typed = "", whom: Typed = "", why: Typed = "",
    days: Annotated[int, Form()] = 0,
) -> Response:  # fmt: skip
    """Do something: ``do`` is a deed and perhaps its subject, else ``subject`` is that."""
    caller, (deed, _, named), why = await _moderator(context), do.partition(" "), why.strip()[:MOST_WORDS]
    if deed not in ON_PAGE or days not in DAYS:
        raise Refused("bad_message", 422, error=f"{deed} {days}"[:MOST_WORDS])
    if deed in WITH_REASON and not why:
        raise Refused("no_reason", 422)
    until = now() + days * 24 * 3600 * 1000 if days and deed in ("ban", "mute") else None
    wanted = Deed(deed, named or subject.strip(), whom[:MOST_WORDS], why, until, caller.lasting or "", context.called)
    await context.services.background.in_thread(_do, context.services.store.address, wanted)
    return RedirectResponse("/moderation", 303)


def _do(address: str, deed: Deed) -> None:
    with Database(address) as database:
        try:
            if deed.deed in ("ban", "mute"):
                found = moderation.subjects(database, deed.subject)
                moderators = moderation.list_moderators(database)
                if any("/" in each or each in moderators for each in found):
                    raise Refused("protected", 403)
                deed = deed._replace(subject=" ".join(found))
            moderation.do(database, deed)
        except StoreError:
            raise
        except TefudaError:
            raise Refused("no_such_subject", 422, subject=deed.subject[:MOST_WORDS]) from None
