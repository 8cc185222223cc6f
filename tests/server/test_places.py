"""How a request is read before its place is known, and what processes believe of each other."""

import asyncio
import socket
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tefuda.cli.serve import ServeOptions
from tefuda.engine.errors import TefudaError
from tefuda.server.http.handover import Handover
from tefuda.server.http.relay import Relay, preamble, rewritten
from tefuda.server.http.request_head import RequestHead, may_concern_tables
from tefuda.server.store.port import Peer

HEAD = b"POST /api/v1/tables/k3v9q2m7x5ab/play?lang=ja HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 9.9.9.9\r\n"


@pytest.mark.parametrize(
    ("line", "table", "opens"),
    [
        (b"GET /t/k3v9q2m7x5ab HTTP/1.1", "k3v9q2m7x5ab", False),
        (b"GET /r/k3v9q2m7x5ab?deal=2 HTTP/1.1", "k3v9q2m7x5ab", False),
        (b"GET /api/v1/tables/k3v9q2m7x5ab/socket HTTP/1.1", "k3v9q2m7x5ab", False),
        (b"POST /api/v1/tables HTTP/1.1", None, True),
        (b"POST /games/gong-zhu HTTP/1.1", None, True),
        (b"GET /api/v1/tables HTTP/1.1", None, False),
        (b"GET /api/v1/tables/%6b3v9q2m7x5ab HTTP/1.1", "k3v9q2m7x5ab", False),
        (b"GET /%74/k3v9q2m7x5ab?lang=ja HTTP/1.1", "k3v9q2m7x5ab", False),
        (b"GET http://cards.example/t/k3v9q2m7x5ab HTTP/1.1", "k3v9q2m7x5ab", False),
        (b"POST http://cards.example/api/v1/table%73 HTTP/1.1", None, True),
        (b"GET /api/v1/tables/../../t HTTP/1.1", None, False),
        (b"GET /t/" + b"x" * 100 + b" HTTP/1.1", None, False),
        (b"\x16\x03\x01 no request", None, False),
    ],
)
def test_the_first_line_tells_the_table(line: bytes, table: str | None, opens: bool) -> None:
    head = RequestHead.read(line + b"\r\nHost: a\r\n\r\nbody")
    assert head is not None
    assert (head.table, head.opens_table) == (table, opens)
    assert may_concern_tables(line + b"\r\n") == (table is not None or opens)
    assert may_concern_tables(line[:5])  # nobody can tell yet
    assert RequestHead.read(line) is None


def test_a_relayed_request_says_from_whom_it_is_and_ends_its_connection() -> None:
    data = HEAD + b"X-Forwarded-Proto: https\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n{}"
    head = RequestHead.read(data)
    assert head is not None
    told = rewritten(head, data, "1.2.3.4", is_proxy=False)
    assert b"9.9.9.9" not in told
    assert b"https" not in told
    assert b"keep-alive" not in told
    assert b"\r\nX-Forwarded-For: 1.2.3.4\r\nConnection: close\r\n\r\n{}" in told
    assert b"X-Forwarded-Proto: https" in rewritten(head, data, "1.2.3.4", is_proxy=True)


def test_a_relayed_socket_stays_one() -> None:
    data = HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a2V5\r\n\r\n"
    head = RequestHead.read(data)
    assert head is not None
    told = rewritten(head, data, "1.2.3.4", is_proxy=False)
    assert b"Connection: Upgrade\r\n" in told
    assert b"close" not in told


@pytest.mark.parametrize(
    "pretended",
    [
        b"Upgrade: foo\r\nConnection: keep-alive",
        b"Upgrade: foo\r\nConnection: Upgrade\r\nSec-WebSocket-Key: a2V5",
        b"Upgrade: websocket\r\nConnection: Upgrade",
        b"Upgrade: websocket\r\nConnection: keep-alive\r\nSec-WebSocket-Key: a2V5",
    ],
)
def test_a_pretended_socket_is_a_request_like_others(pretended: bytes) -> None:
    data = HEAD + pretended + b"\r\n\r\n"
    head = RequestHead.read(data)
    assert head is not None
    told = rewritten(head, data, "1.2.3.4", is_proxy=False)
    assert b"\r\nConnection: close\r\n" in told
    assert b"Upgrade" not in told
    assert b"keep-alive" not in told


def test_what_follows_a_socket_that_was_refused_is_not_relayed() -> None:
    """A second request on the way would be believed whatever it says of the client."""

    async def scenario() -> list[bytes]:
        come = list[bytes]()

        async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            come.append(await reader.readuntil(b"first"))
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            come.append(await reader.read())
            writer.close()

        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            transport: Any = writer.transport
            transport.pause_reading()
            there = Peer("there.1", "there", f"127.0.0.1:{far.sockets[0].getsockname()[1]}")
            ended = lambda: None  # noqa: E731
            assert await Relay(b"secret").relay(transport, lambda: b"first", there, ended, upgrades=True)

        far = await asyncio.start_server(refuse, "127.0.0.1", 0)
        near = await asyncio.start_server(relay, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*near.sockets[0].getsockname())
        assert (await reader.readline()).startswith(b"HTTP/1.1 403")
        writer.write(b"second")
        await reader.read()
        writer.close()
        for server in (far, near):
            server.close()
        return come

    assert asyncio.run(scenario())[1:] == [b""]


def test_the_proof_of_a_relay_is_for_one_process() -> None:
    assert preamble(b"secret", "a.1") != preamble(b"secret", "a.2")
    assert preamble(b"secret", "a.1") != preamble(b"another", "a.1")


def test_a_connection_is_handed_over_with_what_was_read(tmp_path: Path) -> None:
    async def scenario() -> None:
        ann, bob = Handover(tmp_path, "ann"), Handover(tmp_path, "bob")
        got: asyncio.Queue[tuple[socket.socket, bytes]] = asyncio.Queue()
        bob.start(lambda connection, read: got.put_nowait((connection, read)))
        near, far = socket.socketpair()
        assert await ann.give(near.fileno(), lambda: b"GET /", "bob", 1)
        near.close()
        connection, read = await got.get()
        assert read == b"GET /"
        connection.send(b"hello")
        assert far.recv(10) == b"hello"
        with pytest.raises(ConnectionRefusedError):
            await ann.give(far.fileno(), lambda: b"", "nobody", 1)
        bob._socket.close()  # as when it dies
        with pytest.raises(ConnectionRefusedError):
            await ann.give(far.fileno(), lambda: b"", "bob", 1)
        for each in (connection, far, ann._socket):
            each.close()

    asyncio.run(scenario())


def test_a_process_that_stops_takes_what_has_come_and_still_hands_over(tmp_path: Path) -> None:
    async def scenario() -> None:
        ann, bob = Handover(tmp_path, "ann"), Handover(tmp_path, "bob")
        ann_got, bob_got = list[bytes](), list[bytes]()

        def receive(got: list[bytes], connection: socket.socket, read: bytes) -> None:
            got.append(read)
            connection.close()

        ann.start(partial(receive, ann_got))
        bob.start(partial(receive, bob_got))
        near, far = socket.socketpair()
        assert await ann.give(near.fileno(), lambda: b"first", "bob", 1)
        bob.close()
        assert bob_got == [b"first"]
        with pytest.raises(ConnectionRefusedError):
            await ann.give(near.fileno(), lambda: b"late", "bob", 1)
        assert await bob.give(far.fileno(), lambda: b"back", "ann", 1)
        await asyncio.sleep(0.01)
        assert ann_got == [b"back"]
        for each in (near, far, ann._socket, bob._socket):
            each.close()

    asyncio.run(scenario())


def test_a_private_host_is_an_address() -> None:
    with pytest.raises(TefudaError, match="--private-host: 'nowhere' is no address"):
        ServeOptions("127.0.0.1", 0, None, "info", False, False, private_host="nowhere")
