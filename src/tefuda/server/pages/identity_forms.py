"""Who the reader is: name and face, the way to another device, and being forgotten."""

from contextlib import closing
from typing import Annotated

from fastapi import APIRouter, Depends, Form
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tefuda.server.http.context import Context, pay_for_log
from tefuda.server.http.identity import PASSED_WITHIN
from tefuda.server.http.profile import FACE_COOKIE, NAME_COOKIE, Profile, keep
from tefuda.server.pages.frame import name_of, page
from tefuda.server.pages.invite import is_this_machine, qr_code
from tefuda.server.pages.table_lists import MOST_LISTED
from tefuda.server.store import identities
from tefuda.server.store.database import Database
from tefuda.server.store.erasures import mark_of
from tefuda.server.store.identities import KnownPerson
from tefuda.server.table.callers import Refused, guest_hash
from tefuda.server.table.player_faces import animal_of
from tefuda.server.table.player_names import clean_name

router = APIRouter(include_in_schema=False)


@router.post("/me")
async def change(context: Context, name: Annotated[str, Form()] = "", face: Annotated[str, Form()] = "") -> Response:
    """Another name or face; without a name one is called by one's animal."""
    try:
        typed = name.strip() and clean_name(name)
    except Refused:
        return RedirectResponse("/me?fault=name#who", 303)
    response = RedirectResponse("/me", 303)
    if context.services.identity.guest(context.connection) is None:
        context.services.identity.welcome(response)
    await context.keep(response, Profile(typed, face if animal_of(face) else context.profile.face))
    return response


@router.get("/me/device")
async def device(context: Context) -> Response:
    """A link, and a QR code of it, by which another device goes on as this guest."""
    reader = context.profile
    passed = context.services.identity.pass_on(context.connection, reader.typed, reader.face)
    if passed is None:
        return RedirectResponse("/me", 303)
    address = context.origin
    link = f"{address}/me/arrive?as={passed}"
    return page(
        context,
        "device.html",
        link=link,
        qr=qr_code(link),
        minutes=PASSED_WITHIN // 60,
        only_here=is_this_machine(address),
    )


@router.get("/me/arrive")
async def arrive(context: Context) -> HTMLResponse:
    """Asks first: opening the link changes nothing, so previews of it do no harm."""
    services, sent = context.services, context.connection.query_params.get("as", "")
    found = services.identity.passed(sent)
    mine = services.identity.guest(context.connection)
    is_other = mine is not None and found is not None and guest_hash(found[0]) != mine
    others = len(await services.store.of(mine, MOST_LISTED)) if is_other and mine else 0
    coming = None if found is None else Profile(found[1], found[2])
    return page(
        context,
        "arrive.html",
        200 if found else 410,
        sent=sent,
        coming=coming,
        name=coming and name_of(context, coming),
        others=others,
    )


@router.post("/me/arrive")
async def go_on(context: Context, sent: Annotated[str, Form(alias="as")] = "") -> Response:
    """Go on as the guest whose link it is."""
    identity = context.services.identity
    found = identity.passed(sent)
    if found is None:
        return RedirectResponse("/me/arrive", 303)
    response = RedirectResponse("/me", 303)
    guest, typed, face = found
    identity.welcome(response, guest)
    keep(response, Profile(typed, face), identity.secure)
    return response


@router.post("/me/passkeys/remove")
async def remove_passkey(context: Context, key: Annotated[str, Form(max_length=20_000)] = "") -> Response:
    """Nobody can sign in with this passkey any more."""
    guest = context.services.identity.guest(context.connection)
    if guest is not None:
        await context.services.store.passkeys.remove(key, guest)
    return RedirectResponse("/me#passkeys", 303)


@router.post("/me/forget", dependencies=[Depends(pay_for_log)])
async def forget(context: Context, sure: Annotated[str, Form()] = "") -> Response:
    """Delete what identifies the reader; the plays stay, so that the records of others do."""
    services = context.services
    guest = services.identity.guest(context.connection)
    if not sure:
        return RedirectResponse("/me#forget", 303)
    response = page(context, "forgotten.html")  # while the reader is known: it makes a stranger a new guest
    if guest is not None:
        erased = await services.background.in_thread(_erase, services.store.address, guest)
        services.identity.erased |= set(map(mark_of, erased.hashes))
        for table in erased.tables:
            services.tables.reload(table)
    for cookie in (services.identity.cookie, NAME_COOKIE, FACE_COOKIE):
        response.delete_cookie(cookie, secure=services.identity.secure, path="/")
    response.headers["clear-site-data"] = '"cache", "storage"'
    return response


def _erase(address: str, guest: str) -> KnownPerson:
    with closing(Database(address)) as database:
        known = identities.own_identity(database, [guest])
        return identities.erase(database, known, identities.own_identity)
