"""What a storm of people who come back costs: ``uv run python -m bench.reconnects --tables 20 --sockets 200``.

Tables are played until their logs have ``--events`` events. Then all sockets are opened at once, spread over the tables
and their seats, each with ``after`` as if it had missed the last events. Told are the seconds until everybody has been
told what they missed, and what that took of a core of the server."""

import argparse
import asyncio
import json
import random
import secrets
import time
from dataclasses import dataclass

import httpx
from bench.server_process import cpu_seconds, serving
from websockets.asyncio.client import connect


@dataclass
class LongTable:
    """A table with a long log: its name, the tokens of its seats, the seq of its last event."""

    name: str
    tokens: list[str]
    seq: int


async def play(url: str, table: str, token: str, events: int) -> int:
    """Play at random until the log has so many events; the seq of the last one seen."""
    headers = {"Authorization": f"Bearer {token}"}
    async with connect(_socket(url, table), additional_headers=headers, compression=None) as line:
        async for frame in line:
            state = json.loads(frame)
            if state["type"] != "state":
                continue
            if state["seq"] >= events:
                return int(state["seq"])
            pending, deal = state["shuffle"], state["deal"]
            if pending and not pending["ready"][state["you"]["seat"]]:
                await line.send(json.dumps({"type": "ready", "deal": pending["deal"]}))
            elif deal and deal["legal"] and not deal["answered"]:
                await line.send(json.dumps({"type": "play", "play": random.choice(deal["legal"])}))
    raise AssertionError("the server has hung up")


def _socket(url: str, table: str) -> str:
    return f"{url.replace('http', 'ws')}/api/v1/tables/{table}/socket"


async def long_table(url: str, events: int) -> LongTable:
    """A table of people who have played until their log has so many events."""
    tokens = [secrets.token_urlsafe(16) for _ in range(4)]
    body = {"game": "gong-zhu", "options": {"target": 10_000}, "clock": 3600}  # a session that is long enough
    async with httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=300) as client:
        for seat, token in enumerate(tokens):
            headers = {"Authorization": f"Bearer {token}"}
            if seat == 0:
                made = await client.post("/tables", json=body, headers=headers)
                name = made.json()["table"]
            await client.post(f"/tables/{name}/join", json={"name": f"p{seat}"}, headers=headers)
    return LongTable(name, tokens, max(await asyncio.gather(*(play(url, name, token, events) for token in tokens))))


async def come_back(url: str, table: LongTable, seat: int, missed: int) -> int:
    """Open a socket as somebody who has missed so many events; how many they were told of."""
    headers, after = {"Authorization": f"Bearer {table.tokens[seat]}"}, table.seq - missed
    address = f"{_socket(url, table.name)}?after={after}"
    async with connect(address, additional_headers=headers, compression=None, open_timeout=300) as line:
        return len(json.loads(await line.recv())["events"])


async def storm(url: str, process: int, tables: list[LongTable], sockets: int, missed: int) -> None:
    """All sockets at once; what that was like."""
    begun, used = time.perf_counter(), cpu_seconds(process)
    told = await asyncio.gather(
        *(come_back(url, tables[k % len(tables)], k // len(tables) % 4, missed) for k in range(sockets))
    )
    seconds, used = time.perf_counter() - begun, cpu_seconds(process) - used
    print(
        f"{sockets} sockets, each told of {min(told)} to {max(told)} events: {seconds:.2f} s, "
        f"{1000 * used / sockets:.1f} ms of the server a socket",
        flush=True,
    )


async def measure(url: str, process: int, arguments: argparse.Namespace) -> None:
    tables = [await long_table(url, arguments.events) for _ in range(arguments.tables)]
    for missed in arguments.missed:
        for _ in range(arguments.rounds):
            await storm(url, process, tables, arguments.sockets, missed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--sockets", type=int, default=200)
    parser.add_argument("--events", type=int, default=478, help="of each table's log")
    parser.add_argument("--missed", type=int, nargs="+", default=[0, 5, 50, 400], help="events; 0: none is asked for")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with serving("--game", "gong-zhu", "--pace", "0", "--rate", "0") as (url, process):
        asyncio.run(measure(url, process, arguments))


if __name__ == "__main__":
    main()
