"""Admission: how many may connect, how long a request may take, and what happens to those who are cut off."""

import asyncio
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import uvicorn

from tefuda.engine.texts import TEXTS, catalogue
from tefuda.server import event_loop, json_logs
from tefuda.server.event_loop import BusyTime
from tefuda.server.http import connections, limits
from tefuda.server.http.application import create_app
from tefuda.server.http.connections import ArrivalMiddleware, HttpConnection
from tefuda.server.http.limits import Admission
from tefuda.server.http.websocket import WebSocketConnection
from tefuda.server.settings import ServerSettings
from tefuda.server.store import open_store

Connect = Callable[..., socket.socket]

REQUEST = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 4\r\n\r\n"


@contextmanager
def served(cut: Sequence[str] = (), **limits: Any) -> Iterator[int]:
    """The port of an application that reads a body and says yes, behind an admission that knows whom it has cut off."""
    admission = Admission(ServerSettings(**limits))
    for address in cut:
        admission.cut(address)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            scope["state"]["admission"] = admission
            while (await receive())["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            await send({"type": "lifespan.shutdown.complete"})
            return
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"3")]})
        await send({"type": "http.response.body", "body": b"yes"})

    config = uvicorn.Config(
        ArrivalMiddleware(app), http=HttpConnection, ws=WebSocketConnection, log_level="critical", timeout_keep_alive=60
    )
    server, listening = uvicorn.Server(config), socket.create_server(("127.0.0.1", 0))
    running = threading.Thread(target=server.run, args=[[listening]])
    running.start()
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        running.join()


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Opens a connection to a port, near some address; all are closed in the end."""
    with ExitStack() as lines:

        def opened(port: int, near: str = "127.0.0.2") -> socket.socket:
            line = lines.enter_context(socket.socket())
            line.settimeout(30)
            line.bind((near, 0))
            line.connect_ex(("127.0.0.1", port))  # a refusal may come before this returns
            return line

        yield opened


def is_answered(line: socket.socket) -> bool:
    """Whether a request over this connection is answered; else the server has closed it."""
    with suppress(OSError):
        line.sendall(REQUEST + b"body")
        return line.recv(1000).startswith(b"HTTP/1.1 200")
    return False


def test_one_address_holds_so_many_connections_and_others_are_let_in(connect: Connect) -> None:
    with served(connections=3) as port:
        lines = [connect(port) for _ in range(5)]
        assert [is_answered(line) for line in lines] == [True] * 3 + [False] * 2
        assert is_answered(connect(port, "127.0.0.3"))
        lines[0].close()
        while not is_answered(connect(port)):
            time.sleep(0.05)


def test_a_proxy_holds_more_but_not_more_than_there_may_be_in_all(connect: Connect) -> None:
    with served(connections=3, connections_in_all=6) as port:
        assert [is_answered(connect(port, "127.0.0.1")) for _ in range(8)] == [True] * 6 + [False] * 2


def trickle(line: socket.socket, begin: bytes, drop: bytes) -> None:
    """Send a little at a time until the other end hangs up."""
    with suppress(ConnectionError):
        line.sendall(begin)
        line.settimeout(0.05)
        while True:
            line.sendall(drop)
            with suppress(TimeoutError):
                if not line.recv(1000):
                    return


@pytest.mark.parametrize(
    ("begin", "drop"),
    [
        pytest.param(b"", b"", id="nothing"),
        pytest.param(b"GET / HTTP/1.1\r\n", b"X: y\r\n", id="headers without end"),
        pytest.param(REQUEST.replace(b"4", b"9999"), b"b", id="a slow body"),
        pytest.param(REQUEST + b"body", b"\r\n", id="blank lines after a request"),
        pytest.param(REQUEST + b"body", REQUEST[:5], id="half a second request"),
    ],
)
def test_who_does_not_ask_in_time_is_hung_up_on(
    begin: bytes, drop: bytes, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT", 0.5)
    with served(connections=1) as port:
        trickle(connect(port), begin, drop)
        while not is_answered(connect(port)):
            time.sleep(0.05)


@pytest.mark.slow
def test_who_takes_their_time_between_requests_is_not_hung_up_on(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT", 2.0)
    with served() as port:
        line = connect(port)
        assert is_answered(line)
        time.sleep(2.5)
        assert is_answered(line)


def test_who_has_used_up_their_requests_waits_and_is_then_admitted(connect: Connect) -> None:
    with served(requests=10.0, cut=["127.0.0.2"]) as port:
        line = connect(port)
        assert is_answered(connect(port, "127.0.0.3"))
        line.sendall(REQUEST + b"body")
        line.settimeout(0.5)
        with pytest.raises(TimeoutError):
            line.recv(1000)
        line.settimeout(30)
        assert line.recv(1000).startswith(b"HTTP/1.1 200")


def test_too_many_requests_are_refused_in_the_readers_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(monotonic=lambda: 1.0)  # however long they take
    monkeypatch.setattr(limits, "time", clock)
    monkeypatch.setattr(Admission, "charge", lambda *_: None)

    async def ask() -> httpx.Response:
        app = create_app(open_store(f"sqlite:///{tmp_path / 'tables.db'}"), ServerSettings(requests=1))
        transport, headers = httpx.ASGITransport(app), {"Accept-Language": "ja"}
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as client:
            answers = [await client.get("/healthz") for _ in range(51)]  # ten times 5 ms, and each costs one
        assert [answer.status_code for answer in answers] == [200] * 50 + [429]
        return answers[-1]

    answer = asyncio.run(ask())
    text = catalogue(TEXTS, "ja")("server.too_many")
    assert answer.json() == {"error": {"code": "too_many", "text": text}}
    assert answer.headers["retry-after"] == "1"


def test_whoever_keeps_the_server_busy_has_used_up_their_time() -> None:
    admission = Admission(ServerSettings(requests=10))  # 50 ms a second, 500 ms at once
    for _ in range(2):
        assert admission.take("1.2.3.4")
        admission.charge("1.2.3.4", 0.25)
    assert not admission.take("1.2.3.4")
    assert admission.take("5.6.7.8")
    without = Admission(ServerSettings(requests=0))
    without.charge("1.2.3.4", 60.0)
    assert without.take("1.2.3.4")


def test_what_is_first_made_for_all_uses_up_no_more_than_a_part() -> None:
    admission = Admission(ServerSettings())
    admission.charge("1.2.3.4", 60.0)
    assert admission.take("1.2.3.4")


def test_a_request_is_busy_while_it_holds_the_event_loop_and_not_while_it_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = SimpleNamespace(spent=0.0)
    monkeypatch.setattr(event_loop, "time", SimpleNamespace(thread_time=lambda: now.spent, monotonic=time.monotonic))

    async def request() -> None:
        now.spent += 2
        await asyncio.sleep(0)  # the other is busy meanwhile
        now.spent += 3
        with suppress(ZeroDivisionError):
            await fail()

    async def fail() -> None:
        await asyncio.sleep(0)
        raise ZeroDivisionError

    async def other() -> None:
        now.spent += 100

    async def scenario() -> None:
        async def watched() -> None:
            await busy

        await asyncio.gather(watched(), other())

    busy = BusyTime(request(), lambda: "a request")
    asyncio.run(scenario())
    assert busy.seconds == pytest.approx(5.0)


def test_work_that_holds_the_event_loop_is_named_once_a_minute_and_counted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = SimpleNamespace(spent=0.0, steady=1000.0)
    clock = SimpleNamespace(thread_time=lambda: now.spent, monotonic=lambda: now.steady)
    for module in (event_loop, json_logs):
        monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(event_loop, "held", Counter())

    async def work(*steps: float) -> str:
        for seconds in steps:
            now.spent += seconds
            await asyncio.sleep(0)
        return "done"

    def done(*steps: float) -> str:
        return asyncio.run(BusyTime(work(*steps), lambda: "GET /games/{game}"))

    assert done(0.04, 0.04, 0.04) == "done"  # others are answered between
    assert not caplog.records
    for later in (0, 59, 2):
        now.steady += later
        done(0.06)
    told = [(record.getMessage(), record.__dict__["ms"]) for record in caplog.records]
    assert told == [("GET /games/{game} held the event loop", 60.0)] * 2  # after a minute again
    assert event_loop.held == {"GET /games/{game}": 3}


def test_work_that_is_cancelled_before_it_begins_or_while_it_waits_ends() -> None:
    ended = list[str]()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("it was waiting")

    async def scenario() -> None:
        unbegun, waiting = (asyncio.create_task(BusyTime(work(), lambda: "work")) for _ in range(2))
        unbegun.cancel()
        await asyncio.sleep(0)
        waiting.cancel()
        assert all(
            isinstance(each, asyncio.CancelledError)
            for each in await asyncio.gather(unbegun, waiting, return_exceptions=True)
        )

    asyncio.run(scenario())
    assert ended == ["it was waiting"]


def test_a_table_that_was_refused_is_not_counted(tmp_path: Path) -> None:
    app = create_app(
        open_store(f"sqlite:///{tmp_path / 'tables.db'}"), ServerSettings(games=("gong-zhu",), creations=4)
    )

    async def ask() -> list[int]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
            return [
                (await client.post("/api/v1/tables", json={"game": "gong-zhu", **wrong})).status_code
                for wrong in ({"bots": ["hnits"]}, {"seats": 9}, {"options": {"no": "such"}}, {"name": "\u200b"})
            ]

    assert asyncio.run(ask()) == [422] * 4
    assert app.state.services.new_tables.bucket("127.0.0.1").has(1)
