"""Whether bots that think delay people's plays: ``uv run python -m bench.thinking --tables 50``.

People play at some tables, first alone, then while four bots think for 100 ms about each play at each of ``--tables``
others. Told are the milliseconds until a play is acknowledged, in both cases, over and over; and medians of the p99.
"""

import argparse
import asyncio
import secrets
import statistics
import time

import httpx
import numpy as np
from bench.server_process import serving
from bench.tables import Measured, open_table, played
from websockets.asyncio.client import ClientConnection, connect

GAME, SEATS = "gong-zhu", 4


async def think(url: str, tables: int, bot: str) -> list[ClientConnection]:
    """Tables of bots, each watched by somebody, so that they go on."""
    lines = []
    async with httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=300) as client:
        for _ in range(tables):
            who = {"Authorization": f"Bearer {secrets.token_urlsafe(16)}"}
            body = {"game": GAME, "seats": SEATS, "bots": [bot] * SEATS}
            table = (await client.post("/tables", json=body, headers=who)).json()["table"]
            address = f"{url.replace('http', 'ws')}/api/v1/tables/{table}/socket"
            lines.append(await connect(address, additional_headers=who, compression=None, ping_interval=None))
    return lines


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
    target = 10_000  # the game outlasts the measurement
    people = [await open_table(url, GAME, SEATS, pause, measured, target=target) for _ in range(given.people)]
    async with played(people):
        await asyncio.sleep(3)
        for _ in range(given.rounds):
            print("without bots")
            quiet.append(await measured_p99(measured, given.seconds))
            lines = await think(url, given.tables, given.bot)
            reading = [asyncio.create_task(read(line, thought)) for line in lines]
            await asyncio.sleep(2)
            print(f"{given.tables} tables think")
            busy.append(await measured_p99(measured, given.seconds))
            await asyncio.gather(*(line.close() for line in lines))
            await asyncio.gather(*reading, return_exceptions=True)
            await asyncio.sleep(given.rest)  # nobody watches those tables any more
    before, after = statistics.median(quiet), statistics.median(busy)
    print(
        f"p99 without bots {before:.1f} ms, with {after:.1f} ms: {after / before:.2f} times; bots played {thought[0]}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50, help="at which bots think")
    parser.add_argument("--bot", default="search:100ms")
    parser.add_argument("--people", type=int, default=20, help="tables of people")
    parser.add_argument("--rate", type=float, default=40, help="moves a second of all tables of people")
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rest", type=float, default=61, help="seconds after which unwatched bots have stopped")
    given = parser.parse_args()
    with serving("--game", GAME, "--pace", "0", "--rate", "0") as (url, _):
        asyncio.run(compare(url, given))


if __name__ == "__main__":
    main()
