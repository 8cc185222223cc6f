"""How many tables one server carries: ``uv run python -m bench.tables --tables 300 --rate 150``.

Starts ``tefuda serve`` on a fresh database and plays at full tables of people, each over a socket of its own: rules,
views for every seat, the log on disk, everything on. The clients run on the same machine, in this process. Told are the
milliseconds from sending a play to its acknowledgement (it is then on disk), and to its arrival at the last seat."""

import argparse
import asyncio
import json
import os
import random
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import httpx
import numpy as np
from bench.server_process import cpu_seconds, memory, serving
from websockets.asyncio.client import ClientConnection, connect

LONG_SESSIONS = {
    "gong-zhu": {"target": 10_000},
    "sap-ng-wu": {"session_deals": 1_000, "start_counters": 1_000_000},
}
"""Options with which a game outlasts a measurement: tables that are done would leave the server idle."""

TELLS = re.compile(r'"type":"(state|plays|shuffle)"')
"""Begins a message about the table, not an answer."""

SEQ = re.compile(r'"seq":(\d+)')


@dataclass
class Measured:
    """Milliseconds of every play while measuring."""

    begun: float = 0.0
    acknowledged: list[float] = field(default_factory=list)
    arrived: list[float] = field(default_factory=list)
    refused: int = 0

    def line(self, seconds: float) -> str:
        ack, all_seats = (np.percentile(each or [0], [50, 95, 99]) for each in (self.acknowledged, self.arrived))
        return (
            f"{len(self.acknowledged) / seconds:8.1f} moves/s   "
            f"acknowledged p50 {ack[0]:6.1f}  p95 {ack[1]:6.1f}  p99 {ack[2]:6.1f} ms   "
            f"at every seat p50 {all_seats[0]:6.1f}  p95 {all_seats[1]:6.1f}  p99 {all_seats[2]:6.1f} ms   "
            f"refused {self.refused}"
        )


class LoadedTable:
    """A table and its players.

    Args:
        name: of the table.
        lines: the players' sockets, by seat.
        pause: about how many seconds a player takes for a play.
        measured: where times go.
    """

    def __init__(self, name: str, lines: list[ClientConnection], pause: float, measured: Measured) -> None:
        self.name, self.lines, self.pause, self.measured = name, lines, pause, measured
        self.sent: dict[str, float] = {}
        self.waiting: dict[int, tuple[float, int]] = {}
        self.early: dict[int, int] = {}

    async def play(self) -> None:
        await asyncio.gather(*(self._sit(seat, line) for seat, line in enumerate(self.lines)))

    async def _sit(self, seat: int, line: ClientConnection) -> None:
        async for frame in line:
            assert isinstance(frame, str)
            if not TELLS.search(frame, 0, 30):
                self._answered(json.loads(frame))
                continue
            self._came(int(SEQ.search(frame).group(1)))  # type: ignore[union-attr]
            if '"legal":[]' not in frame or '"shuffle":{' in frame:
                asyncio.get_running_loop().create_task(self._act(seat, line, json.loads(frame)))

    def _answered(self, answer: dict[str, Any]) -> None:
        sent = self.sent.pop(answer.get("id", ""), None)
        if sent is None:
            return
        if answer["type"] == "refused":
            self.measured.refused += 1
            return
        if sent > self.measured.begun > 0:
            self.measured.acknowledged.append((time.perf_counter() - sent) * 1000)
        came = self.early.pop(answer["seq"], 0)
        self.waiting[answer["seq"]] = (sent, came)
        self._arrived(answer["seq"])

    def _came(self, seq: int) -> None:
        if seq in self.waiting:
            self.waiting[seq] = (self.waiting[seq][0], self.waiting[seq][1] + 1)
            self._arrived(seq)
        else:
            self.early[seq] = self.early.get(seq, 0) + 1

    def _arrived(self, seq: int) -> None:
        sent, came = self.waiting[seq]
        if came >= len(self.lines):
            del self.waiting[seq]
            if sent > self.measured.begun > 0:
                self.measured.arrived.append((time.perf_counter() - sent) * 1000)

    async def _act(self, seat: int, line: ClientConnection, state: dict[str, Any]) -> None:
        shuffle, deal = state.get("shuffle"), state.get("deal")
        if shuffle and not shuffle["ready"][seat]:
            await line.send(json.dumps({"type": "ready", "deal": shuffle["deal"], "entropy": secrets.token_hex(16)}))
        if not deal or not deal["legal"] or deal["answered"]:
            return
        if self.pause:
            await asyncio.sleep(self.pause * random.uniform(0.5, 1.5))
        number = f"{seat}-{state['seq']}"
        self.sent[number] = time.perf_counter()
        await line.send(json.dumps({"type": "play", "play": random.choice(deal["legal"]), "id": number}))


async def open_table(
    url: str,
    game: str,
    seats: int,
    pause: float,
    measured: Measured,
    near: str = "127.0.0.1",
    *,
    brief: bool = False,
) -> LoadedTable:
    """A table with everybody connected.

    Args:
        url: of the server.
        game, seats: what is played, for as long as the game's options allow.
        pause, measured: see ``LoadedTable``.
        near: the address that they have.
        brief: whether they are told of plays in brief, as programs can be; else as the page is.
    """
    tokens = [{"Authorization": f"Bearer {secrets.token_urlsafe(16)}"} for _ in range(seats)]
    way = httpx.AsyncHTTPTransport(local_address=near)
    async with httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=300, transport=way) as client:
        options = LONG_SESSIONS.get(game, {"session_deals": 1_000})
        made = await client.post("/tables", json={"game": game, "clock": 3600, "options": options}, headers=tokens[0])
        name, lines = made.json()["table"], []
        for seat, token in enumerate(tokens):
            await client.post(f"/tables/{name}/join", json={"name": f"p{seat}"}, headers=token)
            address = f"{url.replace('http', 'ws')}/api/v1/tables/{name}/socket?brief={int(brief)}"
            local = (near, 0)
            lines.append(
                await connect(address, additional_headers=token, compression=None, ping_interval=None, local_addr=local)
            )
    return LoadedTable(name, lines, pause, measured)


class Playing(Protocol):
    """A table at which everybody plays until cancelled."""

    async def play(self) -> None: ...


@asynccontextmanager
async def played(tables: Sequence[Playing]) -> AsyncIterator[None]:
    """At all of these tables people play meanwhile."""
    playing = [asyncio.create_task(table.play()) for table in tables]
    yield
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


Opener = Callable[[float, Measured], Awaitable[Playing]]
"""Opens a table with everybody connected, who wait so many seconds before each play."""


async def measure(open_one: Opener, process: int, arguments: argparse.Namespace) -> None:
    """Open tables at the server that is this process, let them play, and tell what that was like."""
    measured, before = Measured(), memory(process)
    pause = arguments.tables / arguments.rate if arguments.rate else 0.0
    async with played([await open_one(pause, measured) for _ in range(arguments.tables)]):
        await asyncio.sleep(min(10.0, 3 + 2 * pause))
        measured.begun, cpu, of_server = time.perf_counter(), sum(os.times()[:2]), cpu_seconds(process)
        await asyncio.sleep(arguments.seconds)
        seconds = time.perf_counter() - measured.begun
    print(f"{arguments.tables} tables: {measured.line(seconds)}")
    used, moves = cpu_seconds(process) - of_server, max(1, len(measured.acknowledged))
    print(
        f"  server {memory(process):.0f} MiB, {(memory(process) - before) * 1024 / arguments.tables:.0f} KiB a table, "
        f"{100 * used / seconds:.0f}% of a core, {1000 * used / moves:.2f} ms a move; "
        f"this client {100 * (sum(os.times()[:2]) - cpu) / seconds:.0f}% of a core"
    )


def add_table_options(parser: argparse.ArgumentParser, tables: int, rate: float) -> None:
    """What is played: the options that programs with full tables of people have in common."""
    parser.add_argument("--tables", type=int, default=tables)
    parser.add_argument("--rate", type=float, default=rate, help="moves a second of all tables")
    parser.add_argument("--game", default="gong-zhu")
    parser.add_argument("--seats", type=int, default=4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, epilog="--rate 0: as fast as answers come.")
    add_table_options(parser, tables=300, rate=150)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--db", help="another database than a fresh SQLite file")
    parser.add_argument("--brief", action="store_true", help="players are told of plays in brief")
    arguments = parser.parse_args()
    game, seats, brief = arguments.game, arguments.seats, arguments.brief
    with serving("--game", game, "--pace", "0", "--rate", "0", db=arguments.db) as (url, process):
        asyncio.run(measure(lambda *given: open_table(url, game, seats, *given, brief=brief), process, arguments))


if __name__ == "__main__":
    main()
