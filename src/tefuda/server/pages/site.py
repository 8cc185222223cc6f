"""Pages about the site: its installation as an app, the interface for programs, the laboratory's reports."""

import json
from functools import partial
from itertools import groupby
from urllib.parse import quote

from fastapi import HTTPException, Response
from fastapi.responses import HTMLResponse

from tefuda.engine.texts import catalogue
from tefuda.games import UnknownGameError, description
from tefuda.server.http.assets import WEB
from tefuda.server.http.catalogues import LabReport
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.pictures import CAN_DRAW
from tefuda.server.pages.drawings import deck_address
from tefuda.server.pages.layout import Compressed, page, router
from tefuda.server.pages.shown_game import shown_games

SHELL = (
    "css/base.css", "css/reading.css", "css/rules.css", "icon.svg", "js/preferences.js", "fonts/sans-400.woff2",
    "fonts/sans-650.woff2",
)  # fmt: skip
"""Files that pages need which are read without a server."""

GROUND, PAPER = "#1f6b4a", "#f6f2e9"
"""Colours of the icon and of the page."""

ICON_SIZES = (180, 192, 512)  # pixels of the icons
SAFE_PART = 0.66  # part of an icon that a system never cuts off, if it cuts it to its own form


@router.get("/manifest.webmanifest")
async def manifest(context: Context) -> Response:
    """The description of the app that browsers install, in the reader's language."""
    language, icon = context.language, context.services.assets.path("icon.svg")
    icons = [{"src": icon, "sizes": "any", "type": "image/svg+xml"}]
    if CAN_DRAW:
        icons += [{"src": f"/icons/{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in ICON_SIZES]
        icons.append({"src": "/icons/whole-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"})
    found = {
        "id": "/",
        "name": "Tefuda 手札",
        "short_name": "Tefuda",
        "description": context.text("lobby.lead"),
        "lang": language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": GROUND,
        "categories": ["games"],
        "icons": icons,
        "shortcuts": [{"name": context.text("me.title"), "url": "/me"}],
    }
    headers = {"cache-control": "no-cache", "vary": "cookie, accept-language"}
    return Response(json.dumps(found, ensure_ascii=False), headers=headers, media_type="application/manifest+json")


@router.get("/icons/{name}.png")
async def icon_drawing(context: Context, name: str) -> Response:
    """An icon; ``whole-512`` fills its square."""
    size = name.removeprefix("whole-")
    if not CAN_DRAW or not size.isdecimal() or int(size) not in ICON_SIZES:
        raise HTTPException(404)
    drawing = partial(_icon_svg, whole=name != size)
    drawn = await context.services.pictures.get(("icon", name), drawing, context.pay, int(size))
    return Response(drawn, headers={"cache-control": "public, max-age=86400"}, media_type="image/png")


def _icon_svg(*, whole: bool) -> str:
    drawing = (WEB / "static/icon.svg").read_text("utf-8")
    if whole:
        inside, edge = drawing.partition(">")[2].rpartition("</svg>")[0], 16 * (1 - SAFE_PART)
        ground = f'<rect width="32" height="32" fill="{GROUND}"/>'
        inner = f'<g transform="translate({edge:g} {edge:g}) scale({SAFE_PART})">{inside}</g>'
        drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{ground}{inner}</svg>'
    return drawing


@router.get("/worker.js")
async def service_worker(context: Context) -> Response:
    """The service worker; another one after every update, and in every language."""
    assets, language = context.services.assets, context.language
    settings = {
        "version": f"{assets.hash}-{language}",
        "shell": ["/offline", *map(assets.path, SHELL)],
        "readable": _readable(context),
    }
    text = f"const SETTINGS = {json.dumps(settings)};\n" + (WEB / "worker.js").read_text("utf-8")
    headers = {"cache-control": "no-cache", "vary": "cookie, accept-language"}
    return Response(text, headers=headers, media_type="text/javascript")


def _readable(context: RequestContext) -> list[str]:
    """The rules of all games, the cards in them, and the reader's face, which every page shows."""
    games, language = context.services.compiler.games, context.language
    cards = [deck_address(context.in_own_deck(game), "cards", language) for game in games.values()]
    face = f"/faces/{context.profile.face}.svg"
    return [*(f"/games/{game}/rules" for game in games), *(address for address in cards if address), face]


@router.get("/offline")
async def offline_page(context: Context) -> HTMLResponse:
    """The page in the place of one that needs the server."""
    return page(context, "offline.html", games=shown_games(context))


# The laboratory

REPORT_HEADERS = {
    # A report brings its own styles, inline. It gets an origin of its own, and no scripts or anything else.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox",
    "cross-origin-opener-policy": "unsafe-none",  # browsers refuse any other in a sandbox
    "cache-control": "no-cache, private",
    "content-language": "en",
}


@router.get("/lab")
def lab_page(context: Context) -> HTMLResponse:
    """The questions by game, with their answers."""
    language, reports = context.language, context.services.reports
    by_game = groupby(sorted(reports.all().values(), key=lambda run: run.game), key=lambda run: run.game)
    return page(
        context,
        "lab.html",
        games=[(_game_title(game, language), [_run_values(run, language) for run in group]) for game, group in by_game],
        installed=reports.folder is not None,
    )


@router.get("/lab/{name}")
def report_page(context: Context, name: str) -> Response:
    """One report, as the laboratory wrote it; only names in the list lead to a file."""
    found = context.services.reports.all().get(name)
    if found is None or found.page is None:
        raise HTTPException(404, context.text("lab.no_report"))
    return Compressed(HTMLResponse(found.page.read_bytes(), headers=REPORT_HEADERS))


def _game_title(game: str, language: str) -> str:
    """A game's title; a run may be of one that is no longer installed."""
    try:
        return catalogue(description(game).files.texts, language)("title")
    except UnknownGameError:
        return game


def _run_values(run: LabReport, language: str) -> dict[str, object]:
    is_told = language in run.words  # its own first language may be another
    part = f"#in-{language}" if is_told else ""
    return {
        "address": f"/lab/{quote(run.name, safe='')}{part}" if run.page else None,
        "question": run.question,
        "answer": run.words.get(language) or run.answer,
        "language": language if is_told else "en",
        "deals": f"{run.deals:,}" if run.deals else "",
    }
