"""Refusals in words."""

from collections.abc import Callable
from http import HTTPStatus
from logging import getLogger
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import Response

from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import LANGUAGES, catalogue, closest
from tefuda.server.events.commands import Refused
from tefuda.table.reasons import TEXTS, Reason

log = getLogger("tefuda.server")

ErrorPage = Callable[[Request, int, str], Response]

LANGUAGE_COOKIE = "lang"
"""Keeps the language that somebody has chosen on a page."""


def language_of(connection: HTTPConnection) -> str:
    """The language of ``?lang=``, else of the cookie, else the first of ``Accept-Language`` that there are texts in."""
    asked = [connection.query_params.get("lang", ""), connection.cookies.get(LANGUAGE_COOKIE, "")]
    asked += [part.partition(";")[0] for part in connection.headers.get("accept-language", "")[:200].split(",")]
    return next(filter(None, map(closest, asked)), LANGUAGES[0])


def error_of(refused: Refused, language: str) -> dict[str, Any]:
    """A refusal as data."""
    if refused.reason is not None:
        return {"code": refused.code, **reason_of(refused.reason)}
    return {"code": refused.code, "text": catalogue(TEXTS, language)(f"server.{refused.code}", **refused.fields)}


def reason_of(reason: Reason) -> dict[str, str]:
    """A reason of the rules as data; its code is that of the text."""
    return {"rule": reason.rule, "reason": reason.code, "text": reason.text}


def _detail(error: HTTPException, language: str) -> str:
    """What an HTTP error says; of an address that leads nowhere, of which nobody has said more, a sentence."""
    nowhere = error.detail == HTTPStatus.NOT_FOUND.phrase
    return catalogue(TEXTS, language)("server.not_found") if nowhere else str(error.detail)


def install(app: FastAPI, page: ErrorPage) -> None:
    """Let every error of the app be answered in one form.

    Args:
        app: whose errors.
        page: what somebody gets to see who has asked for a page: made of the request, a status and a sentence.
    """

    def answer(request: Request, status: int, error: dict[str, Any]) -> Response:
        if not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", ""):
            return page(request, status, error["text"])
        return JSONResponse({"error": error}, status)

    def plain(request: Request, status: int, code: str, text: str) -> Response:
        return answer(request, status, {"code": code, "text": text})

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        response = answer(request, error.status, error_of(error, language_of(request)))
        if error.status in (429, 503):
            response.headers["retry-after"] = "1"
        return response

    @app.exception_handler(TefudaError)
    async def bad(request: Request, error: TefudaError) -> Response:
        return plain(request, 422, "bad_input", str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        return plain(request, 422, "bad_input", f"{'.'.join(map(str, first['loc']))}: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        response = plain(request, error.status_code, "http", _detail(error, language_of(request)))
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(Exception)
    async def fault(request: Request, error: Exception) -> Response:
        log.error("%s %s", request.method, request.url.path, exc_info=error)
        return plain(request, 500, "fault", catalogue(TEXTS, language_of(request))("server.fault"))
