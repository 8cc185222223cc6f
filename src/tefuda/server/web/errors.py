"""Refusals in words."""

from logging import getLogger
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import LANGUAGES, catalogue, closest
from tefuda.server.log.commands import Refused
from tefuda.table.reasons import TEXTS, Reason

log = getLogger("tefuda.server")


def language_of(connection: HTTPConnection) -> str:
    """The language of ``?lang=``, else the first of ``Accept-Language`` that there are texts in."""
    asked = [connection.query_params.get("lang", "")]
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


def install(app: FastAPI) -> None:
    """Let every error of the app be answered in one form."""

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> JSONResponse:
        headers = {"retry-after": "1"} if error.status in (429, 503) else None
        return JSONResponse({"error": error_of(error, language_of(request))}, error.status, headers)

    @app.exception_handler(TefudaError)
    async def bad(request: Request, error: TefudaError) -> JSONResponse:
        return _plain(422, "bad_input", str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        return _plain(422, "bad_input", f"{'.'.join(map(str, first['loc']))}: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        answer = _plain(error.status_code, "http", str(error.detail))
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(Exception)
    async def fault(request: Request, error: Exception) -> JSONResponse:
        log.error("%s %s", request.method, request.url.path, exc_info=error)
        return _plain(500, "fault", "The server has made a mistake; it has been noted.")


def _plain(status: int, code: str, text: str) -> JSONResponse:
    return JSONResponse({"error": {"code": code, "text": text}}, status)
