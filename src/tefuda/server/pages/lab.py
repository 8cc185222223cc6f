"""The laboratory: its runs, and the report of each."""

from itertools import groupby
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Response
from fastapi.responses import HTMLResponse

from tefuda.engine.texts import catalogue
from tefuda.games import UnknownGameError, description
from tefuda.server.http.context import Context
from tefuda.server.http.lab_reports import LabReport
from tefuda.server.pages.frame import Compressed, page, page_text

router = APIRouter(include_in_schema=False)

REPORT_HEADERS = {
    # A report brings its own styles, inline. It gets an origin of its own, and no scripts or anything else.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox",
    "cross-origin-opener-policy": "unsafe-none",  # browsers refuse any other in a sandbox
    "cache-control": "no-cache, private",
    "content-language": "en",
}


@router.get("/lab")
def runs(context: Context) -> HTMLResponse:
    """The questions by game, with their answers."""
    language, reports = context.language, context.services.reports
    by_game = groupby(sorted(reports.all().values(), key=lambda run: run.game), key=lambda run: run.game)
    return page(
        context,
        "lab.html",
        games=[(_title(game, language), [_run(run, language) for run in group]) for game, group in by_game],
        installed=reports.folder is not None,
    )


@router.get("/lab/{name}")
def report(context: Context, name: str) -> Response:
    """One report, as the laboratory wrote it; only names in the list lead to a file."""
    found = context.services.reports.all().get(name)
    if found is None or found.page is None:
        raise HTTPException(404, page_text(context.language, "lab.no_report"))
    return Compressed(HTMLResponse(found.page.read_bytes(), headers=REPORT_HEADERS))


def _title(game: str, language: str) -> str:
    """What a game is called; a run may be of one that is no longer installed."""
    try:
        return catalogue(description(game).files.texts, language)("title")
    except UnknownGameError:
        return game


def _run(run: LabReport, language: str) -> dict[str, Any]:
    is_told = language in run.words  # its own first language may be another
    part = f"#in-{language}" if is_told else ""
    return {
        "address": f"/lab/{quote(run.name, safe='')}{part}" if run.page else None,
        "question": run.question,
        "answer": run.answer_in(language),
        "language": language if is_told else "en",
        "deals": f"{run.deals:,}" if run.deals else "",
    }
