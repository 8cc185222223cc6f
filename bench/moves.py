"""What a move costs the server alone: ``uv run python -m bench.moves --tables 50 --moves 1000 --rounds 5``.

The server and its players are one process, and no bytes go through the system: players answer what is written to them.
So nothing waits, and what two versions use of a core can be compared on a machine that has other work too, by turns.
The players are told of plays in brief, or as ``--form`` says; they take a tenth of it."""

import argparse
import asyncio
import gc
import json
import random
import re
import secrets
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import httpx
import uvicorn
import uvloop
from bench.tables import LONG_SESSIONS
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from tefuda.server.http.application import create_app
from tefuda.server.http.connections import HttpConnection
from tefuda.server.http.websocket import WebSocketConnection
from tefuda.server.settings import ServerSettings
from tefuda.server.store import open_store

LEGAL = re.compile(rb'"(?:legal":|/legal","value":)\["([^\]]*)"\]')
ANSWERED = re.compile(rb'"(?:answered":|/answered","value":)true')


class Line(asyncio.Transport):
    """What connects a socket of the server with a player."""

    def __init__(self, protocol: WebSocketConnection, read: Callable[[bytes], None]) -> None:
        super().__init__({"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)})
        self._protocol, self._read, self._is_closed = protocol, read, False

    def write(self, data: Any) -> None:
        self._read(data)

    def is_closing(self) -> bool:
        return self._is_closed

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            asyncio.get_running_loop().call_soon(self._protocol.connection_lost, None)

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


class Seat:
    """A player.

    Args:
        protocol: of the server, for this socket.
        address: of the table's socket.
        seat, token: theirs.

    Attributes:
        moves: that the server has acknowledged.
        is_done: whether they play no more.
    """

    def __init__(self, protocol: WebSocketConnection, address: str, seat: int, token: str) -> None:
        self.moves, self.is_done = 0, False
        self._protocol, self._seat, self._number = protocol, seat, 0
        self._random, self._loop = random.Random(seat), asyncio.get_running_loop()
        self._client = ClientProtocol(parse_uri(address))
        request = self._client.connect()
        headers = {**dict(request.headers.raw_items()), "Authorization": f"Bearer {token}"}
        request.headers.clear()
        request.headers.update({name.lower(): value for name, value in headers.items()})  # as uvicorn's HTTP has them
        self._client.send_request(request)
        protocol.connection_made(Line(protocol, self._read))
        protocol.data_received(b"".join(self._client.data_to_send()))

    def _read(self, data: bytes) -> None:
        self.moves += data.count(b'"type":"done"')
        if b'"shuffle":{' in data or data.startswith(b"HTTP"):
            self._client.receive_data(data)
            for event in self._client.events_received():
                if isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                    self._look(json.loads(bytes(event.data)))
        elif not ANSWERED.search(data) and (found := LEGAL.search(data)):
            self._play(self._random.choice(found[1].decode().split('","')))

    def _look(self, message: dict[str, Any]) -> None:
        shuffle, deal = message.get("shuffle"), message.get("deal")
        if shuffle and not shuffle["ready"][self._seat]:
            self._say({"type": "ready", "deal": shuffle["deal"], "entropy": secrets.token_hex(16)})
        elif message["type"] == "state" and deal and deal["legal"] and not deal["answered"]:
            self._play(self._random.choice(deal["legal"]))

    def _play(self, word: str) -> None:
        self._number += 1
        if not self.is_done:
            self._say({"type": "play", "play": word, "id": f"{self._seat}-{self._number}"})

    def _say(self, message: dict[str, Any]) -> None:
        frame = Frame(Opcode.TEXT, json.dumps(message).encode()).serialize(mask=True)
        self._loop.call_soon(self._protocol.data_received, frame)


async def seat_all(server: uvicorn.Server, arguments: argparse.Namespace) -> list[Seat]:
    """Full tables at which everybody is connected."""
    found, game = list[Seat](), arguments.game
    host, port = server.servers[0].sockets[0].getsockname()[:2]
    async with httpx.AsyncClient(base_url=f"http://{host}:{port}/api/v1", timeout=300) as client:
        for _ in range(arguments.tables):
            tokens = [secrets.token_urlsafe(20) for _ in range(arguments.seats)]
            who = [{"Authorization": f"Bearer {token}"} for token in tokens]
            body = {"game": game, "clock": 3600, "options": LONG_SESSIONS.get(game, {"session_deals": 1_000})}
            name = (await client.post("/tables", json=body, headers=who[0])).json()["table"]
            address = f"ws://127.0.0.1/api/v1/tables/{name}/socket?{arguments.form}=true"
            for seat, token in enumerate(tokens):
                await client.post(f"/tables/{name}/join", json={"name": f"p{seat}"}, headers=who[seat])
                found.append(Seat(_protocol(server), address, seat, token))
    return found


def _protocol(server: uvicorn.Server) -> WebSocketConnection:
    return WebSocketConnection(server.config, server.server_state, server.lifespan.state)


async def measure(arguments: argparse.Namespace, folder: str) -> None:
    """Serve, play, and tell what a move costs."""
    settings = ServerSettings(
        games=(arguments.game,), pace=0, requests=0, messages=0, creations=0, sockets=0, connections=0
    )
    app = create_app(open_store(f"sqlite:///{folder}/tables.db"), settings)
    server = uvicorn.Server(
        uvicorn.Config(app, port=0, ws=WebSocketConnection, http=HttpConnection,
            ws_per_message_deflate=False, ws_ping_interval=None, log_config=None, access_log=False)
    )  # fmt: skip
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    await app.state.services.compiler.wait_until_ready(arguments.game)
    seats, costs = await seat_all(server, arguments), list[float]()
    await asyncio.sleep(1)
    gc.collect()
    gc.freeze()  # as `tefuda serve` does
    gc.set_threshold(50_000, 20, 100)
    for _ in range(arguments.rounds):
        before, used = sum(seat.moves for seat in seats), time.process_time()
        while (moves := sum(seat.moves for seat in seats) - before) < arguments.moves:
            await asyncio.sleep(0.05)
        costs.append(1000 * (time.process_time() - used) / moves)
    print(
        f"{median(costs):.3f} ms of a core a move ({min(costs):.3f} … {max(costs):.3f}, {len(costs)} rounds)",
        flush=True,
    )
    for seat in seats:
        seat.is_done = True
    server.should_exit = True
    await serving


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--moves", type=int, default=1000, help="in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--game", default="gong-zhu")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument(
        "--form", choices=("brief", "patch", "whole"), default="brief", help="how players are told of plays"
    )
    with tempfile.TemporaryDirectory() as folder:
        uvloop.run(measure(parser.parse_args(), folder))


if __name__ == "__main__":
    main()
