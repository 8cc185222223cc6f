"""Card faces for pages: sprites and small pictures, drawn when somebody first asks, kept for ever by browsers."""

import asyncio
import gzip
from functools import cache

from fastapi import APIRouter, HTTPException, Request, Response

from tefuda import games
from tefuda.decks import data
from tefuda.decks.faces import Style
from tefuda.decks.picture import picture
from tefuda.decks.sprite import Sprite, sprite
from tefuda.engine.description import Description
from tefuda.engine.texts import LANGUAGES
from tefuda.server.web.pages.frame import FOR_EVER, game_of

router = APIRouter(include_in_schema=False)

USUAL = frozenset({"traditional", "index"})
MARKED = USUAL | {"accessible"}
"""Layers: what everybody sees at first, and what those see who want the suits marked by more than colour."""

_drawn: dict[str, bytes] = {}
"""What has been drawn, by address, compressed."""


async def sprite_of(game: Description, language: str, layers: frozenset[str] = USUAL) -> tuple[str, Sprite] | None:
    """The address of a game's sprite, and the sprite; None if the game has no deck to draw."""
    return await asyncio.to_thread(_sprite, game.name, language, layers) if game.decks else None


async def picture_of(game: Description, language: str) -> str | None:
    """The address of a picture of some of a game's cards; None if the game has no deck to draw."""
    return await asyncio.to_thread(_picture, game.name, language) if game.decks else None


@cache
def _sprite(game: str, language: str, layers: frozenset[str]) -> tuple[str, Sprite]:
    drawn = sprite(data.load(games.description(game)), Style(layers, language))
    return _keep(game, drawn.name, drawn.text), drawn


@cache
def _picture(game: str, language: str) -> str:
    return _keep(game, *picture(data.load(games.description(game)), Style(USUAL, language)))


def _keep(game: str, name: str, text: str) -> str:
    address = f"/decks/{game}/{name.removeprefix(f'{game}-')}"
    _drawn[address] = gzip.compress(text.encode(), 9, mtime=0)
    return address


@router.get("/decks/{game}/{name}")
async def show(request: Request, game: str, name: str) -> Response:
    """What a page has named. After a new start of the server nothing is drawn yet, and pages from before still ask."""
    address = f"/decks/{game}/{name}"
    if address not in _drawn:
        await _draw_all(request, game)
    if address not in _drawn:
        raise HTTPException(404)
    text, headers = _drawn[address], {"cache-control": FOR_EVER, "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(text, headers={**headers, "content-encoding": "gzip"}, media_type="image/svg+xml")
    return Response(gzip.decompress(text), headers=headers, media_type="image/svg+xml")


async def _draw_all(request: Request, game: str) -> None:
    description = game_of(request, game)
    for language in LANGUAGES:
        await picture_of(description, language)
        for layers in (USUAL, MARKED):
            await sprite_of(description, language, layers)
