"""Pages about e-mail, where the host wants it: people ask for it, confirm it and end it."""

from typing import Annotated

from fastapi import Form, HTTPException, Query, Request, Response
from fastapi.responses import RedirectResponse

from tefuda.server.http.context import Context, RequestContext
from tefuda.server.live.mail import Mail, clean_mailbox
from tefuda.server.pages.layout import page, router
from tefuda.server.store.port import MAILBOX
from tefuda.server.table.callers import Caller, Refused

Sent = Annotated[str, Query(alias="as", max_length=2000)]  # the text of a link in an e-mail


@router.post("/me/mail")
async def ask_for_mail(context: Context, mailbox: Annotated[str, Form(max_length=1000)] = "") -> Response:
    """Send the question whether the mailbox is the reader's: nobody is told in one that they have not confirmed."""
    mail, guest, cleaned = _mail(context), context.guest, clean_mailbox(mailbox)
    if guest is None or cleaned is None:
        return RedirectResponse("/me?fault=mail#mail", 303)
    context.admit(Caller(guest))
    for asked in (context.address, cleaned.lower()):
        if not context.services.mails.bucket(asked).take():
            raise Refused("too_many", 429)
    is_sent = await mail.ask(cleaned, guest, context.language) == "sent"
    return _answer(context, "sent" if is_sent else "not_sent", cleaned, 200 if is_sent else 503)


@router.post("/me/mail/end")
async def end_own_mail(context: Context) -> Response:
    """Send the reader no more e-mails."""
    addresses = context.services.store.notice_addresses
    for each in await addresses.of(context.guest) if context.guest else ():
        if each.is_mailbox:
            await addresses.remove(each.address)
    return RedirectResponse("/me#mail", 303)


@router.api_route("/mail/confirm", methods=["GET", "POST"])
async def confirm_mail(context: Context, request: Request, sent: Sent = "") -> Response:
    """Tell the guest of the link in the mailbox of the link, from now on. The link itself asks first: programs that
    look at links in e-mails change nothing."""
    found = _mail(context).confirmed(sent)
    if found is None:
        return _answer(context, "late", status=410)
    if request.method != "POST":
        return _answer(context, "confirm", found.address, act=f"/mail/confirm?as={sent}")
    await context.services.store.notice_addresses.add(found)
    return _answer(context, "confirmed", found.address)


@router.api_route("/mail/end", methods=["GET", "POST"])
async def end_mail(context: Context, request: Request, sent: Sent = "") -> Response:
    """Send no more e-mails to the mailbox of the link, which asks first too; mail programs ask for this (RFC 8058)."""
    mailbox = _mail(context).ended(sent)
    if mailbox is None:
        return _answer(context, "late", status=410)
    if request.method != "POST":
        return _answer(context, "stop", mailbox, act=f"/mail/end?as={sent}")
    await context.services.store.notice_addresses.remove(MAILBOX + mailbox)
    return _answer(context, "stopped", mailbox)


def _answer(context: RequestContext, key: str, address: str = "", status: int = 200, act: str = "") -> Response:
    """The page that tells what was done, or asks first: the text ``mail.KEY``, and a button that goes to ``act``."""
    return page(context, "mail.html", status, key=key, mailbox=address.removeprefix(MAILBOX), act=act)


def _mail(context: RequestContext) -> Mail:
    """The sender of e-mails. ``HTTPException`` if the host does not want any (404)."""
    mail = context.services.notices.mail
    if mail is None:
        raise HTTPException(404, context.text("mail.none"))
    return mail
