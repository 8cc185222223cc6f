"""Whether a flood on one socket disturbs others: ``uv run python -m bench.flood --tables 50``.

Tables of people play as in ``bench/tables.py``, under the server's usual limits, each person with their own address.
In every second period somebody at yet another address sends messages over one socket as fast as possible; when they are
cut off, they come back after ``--back`` seconds. Reported are the milliseconds until a play is acknowledged at the
other tables, and the server's share of a core, which other work on the machine changes less. The flooder runs at the
lowest priority, since their own work would be done elsewhere."""

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np
from bench.server_process import cpu_seconds, serving
from bench.tables import LoadedTable, Measured, add_table_options, open_table, played

TEXT = b'{"type":"why","play":"SQ"}'
FRAMES = 1000 * (b"\x81" + bytes([0x80 | len(TEXT)]) + bytes(4) + TEXT)
"""A thousand messages as they go over the wire."""


def flood(address: str, seconds: float, back: float) -> None:
    """Send and never read; then tell as JSON how much was sent, and how many connections were cut off or not let in."""
    told = {"messages": 0, "cut": 0, "refused": 0}
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        line = knock(address)
        if line is None:
            told["refused"] += 1
        else:
            with line, suppress(OSError):
                while time.monotonic() < until:
                    line.sendall(FRAMES)
                    told["messages"] += 1000
            told["cut"] += 1
        time.sleep(back)
    print(json.dumps(told))


def knock(address: str) -> socket.socket | None:
    """An open socket, None if the server does not want it."""
    where = urlsplit(address)
    assert where.hostname is not None
    assert where.port is not None
    line = socket.create_connection((where.hostname, where.port), 10, source_address=("127.0.0.2", 0))
    line.sendall(
        f"GET {where.path} HTTP/1.1\r\nHost: {where.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    with suppress(OSError):
        if line.recv(12).endswith(b"101"):
            return line
    line.close()
    return None


def near(number: int) -> str:
    """An address for each table: limits are by address."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


@dataclass
class Period:
    """What some seconds were like.

    Attributes:
        ms: of every play of the others.
        used: share of a core that the server had.
        told: by the flooder, if there was one.
    """

    ms: np.ndarray
    used: float
    told: dict[str, int] | None

    def line(self) -> str:
        p50, p95, p99 = np.percentile(self.ms, [50, 95, 99])
        kind = "flood" if self.told else "quiet"
        return (
            f"{kind}: {len(self.ms)} plays, p50 {p50:.1f}  p95 {p95:.1f}  p99 {p99:.1f} ms, "
            f"server {100 * self.used:.1f}% of a core {self.told or ''}"
        )


async def period(measured: Measured, process: int, seconds: float, address: str | None, back: float) -> Period:
    """Play for a while, flooded if an address for that is given."""
    command = ["nice", "-n", "39", sys.executable, "-m", "bench.flood", "--at", address or "", str(seconds), str(back)]
    flooding = subprocess.Popen(command, stdout=subprocess.PIPE, text=True) if address else None
    measured.acknowledged.clear()
    measured.begun, cpu = time.perf_counter(), cpu_seconds(process)
    await asyncio.sleep(seconds)
    used = (cpu_seconds(process) - cpu) / (time.perf_counter() - measured.begun)
    ms = np.array(measured.acknowledged)
    told = json.loads((await asyncio.to_thread(flooding.communicate))[0]) if flooding else None
    await asyncio.sleep(1)
    return Period(ms, used, told)


def summary(quiet: Sequence[Period], flooded: Sequence[Period], seconds: float) -> str:
    """Both kinds beside each other: all plays together, and what a connection of the flooder cost the server."""
    p99 = [float(np.percentile(np.concatenate([each.ms for each in kind]), 99)) for kind in (quiet, flooded)]
    used = [float(np.mean([each.used for each in kind])) for kind in (quiet, flooded)]
    connections = sum(each.told["cut"] + each.told["refused"] for each in flooded if each.told)
    cost = 1000 * (used[1] - used[0]) * seconds * len(flooded) / max(1, connections)
    return (
        f"p99 of all plays: quiet {p99[0]:.1f} ms, flood {p99[1]:.1f} ms, {100 * (p99[1] / p99[0] - 1):+.0f}%; server "
        f"{100 * used[0]:.1f} and {100 * used[1]:.1f}% of a core: {cost:.1f} ms for each of {connections} connections"
    )


async def measure(url: str, process: int, arguments: argparse.Namespace) -> None:
    measured, pause = Measured(), arguments.tables / arguments.rate
    tables: list[LoadedTable] = [
        await open_table(url, arguments.game, arguments.seats, pause, measured, near(number))
        for number in range(arguments.tables)
    ]
    address = f"{url.replace('http', 'ws')}/api/v1/tables/{tables[0].name}/socket"
    kinds: tuple[list[Period], list[Period]] = ([], [])
    async with played(tables):
        await asyncio.sleep(5)
        for number in range(2 * arguments.periods):
            flooded = number % 2 == 1
            at = address if flooded else None
            kinds[flooded].append(await period(measured, process, arguments.seconds, at, arguments.back))
            print(kinds[flooded][-1].line(), flush=True)
    print(summary(*kinds, arguments.seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_table_options(parser, tables=50, rate=50)
    parser.add_argument("--seconds", type=float, default=10, help="of each period")
    parser.add_argument("--periods", type=int, default=5, help="of each kind, in turn")
    parser.add_argument("--back", type=float, default=1, help="seconds until the flooder opens another socket")
    arguments = parser.parse_args()
    with serving("--game", arguments.game, "--pace", "0") as (url, process):
        asyncio.run(measure(url, process, arguments))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--at"]:
        flood(sys.argv[2], float(sys.argv[3]), float(sys.argv[4]))
    else:
        main()
