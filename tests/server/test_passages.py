"""How workers hand each other connections, and what a request needs to be handed over."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tefuda.cli.serve import check_options
from tefuda.engine.errors import TefudaError
from tefuda.server.http import connections
from tefuda.server.http.connections import Passages

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="a server has one process on this system")


class Reader(asyncio.Protocol):
    """Keeps what another worker has read, and what comes."""

    def __init__(self, read: bytes, got: list["Reader"]) -> None:
        self.read, self.come = read, b""
        got.append(self)

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.come += data


@contextmanager
def passages_between(count: int) -> Iterator[Passages]:
    """Ways between so many workers, closed afterwards."""
    ways = Passages(count)
    try:
        yield ways
    finally:
        ways.close_all()


async def until(holds: Any) -> None:
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.01)


def test_a_connection_is_handed_over_with_what_was_read() -> None:
    async def scenario(ways: Passages) -> None:
        got = list[Reader]()
        ways.open(1, lambda read: Reader(read, got))
        near, far = socket.socketpair()
        assert await ways.give(1, near.fileno(), lambda: b"GET /")
        near.close()
        await until(lambda: got)
        far.send(b" HTTP/1.1")
        await until(lambda: got[0].come)
        assert (got[0].read, got[0].come) == (b"GET /", b" HTTP/1.1")
        got[0].transport.close()
        ways.close(1)
        far.close()

    with passages_between(2) as ways:
        asyncio.run(scenario(ways))


def test_what_is_handed_to_a_worker_that_stops_waits_for_the_next_in_its_place() -> None:
    async def scenario(ways: Passages) -> None:
        before, after = list[Reader](), list[Reader]()
        ways.open(0, lambda read: Reader(read, before))
        ways.close(0)
        near, far = socket.socketpair()
        assert await ways.give(0, near.fileno(), lambda: b"late")
        await asyncio.sleep(0.05)
        ways.open(0, lambda read: Reader(read, after))
        await until(lambda: after)
        assert not before
        assert after[0].read == b"late"
        for each in (near, far):
            each.close()

    with passages_between(2) as ways:
        asyncio.run(scenario(ways))


def test_a_worker_that_takes_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 0.05)

    async def scenario(ways: Passages) -> None:
        near, far = socket.socketpair()
        given = [await ways.give(0, near.fileno(), lambda: b"x" * 50_000) for _ in range(50)]
        assert given[0]
        assert not given[-1]
        for each in (near, far):
            each.close()

    with passages_between(1) as ways:
        asyncio.run(scenario(ways))


def test_a_private_host_is_an_address() -> None:
    with pytest.raises(TefudaError, match="--private-host: 'nowhere' is no address"):
        check_options("info", "nowhere")
