"""Whatever strangers may send: over HTTP all that is described and much that is not, garbage over sockets.

``TEFUDA_FRAMES`` sets how many frames of garbage the long run sends."""

import asyncio
import json
import os
import random
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from tests.server.players import Player
from tests.server.server_process import Served, serving

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=5), part, max_size=3),
)
FIELDS = st.sampled_from(["type", "id", "play", "seq", "entropy", "deal", "token"])
WORDS = st.sampled_from(["play", "why", "ready", "here", "hello", "ping", "SQ", "00", "expose:none"])
MESSAGES = st.dictionaries(FIELDS, WORDS | JSON, max_size=5).map(json.dumps)
"""Nearly what clients send."""

TOGETHER = 40
"""Frames that are sent without looking at the answers; who lets more than 64 messages wait is cut off."""


REFUSED_BY_THE_GAME = ("/tables", "/tables/{table}/join", "/verify")
"""Where a schema cannot say all that is refused: options of a game, a name without anything visible, a record."""

CONFIGURATION = "".join(
    f"""
[[operations]]
include-path = "/api/v1{path}"
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "403", "404", "409", "422", "429", "503"]
checks.negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "413", "415", "422", "429"]
"""
    for path in REFUSED_BY_THE_GAME
)


LONGEST = 3600  # seconds that a run may take; one that reads an answer without end says so then


def fuzz(server: Served, folder: Path, examples: int) -> None:
    """Send all that is described, and much that is not; whatever is answered must be described."""
    pytest.importorskip("schemathesis", reason="API fuzzing left out: it needs schemathesis (uv sync --group fuzz)")
    (folder / "schemathesis.toml").write_text(CONFIGURATION, "utf-8")
    address = f"{server.url}/api/v1/openapi.json"
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(folder / "schemathesis.toml"), "run"]
    endless = [f"--exclude-path=/api/v1/tables/{path}" for path in ("{table}/events", "queue/{game}")]
    options = [*endless, "--max-examples", str(examples), "--request-timeout", "120", "--no-color"]
    command += [address, "--url", server.url, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_nothing_is_answered_that_is_not_described(server: Served, tmp_path: Path) -> None:
    fuzz(server, tmp_path, 5)


@pytest.mark.deep
def test_nothing_that_is_sent_makes_the_server_fail(server: Served, tmp_path: Path) -> None:
    fuzz(server, tmp_path, 200)


def drawn(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """About so many examples."""
    found = []

    @settings(
        max_examples=count // 20, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.lists(strategy, min_size=20, max_size=20))
    def draw(examples: list[Any]) -> None:
        found.extend(examples)

    draw()
    return found


def garbled(message: bytes, chance: random.Random) -> bytes:
    """A message of which some bytes are changed, lost, or there twice."""
    for _ in range(chance.randrange(1, 4)):
        start = chance.randrange(len(message) + 1)
        end = start + chance.randrange(4)
        message = message[:start] + chance.choice([b"", chance.randbytes(1), 2 * message[start:end]]) + message[end:]
    return message


def garbage(count: int, seed: int) -> Iterator[str | bytes]:
    """Frames, a third each: random bytes, what is nearly a message, and garbled ones of these."""
    chance, messages = random.Random(seed), drawn(MESSAGES, max(100, count // 10))
    for k in range(count):
        message = chance.choice(messages)
        yield (
            chance.randbytes(chance.randrange(200)),
            message,
            garbled(message.encode(), chance).decode(errors="surrogateescape" if k % 50 == 0 else "replace"),
        )[k % 3]


async def send(player: Player, frame: str | bytes) -> None:
    """Send a frame, also a text that is not one: not all of its bytes are UTF-8."""
    assert player.line is not None
    if isinstance(frame, str):
        await player.line.send(frame.encode(errors="surrogateescape"), text=True)
    else:
        await player.line.send(frame)


async def answered(player: Player, frames: list[str | bytes]) -> bool:
    """Send frames and read the answers; whether the server has closed the connection."""
    try:
        for frame in frames:
            await send(player, frame)
        await player.send(type="ping", id="still there")
        # Not any pong: garbage may ask for one, and what is sent next would then join what has not been looked at yet.
        await player.until(lambda message: message["type"] == "pong" and message.get("id") == "still there")
    except ConnectionClosed as end:
        if end.rcvd is not None and end.rcvd.code not in (1002, 1007, 1009, 1013):
            raise
        return True
    return False


async def throw(server: Served, count: int, seed: int) -> None:
    """Garbage at a table's socket, now and then also in place of frames; then the table is played on."""
    frames, chance, memory = list(garbage(count, seed)), random.Random(seed), list[float]()
    token, log = secrets.token_urlsafe(16), server.log.stat().st_size
    async with httpx.AsyncClient(base_url=f"{server.url}/api/v1", timeout=120) as client:
        body = {"game": "gong-zhu", "name": "Host", "bots": ["hints"] * 3, "clock": 86400}
        made = await client.post("/tables", json=body, headers={"Authorization": f"Bearer {token}"})
    player = await Player(server.url, made.json()["table"], token).connect()
    for start in range(0, count, TOGETHER):
        no_frames = chance.random() < 0.02
        if no_frames:
            player.line.transport.write(chance.randbytes(chance.randrange(1, 400)))  # type: ignore[union-attr]
        if no_frames or await answered(player, frames[start : start + TOGETHER]):
            player.drop()
            await player.connect()
        assert all(json.loads(frame)["type"] in TYPES for frame in player.frames)
        player.frames.clear()
        if start % (count // 10) < TOGETHER:
            memory.append(server.memory())
    print(f"{count} frames; MiB in memory at every tenth: {', '.join(f'{each:.1f}' for each in memory)}")
    assert memory[-1] < memory[1] + 16
    player.drop()
    await player.connect()
    await player.receive()
    await player.act()
    await player.play_on(deals=len(player.state["results"]) + 1)
    await player.close()
    written = server.log.read_bytes()[log:].decode()
    assert "Traceback" not in written
    assert '"level": "error"' not in written


TYPES = ("state", "refused", "done", "why", "pong")


@pytest.mark.slow
def test_garbage_over_a_socket_is_answered_or_hung_up_on(server: Served) -> None:
    asyncio.run(throw(server, 2_000, seed=1))


@pytest.mark.deep
def test_much_garbage_leaves_no_trace(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log", "--game", "gong-zhu") as served:
        asyncio.run(throw(served, int(os.environ.get("TEFUDA_FRAMES", "100000")), seed=2))
