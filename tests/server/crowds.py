"""Many tables at full speed, whatever happens to the servers: what was acknowledged is remembered, and checked."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from websockets.exceptions import ConnectionClosed, WebSocketException

from tefuda.server.store import Event, open_store
from tests.server.players import Player, seat_all


@dataclass
class Acknowledged:
    """A play that a server has acknowledged."""

    table: str
    seq: int
    seat: int
    play: str


@dataclass
class Load:
    """Tables of players who play on for ever.

    Attributes:
        acknowledged: every play of which a server said that it is kept.
        codes: with which sockets were closed.
        refusals: codes with which orders may be refused.
        absences: seconds from the end of a socket to the next one of that player.
    """

    urls: Sequence[str]
    acknowledged: list[Acknowledged] = field(default_factory=list)
    players: list[Player] = field(default_factory=list)
    codes: list[int | None] = field(default_factory=list)
    refusals: set[str] = field(default_factory=lambda: {"illegal", "no_shuffle", "unavailable", "busy"})
    absences: list[float] = field(default_factory=list)
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def start(self, tables: int, game: str = "gong-zhu", seats: int = 4) -> None:
        """Open tables at which the game does not end before the test."""
        for number in range(tables):
            server = self.urls[number % len(self.urls)]  # as a proxy sends each table to one
            crowd = await seat_all([server], game, seats, seed=number, options={"target": 10_000})
            self.players += crowd.players
        self._tasks = [asyncio.create_task(self._play_for_ever(player)) for player in self.players]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        for result in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(result, Exception):
                raise result
        await asyncio.gather(*(player.close() for player in self.players), return_exceptions=True)

    async def _play_for_ever(self, player: Player) -> None:
        orders: dict[str, str] = {}
        while True:
            try:
                await self._converse(player, orders)
            except (WebSocketException, OSError, TimeoutError) as end:
                began = time.monotonic()
                self.codes.append(end.rcvd.code if isinstance(end, ConnectionClosed) and end.rcvd else None)
                await asyncio.sleep(0.05)
                await self._come_back(player)
                self.absences.append(time.monotonic() - began)

    @staticmethod
    async def _come_back(player: Player) -> None:
        while True:
            try:
                await player.close()
                await player.connect(after=player.state.get("seq"))
            except (WebSocketException, OSError, TimeoutError):
                await asyncio.sleep(0.1)
            else:
                return

    async def _converse(self, player: Player, orders: dict[str, str]) -> None:
        """Play until the connection breaks; an order that was not answered is sent again under the same number."""
        while True:
            message = await player.receive()
            player.frames.clear()
            if message["type"] == "done" and message["id"] in orders:
                seat = player.state["you"]["seat"]
                self.acknowledged.append(Acknowledged(player.table, message["seq"], seat, orders.pop(message["id"])))
            elif message["type"] == "refused":
                assert message["error"]["code"] in self.refusals, message
                if message["error"]["code"] == "unavailable":  # and nothing comes before the order is kept
                    await asyncio.sleep(0.1)
                    await self._act(player, orders)
            elif message["type"] == "state" and player.state["phase"] == "over":
                await player.send(type="ping")
            elif message["type"] == "state":
                await self._act(player, orders)

    @staticmethod
    async def _act(player: Player, orders: dict[str, str]) -> None:
        number = f"p{player.state['deal'] and player.state['seq']}"
        word = orders.get(number) or player.choice()
        if word is not None:
            orders[number] = word
            await player.send(type="play", play=word, id=number)
        else:
            await player.act()


async def check(url: str, acknowledged: Sequence[Acknowledged]) -> int:
    """Every log is without gaps and holds every acknowledged play in its place; how many events there are."""
    store = open_store(url)
    try:
        logs: dict[str, list[Event]] = {}
        for each in acknowledged:
            if each.table not in logs:
                logs[each.table] = await store.read(each.table)
                assert [event.seq for event in logs[each.table]] == list(range(1, len(logs[each.table]) + 1))
            event = logs[each.table][each.seq - 1]
            body: Any = {"seat": event.body.get("seat"), "play": event.body.get("play")}
            assert (event.kind, body) == ("played", {"seat": each.seat, "play": each.play}), json.dumps(body)
        return sum(map(len, logs.values()))
    finally:
        await store.close()
