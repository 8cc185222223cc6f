"""A long run at about a tenth of what a server carries: kills, restarts, backups and restores, then play undisturbed.
Nothing that was acknowledged is lost, memory stays flat, and the log warns of nothing that was not done to it.

``TEFUDA_SOAK`` sets its seconds: 3600 for an hour, two minutes by default."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import mean

import pytest

from tests.server.crowds import Load, check
from tests.server.players import Player
from tests.server.server_process import Served
from tests.server.test_workers import all_go_on, workers

pytestmark = [pytest.mark.deep, pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")]

SECONDS = float(os.environ.get("TEFUDA_SOAK", "120"))
TABLES, THINKING = 32, 0.33  # seconds at most before a play: some 130 plays a second, where a core carries 1,400
DISTURBED = 2 / 3  # of the time; then memory is measured
GROWTH, MOST_MORE = 1.1, 10.0  # by how much, and by how many MiB more, memory may be larger in the end

EXPECTED = ("a worker has ended: another takes its place",)
"""Warnings of what the test does itself."""


class Thoughtful(Load):
    """Players who take their time."""

    @staticmethod
    async def _act(player: Player, orders: dict[str, str]) -> None:
        await asyncio.sleep(player.random.uniform(0, THINKING))
        await Load._act(player, orders)


class Soak:
    """A server of two workers with its players, and what is done to both."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.url = folder, f"sqlite:///{folder / 'tables.db'}"
        self.options = ("--game", "gong-zhu", "--workers", "2")
        self.server = Served(self.url, folder / "log", *self.options)
        self.load = Thoughtful([self.server.url])
        self.backups = 0

    async def kill_a_worker(self) -> None:
        os.kill(random.choice(workers(self.server)), signal.SIGKILL)

    async def replace_the_workers(self) -> None:
        before = set(workers(self.server))
        self.server.process.send_signal(signal.SIGHUP)
        async with asyncio.timeout(60):
            while before & set(workers(self.server)):
                await asyncio.sleep(0.1)

    async def restart(self) -> None:
        assert await asyncio.to_thread(self.server.end) in (0, -signal.SIGTERM)
        await self.start()

    async def kill(self) -> None:
        left = workers(self.server)
        await asyncio.to_thread(self.server.end, signal.SIGKILL)
        while any(Path(f"/proc/{each}/exe").exists() for each in left):
            await asyncio.sleep(0.05)
        await self.start()

    async def start(self) -> None:
        self.server = await asyncio.to_thread(
            Served, self.url, self.folder / "log", *self.options, port=self.server.port
        )

    async def back_up_and_restore(self) -> None:
        """A copy made under load has, when it is put back elsewhere, all that was acknowledged before."""
        known, copy, other = list(self.load.acknowledged), self.folder / "copy", self.folder / f"{self.backups}.db"
        self.backups += 1
        await self.admin("backup", str(copy), "--db", self.url, "--yes")
        await self.admin("restore", str(copy), "--db", f"sqlite:///{other}", "--yes")
        assert await check(f"sqlite:///{other}", known) >= len(known)
        for file in self.folder.glob(f"{other.name}*"):
            file.unlink()

    async def admin(self, *words: str) -> None:
        command = [sys.executable, "-m", "tefuda", "admin", *words]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def memory(self) -> float:
        """MiB that the workers have to themselves."""
        rollups = [Path(f"/proc/{each}/smaps_rollup").read_text("utf-8") for each in workers(self.server)]
        lines = [line.split() for each in rollups for line in each.splitlines() if line.startswith("Private_Dirty:")]
        return sum(int(line[1]) for line in lines) / 1024


async def soak(folder: Path) -> None:
    run = Soak(folder)
    began = time.monotonic()
    copied = run.back_up_and_restore
    disturbances = [run.kill_a_worker, copied, run.replace_the_workers, run.restart, copied, run.kill]
    done, memory = 0, list[float]()
    try:
        await run.load.start(TABLES)
        while time.monotonic() - began < DISTURBED * SECONDS or done < len(disturbances):
            await all_go_on(run.load)
            await asyncio.sleep(SECONDS / 120)
            await disturbances[done % len(disturbances)]()
            done += 1
        await all_go_on(run.load)
        quiet, until = len(run.load.acknowledged), time.monotonic() + (1 - DISTURBED) * SECONDS
        while time.monotonic() < until:
            await asyncio.sleep((1 - DISTURBED) * SECONDS / 40)
            memory.append(run.memory())
        rate = (len(run.load.acknowledged) - quiet) / ((1 - DISTURBED) * SECONDS)
        await all_go_on(run.load)
    finally:
        await run.load.stop()
        run.server.end()
    quarter = len(memory) // 4
    first, last = mean(memory[quarter : 2 * quarter]), mean(memory[-quarter:])  # the first quarter warms up
    events = await check(run.url, run.load.acknowledged)
    print(
        f"\n{time.monotonic() - began:.0f} s, {done} disturbances, {run.backups} of them copies put back: "
        f"{len(run.load.acknowledged)} plays acknowledged, none lost, {events} events without gaps; undisturbed "
        f"{rate:.0f} plays a second, memory {first:.0f}, then {last:.0f} MiB"
    )
    assert last <= GROWTH * first + MOST_MORE
    assert unexpected((folder / "log").read_text("utf-8")) == []
    places = [(each.table, each.seq) for each in run.load.acknowledged]
    assert len(set(places)) == len(places)


def unexpected(log: str) -> list[str]:
    """Lines of a log that are no news of what was done to the server."""
    lines = [line for line in log.splitlines() if not line.startswith("Tefuda serves at ")]
    return [
        line for line in lines
        if not line.startswith("{") or (
            json.loads(line)["level"] not in ("debug", "info") and json.loads(line)["message"] not in EXPECTED
        )
    ]  # fmt: skip


def test_a_long_run_loses_nothing_and_grows_no_larger(tmp_path: Path) -> None:
    asyncio.run(soak(tmp_path))
