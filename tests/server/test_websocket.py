"""Sockets: whatever arrives in whatever pieces, and what is sent at once, as the library for clients reads it."""

import asyncio
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from tefuda.server.http.limits import Admission
from tefuda.server.http.websocket import MOST_QUEUED, SEND_NOW, WebSocketConnection, short_text_in
from tefuda.server.settings import ServerSettings

LENGTHS = (0, 1, 125, 126, 127, 65_535, 65_536)


class Transport(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)})
        self.written = b""
        self.is_closed = False

    def write(self, data: Any) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    abort = close

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


async def heard(chunks: list[bytes]) -> tuple[list[str], bytes]:
    """What an application is told of these bytes, and what a client is sent while it says each text again."""
    told: list[str] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            text = message["text"] if "text" in message else message["bytes"].decode("latin-1")
            told.append(text)
            if not scope["extensions"][SEND_NOW](text.encode()):
                return

    config = Config(application, ws_max_size=1 << 20, log_config=None)
    config.load()
    state = {"admission": Admission(ServerSettings())}
    line, transport = WebSocketConnection(config, ServerState(), state), Transport()
    line.connection_made(transport)
    client = ClientProtocol(parse_uri("ws://127.0.0.1/"))
    client.send_request(client.connect())
    line.data_received(b"".join(client.data_to_send()))
    await settle()
    transport.written = b""
    for chunk in chunks:
        line.data_received(chunk)
        await settle()
    line.connection_lost(None)
    await settle()
    return told, transport.written


async def settle() -> None:
    """Let everything happen that can."""
    for _ in range(20):
        await asyncio.sleep(0)


def text(words: str, *, fin: bool = True, opcode: Opcode = Opcode.TEXT) -> bytes:
    """A client's frame."""
    return Frame(opcode, words.encode(), fin=fin).serialize(mask=True)


def test_texts_come_however_their_bytes_are_cut() -> None:
    stream = [text("one"), text("two"), text("", opcode=Opcode.PING), text("three" * 60), text("four")]
    whole = asyncio.run(heard(stream))
    assert whole[0] == ["one", "two", "three" * 60, "four"]
    for size in (1, 2, 3, 5, 7, 11, 4000):
        joined = b"".join(stream)
        pieces = [joined[start : start + size] for start in range(0, len(joined), size)]
        told, answered = asyncio.run(heard(pieces))
        assert (told, len(answered)) == (whole[0], len(whole[1])), size


def test_bytes_in_the_middle_of_a_frame_are_no_frame() -> None:
    """A frame that holds another, cut just before it: what looks like a whole frame is a part of the first."""
    inner = text("inner")
    outer = Frame(Opcode.BINARY, inner).serialize(mask=False)
    masked = bytes([outer[0], outer[1] | 0x80]) + b"\0\0\0\0" + inner  # a mask of zeros leaves it as it is
    told, _ = asyncio.run(heard([masked[:6], masked[6:]]))
    assert told == [inner.decode("latin-1")]


def test_a_text_amid_the_fragments_of_another_is_a_fault() -> None:
    told, answered = asyncio.run(heard([text("one", fin=False), text("two"), text("three")]))
    assert told == []
    assert answered[:1] == b"\x88"  # closed, as the library closes


@pytest.mark.parametrize("length", LENGTHS)
def test_a_text_is_framed_as_the_library_frames_it(length: int) -> None:
    words = "x" * length
    told, answered = asyncio.run(heard([text(words)]))
    assert told == [words]
    assert answered == Frame(Opcode.TEXT, words.encode()).serialize(mask=False)


@pytest.mark.parametrize("length", LENGTHS[:-2])
def test_a_short_text_from_a_client_is_read(length: int) -> None:
    words = "紅心".encode() * 20 + b"x" * length if length > 125 else b"x" * length
    assert short_text_in(Frame(Opcode.TEXT, words).serialize(mask=True)) == (words if length <= 125 else None)


def test_everything_else_is_left_to_the_library() -> None:
    whole = text("play")
    others = [
        whole[:-1],
        whole + whole,
        b"",
        Frame(Opcode.TEXT, b"play").serialize(mask=False),
        text("play", fin=False),
        bytes([whole[0] | 0x40]) + whole[1:],  # compressed
        *(text("play", opcode=opcode) for opcode in (Opcode.BINARY, Opcode.CONT, Opcode.PING)),
    ]
    assert [short_text_in(data) for data in others] == [None] * len(others)


def test_a_size_in_more_bytes_than_it_needs_is_read_by_the_library() -> None:
    long = b"\x81\xfe\0\x03\0\0\0\0one"
    assert asyncio.run(heard([long, text("two"), long + text("three")[:3], text("three")[3:]]))[0][:3] == [
        "one", "two", "one",
    ]  # fmt: skip


def test_a_text_that_is_not_utf_8_closes_the_socket() -> None:
    told, answered = asyncio.run(heard([Frame(Opcode.TEXT, b"\xff").serialize(mask=True), text("later")]))
    assert told == []
    assert answered.startswith(b"\x88\x02\x03\xef"), "1007"


def test_what_comes_faster_than_it_is_handled_closes_the_socket() -> None:
    told, answered = asyncio.run(heard([b"".join(text(str(k)) for k in range(MOST_QUEUED + 1))]))
    assert told == []
    assert answered.startswith(b"\x88\x02\x03\xf0"), "1008"


def test_a_client_that_closes_is_answered_and_the_connection_ended() -> None:
    told, answered = asyncio.run(heard([text("one"), Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True)]))
    assert told == ["one"]
    assert answered == Frame(Opcode.TEXT, b"one").serialize(mask=False) + b"\x88\x02\x03\xe8"


def test_a_socket_that_cannot_be_written_to_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    faults, write = list[str](), Transport.write
    broken: list[Transport] = []

    def fail_once(line: Transport, data: Any) -> None:
        if not broken and not data.startswith(b"HTTP"):
            broken.append(line)
            raise OSError("broken")
        write(line, data)

    async def both() -> tuple[tuple[list[str], bytes], tuple[list[str], bytes]]:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: faults.append(str(context["exception"])))
        return await asyncio.gather(heard([text("one")]), heard([text("two")]))

    monkeypatch.setattr(Transport, "write", fail_once)
    (first, nothing), (second, answered) = asyncio.run(both())
    assert (first, second, nothing) == (["one"], ["two"], b"")
    assert answered == Frame(Opcode.TEXT, b"two").serialize(mask=False)
    assert faults == ["broken"]
