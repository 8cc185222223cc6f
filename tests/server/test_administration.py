"""``tefuda admin``, beside a server that runs and on a database that nobody serves."""

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import create_engine
from websockets.exceptions import InvalidStatus

from tefuda.server.administration import bans, identities, retention
from tefuda.server.administration.database import opened
from tefuda.server.administration.tables import list_tables
from tefuda.server.events import records
from tefuda.server.events.hashes import token_hash
from tefuda.server.events.player_names import ERASED
from tefuda.server.events.table_changes import apply
from tefuda.server.events.table_state import TableState
from tefuda.server.store import Event, open_store
from tefuda.server.store.port import Ban
from tefuda.server.web.bans import Bans
from tefuda.table.record import Record
from tests.cli.command import run
from tests.server.crowds import Load, check
from tests.server.players import Crowd, Player, closed, seat_all
from tests.server.postgres import programs
from tests.server.server_process import ENVIRONMENT, Served, serving

ANN = token_hash("old-client-token-0123456789")
PLAYING, OVER = "hhfpfxs4kbnt", "rtthvu7uzcbe"
"""The tables in ``tables_of_0_2_0.sql``: Ann plays against three bots."""


def admin(db: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run ``tefuda admin`` in this process; no person is at the other end."""
    return run({**os.environ, "XDG_DATA_HOME": "", "COLUMNS": "200", "NO_COLOR": "1"}, "admin", *words, "--db", db)


def told(db: str, *words: str) -> Any:
    """What ``tefuda admin … --json`` prints."""
    done = admin(db, *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def old(database: str) -> str:
    """The address of a database with two tables, unserved."""
    dump = (Path(__file__).parent / "tables_of_0_2_0.sql").read_text("utf-8")
    statements = dump.replace("BEGIN TRANSACTION;", "").replace("COMMIT;", "").replace(",1,'{", ",TRUE,'{")
    engine = create_engine(database.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        for statement in filter(str.strip, statements.split(";\n")):
            connection.exec_driver_sql(statement)
    engine.dispose()
    asyncio.run(open_store(database).close())
    return database


def log(db: str, table: str) -> list[Event]:
    async def read() -> list[Event]:
        store = open_store(db)
        try:
            return await store.read(table)
        finally:
            await store.close()

    return asyncio.run(read())


def state(db: str, table: str) -> TableState:
    found = TableState()
    for event in log(db, table):
        apply(found, event)
    return found


# Without a server


def test_tables_are_listed_and_looked_at(old: str) -> None:
    lines = told(old, "tables")
    assert [(line["table"], line["phase"], line["events"]) for line in lines] == [
        (OVER, "over", 64),
        (PLAYING, "playing", 32),
    ]
    assert [line["table"] for line in told(old, "tables", "--phase", "playing")] == [PLAYING]
    assert told(old, "tables", "--game", "luk-fu") == []
    found = told(old, "show", OVER)
    assert (found["events"], found["kinds"]["seated"], found["people"][0]["token"]) == (64, 4, ANN)
    environment = {**ENVIRONMENT, "TEFUDA_DB": old}
    listed = subprocess.run([sys.executable, "-m", "tefuda", "admin", "tables"], env=environment, capture_output=True)
    assert OVER.encode() in listed.stdout


def test_what_does_not_exist_is_said_in_one_line(old: str, tmp_path: Path) -> None:
    for words, said in (
        (["show", "nowhere"], "nowhere: there is no such table"),
        (["close", "nowhere", "--yes"], "nowhere: there is no such table"),
        (["ban", "300.1.1.1"], "300.1.1.1 is no address or network"),
        (["ban", "somebody"], "'somebody' is no address, no hash"),
        (["export", "0" * 40], "no table knows this hash"),
        (["unban", "10.0.0.1"], "10.0.0.1 is not banned"),
        (["ban", "10.0.0.1", "--for", "long"], "--for long: write a number"),
        (["prune", "--delete"], "say either --older-than 90d or --finished-before"),
        (["prune", "--older-than", "90d"], "say either --pack PATH or --delete"),
        (["prune", "--finished-before", "soon", "--delete"], "--finished-before soon: write a day"),
        (["restore", str(tmp_path / "none"), "--yes"], "there is no such file"),
    ):
        done = admin(old, *words)
        assert done.returncode == 2
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
    assert "there is no such database" in admin(f"sqlite:///{tmp_path / 'none.db'}", "tables").stderr


@pytest.mark.parametrize("words", [["close", PLAYING], ["erase", ANN], ["prune", "--older-than", "0m", "--delete"]])
def test_what_cannot_be_undone_asks_first(old: str, words: list[str]) -> None:
    before = [log(old, PLAYING), log(old, OVER)]
    assert "add --yes" in admin(old, *words).stderr
    assert "would " in admin(old, *words, "--dry-run").stdout
    assert set(told(old, *words, "--dry-run")) == {"would"}
    assert [log(old, PLAYING), log(old, OVER)] == before


def test_a_closed_table_stays_closed(old: str) -> None:
    assert told(old, "close", PLAYING, "--yes") == {"closed": [PLAYING]}
    assert told(old, "close", PLAYING, "--yes") == {"closed": []}
    assert state(old, PLAYING).phase == "closed"
    with opened(old) as database:
        (line,) = list_tables(database, phase="closed")
    assert not line.public


def test_what_belongs_to_one_person_is_exported(old: str) -> None:
    found = json.loads(admin(old, "export", f"{OVER}:0").stdout)
    assert found["hashes"] == [ANN]
    assert set(found["tables"]) == {PLAYING, OVER}
    mine = found["tables"][OVER]
    assert [each["kind"] for each in mine[:2]] == ["created", "seated"]
    assert {each["seat"] for each in mine[1:]} == {0}
    assert sum(each["kind"] == "played" for each in mine) == 13 + 1
    with pytest.raises(Exception, match="nobody is known to have had this seat"), opened(old) as database:
        identities.find_identity(database, f"{OVER}:1")


def test_erasing_a_person_leaves_the_game(old: str) -> None:
    before = state(old, OVER)
    record = records.write(log(old, OVER))
    assert "Ann" in record
    told(old, "erase", ANN, "--yes")
    for table in (PLAYING, OVER):
        everything = json.dumps([event.body for event in log(old, table)])
        assert "Ann" not in everything
        assert ANN not in everything
    after = state(old, OVER)
    assert (after.results, after.deal and after.deal.history) == (before.results, before.deal and before.deal.history)
    assert state(old, PLAYING).chairs[0].name == ""  # they have left, and a bot goes on
    verified = Record.parse(records.write(log(old, OVER), 1)).verify()
    assert records.fault(log(old, OVER), verified, ["Ann", "hints 1", "hints 2", "hints 3"]) is None
    assert records.fault(log(old, OVER), verified, ["-", "Ben", "hints 2", "hints 3"]) is not None
    assert "Ann" not in admin(old, "tables").stdout
    if old.startswith("sqlite"):
        path = Path(old.removeprefix("sqlite:///"))
        assert not [each for each in path.parent.glob("tables.db*") if ANN.encode() in each.read_bytes()]


def test_old_tables_are_packed_into_records_that_verify(old: str, tmp_path: Path) -> None:
    assert told(old, "prune", "--finished-before", "2026-01-01", "--delete", "--yes") == {"deleted": [], "records": []}
    archive = tmp_path / "old.tar.gz"
    done = told(old, "prune", "--older-than", "0m", "--pack", str(archive), "--yes")
    assert done == {"deleted": [OVER], "records": [f"{OVER}-1.tfd"]}
    with tarfile.open(archive) as packed:
        member = packed.extractfile(f"{OVER}-1.tfd")
        assert member is not None
        (deal,) = Record.parse(member.read().decode()).verify()
    assert deal.over
    assert log(old, OVER) == []
    assert len(log(old, PLAYING)) == 32
    assert told(old, "prune", "--older-than", "0m", "--delete", "--unfinished", "--yes")["deleted"] == [PLAYING]
    assert told(old, "tables") == []
    assert told(old, "vacuum", "--yes")["bytes_after"] > 0


def test_a_table_that_cannot_be_packed_is_kept(old: str, tmp_path: Path) -> None:
    engine = create_engine(old.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE events SET body = '7' WHERE \"table\" = '{OVER}' AND seq = 40")
    engine.dispose()
    done = admin(old, "prune", "--older-than", "0m", "--pack", str(tmp_path / "folder"), "--yes")
    assert f"{OVER} is kept: table {OVER}: event 40 is damaged" in done.stderr
    assert "deleted 0 tables" in done.stdout


def test_a_table_at_which_something_happens_meanwhile_is_kept(old: str) -> None:
    with opened(old) as database:
        (line,) = retention.old_tables(database, before=2**60, unfinished=False)
        told(old, "close", OVER, "--yes")
        assert not retention.discard(database, line)
    assert len(log(old, OVER)) == 65


def test_a_ban_ends_by_itself_and_covers_a_network() -> None:
    now = 2**60
    of = Bans([Ban("203.0.113.0/24", 0, None, ""), Ban("2001:db8::7", 0, None, ""), Ban("10.0.0.1", 0, 1, "over")])
    assert of.of_address("203.0.113.9")
    assert of.of_address("2001:db8::/64")
    assert of.of_address("10.0.0.1") is None
    assert of.of_address("203.0.114.1") is None
    assert of.of_address("unknown") is None
    assert Bans([Ban("10.0.0.1", 0, now, "")]).of_address("10.0.0.1")


def test_a_ban_of_one_address_is_kept_in_one_form(old: str) -> None:
    told(old, "ban", "203.0.113.77/24", "--reason", "noise")
    told(old, "ban", "203.0.113.0/24", "--reason", "more noise", "--for", "7d")
    with opened(old) as database:
        (found,) = bans.bans(database)
    assert (found.subject, found.reason) == ("203.0.113.0/24", "more noise")
    told(old, "unban", "203.0.113.0/24")
    assert told(old, "bans") == []


def test_before_an_upgrade_an_older_database_can_be_copied_and_nothing_else(tmp_path: Path) -> None:
    older, again = tmp_path / "older.db", f"sqlite:///{tmp_path / 'again.db'}"
    with closing(sqlite3.connect(older)) as connection:
        connection.executescript((Path(__file__).parent / "tables_of_0_2_0.sql").read_text("utf-8"))
    assert "of version 3, this Tefuda needs" in admin(f"sqlite:///{older}", "tables").stderr
    told(f"sqlite:///{older}", "backup", str(tmp_path / "copy"))
    told(again, "restore", str(tmp_path / "copy"), "--yes")
    assert "of version 3" in admin(again, "tables").stderr  # nothing but a server's start brings it up to date
    assert len(log(again, OVER)) == 64


def test_only_whoever_makes_a_copy_can_read_it(old: str, tmp_path: Path) -> None:
    if old.startswith("postgresql") and shutil.which("pg_dump") is None:
        pytest.skip("pg_dump left out: apt-get install postgresql-client")
    told(old, "backup", str(tmp_path / "copy"))
    assert (tmp_path / "copy").stat().st_mode & 0o077 == 0
    assert "add --yes" in admin(old, "backup", str(tmp_path / "copy")).stderr
    assert (
        f"{tmp_path / 'none'}: there is no such folder" in admin(old, "backup", str(tmp_path / "none" / "copy")).stderr
    )
    assert not list(tmp_path.glob(".*"))


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="owners left out: only root gives files away"
)
def test_a_restored_database_belongs_to_the_user_of_the_one_before(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    db = f"sqlite:///{file}"
    asyncio.run(open_store(db).close())
    os.chown(file, 12345, 12345)
    told(db, "backup", str(tmp_path / "copy"))
    told(db, "restore", str(tmp_path / "copy"), "--yes")
    assert (file.stat().st_uid, file.stat().st_gid) == (12345, 12345)


def test_a_copy_that_is_none_is_not_restored(old: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("no database" * 1000)
    done = admin(old, "restore", str(wrong), "--yes")
    assert done.returncode == 2
    assert len(log(old, OVER)) == 64


# Beside a server


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
    await asyncio.to_thread(told, db, "close", crowd.table, "--yes")
    async with asyncio.timeout(5):
        await crowd.players[0].until(lambda message: message.get("phase") == "closed")
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
        assert (page.status_code, page.text) == (403, "您已被禁止使用此伺服器。")
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
