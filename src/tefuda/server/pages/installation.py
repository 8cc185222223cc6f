"""What lets a browser install the site as an app: manifest, icons, the service worker, the page without a server."""

import json
from functools import partial

from fastapi import APIRouter, HTTPException, Response
from fastapi.responses import HTMLResponse

from tefuda.engine.texts import catalogue
from tefuda.server.http.assets import WEB
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.raster import CAN_DRAW
from tefuda.server.pages import decks
from tefuda.server.pages.frame import page, page_text

router = APIRouter(include_in_schema=False)

SHELL = (
    "css/base.css", "css/reading.css", "css/rules.css", "icon.svg", "js/preferences.js", "fonts/sans-400.woff2",
    "fonts/sans-650.woff2",
)  # fmt: skip
"""Files that pages need which are read without a server."""

GROUND, PAPER = "#1f6b4a", "#f6f2e9"
"""Colours of the icon and of the page."""

SIZES = (180, 192, 512)
"""Pixels of the icons."""

SAFE = 0.66
"""Of an icon that a system may cut to its own form: what it never cuts off."""


@router.get("/manifest.webmanifest")
async def manifest(context: Context) -> Response:
    """What browsers install, in the reader's language."""
    language, icon = context.language, context.services.assets.path("icon.svg")
    icons = [{"src": icon, "sizes": "any", "type": "image/svg+xml"}]
    if CAN_DRAW:
        icons += [{"src": f"/icons/{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in SIZES]
        whole = {"src": "/icons/whole-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"}
        icons.append(whole)
    found = {
        "id": "/",
        "name": "Tefuda 手札",
        "short_name": "Tefuda",
        "description": page_text(language, "lobby.lead"),
        "lang": language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": GROUND,
        "categories": ["games"],
        "icons": icons,
        "shortcuts": [{"name": page_text(language, "me.title"), "url": "/me"}],
    }
    headers = {"cache-control": "no-cache", "vary": "cookie, accept-language"}
    return Response(json.dumps(found, ensure_ascii=False), headers=headers, media_type="application/manifest+json")


@router.get("/icons/{name}.png")
async def icon(context: Context, name: str) -> Response:
    """An icon; ``whole-512`` fills its square."""
    size = name.removeprefix("whole-")
    if not CAN_DRAW or not size.isdecimal() or int(size) not in SIZES:
        raise HTTPException(404)
    drawing = partial(_icon, whole=name != size)
    drawn = await context.services.pictures.get(("icon", name), drawing, context.pay, int(size))
    return Response(drawn, headers={"cache-control": "public, max-age=86400"}, media_type="image/png")


def _icon(*, whole: bool) -> str:
    drawing = (WEB / "static/icon.svg").read_text("utf-8")
    if whole:
        inside, edge = drawing.partition(">")[2].rpartition("</svg>")[0], 16 * (1 - SAFE)
        ground = f'<rect width="32" height="32" fill="{GROUND}"/>'
        inner = f'<g transform="translate({edge:g} {edge:g}) scale({SAFE})">{inside}</g>'
        drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{ground}{inner}</svg>'
    return drawing


@router.get("/worker.js")
async def worker(context: Context) -> Response:
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
    cards = [decks.address(context.in_own_deck(game), "cards", language) for game in games.values()]
    face = f"/faces/{context.profile.face}.svg"
    return [*(f"/games/{game}/rules" for game in games), *(address for address in cards if address), face]


@router.get("/offline")
async def offline(context: Context) -> HTMLResponse:
    """The page in the place of one that needs the server."""
    games, language = context.services.compiler.games, context.language
    return page(
        context,
        "offline.html",
        games=[(name, catalogue(game.files.texts, language)("title")) for name, game in games.items()],
    )
