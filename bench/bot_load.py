"""Whether bots that think delay people's plays: ``uv run python -m bench.bot_load --tables 50``.

People play at some tables, first alone, then while four bots think for 100 ms about each play at each of ``--tables``
others. Told are the milliseconds until a play is acknowledged, in both cases, over and over; and medians of the p99.

``--bots`` measures bots in place of people: how many plays four make a second at a table of one address, alone, and
while bots think at all those tables of another address."""

import argparse
import asyncio
import secrets
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
import numpy as np
from bench.server_process import serving
from bench.tables import Measured, open_table, played
from websockets.asyncio.client import ClientConnection, connect

GAME, SEATS = "gong-zhu", 4


@dataclass
class Watched:
    """A table of bots, and the socket of its host, who watches, so that they go on."""

    address: str
    who: dict[str, str]
    line: ClientConnection

    async def close(self) -> None:
        """End the game."""
        async with httpx.AsyncClient() as client:
            (await client.post(f"{self.address}/close", headers=self.who)).raise_for_status()
        await self.line.close()


async def think(url: str, tables: int, bot: str, source: str = "127.0.0.1") -> list[Watched]:
    """Begin games of bots, which think on the account of the address that asks for them."""
    found = []
    transport = httpx.AsyncHTTPTransport(local_address=source)
    async with httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=300, transport=transport) as client:
        for _ in range(tables):
            who = {"Authorization": f"Bearer {secrets.token_urlsafe(16)}"}
            body = {"game": GAME, "seats": SEATS, "bots": [bot] * SEATS}
            table = (await client.post("/tables", json=body, headers=who)).json()["table"]
            address = f"{url}/api/v1/tables/{table}"
            socket = f"{address.replace('http', 'ws', 1)}/socket"
            line = await connect(
                socket, additional_headers=who, compression=None, ping_interval=None, local_addr=(source, 0)
            )
            found.append(Watched(address, who, line))
    return found


async def read(line: ClientConnection, count: list[int]) -> None:
    """Count what happens."""
    async for frame in line:
        count[0] += '"type":"state"' in frame[:40]


async def measured_p99(measured: Measured, seconds: float) -> float:
    measured.acknowledged.clear()
    measured.begun = time.perf_counter()
    await asyncio.sleep(seconds)
    print(f"  {measured.line(seconds)}", flush=True)
    return float(np.percentile(measured.acknowledged or [0], 99))


async def compare(url: str, given: argparse.Namespace) -> None:
    measured, quiet, busy, thought = Measured(), list[float](), list[float](), [0]
    pause = given.people / given.rate
    people = [await open_table(url, GAME, SEATS, pause, measured) for _ in range(given.people)]
    async with played(people):
        await asyncio.sleep(3)
        warm = await think(url, 1, given.bot)  # the search is compiled or loaded
        await asyncio.sleep(given.warm)
        await warm[0].close()
        for _ in range(given.rounds):
            print("without bots")
            quiet.append(await measured_p99(measured, given.seconds))
            watched = await think(url, given.tables, given.bot)
            reading = [asyncio.create_task(read(each.line, thought)) for each in watched]
            await asyncio.sleep(2)
            print(f"{given.tables} tables think")
            busy.append(await measured_p99(measured, given.seconds))
            await asyncio.gather(*(each.close() for each in watched))
            await asyncio.gather(*reading, return_exceptions=True)
    before, after = statistics.median(quiet), statistics.median(busy)
    print(
        f"p99 without bots {before:.1f} ms, with {after:.1f} ms: {after / before:.2f} times; bots played {thought[0]}"
    )


@asynccontextmanager
async def thinking(url: str, tables: int, bot: str, source: str) -> AsyncIterator[list[int]]:
    """Games of bots while they last; how many plays they have made."""
    count = [0]
    watched = await think(url, tables, bot, source)
    reading = [asyncio.create_task(read(each.line, count)) for each in watched]
    yield count
    await asyncio.gather(*(each.close() for each in watched))
    await asyncio.gather(*reading, return_exceptions=True)


async def compare_bots(url: str, given: argparse.Namespace) -> None:
    alone, beside = list[float](), list[float]()
    async with thinking(url, 1, given.bot, "127.0.0.2") as plays:
        while not plays[0] > 8:  # the search is compiled
            await asyncio.sleep(0.5)
        await asyncio.sleep(given.warm)

        async def rate() -> float:
            before = plays[0]
            await asyncio.sleep(given.seconds)
            return float((plays[0] - before) / given.seconds)

        for _ in range(given.rounds):
            alone.append(await rate())
            async with thinking(url, given.tables, given.bot, "127.0.0.3"):
                await asyncio.sleep(2)
                beside.append(await rate())
            print(f"  alone {alone[-1]:.1f} plays/s, beside {given.tables} tables {beside[-1]:.1f}", flush=True)
    before, after = statistics.median(alone), statistics.median(beside)
    print(f"a bot’s play takes {before / after:.2f} times as long")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50, help="at which bots think")
    parser.add_argument("--bot", default="search:100ms")
    parser.add_argument("--people", type=int, default=20, help="tables of people")
    parser.add_argument("--rate", type=float, default=40, help="moves a second of all tables of people")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--warm", type=float, default=5, help="seconds between the first bot and the first round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--bots", action="store_true", help="measure bots of one address beside those of another")
    given = parser.parse_args()
    with serving("--game", GAME, "--pace", "0", "--rate", "0") as (url, _):
        asyncio.run(compare_bots(url, given) if given.bots else compare(url, given))


if __name__ == "__main__":
    main()
