"""Bots behind MCP servers: a server's tool ``choose_play(rules, view)`` answers with a play in words."""

import asyncio
import os
import shlex
from collections.abc import Sequence
from functools import cache
from threading import Thread
from typing import Any

from tefuda.bots.text_bot import TextBot
from tefuda.engine.errors import TefudaError, needed_by
from tefuda.table.view import View

with needed_by("a bot mcp:URL", "mcp"):
    import mcp
    from mcp.types import CONNECTION_CLOSED, TextContent

TOOL = "choose_play"

_held: dict[str, tuple[asyncio.Task[None], asyncio.Future[mcp.Client]]] = {}  #: connections, by server


class McpBot(TextBot):
    """Plays what the tool of a server answers. All bots of a process that name one server share the connection."""

    example = "mcp:http://localhost:9000/mcp or mcp:python agent.py"

    def __init__(self, server: str, **asking: Any) -> None:
        super().__init__(f"mcp:{server}", bool(server.strip()), **asking)
        self.server = server

    def warm(self, view: View) -> None:
        """Find out before a match if the server can be reached and has the tool."""
        self._ask()

    def answer(self, told: Sequence[tuple[str, str]]) -> str:
        """Call the tool. What is asked again has the reason before the view, and not the wrong answers."""
        return self._ask(rules=told[0][1], view=told[-1][1])

    def _ask(self, **arguments: str) -> str:
        asking = asyncio.wait_for(_call(self.server, arguments), self.timeout)
        try:
            return asyncio.run_coroutine_threadsafe(asking, _loop()).result()
        except TimeoutError:
            raise TefudaError(f"{self.server}: no answer within {self.timeout:g} s") from None
        except Exception as error:
            cause: BaseException = error
            while isinstance(cause, BaseExceptionGroup):  # as the tasks of a connection tell what ended them
                cause = cause.exceptions[0]
            raise TefudaError(f"{self.server}: {' '.join(str(cause).split()) or repr(cause)}") from error


async def _call(server: str, arguments: dict[str, str]) -> str:
    """Call the tool, or without arguments only connect: the first call does, and the next after a connection broke."""
    if server not in _held or _held[server][0].done():
        made = asyncio.get_running_loop().create_future()
        _held[server] = asyncio.create_task(_hold(server, made)), made
    held = _held[server]
    client = await asyncio.shield(held[1])
    if not arguments:
        return ""
    try:
        found = await client.call_tool(TOOL, arguments)
    except mcp.MCPError as error:
        if error.code == CONNECTION_CLOSED and _held.get(server) is held:
            del _held[server]  # at once: closing takes seconds
            held[0].cancel()
        raise
    text = "\n".join(each.text for each in found.content if isinstance(each, TextContent))
    if found.is_error:
        raise TefudaError(text[:200] or "the tool failed")
    return text


async def _hold(server: str, made: "asyncio.Future[mcp.Client]") -> None:
    """Keep a connection open; what opens it must also close it."""
    try:
        program, *words = shlex.split(server)
        command = mcp.StdioServerParameters(command=program, args=words, env=dict(os.environ))
        async with mcp.Client(server if server.startswith(("http://", "https://")) else command) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            if TOOL not in names:
                raise TefudaError(f"the server has no tool {TOOL}; it has: {', '.join(names) or 'none'}")
            made.set_result(client)
            await asyncio.get_running_loop().create_future()
    except Exception as error:
        if not made.done():
            made.set_exception(error)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """The loop of all connections, in a thread that ends with the process; servers then find their input closed."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, daemon=True).start()
    return loop


bot = McpBot.read
