"""``tefuda admin`` beside a server that runs and is played on."""

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tefuda.server.store.people import ERASED
from tests.server.administration import admin, told
from tests.server.crowds import Load, check
from tests.server.players import Crowd, Player, closed, seat_all
from tests.server.postgres import programs
from tests.server.server_process import Served, serving

pytestmark = pytest.mark.slow


async def until(wanted: Any, within: float = 5) -> None:
    """Wait for something to become true."""
    async with asyncio.timeout(within):
        while not wanted():
            await asyncio.sleep(0.05)


def test_a_running_server_obeys_within_seconds(server: Served) -> None:
    asyncio.run(obey(server))


@pytest.mark.deep
def test_every_process_of_a_server_obeys(tmp_path: Path) -> None:
    options = ("--game", "gong-zhu", "--workers", "2")
    with serving(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log", *options) as server:
        asyncio.run(obey(server))


async def obey(server: Served) -> None:
    db = f"sqlite:///{server.log.parent / 'tables.db'}"
    crowd = await seat_all([server.url], "gong-zhu", 4)
    for player in crowd.players:
        await player.until(lambda message: message.get("deal"))
    await asyncio.to_thread(told, db, "close", crowd.table, "--yes")
    async with asyncio.timeout(5):
        for player in crowd.players:
            shown = await player.until(lambda message: message.get("phase") == "closed")
            assert (shown["deal"]["mover"], shown["deal"]["legal"]) == (None, [])  # nobody is asked any more
    await crowd.close()
    await banned_by_hash(db, server, await seat_all([server.url], "gong-zhu", 4))
    await erased(db, server, await seat_all([server.url], "gong-zhu", 4))
    await banned_by_address(db, server, await seat_all([server.url], "gong-zhu", 4))


async def banned_by_hash(db: str, server: Served, crowd: Crowd) -> None:
    first, second = crowd.players[:2]
    await asyncio.to_thread(told, db, "ban", f"{crowd.table}:1", "--reason", "Rude words.")
    assert await closed(second) == 1008
    error = json.loads(second.frames[-1])["error"]
    assert error == {"code": "banned", "text": "You are banned from this server. Rude words."}
    again = await Player(server.url, crowd.table, second.token).connect(query="lang=ja")
    message = await again.receive()
    assert message["error"]["text"] == "このサーバーの利用は禁止されています。 Rude words."
    answer = await crowd.post("leave", token=second.token)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "banned")
    assert (await first.order(type="ping"))["type"] == "pong"
    await crowd.close()
    await asyncio.to_thread(told, db, "unban", f"{crowd.table}:1")
    async with asyncio.timeout(5):
        while (await crowd.post("here", token=second.token)).status_code == 403:
            await asyncio.sleep(0.1)


async def erased(db: str, server: Served, crowd: Crowd) -> None:
    first = crowd.players[0]
    await asyncio.to_thread(told, db, "erase", f"{crowd.table}:1", "--yes")
    assert await closed(first) == 1012
    await first.connect(after=first.state["seq"])
    await first.receive()
    assert [seat["name"] for seat in first.state["seats"]] == ["player 0", "", "player 2", "player 3"]
    await crowd.close()
    everything = await asyncio.to_thread(told, db, "show", crowd.table)
    assert [each["name"] for each in everything["people"]] == ["player 0", ERASED, "player 2", "player 3"]


async def banned_by_address(db: str, server: Served, crowd: Crowd) -> None:
    await asyncio.to_thread(told, db, "ban", "127.0.0.1")
    assert [await closed(player) for player in crowd.players] == [1008] * 4
    async with httpx.AsyncClient() as client:
        page = await client.get(server.url, headers={"Accept": "text/html", "Accept-Language": "zh-Hant"})
        assert (page.status_code, page.text) == (403, "你已被禁止使用此伺服器。")
        answer = await client.get(f"{server.url}/api/v1/games")
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "banned")
    with pytest.raises(InvalidStatus):
        await Player(server.url, crowd.table).connect()
    await asyncio.to_thread(told, db, "unban", "127.0.0.1")
    async with httpx.AsyncClient() as client, asyncio.timeout(5):
        while (await client.get(f"{server.url}/api/v1/games")).status_code == 403:
            await asyncio.sleep(0.1)


def test_a_backup_under_load_has_all_that_was_acknowledged_before_it_began(database: str, tmp_path: Path) -> None:
    place = programs()
    if database.startswith("postgresql") and (place is None or shutil.which("pg_dump") is None):
        pytest.skip("pg_dump left out: apt-get install postgresql-client")
    copy, again = tmp_path / "copy", f"sqlite:///{tmp_path / 'again.db'}"
    options = ("--game", "gong-zhu")

    async def scenario(server: Served) -> list[Any]:
        load = Load([server.url])
        await load.start(3)
        await until(lambda: len(load.acknowledged) > 100, 60)
        before = list(load.acknowledged)
        await asyncio.to_thread(told, database, "backup", str(copy))
        during = len(load.acknowledged)
        await until(lambda: len(load.acknowledged) > during + 50, 60)
        await load.stop()
        if database.startswith("sqlite"):
            done = await asyncio.to_thread(admin, database, "restore", str(copy), "--yes")
            assert "in use by another process" in done.stderr
        else:
            done = await asyncio.to_thread(admin, database, "restore", str(copy), "--yes")
            assert "the database is in use; stop the servers" in done.stderr
        return before

    with serving(database, tmp_path / "log", *options) as server:
        before = asyncio.run(scenario(server))
    if database.startswith("sqlite"):
        told(again, "restore", str(copy), "--yes")
        assert asyncio.run(check(again, before)) >= len(before)
    told(database, "restore", str(copy), "--yes")
    assert asyncio.run(check(database, before)) >= len(before)
    with serving(database, tmp_path / "log", *options) as server:
        asyncio.run(played_on(server, before[0].table))


async def played_on(server: Served, table: str) -> None:
    """The table is served again, where it was."""
    async with httpx.AsyncClient() as client:
        answer = await client.get(f"{server.url}/api/v1/tables/{table}")
    assert answer.status_code == 200
    assert answer.json()["seq"] > 1


def test_a_table_is_closed_and_erased_at_while_it_is_played_at_full_speed(database: str, tmp_path: Path) -> None:
    """The server and the administrator append to the same logs: no place is taken twice, and nothing is lost."""

    async def scenario(server: Served) -> Load:
        load = Load([server.url])
        await load.start(3)
        await until(lambda: len(load.acknowledged) > 60, 60)
        tables = sorted({player.table for player in load.players})
        load.refusals.add("not_seated")  # as whoever is erased
        await asyncio.to_thread(told, database, "erase", f"{tables[0]}:0", "--yes")
        before = len(load.acknowledged)
        await until(lambda: len(load.acknowledged) > before + 60, 60)
        await load.stop()
        await asyncio.to_thread(told, database, "close", tables[1], tables[2], "--yes")
        return load

    with serving(database, tmp_path / "log", "--game", "gong-zhu") as server:
        load = asyncio.run(scenario(server))
    assert asyncio.run(check(database, load.acknowledged)) > len(load.acknowledged)
