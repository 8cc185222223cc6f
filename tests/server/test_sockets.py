"""Sockets and streams: whatever is lost, repeated or flooded, the table and what its people see stay right."""

import asyncio
import json
import secrets
import select
import socket as sockets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tefuda.engine.notation import SUMMARY
from tefuda.server import json_logs
from tefuda.server.http import socket as socket_module
from tefuda.server.http.application import create_app
from tefuda.server.settings import ServerSettings
from tefuda.server.store import Unavailable, open_store
from tests.server.players import Player, closed, seat_all
from tests.server.server_process import Served, serving


def test_a_lost_connection_is_taken_up_where_it_was(server: Served) -> None:
    """Cut at any moment, players are told exactly what they missed, and see the same as one who was never cut."""

    async def scenario() -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=11)
        steady = await Player(server.url, crowd.table, crowd.players[0].token).connect()
        watching = asyncio.create_task(steady.look_on())
        told: list[dict[str, Any]] = []

        async def cut_and_come_back() -> None:
            player = Player(server.url, crowd.table, crowd.players[0].token)
            await player.connect()
            first = (await player.receive())["seq"]
            while not player.state["results"]:
                await player.line.close() if player.random.random() < 0.5 else player.drop()  # type: ignore[union-attr]
                await player.connect(after=player.state["seq"])
                message = await player.receive()
                while message["type"] != "state":
                    message = await player.receive()
                told.extend(message["events"])
                for _ in range(player.random.randrange(3)):
                    try:
                        message = await player.receive(0.3)
                    except TimeoutError:
                        break
                    told.extend(message.get("events", []))
            assert [event["seq"] for event in told] == list(range(first + 1, player.state["seq"] + 1))
            await player.close()

        coming = asyncio.create_task(cut_and_come_back())
        await crowd.play()
        await asyncio.wait_for(coming, 60)
        await watching
        by_seq = {event["seq"]: event for message in map(json.loads, steady.frames) for event in message["events"]}
        assert all(by_seq[event["seq"]] == event for event in told if event["seq"] in by_seq)
        await crowd.close()
        await steady.close()

    asyncio.run(scenario())


def test_patches_tell_the_same_in_less(server: Served) -> None:
    """Over three deals and a lost connection: patched, each state is the whole one of its seq. RFC 6902."""

    async def scenario() -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=12)
        whole = await Player(server.url, crowd.table, crowd.players[0].token).connect()
        page = await Player(server.url, crowd.table, crowd.players[0].token).connect(query="patch=true")
        dropped: list[int] = []

        async def read(player: Player) -> None:
            while player.state.get("phase") != "over" and len(player.state.get("results", [])) < 3:
                message = await player.receive()
                if player is page and len(page.states) == 30:
                    player.drop()
                    dropped.append(message["seq"])
                    await player.connect(after=message["seq"], query="patch=1")

        reading = asyncio.gather(read(whole), read(page))
        await crowd.play(deals=3)
        await reading
        states, patched = ({state["seq"]: state for state in each.states} for each in (whole, page))
        both = [seq for seq in states if seq in patched and states[seq]["events"] == patched[seq]["events"]]
        assert min(both) < dropped[0] < max(both)
        assert all(states[seq] == patched[seq] for seq in both)
        patches = [json.loads(frame) for frame in page.frames if json.loads(frame)["type"] == "patch"]
        assert {step["op"] for message in patches for step in message["patch"]} == {"replace"}
        # The whole deal with the end of each trick, and never else; the last play of a deal comes as a state.
        wholes = [any(step["path"] == "" for step in message["patch"]) for message in patches]
        assert wholes == [any("trick" in event for event in message["events"]) for message in patches]
        deals = len(page.state["results"])  # a game may be over before the third
        assert 10 * deals < sum(wholes) < 13 * deals
        assert sum(map(len, page.frames)) < sum(map(len, whole.frames)) / 2
        await asyncio.gather(crowd.close(), whole.close(), page.close())

    asyncio.run(scenario())


@pytest.mark.slow
def test_plays_and_shuffles_told_in_brief_are_those_that_the_whole_table_shows(tmp_path: Path) -> None:
    """In a game of throws face down."""

    async def scenario(url: str) -> None:
        crowd = await seat_all([url], "luk-fu", 3, seed=3, query="brief=true")
        whole = await Player(url, crowd.table, crowd.players[0].token).connect()
        reading = asyncio.create_task(whole.look_on(deals=4))
        await crowd.play(deals=4)
        await reading
        by_seq = {message["seq"]: message for message in map(json.loads, whole.frames)}
        told = [json.loads(frame) for frame in crowd.players[0].frames]
        brief = [message for message in told if message["type"] == "plays" and message["seq"] in by_seq]
        assert len(brief) > 5
        for message in brief:
            shown = by_seq[message["seq"]]
            asked = {field: shown["deal"][field] for field in ("number", "mover", "legal", "answered", "since")}
            hand = [card for group in shown["deal"]["scene"]["hand"] for card in group["cards"]]
            assert message["deal"].pop("hand") == (hand if any(map(SUMMARY.fullmatch, asked["legal"])) else [])
            assert message["deal"] == asked
            without = [
                {key: event[key] for key in event if key not in ("lines", "captions", "moment", "trick")}
                for event in shown["events"]
            ]
            assert message["events"] == without
        steps = [message for message in told if message["type"] == "shuffle"]
        assert {event["kind"] for message in steps for event in message["events"]} >= {"committed", "sealed"}
        for message in steps:
            before, shown = (by_seq.get(seq) for seq in (message["seq"] - len(message["events"]), message["seq"]))
            if before is None or shown is None:  # before the other socket was there
                continue
            assert {field: shown[field] for field in ("seq", "events", "shuffle")} == {
                field: message[field] for field in ("seq", "events", "shuffle")
            }
            changed = {field for field in shown if shown[field] != before[field]}
            assert changed <= {"seq", "events", "shuffle"}, "all the rest is as it was"
        assert not crowd.players[0].state["deal"]["over"] or "scene" in crowd.players[0].state["deal"]
        await asyncio.gather(crowd.close(), whole.close())

    with serving(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log", "--game", "luk-fu") as served:
        asyncio.run(scenario(served.url))


def test_an_order_sent_several_times_is_carried_out_once(server: Served) -> None:
    async def scenario() -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=12)
        for player in crowd.players:
            while not player.state.get("shuffle"):
                await player.receive()
            await player.send(type="ready", deal=1, entropy="00", id="ready")
        plays = 0
        while plays < 20:
            player = await acting(crowd.players)
            word, number = player.choice(), secrets.token_hex(4)
            again = Player(server.url, crowd.table, player.token)
            await again.connect()
            await again.receive()
            for line in (player, again, player):
                await line.send(type="play", play=word, id=number)
            answers = [await line.until(lambda got: got.get("id") == number) for line in (player, again, player)]  # noqa: B023
            assert {answer["type"] for answer in answers} == {"done"}
            assert len({answer["seq"] for answer in answers}) == 1
            plays += 1
            await again.close()
        await crowd.close()

    asyncio.run(scenario())


async def acting(players: Any) -> Player:
    """The player who has a choice to make now."""
    while True:
        for player in players:
            if player.choice():
                return player  # type: ignore[no-any-return]
        done, pending = await asyncio.wait(
            [asyncio.create_task(player.receive()) for player in players], return_when=asyncio.FIRST_COMPLETED
        )
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        for task in done:
            task.result()


@pytest.fixture(scope="module")
def open_table(server: Served) -> str:
    """A table of bots with one free seat."""
    opened = httpx.post(
        f"{server.url}/api/v1/tables",
        json={"game": "gong-zhu", "name": "Host", "bots": ["hints", "hints"]},
        headers={"Authorization": "Bearer abcdefghijklmnopqrstuvwxyz"},
    )
    table: str = opened.json()["table"]
    return table


@pytest.mark.deep
def test_a_flood_is_cut_off(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("flood")

    async def scenario(url: str) -> None:
        async with httpx.AsyncClient(timeout=120) as client:
            body = {"game": "gong-zhu", "name": "Host", "bots": ["hints"] * 2}
            table = (await client.post(f"{url}/api/v1/tables", json=body)).json()["table"]
            player = await Player(url, table).connect()
            with suppress(ConnectionClosed):
                for _ in range(200):
                    await player.send(type="ping")
            assert await closed(player) == 1008
            asked = set[int]()
            while not asked >= {200, 429}:
                asked.add((await client.get(f"{url}/api/v1/tables")).status_code)
            assert asked == {200, 429}

    with serving(f"sqlite:///{folder / 'tables.db'}", folder / "log", "--rate", "5", "--game", "gong-zhu") as served:
        asyncio.run(scenario(served.url))


@pytest.mark.slow
def test_many_sockets_of_one_address_may_not_ask_for_more_than_it_may(tmp_path: Path) -> None:
    """Each stays below what one socket may send; together they use up the time of their address."""

    async def ask(player: Player, count: int) -> int | None:
        with suppress(ConnectionClosed):
            for _ in range(count):
                await player.order(type="ping")
                await asyncio.sleep(0.052)
            return None
        return await closed(player)

    async def scenario(url: str) -> None:
        transport = httpx.AsyncHTTPTransport(local_address="127.0.0.2")
        async with httpx.AsyncClient(transport=transport, timeout=120) as client:
            table = (await client.post(f"{url}/api/v1/tables", json={"game": "gong-zhu"})).json()["table"]
        crowd = [await Player(url, table).connect() for _ in range(10)]
        assert await ask(crowd[0], 60) is None
        codes = await asyncio.gather(*(ask(player, 600) for player in crowd))
        assert 1008 in codes
        await asyncio.gather(*(player.close() for player in crowd))
        assert set(codes) <= {1008, None}  # without those who are cut off, there is enough for the others

    # 10 ms a second: what 100 messages cost before the time for each is added; ten sockets send up to 190, on a busy
    # machine half as many.
    options = ("--rate", "2", "--game", "gong-zhu")
    with serving(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log", *options) as served:
        asyncio.run(scenario(served.url))


def test_a_message_that_is_too_long_closes_the_socket(server: Served, open_table: str) -> None:
    async def scenario() -> None:
        player = await Player(server.url, open_table).connect()
        assert player.line is not None
        await player.line.send("x" * 20_000)
        assert await closed(player) == 1009

    asyncio.run(scenario())


def test_a_table_that_is_not_there_is_said_so(server: Served) -> None:
    async def scenario() -> None:
        player = await Player(server.url, "nowhere").connect()
        assert (await player.receive())["error"]["code"] == "no_such_table"
        assert await closed(player) == 1008

    asyncio.run(scenario())


@asynccontextmanager
async def serving_here(folder: Path, subscribe: Any) -> AsyncIterator[str]:
    """A server in this process, at which this happens to whoever wants to watch a table; where it listens."""
    app = create_app(open_store(f"sqlite:///{folder / 'tables.db'}"), ServerSettings(games=("gong-zhu",)))
    app.state.services.tables.subscribe = subscribe
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    await serving


def test_who_cannot_be_sent_the_table_now_is_told_to_come_back(tmp_path: Path) -> None:
    async def unavailable(*_: object) -> None:
        raise Unavailable("the store does not answer")

    async def scenario() -> None:
        async with serving_here(tmp_path, unavailable) as url:
            assert await closed(await Player(url, "abc").connect()) == 1012

    asyncio.run(scenario())


@pytest.mark.parametrize("fault", [RuntimeError, RecursionError, NotImplementedError, TimeoutError, KeyError])
def test_a_fault_of_ours_at_a_socket_is_told_and_logged_with_where_it_was(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, fault: type[Exception]
) -> None:
    async def fail(*_: object) -> None:
        raise fault("an unforeseen fault")

    async def scenario() -> None:
        async with serving_here(tmp_path, fail) as url:
            for _ in range(2):
                player = await Player(url, "abc").connect()
                assert (await player.receive())["error"]["code"] == "fault"
                assert await closed(player) == 1011

    json_logs._told.clear()
    asyncio.run(scenario())
    told = [record.exc_info for record in caplog.records if record.levelname == "ERROR"]
    assert [each is not None and each[0] for each in told] == [fault], "once"


def test_a_fault_of_ours_with_a_message_ends_no_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("an unforeseen fault")

    async def nothing(*_: object) -> None: ...

    async def scenario() -> None:
        async with serving_here(tmp_path, nothing) as url:
            player = await Player(url, "abc").connect()
            assert (await player.order(type="here"))["error"]["code"] == "fault"
            assert (await player.order(type="ping"))["type"] == "pong"
            await player.close()

    monkeypatch.setattr(socket_module.SocketSession, "_carry_out", fail)
    asyncio.run(scenario())


def test_numbers_without_bounds_are_refused(server: Served, open_table: str) -> None:
    async def scenario() -> None:
        player = await Player(server.url, open_table).connect()
        await player.until(lambda message: message["type"] == "state")
        for number in (2**53 + 1, -(2**64), 10**400, 1e300, 2**64 + 0.0):
            for kind, field in (("ready", "id"), ("ready", "deal"), ("play", "seq")):
                await player.send(**{"type": kind, field: number})
                assert (await player.receive())["error"]["code"] == "bad_message", (field, number)
        assert (await player.order(type="ping"))["type"] == "pong"
        await player.close()

    asyncio.run(scenario())


def test_the_table_comes_before_the_answer_to_the_order_that_changed_it(server: Served) -> None:
    """To whoever gave it, too: when an order is acknowledged, nothing is missing from their table."""

    async def scenario() -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=5)
        await crowd.play()
        for player in crowd.players:
            seq = 0
            for message in map(json.loads, player.frames):
                if message["type"] == "done":
                    assert message["seq"] <= seq
                seq = message.get("seq", seq)
        await crowd.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost.evil.example"])
def test_a_foreign_page_gets_no_socket(server: Served, open_table: str, origin: str) -> None:
    async def scenario() -> None:
        from websockets.asyncio.client import connect

        address = f"{server.url.replace('http', 'ws')}/api/v1/tables/{open_table}/socket"
        with pytest.raises(InvalidStatus) as refused:
            await connect(address, origin=origin)  # type: ignore[arg-type]
        assert refused.value.response.status_code == 403

    asyncio.run(scenario())


SLOW = {
    "socket": "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    "events": "",
}
"""What is asked for, and the headers of the request, by those who then never read."""


def slow_reader(url: str, table: str, what: str) -> sockets.socket:
    """Somebody who asks to be shown a table, and does not read the answer."""
    host, port = url.removeprefix("http://").split(":")
    line = sockets.socket()
    line.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    line.connect((host, int(port)))
    line.sendall(f"GET /api/v1/tables/{table}/{what}?fields=true HTTP/1.1\r\nHost: {host}\r\n{SLOW[what]}\r\n".encode())
    return line


def hung_up_on(line: sockets.socket, within: float) -> bool:
    """Whether the other end resets the connection, though nothing is read here."""
    poller = select.poll()
    poller.register(line, 0)  # errors and hanging up are told without being asked for
    with line:
        return bool(poller.poll(1000 * within))


@pytest.mark.deep
def test_slow_readers_are_cut_off_and_the_others_play_on(server: Served) -> None:
    async def scenario() -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=14, options={"target": 10_000})
        slow = [slow_reader(server.url, crowd.table, what) for what in SLOW for _ in range(2)]
        await asyncio.wait_for(crowd.play(deals=8), 120)
        assert all(await asyncio.gather(*(asyncio.to_thread(hung_up_on, line, 60) for line in slow)))
        await crowd.close()

    asyncio.run(scenario())


def test_the_same_by_plain_http(server: Served) -> None:
    """Streams of events as lines, after a seq, tell what sockets tell."""

    async def scenario() -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=15)
        address = f"{server.url}/api/v1/tables/{crowd.table}/events"
        headers = {"Authorization": f"Bearer {crowd.players[1].token}"}

        async def listen(after: int) -> list[Any]:
            lines = []
            asked: dict[str, Any] = {"params": {"after": after}, "headers": headers}
            async with httpx.AsyncClient(timeout=30) as client, client.stream("GET", address, **asked) as answer:
                async for line in answer.aiter_lines():
                    lines.append(line)
                    if '"results":[[' in line:
                        break
            return [json.loads(line) for line in lines if line]

        listening = asyncio.create_task(listen(2))
        await crowd.play()
        lines = await listening
        seqs = [event["seq"] for message in lines for event in message["events"]]
        assert seqs == list(range(3, lines[-1]["seq"] + 1))
        again, *_ = await listen(lines[-1]["seq"] - 5)
        assert again["type"] == "state"
        assert again["seq"] >= lines[-1]["seq"]
        missed = again["events"]
        assert [event["seq"] for event in missed][:5] == list(range(lines[-1]["seq"] - 4, lines[-1]["seq"] + 1))
        await crowd.close()

    asyncio.run(scenario())
