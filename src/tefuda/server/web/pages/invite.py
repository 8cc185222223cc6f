"""The invitation to a table: a link and a QR code for the host to send.

Opening the link takes no seat, so previews of it do no harm; other sites are not told the address (Referrer-Policy).
"""

import ipaddress
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup

from tefuda.engine.texts import catalogue
from tefuda.server.settings import ServerSettings
from tefuda.server.tables.live_tables import LiveTables
from tefuda.server.web.errors import language_of
from tefuda.server.web.identity import Identity
from tefuda.server.web.pages import compilation
from tefuda.server.web.pages.frame import page

router = APIRouter(include_in_schema=False)


@router.get("/t/{table}/invite")
async def invite(request: Request, table: str) -> Response:
    """For the host of a table by invitation; others are led to the table."""
    rooms: LiveTables = request.app.state.rooms
    identity: Identity = request.app.state.identity
    if (waiting := await compilation.before(request, table)) is not None:
        return waiting
    now = (await rooms.room(table)).table
    if not now.is_host(identity.who(request)) or now.settings["invite"] is None:
        return RedirectResponse(f"/t/{table}", 303)
    import segno  # not at the start, which should not wait for it

    address = _address(request)
    link = f"{address}/t/{table}?invite={identity.invitation(table)}"
    code = segno.make(link, error="m").svg_inline(scale=1, border=2, omitsize=True, svgclass="qr", lineclass=None)
    return page(
        request,
        "invite.html",
        title=catalogue(now.game.description.files.texts, language_of(request))("title"),
        link=link,
        qr=Markup(code),  # noqa: S704 - drawn from an address of ours
        only_here=_is_this_machine(address),
        free=sum(not chair.taken for chair in now.chairs),
    )


def _address(request: Request) -> str:
    """Where people find this server."""
    settings: ServerSettings = request.app.state.settings
    return settings.origin or str(request.base_url).rstrip("/")


def _is_this_machine(address: str) -> bool:
    """Whether an address leads nowhere from another machine."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
