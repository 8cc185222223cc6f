"""Pages about the site: its installation as an app, the interface for programs, the laboratory's reports."""

import json
from itertools import groupby
from operator import itemgetter

from fastapi import HTTPException, Response
from fastapi.responses import HTMLResponse

from tefuda.engine.texts import catalogue
from tefuda.games import UnknownGameError, description
from tefuda.server.http.assets import WEB
from tefuda.server.http.catalogues import lab_reports
from tefuda.server.http.context import Context, RequestContext
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

ICONS = {"icons/180.png": 180, "icons/192.png": 192, "icons/512.png": 512, "icons/whole-512.png": 512}
"""Files of the icon, which ``tools/icons`` draws, and how many pixels wide they are; systems may cut ``whole`` ones."""


@router.get("/manifest.webmanifest")
async def manifest(context: Context) -> Response:
    """The description of the app that browsers install, in the reader's language."""
    language, path = context.language, context.services.assets.path
    icons = [{"src": path("icon.svg"), "sizes": "any", "type": "image/svg+xml"}]
    for name, size in ICONS.items():
        purpose = "maskable" if "whole" in name else "any"
        icons.append({"src": path(name), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose})
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


@router.get("/worker.js")
async def service_worker(context: Context) -> Response:
    """The service worker; another one after every update, and in every language."""
    assets, language = context.services.assets, context.language
    settings = {
        "version": f"{assets.hash}-{language}",
        "shell": ["/offline", *map(assets.path, SHELL)],
        "icon": assets.path("icons/192.png"),
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
    language, folder = context.language, context.services.settings.lab
    runs = sorted(lab_reports(folder, language).values(), key=itemgetter("game"))
    return page(
        context,
        "lab.html",
        games=[(_game_title(game, language), list(group)) for game, group in groupby(runs, key=itemgetter("game"))],
        installed=folder is not None,
    )


@router.get("/lab/{name}")
def report_page(context: Context, name: str) -> Response:
    """One report, as the laboratory wrote it; only names in the list lead to a file."""
    found = lab_reports(context.services.settings.lab, context.language).get(name)
    if found is None or found["page"] is None:
        raise HTTPException(404, context.text("lab.no_report"))
    return Compressed(HTMLResponse(found["page"].read_bytes(), headers=REPORT_HEADERS))


def _game_title(game: str, language: str) -> str:
    """A game's title; a run may be of one that is no longer installed."""
    try:
        return catalogue(description(game).files.texts, language)("title")
    except UnknownGameError:
        return game
