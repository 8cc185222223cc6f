"""Checks that every request must pass before anything else sees it, and the headers of every answer."""

import json
import socket
import time
from collections import Counter
from logging import DEBUG, getLogger
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tefuda.engine.texts import TEXTS, catalogue
from tefuda.server.event_loop import BusyTime
from tefuda.server.http.context import language_of
from tefuda.server.http.limits import REQUEST_COST, SOCKET_COST, Admission, address_of, banned
from tefuda.server.settings import ServerSettings, ip_of

log = getLogger("tefuda.server")

MOST_BODY = 1 << 18  # bytes of a request's body

SAFE = {"GET", "HEAD", "OPTIONS"}

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    # Not no-referrer: browsers would then hide the origin of our own forms too.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}

FOR_PROGRAMMERS = {
    "host": "This server is not known by that name; its host can name it with --origin.",
    "origin": "This request comes from another site.",
    "length": "Say how long the body is (Content-Length).",
    "too_large": "The body is too large.",
}
"""Refusals that no reader of a page meets; other codes have texts in the catalogues."""


class SecurityMiddleware:
    """Refuses foreign hosts and origins, floods, and bodies that are too large."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, admission: Admission) -> None:
        self._app, self._settings, self._admission = app, settings, admission
        self._sockets: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        ban = self._admission.bans.of_address(address_of(scope))
        fault = self._fault(scope, Headers(scope=scope))
        if ban is not None:
            await _refuse(scope, receive, send, 403, "banned", **banned(ban).fields)
        elif fault:
            await _refuse(scope, receive, send, *fault)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._request(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, charge its address for the time in which nobody else was answered, and log it: neither who
        asks nor what follows the path, where an invitation may stand."""
        began, status = time.perf_counter(), 0

        async def begin(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self._add_headers(scope, MutableHeaders(scope=message))
            await send(message)

        busy = BusyTime(
            self._app(scope, receive, begin), lambda: f"{scope['method']} {getattr(scope.get('route'), 'path', '')}"
        )
        await busy
        self._admission.charge(address_of(scope), busy.seconds)
        if status and log.isEnabledFor(DEBUG):  # else another worker answers
            told = {"method": scope["method"], "path": scope["path"], "status": status}
            log.debug("a request", extra={**told, "ms": round(1000 * (time.perf_counter() - began), 1)})

    def _add_headers(self, scope: Scope, headers: MutableHeaders) -> None:
        more = {"strict-transport-security": "max-age=31536000"} if self._settings.secure else {}
        if scope["path"].startswith("/api/"):
            more["cache-control"] = "no-store"
        for name, value in {**HEADERS, **more}.items():
            headers.setdefault(name, value)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        self._sockets[address] += 1
        try:
            if 0 < self._settings.sockets < self._sockets[address]:
                self._admission.hits["sockets"] += 1
                await _refuse(scope, receive, send, 429, "too_many")
            else:
                await self._app(scope, receive, send)
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]

    def _fault(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """The fault of a request, as a status and a code; None if there is none."""
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""  # of two, a proxy may have looked at the other
        if not self._is_our_host(host):
            return 421, "host"
        if not self._admission.take(address_of(scope), SOCKET_COST if scope["type"] == "websocket" else REQUEST_COST):
            return 429, "too_many"
        if scope["type"] == "websocket" or scope["method"] not in SAFE:
            return self._unsafe_fault(headers, host)
        return None

    def _unsafe_fault(self, headers: Headers, host: str) -> tuple[int, str] | None:
        """Browsers say where a request comes from; programs do not, and have no cookie that others could use."""
        origin = headers.get("origin")
        if origin is not None and origin != self._settings.origin and urlsplit(origin).netloc != host:
            return 403, "origin"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "origin"
        if "transfer-encoding" in headers:
            return 411, "length"
        length = headers.get("content-length", "0")
        return None if length.isdecimal() and int(length) <= MOST_BODY else (413, "too_large")

    def _is_our_host(self, host: str) -> bool:
        """True if the server goes by this name; under another that leads here, others' pages could pass as ours."""
        if self._settings.origin is not None and host == urlsplit(self._settings.origin).netloc:
            return True
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in ("localhost", socket.gethostname().lower()) or name.endswith(".local") or ip_of(name) is not None


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, code: str, **fields: object) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": code})
        return
    said = FOR_PROGRAMMERS.get(code)
    text = said or catalogue(TEXTS, language_of(HTTPConnection(scope)))(f"server.{code}", **fields)
    is_read = not scope["path"].startswith("/api/") and "text/html" in Headers(scope=scope).get("accept", "")
    body = text if is_read else json.dumps({"error": {"code": code, "text": text}})
    headers = {"retry-after": "1"} if status == 429 else {}
    await Response(body, status, headers, "text/plain" if is_read else "application/json")(scope, receive, send)
