"""Frames of short texts, which are read and written without the library: as the library reads and writes them."""

import asyncio
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from tefuda.server.http import protocol
from tefuda.server.http.admission import Admission
from tefuda.server.http.frames import frame_of, text_in
from tefuda.server.http.protocol import LimitedWebSocketProtocol
from tefuda.server.settings import ServerSettings

LENGTHS = (0, 1, 125, 126, 127, 65_535, 65_536)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_text_is_framed_as_the_library_frames_it(length: int) -> None:
    text = b"x" * length
    assert frame_of(text) == Frame(Opcode.TEXT, text).serialize(mask=False)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_short_text_from_a_client_is_read(length: int) -> None:
    text = "紅心".encode() * 20 + b"x" * length if length > 125 else b"x" * length
    assert text_in(Frame(Opcode.TEXT, text).serialize(mask=True)) == (text if length <= 125 else None)


def test_everything_else_is_left_to_the_library() -> None:
    whole = Frame(Opcode.TEXT, b"play").serialize(mask=True)
    others = [
        whole[:-1],
        whole + whole,
        b"",
        Frame(Opcode.TEXT, b"play").serialize(mask=False),
        Frame(Opcode.TEXT, b"play", fin=False).serialize(mask=True),
        bytes([whole[0] | 0x40]) + whole[1:],  # compressed
        Frame(Opcode.BINARY, b"play").serialize(mask=True),
        Frame(Opcode.CONT, b"play").serialize(mask=True),
        Frame(Opcode.PING, b"play").serialize(mask=True),
    ]
    assert [text_in(data) for data in others] == [None] * len(others)


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
            text = message.get("text") or message["bytes"].decode("latin-1")
            told.append(text)
            if not scope["extensions"][protocol.SEND_NOW](text.encode()):
                return

    config = Config(application, ws_per_message_deflate=False, log_config=None)
    config.load()
    state = {"admission": Admission(ServerSettings())}
    config.loaded_app.trusted_hosts = ()
    line, transport = LimitedWebSocketProtocol(config, ServerState(), state), Transport()
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
    """One frame in one piece is read here, all else by the library; where they meet, nothing is lost or moved."""
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


def test_most_texts_do_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []
    by_library = LimitedWebSocketProtocol._read_by_library

    def noted(line: LimitedWebSocketProtocol, data: bytes) -> None:
        read.append(data)
        by_library(line, data)

    monkeypatch.setattr(LimitedWebSocketProtocol, "_read_by_library", noted)
    told, answered = asyncio.run(heard([text("one"), text("two")]))
    assert told == ["one", "two"]
    assert answered == frame_of(b"one") + frame_of(b"two")
    assert len(read) == 1, "the handshake alone"


def test_a_socket_that_cannot_be_written_to_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    faults, flush = list[str](), LimitedWebSocketProtocol.flush
    broken: list[LimitedWebSocketProtocol] = []

    def fail_once(line: LimitedWebSocketProtocol) -> None:
        if not broken:
            broken.append(line)
            raise OSError("broken")
        flush(line)

    async def both() -> tuple[tuple[list[str], bytes], tuple[list[str], bytes]]:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: faults.append(str(context["exception"])))
        return await asyncio.gather(heard([text("one")]), heard([text("two")]))

    monkeypatch.setattr(LimitedWebSocketProtocol, "flush", fail_once)
    (first, nothing), (second, answered) = asyncio.run(both())
    assert (first, second, nothing, answered) == (["one"], ["two"], b"", frame_of(b"two"))
    assert faults == ["broken"]
