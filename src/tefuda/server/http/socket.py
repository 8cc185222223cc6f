"""The API over WebSocket: the table's messages come by themselves, and every order is answered. Streams send the same
messages as lines of JSON."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from fastapi.responses import StreamingResponse

from tefuda.engine.errors import TefudaError
from tefuda.server.event_loop import BusyTime
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.error_answers import error_of, reason_of, tell_fault
from tefuda.server.http.limits import MESSAGE_COST, READ_TIMEOUT, TokenBucket
from tefuda.server.http.orders import SOCKET_COMMANDS, AskWhy, Hello, Message, read_message
from tefuda.server.http.websocket import SEND_NOW
from tefuda.server.live.player_queue import Line
from tefuda.server.live.subscribers import END, Subscriber
from tefuda.server.store.port import Unavailable
from tefuda.server.table.callers import Caller, Refused, token_hash
from tefuda.server.table.commands import Command, why_not
from tefuda.server.table.message_types import ErrorMessage
from tefuda.server.table.permission import seat_of
from tefuda.server.table.reports import VERSION, encoded

router = APIRouter()

YES = ("true", "1")  # words by which a query says yes

POLICY, FAULT, RESTART, SLOW = 1008, 1011, 1012, 1013
"""Codes with which a socket is closed: too many messages or no such table, a fault of ours, a stop of the server, a
slow reader."""


class Gone(Exception):  # noqa: N818 - no error
    """The client is gone, or does not read."""


@router.websocket("/tables/{table}/socket")
async def socket(
    websocket: WebSocket,
    context: Context,
    table: str,
    after: str = "",
    patch: str = "",
    brief: str = "",
    presence: str = "",
) -> None:
    """Send a table's messages, and take orders; see ``docs/server.md``."""
    if await context.is_passed_on(table):
        return
    with suppress(Gone):
        with _or_gone():
            await websocket.accept()
        try:
            wanted = (context.language, patch in YES, brief in YES)
            subscriber = Subscriber(context.caller, *wanted, address=context.address, presence=presence in YES)
            subscriber.send_now = websocket.scope["extensions"].get(SEND_NOW)
            missed = int(after) if after.isdecimal() and len(after) < 10 else None
            if missed is not None and not context.may_read_log():
                missed = None  # the table as it stands is sent all the same
            await SocketSession(websocket, context, table, subscriber).run(missed)
        except Refused as error:
            await _hang_up(websocket, POLICY, error_of(error, context.language))
        except Unavailable:  # no reason to give up: the store answers again, or another process drives the table
            await _hang_up(websocket, RESTART)
        except Gone:
            raise
        except Exception as error:
            await _hang_up(websocket, FAULT, tell_fault(error, "a socket", context.language))


@contextmanager
def _or_gone() -> Iterator[None]:
    """Send or receive something, nothing else; ``Gone`` for what Starlette and uvicorn raise when the client is."""
    try:
        yield
    except (WebSocketDisconnect, RuntimeError, TimeoutError) as error:
        raise Gone from error


async def _hang_up(websocket: WebSocket, code: int, error: ErrorMessage | None = None) -> None:
    """Close, saying why, and read what is still coming: the client's own closing stands behind it."""
    with _or_gone():
        async with asyncio.timeout(READ_TIMEOUT):
            if error is not None:
                await websocket.send_text(encoded({"type": "refused", "id": None, "error": error}).decode())
            await websocket.close(code)
            while (await websocket.receive())["type"] != "websocket.disconnect":
                pass


class SocketSession:
    """One socket that has been accepted, at a table; the subscriber is at its other end."""

    def __init__(self, websocket: WebSocket, context: RequestContext, table: str, subscriber: Subscriber) -> None:
        self._websocket, self._context, self._table, self._subscriber = websocket, context, table, subscriber
        self._tables = context.services.tables
        rate = context.services.settings.messages
        self._bucket = TokenBucket(rate, 2 * rate)
        self._is_over = self._is_ordering = False

    async def run(self, after: int | None) -> None:
        """Send and receive until one of the two ends; the client has the messages up to the seq ``after``."""
        await self._tables.subscribe(self._table, self._subscriber, after)
        sending, receiving = asyncio.create_task(self._send_all()), asyncio.create_task(self._receive_all())
        try:
            done, _ = await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._is_over = True
            sending.cancel()
            if not self._is_ordering:  # what has been ordered is carried out, though nobody waits for the answer
                receiving.cancel()
            await asyncio.gather(sending, receiving, return_exceptions=True)
            self._tables.unsubscribe(self._table, self._subscriber)

    async def _send_all(self) -> None:
        subscriber = self._subscriber
        while (message := await subscriber.waiting.get()) is not END:
            with _or_gone():
                await self._websocket.send_text(message.decode())  # slow readers are cut off in ``connections``
            subscriber.is_behind = not subscriber.waiting.empty()
        code = POLICY if subscriber.is_banned else SLOW if subscriber.is_slow else RESTART
        with _or_gone():
            await self._websocket.close(code)

    async def _receive_all(self) -> None:
        admission, address = self._context.services.admission, self._context.address
        while not self._is_over:
            with _or_gone():
                frame = await self._websocket.receive()
            if frame["type"] == "websocket.disconnect":
                return
            if not self._bucket.take():
                admission.cut(address)
                raise Refused("too_many")
            if not admission.take(address, MESSAGE_COST):  # through many sockets, each of which asks for little
                raise Refused("too_many")
            self._kind = "no message"
            busy = BusyTime(self._answer(frame.get("text")), lambda: f"a message {self._kind!r}")
            await busy
            self._context.pay(busy.seconds)

    async def _answer(self, text: str | None) -> None:
        order_id = None
        try:
            message = read_message(text)
            order_id, self._kind = message.id, message.type
            answer = await self._handle(message)
        except (Refused, Unavailable, TefudaError) as error:
            answer = {"type": "refused", "error": error_of(error, self._context.language)}
        except Exception as error:
            answer = {"type": "refused", "error": tell_fault(error, "a message", self._context.language)}
        if answer:
            self._subscriber.offer(encoded({"v": VERSION, **answer, "id": order_id}))

    async def _handle(self, message: Any) -> dict[str, Any]:
        """Do what a message asks for; the answer to it, or none."""
        if message.type in SOCKET_COMMANDS:
            return await self._carry_out(SOCKET_COMMANDS[message.type], message)
        if isinstance(message, Hello):
            return await self._identify(message.token)
        if isinstance(message, AskWhy):
            state = (await self._tables.get(self._table)).state
            seat, play = seat_of(state, self._subscriber.caller), message.play
            reason = why_not(state, seat, play or "", self._context.language)
            return {"type": "why", "play": play, "reason": reason and reason_of(reason)}
        return {"type": "pong"}

    async def _carry_out(self, command: Command[Any], order: Message) -> dict[str, Any]:
        """Carry out a command; the answer to it."""
        key = None if order.id is None else str(order.id)
        self._is_ordering = True
        try:
            seq = await self._context.carry_out(self._table, command, order, self._subscriber.caller, key)
        finally:
            self._is_ordering = False
        return {"type": "done", "seq": seq}

    async def _identify(self, token: str | None) -> dict[str, Any]:
        """Go on as the bearer of a token: browsers cannot send it with the handshake."""
        caller = self._context.admit(Caller(self._subscriber.caller.guest, token_hash(token or "")))
        self._tables.unsubscribe(self._table, self._subscriber)
        self._subscriber.caller = caller
        await self._tables.subscribe(self._table, self._subscriber, None)
        return {}


# Streams

KEEP_ALIVE = 15.0  # seconds after which an empty line says that the connection stands

NDJSON = "application/x-ndjson"
STREAMED: dict[str, Any] = {
    "response_class": StreamingResponse, "responses": {200: {"content": {NDJSON: {"schema": {"type": "string"}}}}}
}  # fmt: skip
"""Arguments of a route that answers by a stream."""

Leave = Callable[[], None]  # called when the stream ends


async def ndjson(waiting: Line, leave: Leave) -> AsyncIterator[bytes]:
    """A line for each message that waits; an empty line where nothing has happened for a while."""
    try:
        while True:
            try:
                async with asyncio.timeout(KEEP_ALIVE):
                    message = await waiting.get()
            except TimeoutError:
                message = b""
            if message is END:
                return
            yield message + b"\n"
    finally:
        leave()
