"""Players over real sockets that keep every frame they are sent."""

import asyncio
import json
import random
import secrets
from collections.abc import Sequence
from typing import Any

import httpx
import jsonpatch
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

STATES = ("state", "patch", "shuffle")  # messages after which a player knows the whole state


class Player:
    """Somebody at a table, or a spectator where the token is nobody's.

    Attributes:
        frames: everything the server has sent, as it came.
        state: the latest state, made whole where a message tells only what has changed.
        states: all of these.
        answers: to orders, by id.
    """

    def __init__(self, url: str, table: str, token: str = "", seed: int = 0) -> None:
        self.url, self.table, self.token = url, table, token
        self.frames: list[str] = []
        self.states: list[dict[str, Any]] = []
        self.answers: dict[str, dict[str, Any]] = {}
        self.state: dict[str, Any] = {}
        self.random = random.Random(seed)
        self.line: ClientConnection | None = None

    async def connect(self, after: int | None = None, query: str = "") -> "Player":
        address = f"{self.url.replace('http', 'ws')}/api/v1/tables/{self.table}/socket?{query}"
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if after is not None:
            address += f"&after={after}"
        # However many come at once: how long they wait is for benchmarks to tell.
        self.line = await connect(address, additional_headers=headers, compression=None, open_timeout=60)
        return self

    async def receive(self, within: float = 30) -> dict[str, Any]:
        """The next message."""
        assert self.line is not None
        async with asyncio.timeout(within):  # wait_for may forget that it was cancelled, in Python 3.11
            frame = await self.line.recv()
        assert isinstance(frame, str)
        self.frames.append(frame)
        message: dict[str, Any] = json.loads(frame)
        if message["type"] == "state":
            self.state = message
        elif message["type"] == "patch":
            assert message["after"] == self.state["seq"]
            deal = jsonpatch.apply_patch(self.state["deal"], message["patch"])
            self.state = {**self.state, "seq": message["seq"], "events": message["events"], "deal": deal}
        elif message["type"] == "plays":
            self.state = {**self.state, **message, "deal": {**message["deal"], "over": False}}
        elif message["type"] == "shuffle":
            self.state = {**self.state, **message, "type": "state"}
        elif message.get("id") is not None:
            self.answers[str(message["id"])] = message
        if message["type"] in STATES:
            self.states.append(self.state)
        return message

    async def until(self, wanted: Any) -> dict[str, Any]:
        """The first message for which ``wanted`` holds."""
        while True:
            message = await self.receive()
            if wanted(message):
                return message

    async def send(self, **message: Any) -> None:
        assert self.line is not None
        await self.line.send(json.dumps(message))

    async def order(self, **message: Any) -> dict[str, Any]:
        """Send an order, and wait for its answer."""
        number = secrets.token_hex(4)
        await self.send(id=number, **message)
        return await self.until(lambda answer: answer.get("id") == number)

    async def close(self) -> None:
        if self.line is not None:
            await self.line.close()

    def choice(self) -> str | None:
        """A random play, if it is this player's turn and there is a choice."""
        deal = self.state.get("deal")
        if not deal or not deal["legal"] or deal["answered"]:
            return None
        word: str = self.random.choice(deal["legal"])
        if word[0] == "~" and word[1:].isdecimal():
            hand = deal.get("hand") or [card for group in deal["scene"]["hand"] for card in group["cards"]]
            word = "~" + "+".join(self.random.sample(hand, int(word[1:])))
        return word

    async def act(self) -> None:
        """Agree to the next deal, or play, where that is due."""
        shuffle, seat = self.state["shuffle"], self.state["you"]["seat"]
        if shuffle and seat is not None and not shuffle["ready"][seat]:
            await self.send(
                type="ready", deal=shuffle["deal"], entropy=secrets.token_hex(16), id=f"r{self.state['seq']}"
            )
        word = self.choice()
        if word is not None:
            await self.send(type="play", play=word, id=f"p{self.state['seq']}")

    async def play_on(self, deals: int = 1) -> None:
        """Play until so many deals are finished, or the session is over."""
        while True:
            message = await self.receive()
            if message["type"] == "refused" and message["error"]["code"] not in ("illegal", "no_shuffle"):
                raise AssertionError(message)
            if message["type"] not in (*STATES, "plays"):
                continue
            if self.state["phase"] in ("over", "closed") or len(self.state["results"]) >= deals:
                return
            await self.act()

    async def look_on(self, deals: int = 1) -> None:
        """Read until so many deals are finished."""
        while len(self.state.get("results") or []) < deals:
            await self.receive()

    def drop(self) -> None:
        """Cut the connection without a word."""
        assert self.line is not None
        self.line.transport.abort()


class Crowd:
    """A table and all who sit there."""

    def __init__(self, url: str, table: str, players: Sequence[Player], host: str) -> None:
        self.url, self.table, self.players, self.host = url, table, players, host

    async def post(self, path: str, body: dict[str, Any] | None = None, token: str | None = None) -> httpx.Response:
        async with httpx.AsyncClient() as client:
            return await client.post(
                f"{self.url}/api/v1/tables/{self.table}/{path}",
                json=body or {},
                headers={"Authorization": f"Bearer {token or self.host}"},
            )

    async def record(self) -> str:
        async with httpx.AsyncClient() as client:
            answer = await client.get(
                f"{self.url}/api/v1/tables/{self.table}/record", headers={"Authorization": f"Bearer {self.host}"}
            )
            return answer.text

    async def play(self, deals: int = 1) -> None:
        await asyncio.gather(*(player.play_on(deals) for player in self.players))

    async def close(self) -> None:
        await asyncio.gather(*(player.close() for player in self.players))


async def seat_all(
    urls: Sequence[str], game: str, seats: int, seed: int = 0, query: str = "", **settings: Any
) -> Crowd:
    """A new table with a connected player on every seat.

    Args:
        urls: of the servers; players go to them in turn.
        game: its name.
        seats: how many.
        seed: of the players' choices.
        query: of the sockets.
        settings: of the table.
    """
    tokens = [secrets.token_urlsafe(16) for _ in range(seats)]
    async with httpx.AsyncClient(timeout=300) as client:
        opened = await client.post(
            f"{urls[0]}/api/v1/tables",
            json={"game": game, "seats": seats, **settings},
            headers={"Authorization": f"Bearer {tokens[0]}"},
        )
        assert opened.status_code == 201, opened.text
        table = opened.json()["table"]
        for seat, token in enumerate(tokens):
            joined = await client.post(
                f"{urls[seat % len(urls)]}/api/v1/tables/{table}/join",
                json={"name": f"player {seat}", "seat": seat, "invite": opened.json()["invite"]},
                headers={"Authorization": f"Bearer {token}"},
            )
            assert joined.status_code == 200, joined.text
    players = [
        await Player(urls[seat % len(urls)], table, token, seed * 100 + seat).connect(query=query)
        for seat, token in enumerate(tokens)
    ]
    return Crowd(urls[0], table, players, tokens[0])


async def closed(player: Player) -> int | None:
    """Read until the server hangs up; the code it gives."""
    try:
        while True:
            await player.receive()
    except ConnectionClosed as end:
        return end.rcvd.code if end.rcvd else None
