"""A subscriber's messages as lines of JSON or as server-sent events."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable

from tefuda.server.live.subscribers import END, Subscriber

KEEP_ALIVE = 15.0
"""Seconds after which an empty line says that the connection stands."""

Leave = Callable[[], None]
"""Called when the stream ends."""


async def ndjson(subscriber: Subscriber, leave: Leave) -> AsyncIterator[bytes]:
    """A line a message; an empty line where nothing has happened for a while."""
    async for message in _messages(subscriber, leave):
        yield message + b"\n"


async def server_sent(subscriber: Subscriber, leave: Leave) -> AsyncIterator[bytes]:
    """Events of the type ``state`` or ``bye``, with the seq as their id."""
    async for message in _messages(subscriber, leave):
        if not message:
            yield b":\n\n"
            continue
        head = json.loads(message)
        number = f"id: {head['seq']}\n" if "seq" in head else ""
        yield f"event: {head['type']}\n{number}data: ".encode() + message + b"\n\n"


async def _messages(subscriber: Subscriber, leave: Leave) -> AsyncIterator[bytes]:
    try:
        while True:
            try:
                async with asyncio.timeout(KEEP_ALIVE):
                    message = await subscriber.waiting.get()
            except TimeoutError:
                message = b""
            if message is END:
                return
            yield message
    finally:
        leave()
