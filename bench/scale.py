"""What several processes carry, and what a table, a socket, a byte and a row cost: ``uv run python -m bench.scale``.

For each number of workers and of tables ``tefuda serve --workers`` is started on a fresh database, and people play at
full tables as fast as answers come, from client processes on the same machine. Told are moves a second, milliseconds
until a play is on disk, what a move takes of a core, and memory, with what processes share counted once. At the end
stand the terms from which ``docs/howto/scale.md`` computes what a host needs; ``--plot FILE.svg`` draws the rest.

``--idle 10000`` measures instead what so many idle sockets take of the memory of one process, and whether they disturb
plays."""

import argparse
import asyncio
import multiprocessing
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from bench.server_process import cpu_seconds, family, serving, shared_memory
from bench.tables import Measured, add_table_options, open_table, played
from websockets.asyncio.client import connect


@dataclass
class Run:
    """What one run has shown; times in milliseconds, memory in KiB."""

    workers: int
    tables: int
    moves: float
    p50: float
    p99: float
    core: float
    memory: float
    traffic: float
    disk: float

    def line(self) -> str:
        return (
            f"{self.workers} workers, {self.tables:4} tables: {self.moves:7.1f} moves/s   on disk p50 {self.p50:6.1f}  "
            f"p99 {self.p99:6.1f} ms   {self.core:.2f} ms of a core a move   {self.memory / 1024:.0f} MiB   "
            f"{self.traffic:.1f} KB written and {self.disk:.0f} bytes of disk a move"
        )


def client(url: str, given: argparse.Namespace, tables: int, line: Connection) -> None:
    """One client process: open tables, say so, play, and tell what was measured."""
    asyncio.run(_client(url, given, tables, line))


async def _client(url: str, given: argparse.Namespace, tables: int, line: Connection) -> None:
    measured = Measured()
    pause = given.all_tables / given.rate if given.rate else 0.0
    opened = [await open_table(url, given.game, given.seats, pause, measured) for _ in range(tables)]
    line.send(None)
    async with played(opened):
        await asyncio.to_thread(line.recv)
        measured.begun = time.perf_counter()
        await asyncio.to_thread(line.recv)
        line.send(measured.acknowledged)
        await asyncio.to_thread(line.recv)


def traffic(process: int) -> int:
    """Bytes that a process has written, to sockets and files."""
    found = dict(line.split(": ") for line in Path(f"/proc/{process}/io").read_text(encoding="utf-8").splitlines())
    return int(found["wchar"])


def size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir() if file.name.startswith("tables.db"))


def measure(workers: int, tables: int, given: argparse.Namespace, folder: Path) -> Run:
    """One run."""
    given.all_tables = tables
    for old in folder.iterdir():
        old.unlink()
    db = given.db or f"sqlite:///{folder}/tables.db"
    options = ("--game", given.game, "--pace", "0", "--rate", "0", "--workers", str(workers))
    with serving(*options, db=db) as (url, process):
        pipes, clients = [], []
        for k in range(given.clients):
            here, there = multiprocessing.Pipe()
            share = tables // given.clients + (k < tables % given.clients)
            clients.append(multiprocessing.Process(target=client, args=(url, given, share, there)))
            clients[-1].start()
            pipes.append(here)
        for pipe in pipes:
            pipe.recv()
        for pipe in pipes:
            pipe.send(None)
        time.sleep(given.warm)
        begun, used, kept = time.perf_counter(), sum(map(cpu_seconds, family(process))), size(folder)
        sent = sum(map(traffic, family(process)))
        time.sleep(given.seconds)
        seconds, cpu = time.perf_counter() - begun, sum(map(cpu_seconds, family(process))) - used
        written, grown = sum(map(traffic, family(process))) - sent, size(folder) - kept
        memory = shared_memory(family(process))
        for pipe in pipes:
            pipe.send(None)
        took = np.array([each for pipe in pipes for each in pipe.recv()] or [0.0])
        for pipe, each in zip(pipes, clients, strict=True):
            pipe.send(None)
            each.join()
    moves = max(1.0, len(took) * seconds / (seconds + given.warm))  # clients count from the beginning
    p50, p99 = np.percentile(took, [50, 99])
    return Run(
        workers, tables, moves / seconds, float(p50), float(p99), 1000 * cpu / moves, 1024 * memory,
        written / moves / 1000, max(0, grown) / moves,
    )  # fmt: skip


async def idle(given: argparse.Namespace) -> None:
    """Idle sockets at one process, with people who play among them."""
    options = ("--game", given.game, "--pace", "0", "--rate", "0")
    with serving(*options) as (url, process):
        measured = Measured()
        people = [await open_table(url, given.game, given.seats, 0.5, measured) for _ in range(20)]
        async with played(people):
            await asyncio.sleep(3)
            measured.begun = time.perf_counter()
            await asyncio.sleep(given.seconds)
            print(f"alone:              {measured.line(given.seconds)}", flush=True)
            before = shared_memory([process])
            lines = await watch(url, given.game, given.idle)
            await asyncio.sleep(5)
            taken = shared_memory([process]) - before
            measured.acknowledged.clear()
            measured.arrived.clear()
            measured.begun = time.perf_counter()
            await asyncio.sleep(given.seconds)
            print(f"{len(lines):6} idle sockets: {measured.line(given.seconds)}")
            print(f"  {1024 * taken / len(lines):.1f} KiB a socket, {shared_memory([process]):.0f} MiB in all")


async def watch(url: str, game: str, sockets: int) -> list[Any]:
    """Sockets at tables where nothing happens, a hundred at each."""
    lines: list[Any] = []
    async with httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=60) as api:
        while len(lines) < sockets:
            who = {"Authorization": f"Bearer {secrets.token_urlsafe(16)}"}
            table = (await api.post("/tables", json={"game": game}, headers=who)).json()["table"]
            address = f"{url.replace('http', 'ws')}/api/v1/tables/{table}/socket"
            near = ("127.0.0.1", 0)
            opening = [
                connect(address, compression=None, ping_interval=None, local_addr=near, max_queue=1)
                for _ in range(min(100, sockets - len(lines)))
            ]
            lines += await asyncio.gather(*opening)
    return lines


def plot(runs: Sequence[Run], file: str) -> None:
    import matplotlib.pyplot as plt

    figure, (speed, delay) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    for workers in dict.fromkeys(run.workers for run in runs):
        own = [run for run in runs if run.workers == workers]
        tables = [run.tables for run in own]
        speed.plot(tables, [run.moves for run in own], marker="o", label=f"{workers} workers")
        delay.plot(tables, [run.p99 for run in own], marker="o", label=f"{workers} workers")
    speed.set(xlabel="tables", ylabel="moves a second", xscale="log", ylim=(0, None))
    delay.set(xlabel="tables", ylabel="p99 until a play is on disk, ms", xscale="log", yscale="log")
    speed.legend()
    figure.savefig(file)


def tell_terms(runs: Sequence[Run]) -> None:
    """The terms of the model, from the two largest runs of the fewest workers."""
    fewest = [run for run in runs if run.workers == min(each.workers for each in runs)]
    *_, smaller, run = sorted([fewest[0], *fewest], key=lambda run: run.tables)
    table = (run.memory - smaller.memory) / max(1, run.tables - smaller.tables)
    print(
        f"terms: a move {run.core:.2f} ms of a core, {run.traffic:.1f} KB written to sockets and files, "
        f"{run.disk:.0f} bytes on disk; "
        f"a table with its sockets {table:.0f} KiB; {run.workers} workers without tables "
        f"{(run.memory - table * run.tables) / 1024:.0f} MiB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_table_options(parser, tables=0, rate=0)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 40, 160], help="numbers of tables")
    parser.add_argument("--clients", type=int, default=2, help="client processes")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--warm", type=float, default=3)
    parser.add_argument("--db", help="another database than fresh SQLite files")
    parser.add_argument("--plot", help="file of a picture")
    parser.add_argument("--idle", type=int, default=0, help="measure so many idle sockets instead")
    given = parser.parse_args()
    if given.idle:
        asyncio.run(idle(given))
        return
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        runs = []
        for workers in given.workers:
            for tables in given.sizes:
                runs.append(measure(workers, tables, given, Path(folder)))
                print(runs[-1].line(), flush=True)
    tell_terms(runs)
    if given.plot:
        plot(runs, given.plot)


if __name__ == "__main__":
    main()
