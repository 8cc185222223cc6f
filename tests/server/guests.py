"""Guests of a server in the same process, by the requests of their browsers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from starlette.responses import Response

from tefuda.server.http.application import create_app
from tefuda.server.http.context import Server
from tefuda.server.settings import ServerSettings
from tefuda.server.store import open_store
from tefuda.server.store.port import NoticeAddress
from tefuda.server.table.callers import guest_hash

DAY = 86_400  # seconds for an answer at a slow table
ORIGIN = "http://localhost"


class Guest:
    """Somebody with a browser that keeps their cookie; of the same name they are the same on every server."""

    def __init__(self, app: Any, name: str) -> None:
        self.services: Server = app.state.services
        self.hash, response = guest_hash(name), Response()
        self.services.identity.welcome(response, name)
        cookie, _, value = response.headers["set-cookie"].partition(";")[0].partition("=")
        transport = httpx.ASGITransport(app)
        self.client = httpx.AsyncClient(transport=transport, base_url=ORIGIN, cookies={cookie: value}, timeout=300)

    async def post(self, path: str, body: Any, *statuses: int) -> Any:
        answer = await self.client.post(f"/api/v1/{path}", json=body, headers={"origin": ORIGIN})
        assert answer.status_code in (statuses or (200,)), answer.text
        return answer.json() if answer.content else None

    async def state(self, table: str) -> Any:
        return (await self.client.get(f"/api/v1/tables/{table}")).json()

    async def play(self, table: str, asked: Any = None) -> None:
        """Make the first legal play at a table in the state ``asked``, else the present one. An only answer the table
        may have given itself, as soon as it saw whom it asks."""
        deal = (asked or await self.state(table))["deal"]
        await self.post(f"tables/{table}/play", {"play": deal["legal"][0]}, 200, *([409] if deal["answered"] else []))

    async def addresses(self) -> list[NoticeAddress]:
        return await self.services.store.notice_addresses.of(self.hash)


@asynccontextmanager
async def serving(folder: Path, *names: str, **settings: Any) -> AsyncIterator[list[Guest]]:
    """A server of Gong Zhu without delays and limits, and guests of these names."""
    usual: dict[str, Any] = {"pace": 0.0, "patience": 0.0, "requests": 0.0}
    store = open_store(f"sqlite:///{folder / 'tables.db'}")
    app = create_app(store, ServerSettings(games=("gong-zhu",), **{**usual, **settings}))
    async with app.router.lifespan_context(app):
        guests = [Guest(app, name) for name in names]
        yield guests
        for guest in guests:
            await guest.client.aclose()
