"""The queue: strangers are seated together; whoever likes starts with bots after a while."""

import asyncio
import json
import os
import secrets
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tefuda.server.live.player_queue import BOTS_AFTER, Line, PlayerQueue
from tefuda.server.live.pools import Background
from tefuda.server.table.answer_types import QueueMessage
from tests.server.administration import admin
from tests.server.server_process import Served, serving
from tests.server.test_people import guest


class Hall:
    """A queue for tables of four, whose clock stands still; ``seated`` are those who were seated together."""

    def __init__(self) -> None:
        self.now, self.seated = 0.0, list[list[str]]()
        self.queue = PlayerQueue[str](4, self._seat, Background(), lambda: self.now)

    async def _seat(self, players: Sequence[str]) -> list[QueueMessage]:
        self.seated.append(list(players))
        return [{"table": f"t{len(self.seated)}", "seat": seat} for seat, _ in enumerate(players)]

    def come(self, *people: str, bots: bool = False) -> list[Line]:
        return [self.queue.enter(each, each, bots=bots) for each in people]

    async def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.queue.look()  # as its timer does
        await asyncio.sleep(0)


def told(line: Line) -> list[Any]:
    """All that somebody was told since they were last asked; None is the end."""
    found = [line.get_nowait() for _ in range(line.qsize())]
    return [each and json.loads(each) for each in found]


def in_hall(scenario: Callable[[Hall], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        await scenario(Hall())

    asyncio.run(run())


def test_as_many_as_a_table_takes_are_seated_together() -> None:
    async def scenario(hall: Hall) -> None:
        lines = hall.come("ann", "ben", "cleo")
        await hall.pass_time(3600)
        assert hall.seated == []  # nobody has asked for bots
        assert told(lines[0])[-1] == {"waiting": 3, "seats": 4, "waited": 3600, "bots": False, "bots_in": 0}
        (last,) = hall.come("dan")
        await asyncio.sleep(0)
        assert hall.seated == [["ann", "ben", "cleo", "dan"]]
        assert told(last) == [{"table": "t1", "seat": 3}, None]
        assert len(hall.queue) == 0

    in_hall(scenario)


def test_bots_come_after_the_wait_to_all_who_like_and_to_nobody_else() -> None:
    async def scenario(hall: Hall) -> None:
        hall.come("ann", bots=True)
        hall.come("ben")
        await hall.pass_time(BOTS_AFTER - 1)
        hall.come("cleo", bots=True)
        assert hall.seated == []
        await hall.pass_time(1)
        assert hall.seated == [["ann", "cleo"]]
        assert len(hall.queue) == 1  # Ben waits for people

    in_hall(scenario)


def test_who_chooses_bots_late_starts_at_once() -> None:
    async def scenario(hall: Hall) -> None:
        (first,) = hall.come("ann")
        await hall.pass_time(BOTS_AFTER)
        assert hall.seated == []
        (second,) = hall.come("ann", bots=True)
        await asyncio.sleep(0)
        assert hall.seated == [["ann"]]
        assert told(first)[-2:] == told(second) == [{"table": "t1", "seat": 0}, None]

    in_hall(scenario)


def test_two_pages_of_one_person_count_once() -> None:
    async def scenario(hall: Hall) -> None:
        one, other = hall.come("ann", "ann")
        assert len(hall.queue) == 1
        hall.queue.leave("ann", one)
        assert len(hall.queue) == 1
        hall.queue.leave("ann", other)
        assert len(hall.queue) == 0
        hall.queue.leave("ann", other)  # a second time does nothing

    in_hall(scenario)


def test_who_leaves_is_out_at_once() -> None:
    async def scenario(hall: Hall) -> None:
        ann, ben, _ = hall.come("ann", "ben", "cleo", bots=True)
        hall.queue.leave("ben", ben)
        assert told(ann)[-1] == {"waiting": 2, "seats": 4, "waited": 0, "bots": True, "bots_in": BOTS_AFTER}
        await hall.pass_time(BOTS_AFTER)
        assert hall.seated == [["ann", "cleo"]]

    in_hall(scenario)


def test_who_is_banned_meanwhile_is_told_and_out() -> None:
    async def scenario(hall: Hall) -> None:
        ann, ben = hall.come("ann", "ben")
        why: QueueMessage = {"error": {"code": "banned", "text": "No."}}
        hall.queue.expel(lambda player: why if player == "ben" else None)
        assert told(ben)[-2:] == [why, None]
        assert told(ann)[-1]["waiting"] == 1

    in_hall(scenario)


def test_when_the_server_stops_everybody_is_let_go() -> None:
    async def scenario(hall: Hall) -> None:
        (ann,) = hall.come("ann")
        hall.queue.close()
        assert told(ann)[-1] is None
        assert len(hall.queue) == 0

    in_hall(scenario)


# At a server

ASK = "/api/v1/tables/queue/gong-zhu"


@contextmanager
def waiting(client: httpx.Client, **order: Any) -> Iterator[Iterator[dict[str, Any]]]:
    """The messages to somebody who waits, as they come."""
    with client.stream("POST", ASK, json=order) as answer:
        assert answer.status_code == 200
        yield (json.loads(line) for line in answer.iter_lines() if line)


def until(messages: Iterator[dict[str, Any]], **wanted: Any) -> dict[str, Any]:
    return next(each for each in messages if wanted.items() <= each.items())


def test_four_strangers_meet_at_a_listed_table(server: Served) -> None:
    meet(server)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_they_meet_wherever_their_connections_arrive(tmp_path: Path) -> None:
    db, log = f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log"
    with serving(db, log, "--game", "gong-zhu", "--workers", "3") as server:
        meet(server, shown=False)


def meet(server: Served, *, shown: bool = True) -> None:
    """Four people wait, and come to one table; the lobby has ``shown`` how many wait, where one process knows it."""
    names = ["Ann", "Ben", "Cleo", "Dan"]
    with ExitStack() as stack:
        people = [stack.enter_context(guest(server, name)) for name in names]
        lines = [stack.enter_context(waiting(each)) for each in people[:3]]
        until(lines[0], waiting=3)
        assert not shown or "waiting: 3" in people[3].get("/").text
        lines.append(stack.enter_context(waiting(people[3])))
        found = [next(each for each in line if "table" in each) for line in lines]
        assert len({each["table"] for each in found}) == 1
        assert [each["seat"] for each in found] == [0, 1, 2, 3]
        table = found[0]["table"]
        for client, name, seat in zip(people, names, range(4), strict=True):
            state = client.get(f"/api/v1/tables/{table}").json()
            assert (state["you"]["seat"], state["seats"][seat]["name"]) == (seat, name)
        assert table in [each["table"] for each in people[0].get("/api/v1/tables").json()]


def test_who_hangs_up_waits_no_more(server: Served) -> None:
    with guest(server, "Ann") as ann, guest(server, "Ben") as ben, waiting(ann) as line:
        with waiting(ben):
            until(line, waiting=2)
        until(line, waiting=1)


def test_a_program_is_told_its_token(server: Served) -> None:
    with ExitStack() as stack:
        clients = [stack.enter_context(httpx.Client(base_url=server.url, timeout=60)) for _ in range(4)]
        lines = [stack.enter_context(waiting(each, name=f"P{k}")) for k, each in enumerate(clients)]
        found = [next(each for each in line if "table" in each) for line in lines]
        for client, told in zip(clients, found, strict=True):
            headers = {"Authorization": f"Bearer {told['token']}"}
            state = client.get(f"/api/v1/tables/{told['table']}", headers=headers).json()
            assert state["you"]["seat"] == told["seat"]


def test_who_cannot_be_known_or_may_not_come_is_told_why(server: Served) -> None:
    refused = httpx.post(f"{server.url}{ASK}", json={}, headers={"Sec-Fetch-Site": "same-origin"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "no_cookies")
    assert httpx.post(f"{server.url}/api/v1/tables/queue/no-such-game", json={}).status_code == 422
    assert httpx.post(f"{server.url}{ASK}", json={"name": "\u200b"}).json()["error"]["code"] == "name"


def test_who_is_banned_while_they_wait_is_told(server: Served) -> None:
    db, token = f"sqlite:///{server.log.parent / 'tables.db'}", secrets.token_urlsafe(16)
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=server.url, timeout=60, headers=headers) as client, waiting(client, name="Eve") as line:
        until(line, waiting=1)
        table = client.post("/api/v1/tables", json={"game": "gong-zhu", "name": "Eve"}).json()["table"]
        done = admin(db, "ban", f"{table}:0", "--reason", "Rude words.")
        assert done.returncode == 0, done.stderr
        last = list(line)[-1]
        assert last["error"] == {"code": "banned", "text": "You are banned from this server. Rude words."}
