"""``tefuda doctor``: what is well, and what is broken on purpose, in one line each with what to do."""

import asyncio
import json
import shutil
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.cli.command import run

from tefuda.cli import doctor
from tefuda.engine import cache, compilation
from tefuda.server.http.limits import household
from tefuda.server.store import open_store, schema

EXPECTED = ["database", "clock", "cache", "decks", "port"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database of the present version, that no server uses."""
    file = tmp_path / "tables.db"
    asyncio.run(open_store(f"sqlite:///{file}").close())
    return file


def examined(home: Mapping[str, str], *words: str) -> tuple[int, dict[str, dict[str, str]]]:
    """The exit status, and of each check what it found that is worst."""
    done = run(home, "doctor", "--json", "--port", "0", *words)
    assert done.stderr == ""
    found: list[dict[str, str]] = json.loads(done.stdout)
    order = ["problem", "warning", "ok"]
    return done.returncode, {
        each["check"]: each for each in sorted(found, key=lambda each: -order.index(each["state"]))
    }


def test_a_machine_in_order_has_no_problem(home: dict[str, str], file: Path) -> None:
    status, found = examined(home, "--db", f"sqlite:///{file}")
    assert status == 0
    assert sorted(found) == sorted(EXPECTED)
    assert found["database"]["told"] == f"{file} is of version {schema.VERSION}, and can be written"
    assert found["clock"]["state"] == "ok"


def test_each_finding_is_one_line_with_what_to_do(home: dict[str, str], tmp_path: Path) -> None:
    done = run(home, "doctor", "--port", "0", "--db", f"sqlite:///{tmp_path / 'new' / 'tables.db'}")
    lines = done.stdout.splitlines()
    assert lines[0] == f"ok       database  {tmp_path / 'new' / 'tables.db'} does not exist yet; tefuda serve makes it"
    assert not (tmp_path / "new").exists()
    assert {line.split()[1] for line in lines} == set(EXPECTED)


def test_a_folder_that_cannot_be_written_is_named(home: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    status, found = examined(home, "--db", f"sqlite:///{tmp_path / 'file' / 'tables.db'}")
    assert status == 1
    assert found["database"] == {
        "check": "database", "state": "problem", "told": f"{tmp_path / 'file'} cannot be written: Not a directory",
        "todo": "let this user write there, or name another --db",
    }  # fmt: skip


def test_a_newer_database_is_left_alone(home: dict[str, str], file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE meta SET value = '99' WHERE key = 'version'")
    status, found = examined(home, "--db", f"sqlite:///{file}")
    assert status == 1
    assert found["database"]["told"].endswith(
        f"the database is of version 99, this Tefuda reads up to {schema.VERSION}: install a newer Tefuda"
    )
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM meta WHERE key = 'checked'").fetchone() == (0,)


def test_an_older_database_is_brought_up_to_date_by_the_server(home: dict[str, str], file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE meta SET value = '10' WHERE key = 'version'")
    status, found = examined(home, "--db", f"sqlite:///{file}")
    assert (status, found["database"]["state"]) == (0, "warning")
    assert "start `tefuda serve` on it once" in found["database"]["told"]


def test_a_file_that_is_no_database(home: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "tables.db").write_text("no database " * 100)
    status, found = examined(home, "--db", f"sqlite:///{tmp_path / 'tables.db'}")
    assert (status, found["database"]["told"]) == (1, f"{tmp_path / 'tables.db'}: file is not a database")


def test_a_database_that_belongs_to_somebody_else_is_not_opened(
    home: dict[str, str], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "getpass", SimpleNamespace(getuser=lambda: "ann"))
    status, found = examined(home, "--db", f"sqlite:///{file}")
    assert (status, found["database"]["state"]) == (0, "warning")
    assert found["database"]["todo"] == f"try again as {file.owner()}"
    assert [path.name for path in file.parent.iterdir() if path.name.startswith("tables.db-")] == []


def test_postgresql_that_does_not_answer(home: dict[str, str]) -> None:
    pytest.importorskip("psycopg", reason="PostgreSQL left out: uv sync --extra postgres")
    status, found = examined(home, "--db", "postgresql://ann:secret@127.0.0.1:1/tables")
    assert status == 1
    assert found["database"]["told"].startswith("postgresql://ann:***@127.0.0.1:1/tables: connection failed")
    assert found["database"]["todo"] == "does it run there, and may this user in?"


def test_little_room_on_the_disk(home: dict[str, str], file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for free, state, status in ((500e6, "warning", 0), (50e6, "problem", 1)):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, free=free: SimpleNamespace(free=free))
        ended, found = examined(home, "--db", f"sqlite:///{file}")
        assert (ended, found["database"]["state"]) == (status, state)
        assert found["database"]["told"] == f"{file.parent}: {free / 1e6:.0f} MB are free"


def test_a_clock_that_was_set_back(home: dict[str, str], file: Path) -> None:
    ahead = int(1000 * (time.time() + 3600))
    with closing(sqlite3.connect(file)) as connection, connection:
        row = 'INSERT INTO listings ("table", seq, at, public, summary) VALUES (?, 1, ?, 1, ?)'
        connection.execute(row, ["t", ahead, "{}"])
    status, found = examined(home, "--db", f"sqlite:///{file}")
    assert (status, found["database"]["state"]) == (1, "problem")
    assert found["database"]["told"].endswith("s from now: the clock was set back")


def test_a_clock_that_is_moved_meanwhile(home: dict[str, str], file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steady = iter((0.0, 0.5))
    wall = iter((100.0, 90.5))
    clocks = SimpleNamespace(time=lambda: next(wall), monotonic=lambda: next(steady), sleep=lambda _: None)
    monkeypatch.setattr(doctor, "time", clocks)
    (found,) = doctor.clock()
    assert found == ("warning", "it moved -10.00 s", "try again")


def test_a_cache_that_cannot_be_written(home: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(cache, "base", lambda: tmp_path / "file")
    status, found = examined(home, "--db", f"sqlite:///{tmp_path / 'tables.db'}")
    assert (status, found["cache"]["state"]) == (1, "problem")
    assert "set TEFUDA_CACHE_DIR to another" in found["cache"]["todo"]


def test_games_that_are_not_compiled(home: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "is_warm", lambda game: game.name != "luk-fu")
    status, found = examined(home, "--db", f"sqlite:///{tmp_path / 'tables.db'}")
    assert (status, found["cache"]["state"]) == (0, "warning")
    assert found["cache"]["todo"].startswith("tefuda admin compile luk-fu,")


class Other(BaseHTTPRequestHandler):
    """A server that is not Tefuda's."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"status": "ok"}')

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def other() -> Iterator[int]:
    """The port of a program that is not Tefuda."""
    with HTTPServer(("127.0.0.1", 0), Other) as server:
        running = threading.Thread(target=server.serve_forever)
        running.start()
        yield server.server_port
        server.shutdown()
        running.join()


def test_a_port_that_another_program_has(home: dict[str, str], tmp_path: Path, other: int) -> None:
    status, found = examined(home, "--db", f"sqlite:///{tmp_path / 'tables.db'}", "--port", str(other))
    assert status == 1
    assert found["port"]["told"] == f"--port {other}: Address already in use; name another --port"


def test_a_port_that_nobody_answers_at(home: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "WITHIN", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        status, found = examined(home, "--db", f"sqlite:///{tmp_path / 'tables.db'}", "--port", str(port))
    assert (status, found["port"]["state"]) == (1, "problem")


def test_an_address_that_leads_to_another_program(home: dict[str, str], tmp_path: Path, other: int) -> None:
    url = f"http://127.0.0.1:{other}"
    status, found = examined(home, "--db", f"sqlite:///{tmp_path / 'tables.db'}", "--url", url)
    assert status == 1
    assert found["proxy"]["told"] == f"{url}/healthz is answered with status 200"


@pytest.mark.parametrize("url", ["cards.example", "ftp://cards.example", "https://"])
def test_an_address_that_is_none(home: dict[str, str], url: str) -> None:
    done = run(home, "doctor", "--url", url)
    assert (done.returncode, done.stderr) == (2, f"tefuda: --url: {url!r} is not written like https://cards.example\n")


@pytest.mark.parametrize(
    ("seen", "own", "state"),
    [
        ("203.0.113.77", "192.168.1.5", "problem"),  # what the client has written
        ("192.168.1.5", "192.168.1.5", "ok"),
        ("8.8.4.4", "192.168.1.5", "ok"),  # the network's own address outside
        ("172.28.0.2", "192.168.1.5", "problem"),  # a proxy that is not trusted
        ("unknown", "192.168.1.5", "problem"),
        ("2001:4860:1:2::/64", "2001:4860:1:2::7", "ok"),  # a household
    ],
)
def test_whether_the_server_knows_who_asks(seen: str, own: str, state: str) -> None:
    assert doctor.judge(seen, household(own))[0] == state
