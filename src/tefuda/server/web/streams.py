"""A watcher's messages as lines of JSON or server-sent events."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable

from tefuda.server.tables.subscribers import CUT, Subscriber

ALIVE = 15.0
"""Seconds after which an empty line says that the connection stands."""

Leave = Callable[[], Awaitable[None]]


async def ndjson(watcher: Subscriber, leave: Leave) -> AsyncIterator[bytes]:
    """A line a message; an empty line where nothing has happened for a while."""
    async for message in _messages(watcher, leave):
        yield message + b"\n"


async def server_sent(watcher: Subscriber, leave: Leave) -> AsyncIterator[bytes]:
    """Events of the type ``state`` or ``bye``, with the seq as their id."""
    async for message in _messages(watcher, leave):
        if not message:
            yield b":\n\n"
            continue
        head = json.loads(message)
        number = f"id: {head['seq']}\n" if "seq" in head else ""
        yield f"event: {head['type']}\n{number}data: ".encode() + message + b"\n\n"


async def _messages(watcher: Subscriber, leave: Leave) -> AsyncIterator[bytes]:
    try:
        while True:
            try:
                async with asyncio.timeout(ALIVE):
                    message = await watcher.waiting.get()
            except TimeoutError:
                message = b""
            if message is CUT:
                return
            yield message
    finally:
        await leave()
