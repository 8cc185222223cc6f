"""People whose connections break at any byte, and whose orders come several times, late and out of order.

``TEFUDA_CUTS`` sets how often the long run cuts."""

import asyncio
import os
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import pytest
from websockets.exceptions import WebSocketException

from tests.server.players import STATES, Player, seat_all
from tests.server.server_process import Served
from tests.server.wire import Wire

BROKEN = (WebSocketException, OSError, TimeoutError, EOFError)


class Person:
    """Somebody with two devices at one seat, who keeps what both are told together.

    Args:
        wires: what the devices are connected through.
        player: whose seat.
        seed: of the choices and delays.

    Attributes:
        state: the one with the highest seq.
        told: of each event, by seq.
        done: of each play, by its id, the seq at which it was accepted.
        resting: set to do nothing any more.
    """

    def __init__(self, wires: list[Wire], player: Player, seed: int) -> None:
        self._devices = [Player(wire.url, player.table, player.token) for wire in wires]
        self._chooser, self._chance = player, random.Random(seed)
        self._orders: dict[str, dict[str, Any]] = {}
        self._sending: set[asyncio.Task[None]] = set()
        self.state: dict[str, Any] = {}
        self.told: dict[int, dict[str, Any]] = {}
        self.done: dict[str, int] = {}
        self.resting = False

    async def play(self) -> None:
        """Until cancelled."""
        try:
            await asyncio.gather(*map(self._use, self._devices))
        finally:
            for task in self._sending:
                task.cancel()
            await asyncio.gather(*self._sending, return_exceptions=True)
            await asyncio.gather(*(device.close() for device in self._devices), return_exceptions=True)

    async def _use(self, device: Player) -> None:
        while True:
            try:
                await device.connect(after=self.state.get("seq"), query="patch=true")
                while True:
                    message = await device.receive()
                    self._take(device.state if message["type"] in STATES else message)
                    device.frames.clear()
                    device.states.clear()
            except BROKEN:
                await asyncio.sleep(0)

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "done" and self._orders[message["id"]]["type"] == "play":
            assert self.done.setdefault(message["id"], message["seq"]) == message["seq"]
        elif message["type"] == "refused":
            assert message["error"]["code"] in ("illegal", "no_shuffle"), message
        elif message["type"] == "state":
            self._see(message)

    def _see(self, state: dict[str, Any]) -> None:
        for event in state["events"]:
            assert self.told.setdefault(event["seq"], event) == event
        if state["seq"] >= self.state.get("seq", 0):
            self.state = state
        if not self.resting:
            self._act()

    def _act(self) -> None:
        """Order what is due one to three times, each after a while and from either device; the same for one moment."""
        number = f"{self.state['seq']}"
        if number not in self._orders:
            order = self._order()
            if order is None:
                return
            self._orders[number] = {"id": number, **order}
        for _ in range(self._chance.randint(1, 3)):
            task = asyncio.create_task(self._send(self._chance.choice(self._devices), self._orders[number]))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    def _order(self) -> dict[str, Any] | None:
        shuffle, seat = self.state["shuffle"], self.state["you"]["seat"]
        if shuffle and not shuffle["ready"][seat]:
            return {"type": "ready", "deal": shuffle["deal"], "entropy": "00"}
        self._chooser.state = self.state
        word = self._chooser.choice()
        return None if word is None else {"type": "play", "play": word}

    async def _send(self, device: Player, order: dict[str, Any]) -> None:
        await asyncio.sleep(self._chance.choice([0, self._chance.uniform(0, 0.1)]))
        with suppress(*BROKEN, AssertionError):  # not connected just now
            await device.send(**order)


def without_events(state: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if name != "events"}


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not holds():
            await asyncio.sleep(0.02)


async def play_over_bad_wires(server: Served, cuts: int) -> None:
    crowd = await seat_all([server.url], "gong-zhu", 4, clock=86400, options={"target": 10_000})
    await crowd.close()
    address = f"{server.url}/api/v1/tables/{crowd.table}"
    async with Wire(server.url, 1) as one, Wire(server.url, 2) as two, httpx.AsyncClient() as client:
        people = [Person([one, two], player, seed) for seed, player in enumerate(crowd.players)]
        playing = [asyncio.create_task(person.play()) for person in people]
        while one.cuts + two.cuts < cuts and not any(task.done() for task in playing):
            await asyncio.sleep(0.02)
        one.whole = two.whole = True
        for person in people:
            person.resting = True
        last = -1
        while last < (last := (await client.get(address)).json()["seq"]):
            await asyncio.sleep(0.5)  # what is still under way
        await until(lambda: all(person.state.get("seq") == last for person in people) or any(map(ended, playing)))
        for task in playing:
            task.cancel()
        for result in await asyncio.gather(*playing, return_exceptions=True):
            assert isinstance(result, asyncio.CancelledError), result
        for person, player in zip(people, crowd.players, strict=True):
            headers = {"Authorization": f"Bearer {player.token}"}
            seen = (await client.get(address, headers=headers)).json()
            assert without_events(person.state) == without_events(seen)
            assert sorted(person.told) == list(range(min(person.told), last + 1))
            plays = {seq: event["seat"] for seq, event in person.told.items() if event["kind"] == "played"}
            assert all(plays.get(seq, seen["you"]["seat"]) == seen["you"]["seat"] for seq in person.done.values())
            assert len(set(person.done.values())) == len(person.done)
        assert len(people[0].done) > cuts // 20


def ended(task: asyncio.Task[None]) -> bool:
    return task.done()


@pytest.mark.slow
def test_what_people_keep_over_bad_wires_is_what_the_server_shows(server: Served) -> None:
    asyncio.run(play_over_bad_wires(server, 100))


@pytest.mark.deep
def test_what_people_keep_over_very_bad_wires_is_what_the_server_shows(server: Served) -> None:
    asyncio.run(play_over_bad_wires(server, int(os.environ.get("TEFUDA_CUTS", "1000"))))
