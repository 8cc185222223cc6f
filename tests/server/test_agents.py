"""``tefuda serve --mcp``: agents get tables at ``/mcp``, through the official client, within the server's limits."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import mcp
import pytest

from tests.bots.model_server import legal
from tests.cli.command import run
from tests.cli.test_mcp import Call, agent
from tests.server.server_process import Served, serving

MOST_AT_ONCE = 30  # tables that an address may open at once


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("agents")
    options = ("--mcp", "--game", "gong-zhu", "--rate", "1000")
    with serving(f"sqlite:///{folder / 'tables.db'}", folder / "log", *options) as found:
        yield found


def test_an_agent_plays_a_deal_and_may_open_so_many_tables(served: Served) -> None:
    async def play(call: Call) -> None:
        text = await call("new_table", game="gong-zhu", seat=1, seed=5)
        table = text.split()[1]
        held, other = legal(text)[0], next(card for card in ("SA", "HA", "DA", "CA") if card not in text)
        assert "GZ-" in await call("why_not", table=table, play=other)
        assert (await call("hint", table=table)).startswith(tuple(legal(text)))
        while "\nYou may play\n" in text:
            held = legal(text)[0]
            text = await call("play", table=table, play=held)
        assert "The deal is over" in text
        assert "GZ-12: " in await call("rules", game="gong-zhu")
        assert "there is no game 'luk-fu' here; there are: gong-zhu" in await call("new_table", game="luk-fu")
        assert "there is no table 'x'" in await call("look", table="x")
        for _ in range(MOST_AT_ONCE - 1):
            assert "You are in seat 0" in await call("new_table", game="gong-zhu")
        assert "you have opened too many tables; wait some minutes" in await call("new_table", game="gong-zhu")

    agent(play, f"{served.url}/mcp")


def test_an_agent_with_an_older_protocol_is_answered_too(served: Served) -> None:
    async def use() -> list[str]:
        async with mcp.Client(f"{served.url}/mcp", mode="legacy") as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert asyncio.run(use()) == ["new_table", "look", "play", "why_not", "rules", "hint"]


@pytest.mark.parametrize(
    ("headers", "content", "status"),
    [
        ({"origin": "https://elsewhere.example"}, b"{}", 403),
        ({"host": "elsewhere.example"}, b"{}", 421),
        ({}, b" " * (1 << 18) + b"{}", 413),
        ({"accept": "application/json, text/event-stream"}, b"no json", 400),
    ],
)
def test_what_other_requests_may_not_agents_may_not(
    served: Served, headers: dict[str, str], content: bytes, status: int
) -> None:
    headers = {"content-type": "application/json", **headers}
    assert httpx.post(f"{served.url}/mcp", content=content, headers=headers).status_code == status


def test_it_is_off_unless_it_is_wanted(server: Served) -> None:
    assert httpx.post(f"{server.url}/mcp", json={}).status_code in (404, 405)


def test_several_processes_are_refused(home: dict[str, str], tmp_path: Path) -> None:
    done = run(home, "serve", "--mcp", "--workers", "2", "--db", f"sqlite:///{tmp_path / 'tables.db'}")
    assert done.returncode == 2
    assert "--mcp: agents' tables live in one process; leave --workers out" in done.stderr
    assert "Traceback" not in done.stderr
