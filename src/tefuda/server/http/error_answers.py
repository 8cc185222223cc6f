"""Errors as they are answered: in words, in the reader's language."""

import traceback
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from logging import ERROR, getLogger

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.server.http.context import language_of
from tefuda.server.json_logs import tell_seldom
from tefuda.server.store.port import Unavailable
from tefuda.server.table.callers import Refused
from tefuda.server.table.message_types import ErrorMessage, ReasonMessage
from tefuda.table.reasons import Reason

log = getLogger("tefuda.server")


def tell_fault(error: Exception, where: str, language: str) -> ErrorMessage:
    """Log a fault of ours with its traceback, unless the log has just told of it; what the client is told. ``where`` is
    what was asked for, without a name or a secret."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = f"{type(error).__name__} {last and (last[0].filename, last[0].lineno)}"
    tell_seldom(place, ERROR, where, error)
    return {"code": "fault", "text": catalogue(TEXTS, language)("server.fault")}


def error_of(error: Refused | TefudaError | Unavailable, language: str) -> ErrorMessage:
    """An error that an order has met, as data."""
    if isinstance(error, TefudaError):
        return {"code": "bad_input", "text": str(error)}
    if isinstance(error, Refused) and error.reason is not None:
        return {"code": error.code, **reason_of(error.reason)}
    fields = error.fields if isinstance(error, Refused) else {}
    return {"code": error.code, "text": catalogue(TEXTS, language)(f"server.{error.code}", **fields)}


def reason_of(reason: Reason) -> ReasonMessage:
    """A reason of the rules as data; its code is that of the text."""
    return {"rule": reason.rule, "reason": reason.code, "text": reason.text}


def _allowed(request: Request) -> str:
    """The methods of an address, for ``Allow``; the router knows those of its first route alone."""
    routes = request.app.routes
    return ", ".join(
        method
        for method in ("GET", "HEAD", "POST")
        if any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in routes)
    )


def install(app: FastAPI, page: Callable[[Request, int, str], Response]) -> None:
    """Let every error of an application be answered in one form. ``page`` makes the page that people see in place of
    the one they asked for, from the request, a status and a sentence."""

    def answer(request: Request, status: int, error: ErrorMessage) -> Response:
        if not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", ""):
            return page(request, status, error["text"])
        return JSONResponse({"error": error}, status)

    async def handle(request: Request, error: Exception) -> Response:
        status, body, headers = _described(request, error)
        response = answer(request, status, body)
        response.headers.update(headers)
        return response

    for kind in (Refused, Unavailable, TefudaError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, handle)
    app.add_middleware(FaultMiddleware, handle=handle)


class FaultMiddleware:
    """Answers unforeseen errors. Starlette's own handler raises them again, which logs them twice and hangs up."""

    def __init__(self, app: ASGIApp, handle: Callable[[Request, Exception], Awaitable[Response]]) -> None:
        self.app, self._handle = app, handle

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_started = scope["type"] != "http"

        async def watched(message: Message) -> None:
            nonlocal is_started
            is_started = True
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception as error:
            if is_started:
                raise
            response = await self._handle(Request(scope), error)
            await response(scope, receive, send)


def _described(request: Request, error: Exception) -> tuple[int, ErrorMessage, Mapping[str, str]]:
    """The status, the data and the headers that answer an error."""
    language = language_of(request)
    if isinstance(error, Refused | Unavailable):
        return error.status, error_of(error, language), {"retry-after": "1"} if error.status in (421, 429, 503) else {}
    if isinstance(error, TefudaError):
        return 422, error_of(error, language), {}
    if isinstance(error, RequestValidationError):
        first = error.errors()[0]
        return 422, {"code": "bad_input", "text": f"{'.'.join(map(str, first['loc']))}: {first['msg']}"}, {}
    if isinstance(error, HTTPException):
        headers = {"allow": _allowed(request)} if error.status_code == 405 else error.headers or {}
        nowhere = error.detail == HTTPStatus.NOT_FOUND.phrase  # about an address that leads nowhere nothing is said yet
        text = catalogue(TEXTS, language)("server.not_found") if nowhere else str(error.detail)
        return error.status_code, {"code": "http", "text": text}, headers
    return 500, tell_fault(error, f"{request.method} {request.url.path}", language), {}
