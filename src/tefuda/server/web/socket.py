"""The API over WebSocket: what happens comes by itself, and orders are answered."""

import asyncio
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from tefuda.engine.errors import TefudaError
from tefuda.server.events import commands
from tefuda.server.events.commands import Refused
from tefuda.server.events.outgoing import VERSION, written
from tefuda.server.events.table_state import Caller
from tefuda.server.settings import ServerSettings
from tefuda.server.tables.live_table import Order
from tefuda.server.tables.live_tables import LiveTables
from tefuda.server.tables.subscribers import CUT, Subscriber
from tefuda.server.web.admission import Admission
from tefuda.server.web.errors import error_of, language_of, reason_of
from tefuda.server.web.identity import order_key, token_hash
from tefuda.server.web.limits import READ_WITHIN, Bucket
from tefuda.server.web.middleware import address_of, may_read_log
from tefuda.server.web.schemas import Message

router = APIRouter(prefix="/api/v1")

POLICY, RESTART, SLOW = 1008, 1012, 1013
"""Codes with which a socket is closed: too many messages or a table that is not there, a stop, a slow reader."""


@router.websocket("/tables/{table}/socket")
async def socket(websocket: WebSocket, table: str, after: str = "", fields: str = "") -> None:
    """Show a table, and take orders; see ``docs/server.md`` for the messages."""
    language = language_of(websocket)
    await websocket.accept()
    with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):  # he has hung up, or does not even listen
        try:
            who = websocket.app.state.identity.who(websocket)
            line = SocketSession(websocket, table, Subscriber(who, language, fields == "true"))
            missed = int(after) if after.isdecimal() and len(after) < 10 else None
            if missed is not None and not may_read_log(websocket):
                missed = None  # how things stand is told all the same
            await line.run(missed)
        except Refused as refused:
            error = written({"type": "refused", "id": None, "error": error_of(refused, language)})
            async with asyncio.timeout(READ_WITHIN):
                await websocket.send_text(error.decode())
            await _hang_up(websocket, POLICY)


async def _hang_up(websocket: WebSocket, code: int) -> None:
    """Close, and read what is still coming: his own closing stands behind it."""
    async with asyncio.timeout(READ_WITHIN):
        await websocket.close(code)
        while (await websocket.receive())["type"] != "websocket.disconnect":
            pass


class SocketSession:
    """One open socket.

    Args:
        websocket: accepted.
        table: which.
        watcher: who is at the other end.
    """

    def __init__(self, websocket: WebSocket, table: str, watcher: Subscriber) -> None:
        self._websocket, self._table, self._watcher = websocket, table, watcher
        self._rooms: LiveTables = websocket.app.state.rooms
        settings: ServerSettings = websocket.app.state.settings
        self._door: Admission = websocket.app.state.door
        self._address = address_of(websocket.scope)
        self._bucket = Bucket(settings.messages, 2 * settings.messages)

    async def run(self, after: int | None) -> None:
        """Until one of the two ends it."""
        await self._rooms.watch(self._table, self._watcher, after)
        talking = [asyncio.create_task(self._send_all()), asyncio.create_task(self._receive_all())]
        try:
            done, _ = await asyncio.wait(talking, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in talking:
                task.cancel()
            await asyncio.gather(*talking, return_exceptions=True)
            await self._rooms.unwatch(self._table, self._watcher)

    async def _send_all(self) -> None:
        last = b""
        while (message := await self._watcher.waiting.get()) is not CUT:
            await self._websocket.send_text(message.decode())  # whoever does not read is hung up on: web/protocol
            last = message
        stopped = last.startswith(b'{"v":%d,"type":"bye"' % VERSION)
        await self._websocket.close(RESTART if stopped else SLOW)

    async def _receive_all(self) -> None:
        while True:
            frame = await self._websocket.receive()
            if frame["type"] == "websocket.disconnect":
                return
            if not self._bucket.take():
                self._door.cut(self._address)
                raise Refused("too_many")
            if not self._door.requests.take(self._address):  # by many sockets, each of which asks for little
                raise Refused("too_many")
            await self._answer(frame.get("text"))

    async def _answer(self, text: str | None) -> None:
        order_id = None
        try:
            message = _read(text)
            order_id = message.id
            answer = await self._obey(message)
        except Refused as refused:
            answer = {"type": "refused", "error": error_of(refused, self._watcher.language)}
        except TefudaError as error:
            answer = {"type": "refused", "error": {"code": "bad_input", "text": str(error)}}
        if answer:
            self._watcher.offer(written({"v": VERSION, **answer, "id": order_id}))

    async def _obey(self, message: Message) -> dict[str, Any]:
        who = self._watcher.who
        if message.type == "ping":
            return {"type": "pong"}
        if message.type == "hello":
            return await self._introduce(message.token)
        if message.type == "why":
            reason = (await self._rooms.room(self._table)).why(who, message.play or "", self._watcher.language)
            return {"type": "why", "play": message.play, "reason": reason and reason_of(reason)}
        key = None if message.id is None else order_key(who, str(message.id))
        with self._websocket.app.state.metrics.order():
            return {"type": "done", "seq": await self._rooms.order(self._table, self._order(message, who), key)}

    def _order(self, message: Message, who: Caller) -> Order:
        language, play = self._watcher.language, message.play
        if message.type == "here":
            return lambda table: commands.here(table, who)
        if message.type == "ready":
            entropy = bytes.fromhex(message.entropy)
            return lambda table: commands.ready(table, who, message.deal, entropy)
        return lambda table: commands.play(table, who, play or "", language, message.seq)

    async def _introduce(self, token: str | None) -> dict[str, Any]:
        """Go on as the bearer of a token: browsers cannot send it with the handshake."""
        who = Caller(self._watcher.who.guest, token_hash(token or ""))
        await self._rooms.unwatch(self._table, self._watcher)
        self._watcher.who = who
        await self._rooms.watch(self._table, self._watcher, None)
        return {}


def _read(text: str | None) -> Message:
    try:
        return Message.model_validate_json(text or "")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise Refused("bad_message", 422, error=f"{'.'.join(map(str, first['loc']))} {first['msg']}".strip()) from None
