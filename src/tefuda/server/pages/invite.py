"""The invitation to a table: a link and a QR code for the host to send.

Opening the link takes no seat, so previews of it do no harm; other sites do not learn the address (Referrer-Policy).
"""

import ipaddress
from urllib.parse import urlsplit

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup

from tefuda.engine.texts import catalogue
from tefuda.server.http.context import Context
from tefuda.server.pages import compilation
from tefuda.server.pages.frame import page

router = APIRouter(include_in_schema=False)


@router.get("/t/{table}/invite")
async def invite(context: Context, table: str) -> Response:
    """For the host of a table by invitation; others are sent to the table."""
    if (waiting := await compilation.before(context, table)) is not None:
        return waiting
    state = (await context.services.tables.get(table)).state
    if not state.is_host(context.caller) or state.settings["invite"] is None:
        return RedirectResponse(f"/t/{table}", 303)
    address = context.origin
    link = f"{address}/t/{table}?invite={context.services.identity.invitation(table)}"
    return page(
        context,
        "invite.html",
        title=catalogue(state.game.description.files.texts, context.language)("title"),
        link=link,
        qr=qr_code(link),
        only_here=is_this_machine(address),
        free=len(state.free_seats()),
    )


def qr_code(link: str) -> Markup:
    """A link of ours as a drawing."""
    import segno  # not at the start of the server, which should not wait for it

    code = segno.make(link, error="m").svg_inline(scale=1, border=2, omitsize=True, svgclass="qr", lineclass=None)
    return Markup(code)  # noqa: S704 - drawn from an address of ours


def is_this_machine(address: str) -> bool:
    """Whether an address leads nowhere from another machine."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
