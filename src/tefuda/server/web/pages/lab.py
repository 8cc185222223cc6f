"""The laboratory: its runs, and the report of each."""

from itertools import groupby
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse

from tefuda.engine.texts import catalogue
from tefuda.games import UnknownGameError, description
from tefuda.server.web.errors import language_of
from tefuda.server.web.lab_reports import LabReport, LabReports
from tefuda.server.web.pages.frame import packed, page, said

router = APIRouter(include_in_schema=False)

REPORT_HEADERS = {
    # A report brings its own styles, in itself. It gets an origin of its own, and neither scripts nor anything else.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox",
    "cross-origin-opener-policy": "unsafe-none",  # browsers refuse any other in a sandbox
    "cache-control": "no-cache, private",
    "content-language": "en",
}


@router.get("/lab")
def runs(request: Request) -> HTMLResponse:
    """The questions by game, with their answers."""
    language, reports = language_of(request), _reports(request)
    by_game = groupby(sorted(reports.all().values(), key=lambda run: run.game), key=lambda run: run.game)
    return page(
        request,
        "lab.html",
        games=[(_title(game, language), [_shown(run) for run in group]) for game, group in by_game],
        installed=reports.folder is not None,
    )


@router.get("/lab/{name}")
def report(request: Request, name: str) -> Response:
    """One report, as the laboratory wrote it; only names of the list lead to a file."""
    found = _reports(request).all().get(name)
    if found is None or found.page is None:
        raise HTTPException(404, said(language_of(request), "lab.no_report"))
    return packed(request, HTMLResponse(found.page.read_bytes(), headers=REPORT_HEADERS))


def _reports(request: Request) -> LabReports:
    reports: LabReports = request.app.state.reports
    return reports


def _title(game: str, language: str) -> str:
    """What a game is called; a run may be of one that is no longer installed."""
    try:
        return catalogue(description(game).files.texts, language)("title")
    except UnknownGameError:
        return game


def _shown(run: LabReport) -> dict[str, Any]:
    return {
        "address": f"/lab/{quote(run.name, safe='')}" if run.page else None,
        "question": run.question,
        "answer": run.answer,
        "deals": f"{run.deals:,}" if run.deals else "",
    }
