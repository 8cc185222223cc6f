"""Whether a flood on one socket disturbs others: ``uv run python -m bench.flood --tables 50``.

Tables of people play as in ``bench/tables.py``, under the server's usual limits, everybody with an address of his own.
In every second period somebody at yet another address sends messages over one socket as fast as he can; when he is cut
off, he comes back at once, or a second later where he is not let in. Told are the milliseconds until a play is
acknowledged at the others' tables.
"""

import argparse
import asyncio
import socket
import subprocess
import sys
import time
from contextlib import suppress
from urllib.parse import urlsplit

import numpy as np
from bench.tables import Measured, OneTable, cpu_seconds, open_table, serving

TEXT = b'{"type":"why","play":"SQ"}'
FRAMES = 1000 * (b"\x81" + bytes([0x80 | len(TEXT)]) + bytes(4) + TEXT)
"""A thousand messages as they go over the wire."""


def flood(address: str, seconds: float) -> None:
    """Send and never read; then tell how much was sent, how often the server has cut off, and did not let in."""
    sent = cuts = refused = 0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        line = knock(address)
        if line is None:
            refused += 1
            time.sleep(1)
            continue
        with line, suppress(OSError):
            while time.monotonic() < until:
                line.sendall(FRAMES)
                sent += 1000
        cuts += 1
    print(f"more than {sent} messages, {cuts} times cut off, {refused} times not let in for a second")


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


async def period(measured: Measured, seconds: float, address: str | None) -> np.ndarray:
    """Play for a while, flooded if an address for that is given; the milliseconds of all plays."""
    command = ["nice", "-n", "39", sys.executable, "-m", "bench.flood", "--at", address or "", str(seconds)]
    flooding = subprocess.Popen(command, stdout=subprocess.PIPE, text=True) if address else None
    await asyncio.sleep(1)
    measured.acknowledged.clear()
    measured.begun = time.perf_counter()
    await asyncio.sleep(seconds - 1.5)
    times = np.array(measured.acknowledged)
    if flooding:
        told, _ = await asyncio.to_thread(flooding.communicate)
        print(f"    {told.strip()}")
    await asyncio.sleep(1)
    return times


async def measure(url: str, process: int, arguments: argparse.Namespace) -> None:
    measured, pause = Measured(), arguments.tables / arguments.rate
    tables: list[OneTable] = [
        await open_table(url, arguments.game, arguments.seats, pause, measured, near(number))
        for number in range(arguments.tables)
    ]
    playing = [asyncio.create_task(table.play()) for table in tables]
    await asyncio.sleep(5)
    address = f"{url.replace('http', 'ws')}/api/v1/tables/{tables[0].name}/socket"
    times: dict[bool, list[np.ndarray]] = {False: [], True: []}
    for number in range(2 * arguments.periods):
        flooded, cpu, began = number % 2 == 1, cpu_seconds(process), time.monotonic()
        times[flooded].append(await period(measured, arguments.seconds, address if flooded else None))
        ms = np.percentile(times[flooded][-1], [50, 95, 99])
        used = 100 * (cpu_seconds(process) - cpu) / (time.monotonic() - began)
        print(
            f"{'flood' if flooded else 'quiet'}: {len(times[flooded][-1])} plays, "
            f"p50 {ms[0]:.1f}  p95 {ms[1]:.1f}  p99 {ms[2]:.1f} ms, server {used:.0f} % of a core",
            flush=True,
        )
    quiet, flooded_ms = (float(np.percentile(np.concatenate(times[kind]), 99)) for kind in (False, True))
    print(f"p99 of all plays: quiet {quiet:.1f} ms, flood {flooded_ms:.1f} ms, {100 * (flooded_ms / quiet - 1):+.0f} %")
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--rate", type=float, default=50, help="moves a second of all tables")
    parser.add_argument("--seconds", type=float, default=10, help="of each period")
    parser.add_argument("--periods", type=int, default=5, help="of each kind, in turn")
    parser.add_argument("--game", default="gong-zhu")
    parser.add_argument("--seats", type=int, default=4)
    arguments = parser.parse_args()
    with serving(arguments.game, None) as (url, process):
        asyncio.run(measure(url, process, arguments))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--at"]:
        flood(sys.argv[2], float(sys.argv[3]))
    else:
        main()
