"""``tefuda mcp`` through the official client: an agent plays whole games, and is told what is wrong."""

import asyncio
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import mcp
from tests.bots.model_server import legal

import tefuda

Call = Callable[..., Awaitable[str]]


def agent(play: Callable[[Call], Awaitable[None]], server: Any = None) -> None:
    """Let an agent use the tools of a server, started here if there is none."""
    words = ["-m", "tefuda", "mcp", "--lang", "en"]
    where = server or mcp.stdio_client(
        mcp.StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))
    )

    async def use() -> None:
        async with mcp.Client(where) as client:

            async def call(tool: str, **arguments: object) -> str:
                result = await client.call_tool(tool, arguments)
                (content,) = result.content
                assert isinstance(content, mcp.types.TextContent)
                text = content.text
                return f"error: {text}" if result.is_error else text

            await play(call)

    asyncio.run(use())


def is_open(port: int) -> bool:
    with socket.socket() as found:
        return found.connect_ex(("127.0.0.1", port)) == 0


def test_an_agent_plays_a_whole_game_of_each() -> None:
    """Fewer deals than usual where the rules let a table say how many."""

    async def play(call: Call) -> None:
        for game in tefuda.list_games():
            fewer = {"session_deals": 2} if "session_deals" in tefuda.load(game).options else {}
            text = await call("new_table", game=game, seat=1, seed=5, whole_game=True, options=fewer)
            table = re.findall(r"^table: (\w+)$", text, re.MULTILINE)[0]
            while "\nYou may play\n" in text:
                choice = legal(text)[0]
                text = await call("play", table=table, play=choice)
            assert "The deal is over" in text
            assert await call("look", table=table) == text
            assert "all is over" in await call("play", table=table, play=choice)

    agent(play)


def test_an_agent_may_ask_why_not_and_for_rules_and_hints() -> None:
    async def play(call: Call) -> None:
        text = await call("new_table", game="gong-zhu", seed=24, options={"exposing": False})
        table = text.split()[1]
        held, other = legal(text)[0], next(card for card in ("SA", "HA", "DA", "CA") if card not in text)
        assert "You do not hold" in await call("why_not", table=table, play=other)
        assert await call("why_not", table=table, play=held) == "That play is legal."
        refused = await call("play", table=table, play=other)
        assert refused.startswith("You do not hold")
        assert legal(refused) == legal(text)
        assert (await call("hint", table=table)).startswith(tuple(legal(text)))
        assert await call("rules", game="gong-zhu") == tefuda.rules_text("gong-zhu")
        assert "there is no table 'x'; open one with new_table" in await call("look", table="x")
        assert "there is no game 'gong-zu'" in await call("new_table", game="gong-zu")
        assert "there is no seat 9" in await call("new_table", game="gong-zhu", seat=9)
        assert "exposin" in await call("new_table", game="gong-zhu", options={"exposin": True})

    agent(play)


def test_an_agent_plays_over_http() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tefuda", "mcp", "--http", str(port), "--no-hints", "--lang", "en"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as server:
        try:
            until = time.monotonic() + 120
            while not is_open(port) and time.monotonic() < until:
                assert server.poll() is None

            async def play(call: Call) -> None:
                assert "You are in seat 0" in await call("new_table", game="gong-zhu")
                assert "hint" in await call("hint", table="x")

            agent(play, f"http://127.0.0.1:{port}/mcp")
        finally:
            server.terminate()
