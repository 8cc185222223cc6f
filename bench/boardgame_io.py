"""Our server beside boardgame.io's: ``uv run python -m bench.boardgame_io --tables 100 --rate 100``.

boardgame.io is installed by npm into a temporary folder, and serves a trick game of four seats that is written as its
documentation teaches (``boardgameio/server.cjs``): rules, secret hands, a view for each seat. Tables are kept in memory
only, which is its default. The same client process plays at both, at one after the other, in several rounds; at ours as
the page does, told the whole table, and as a program may that keeps the table itself."""

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from bench.server_process import serving
from bench.tables import Measured, measure, open_table
from websockets.asyncio.client import ClientConnection, connect

HERE = Path(__file__).parent / "boardgameio"
STATE = re.compile(r'"_stateID":(\d+)')
MOVER = re.compile(r'"currentPlayer":"(\d)"')
QUIET = {**os.environ, "NODE_ENV": "production"}
SPACE = "42/trick,"
"""Begins a message of socket.io in the namespace that a game has."""


class TheirMatch:
    """A table of boardgame.io and its players.

    Args:
        name, credentials: of the match, and by seat.
        lines: the players' sockets, by seat.
        pause: about how many seconds a player takes for a play.
        measured: where times go.
    """

    def __init__(
        self, name: str, credentials: list[str], lines: list[ClientConnection], pause: float, measured: Measured
    ) -> None:
        self.name, self.credentials, self.lines = name, credentials, lines
        self.pause, self.measured = pause, measured
        self.sent, self.number, self.mover, self.came = 0.0, 0, -1, 0

    async def play(self) -> None:
        await asyncio.gather(*(self._sit(seat, line) for seat, line in enumerate(self.lines)))

    async def _sit(self, seat: int, line: ClientConnection) -> None:
        await self._emit(line, "sync", self.name, str(seat), self.credentials[seat], 4)
        async for frame in line:
            assert isinstance(frame, str)
            if frame == "2":
                await line.send("3")
            elif frame.startswith((f'{SPACE}["update"', f'{SPACE}["sync"')):
                number, mover = STATE.search(frame), MOVER.search(frame)
                assert number is not None
                assert mover is not None
                if '["update"' in frame[:20]:
                    self._came(seat, int(number[1]))
                if int(mover[1]) == seat:
                    asyncio.get_running_loop().create_task(self._act(seat, line, json.loads(frame[len(SPACE) :])))

    def _came(self, seat: int, number: int) -> None:
        """An update: to the mover it is the acknowledgement."""
        if number <= self.number or self.sent <= self.measured.begun or not self.measured.begun:
            return
        self.came += 1
        passed = (time.perf_counter() - self.sent) * 1000
        if seat == self.mover:
            self.measured.acknowledged.append(passed)
        if self.came == len(self.lines):
            self.measured.arrived.append(passed)

    async def _act(self, seat: int, line: ClientConnection, message: list[Any]) -> None:
        state = message[2]["state"] if message[0] == "sync" else message[2]
        hand, trick = state["G"]["players"][str(seat)]["hand"], state["G"]["trick"]
        legal = [card for card in hand if trick and card[0] == trick[0]["card"][0]] or hand
        if self.pause:
            await asyncio.sleep(self.pause * random.uniform(0.5, 1.5))
        move = {"type": "play", "args": [random.choice(legal)], "playerID": str(seat)}
        action = {"type": "MAKE_MOVE", "payload": {**move, "credentials": self.credentials[seat]}}
        self.sent, self.number, self.mover, self.came = time.perf_counter(), state["_stateID"], seat, 0
        await self._emit(line, "update", action, state["_stateID"], self.name, str(seat))

    @staticmethod
    async def _emit(line: ClientConnection, *message: Any) -> None:
        await line.send(SPACE + json.dumps(message))


async def open_match(url: str, pause: float, measured: Measured) -> TheirMatch:
    """A match with everybody connected."""
    async with httpx.AsyncClient(base_url=f"{url}/games/trick", timeout=60) as client:
        name = (await client.post("/create", json={"numPlayers": 4})).json()["matchID"]
        credentials, lines = [], []
        for seat in range(4):
            joined = await client.post(f"/{name}/join", json={"playerID": str(seat), "playerName": f"p{seat}"})
            credentials.append(joined.json()["playerCredentials"])
            address = f"{url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket"
            line = await connect(address, compression=None, ping_interval=None)
            await line.recv()
            await line.send("40/trick,")
            await line.recv()
            lines.append(line)
    return TheirMatch(name, credentials, lines, pause, measured)


@contextmanager
def serving_theirs(folder: Path) -> Iterator[tuple[str, int]]:
    """boardgame.io's server; its address and process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["node", "server.cjs", str(port)]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, env=QUIET) as server:
        assert server.stdout is not None
        while not (ready := re.match(r"ready (\d+)", server.stdout.readline())):
            pass
        process = int(ready[1])  # node may have been started by a wrapper
        try:
            yield f"http://127.0.0.1:{port}", process
        finally:
            os.kill(process, signal.SIGTERM)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--rate", type=float, default=100, help="moves a second; 0: as fast as answers come")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where boardgame.io is, or is to be installed; else temporary")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        shutil.copytree(HERE, folder, dirs_exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=True)
        for _ in range(arguments.rounds):
            for form in ("whole", "brief"):
                with serving("--game", "gong-zhu", "--pace", "0", "--rate", "0") as (url, process):
                    print(f"Tefuda ({form}), ", end="")
                    play_at = partial(open_table, url, "gong-zhu", 4, brief=form == "brief")
                    asyncio.run(measure(play_at, process, arguments))
            with serving_theirs(folder) as (url, process):
                print("boardgame.io, ", end="")
                asyncio.run(measure(lambda *given, at=url: open_match(at, *given), process, arguments))


if __name__ == "__main__":
    main()
