"""Notices to browsers, where the host wants them: a browser subscribes to be told when it is its guest's turn at a slow
table."""

import time
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.passkeys import Base64
from tefuda.server.store.port import MAILBOX, NoticeAddress
from tefuda.server.table.callers import Caller, Refused

if TYPE_CHECKING:
    from tefuda.server.live.web_push import WebPush

router = APIRouter()

Endpoint = Annotated[str, Field(max_length=2000, examples=["https://push.example/abc"])]


class Keys(BaseModel):
    """The keys of a subscription."""

    p256dh: Base64
    auth: Base64


class Subscription(BaseModel):
    """A subscription as ``PushSubscription.toJSON`` gives it; whatever else it gives is passed over."""

    endpoint: Endpoint
    keys: Keys


class EndedSubscription(BaseModel):
    """A subscription that is to end."""

    endpoint: Endpoint


class Told(BaseModel):
    """The state of a browser from now on."""

    told: bool = Field(description="whether it is told when it is your turn")


@router.post("/notices", summary="Be told of your turn in this browser")
async def subscribe(context: Context, wanted: Subscription) -> Told:
    """At slow tables, when it is your turn and you are not there; in the language of this request. Of your browsers the
    latest eight are told. Guests alone can be: 401 without their cookie."""
    push, guest = _web_push(context), context.guest
    if guest is None:
        raise Refused("no_guest", 401)
    context.admit(Caller(guest))
    keys, now = wanted.keys, time.time_ns() // 1_000_000
    browser = NoticeAddress(wanted.endpoint, guest, keys.p256dh, keys.auth, context.language, now)
    if not push.check(browser):
        raise Refused("bad_subscription", 422)
    await context.services.store.notice_addresses.add(browser)
    return Told(told=True)


@router.post("/notices/end", summary="Be told no more in this browser")
async def end(context: Context, ended: EndedSubscription) -> Told:
    """Anybody who knows the address of a subscription may end it."""
    _web_push(context)
    if ended.endpoint.startswith(MAILBOX):  # others may know that too
        raise Refused("bad_subscription", 422)
    await context.services.store.notice_addresses.remove(ended.endpoint)
    return Told(told=False)


def _web_push(context: RequestContext) -> "WebPush":
    """The sender of notices to browsers. ``Refused`` if the host does not want any."""
    push = context.services.notices.push
    if push is None:
        raise Refused("no_notices", 404)
    return push
