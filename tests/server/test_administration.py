"""``tefuda admin`` on a database that nobody serves; beside a server: test_administration_live.py."""

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

import pytest
from sqlalchemy import create_engine

from tefuda.server.http.limits import Bans
from tefuda.server.store import Draft, identities, moderation, open_store, stored_tables
from tefuda.server.store.database import Database
from tefuda.server.store.port import Ban
from tefuda.server.store.stored_tables import list_tables
from tefuda.server.table import replays
from tefuda.server.table.callers import token_hash
from tefuda.table.record import Record
from tests.server.administration import admin, log, state, told
from tests.server.server_process import ENVIRONMENT

ANN = token_hash("old-client-token-0123456789")
PLAYING, OVER = "hhfpfxs4kbnt", "rtthvu7uzcbe"
"""The tables in ``tables_of_0_2_0.sql``: Ann plays against three bots."""


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


# Without a server


@pytest.mark.slow
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


def test_of_a_damaged_table_all_else_is_seen_exported_and_erased(old: str) -> None:
    engine = create_engine(old.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE events SET body = 'not JSON' WHERE \"table\" = '{OVER}' AND seq = 40")
        connection.exec_driver_sql(f"UPDATE listings SET summary = 'not JSON' WHERE \"table\" = '{OVER}'")
    engine.dispose()
    found = told(old, "show", OVER)
    assert (found["damaged"], found["events"], found["people"][0]["name"]) == ([40], 64, "Ann")
    assert OVER in json.loads(admin(old, "export", ANN).stdout)["tables"]
    told(old, "erase", ANN, "--yes")
    assert ANN not in json.dumps(told(old, "show", OVER))


def test_what_does_not_exist_is_said_in_one_line(old: str, tmp_path: Path) -> None:
    for words, said in (
        (["show", "nowhere"], "nowhere: there is no such table"),
        (["close", "nowhere", "--yes"], "nowhere: there is no such table"),
        (["ban", "300.1.1.1"], "300.1.1.1 is no address or network"),
        (["ban", "somebody"], "'somebody' is no address, no hash"),
        (["export", "0" * 40], "no table knows this hash"),
        (["unban", "10.0.0.1"], "10.0.0.1 is not banned"),
        (["ban", "10.0.0.1", "--for", "long"], "--for long: write a number"),
        (["prune", "--delete"], "Missing option '--older-than'"),
        (["prune", "--older-than", "90d"], "say either --pack PATH or --delete"),
        (["prune", "--older-than", "soon", "--delete"], "--older-than soon: write a number"),
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
    with Database(old) as database:
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
    with pytest.raises(Exception, match="nobody is known to have had this seat"), Database(old) as database:
        identities.find_identity(database, f"{OVER}:1")


def test_erasing_a_person_leaves_the_game(old: str) -> None:
    before = state(old, OVER)
    record = replays.write_record(log(old, OVER))
    assert "Ann" in record
    told(old, "erase", ANN, "--yes")
    for table in (PLAYING, OVER):
        everything = json.dumps([event.body for event in log(old, table)])
        assert "Ann" not in everything
        assert ANN not in everything
    after = state(old, OVER)
    assert (after.results, after.deal and after.deal.history) == (before.results, before.deal and before.deal.history)
    assert state(old, PLAYING).chairs[0].name == ""  # they have left, and a bot goes on
    verified = Record.parse(replays.write_record(log(old, OVER), 1)).verify()
    assert replays.record_fault(log(old, OVER), verified, ["Ann", "hints 1", "hints 2", "hints 3"]) is None
    assert replays.record_fault(log(old, OVER), verified, ["-", "Ben", "hints 2", "hints 3"]) is not None
    assert "Ann" not in admin(old, "tables").stdout
    if old.startswith("sqlite"):
        path = Path(old.removeprefix("sqlite:///"))
        assert not [each for each in path.parent.glob("tables.db*") if ANN.encode() in each.read_bytes()]


@pytest.mark.parametrize("erased", ["a", "b"])
def test_reports_say_who_said_what_until_one_of_the_two_is_erased(old: str, erased: str) -> None:
    ann, ben = "a" * 40, "b" * 40
    host: dict[str, object] = {"guest": ann, "token": None}
    created = {"table": "t", "game": "gong-zhu", "rules": 1, "seats": 4, "options": {}, "host": host, "public": False}
    drafts = [
        Draft("created", {**created, "invite": None, "spectators": "none", "clock": None}),
        Draft("seated", {"seat": 0, "name": "Zenobia", "guest": ann, "token": None}),
        Draft("seated", {"seat": 1, "name": "Balthasar", "guest": ben, "token": None}),
        Draft("said", {"seat": 1, "text": "Something rude"}),
        Draft("left", {"seat": 1}),
        Draft("seated", {"seat": 1, "name": "Caspar", "guest": "c" * 40, "token": None}),
        Draft("reported", {"seat": 0, "of": 1, "said": 4, "note": "Balthasar was rude"}),
        Draft("reported", {"seat": 0, "of": 1, "note": ""}),
    ]

    async def write() -> None:
        store = open_store(old)
        await store.append("t", 0, drafts)
        await store.close()

    asyncio.run(write())
    by_name, by_words = sorted(told(old, "reports"), key=lambda report: report["said"])
    assert (by_words["whom"]["name"], by_words["whom"]["guest"], by_words["by"]["name"]) == (
        "Balthasar",
        ben,
        "Zenobia",
    )
    assert (by_words["said"], by_words["note"], by_words["table"]) == ("Something rude", "Balthasar was rude", "t")
    assert (by_name["said"], by_name["whom"]["name"]) == ("", "Caspar")
    assert "Balthasar: Something rude" in admin(old, "reports").stdout
    told(old, "erase", erased * 40, "--yes")
    left = json.dumps(told(old, "reports"))
    assert "Balthasar was rude" not in left
    assert [each in left for each in ("Zenobia", "Something rude", ann)] == [
        erased == "b",
        erased == "a",
        erased == "b",
    ]
    assert state(old, "t").seq >= len(drafts)


def test_old_tables_are_packed_into_records_that_verify(old: str, tmp_path: Path) -> None:
    assert told(old, "prune", "--older-than", "9999d", "--delete", "--yes") == {"deleted": [], "records": []}
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


def test_a_table_that_cannot_be_packed_is_kept(old: str, tmp_path: Path) -> None:
    engine = create_engine(old.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE events SET body = '7' WHERE \"table\" = '{OVER}' AND seq = 40")
    engine.dispose()
    done = admin(old, "prune", "--older-than", "0m", "--pack", str(tmp_path / "folder"), "--yes")
    assert f"{OVER} is kept: table {OVER}: event 40 is damaged" in done.stderr
    assert "deleted 0 tables" in done.stdout


def test_a_table_at_which_something_happens_meanwhile_is_kept(old: str) -> None:
    with Database(old) as database:
        (line,) = stored_tables.old_tables(database, before=2**60, unfinished=False)
        told(old, "close", OVER, "--yes")
        assert not stored_tables.discard(database, line)
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
    with Database(old) as database:
        (found,) = moderation.list_bans(database)
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
