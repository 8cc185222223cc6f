"""The log of all tables: no table disappears from it unnoticed, however many processes write it."""

import asyncio
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select

from tefuda.client import Client, Seat, ServerRefused, UnfairShuffle
from tefuda.engine.errors import TefudaError
from tefuda.server.store import Draft, heads, open_store, schema, stored_tables
from tefuda.server.store.database import Database
from tefuda.table.head_log import FIRST, Head, SeenLog, link
from tefuda.table.shuffle import ChainError
from tests.server import verifier_vectors
from tests.server.cheating_house import ANN, House
from tests.server.server_process import Served, serving
from tests.server.test_verifiers import run

HEADS = [f"{number:02x}" * 32 for number in range(60)]


def made(address: str) -> None:
    """Make the database."""
    asyncio.run(open_store(address).close())


def entries(database: Database) -> list[dict[str, Any]]:
    """The log, whose links are checked."""
    query = select(schema.heads).order_by(schema.heads.c.number)
    found, before = database.fetch(query, lambda row: dict(row._mapping)), FIRST
    for number, row in enumerate(found, 1):
        before = link(before, {name: row[name] for name in ("number", "at", "kind", "head")})
        assert (row["number"], row["link"]) == (number, before)
    return found


def test_many_who_append_at_the_same_time_make_one_chain(database: str) -> None:
    """Each of several administrators' connections, which wait for each other as processes do."""
    made(database)

    def append(worker: int) -> None:
        with Database(database) as own:
            for head in HEADS[10 * worker : 10 * worker + 10]:
                own.change(partial(heads.append, table=f"t{worker}", dealt=[head]))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(append, range(6)))
    with Database(database) as own:
        assert sorted(row["head"] for row in entries(own)) == HEADS


def test_a_deal_is_entered_once(database: str) -> None:
    async def enter() -> None:
        store = open_store(database)
        await store.heads.add("t", HEADS[:2])
        await store.heads.add("t", HEADS[:3])
        await store.heads.add("u", HEADS[:1])  # the deal of a round, which several tables have
        assert await store.heads.newest() == (4, (await store.heads.entries(3, 9))[0]["link"])
        assert [row["head"] for row in await store.heads.entries(1, 3)] == HEADS[1:3]
        await store.close()

    asyncio.run(enter())
    with Database(database) as own:
        assert [(row["table"], row["head"]) for row in entries(own)] == [
            ("t", HEADS[0]),
            ("t", HEADS[1]),
            ("t", HEADS[2]),
            ("u", HEADS[0]),
        ]


def test_a_table_that_is_pruned_leaves_its_heads(database: str) -> None:
    async def play() -> None:
        store = open_store(database)
        for table in ("t", "u"):
            await store.append(table, 0, [Draft("created", {"table": table})])
        await store.heads.add("t", HEADS[:2])
        await store.close()

    asyncio.run(play())
    with Database(database) as own:
        for line in stored_tables.old_tables(own, before=2**60, unfinished=True):
            assert stored_tables.discard(own, line)
        assert stored_tables.list_tables(own) == []
        told = [(row["kind"], row["head"]) for row in entries(own)]
    assert told == [("dealt", HEADS[0]), ("dealt", HEADS[1]), ("pruned", HEADS[1])]


def test_what_is_entered_is_what_players_were_shown() -> None:
    house = House()
    house.seal()
    assert house.table.dealt_heads() == []
    for caller in house.books:
        house.answer(caller)
    house.deal()
    assert house.table.dealt_heads() == [house.books[ANN].receipts["t/1", 1].link]


# A program at a server


def play(client: Client) -> Seat:
    """Play a little at a table, and close it, so that the client checks the deal."""
    seat = client.open("gong-zhu", name="Ann", bots=["hints"] * 3)
    for number, turn in enumerate(seat):
        if number < 2:
            seat.play(turn.choices[0])
        elif number == 2:
            client.post(f"tables/{seat.table}/close")
    return seat


def test_a_program_finds_its_deals_in_the_log_whenever_it_comes(server: Served, tmp_path: Path) -> None:
    receipts = tmp_path / "my.receipts"
    for games in (1, 2):
        assert play(Client(server.url, receipts=receipts)).check() == [1]
        kept = list(map(json.loads, receipts.read_text().splitlines()))
        assert [receipt["logged"] for receipt in kept] == [True] * games
    head = json.loads((tmp_path / "my.receipts.heads").read_text())
    assert head["server"] == server.url
    part = Client(server.url).get("chain", after=head["number"] - 1)
    assert part["entries"][0]["link"] == head["link"]
    assert Head.read(part["head"]).key == head["key"]


@pytest.mark.parametrize("program", ["python", "node"])
def test_the_verifiers_take_what_a_program_has_kept(program: str, server: Served, tmp_path: Path) -> None:
    client = Client(server.url, receipts=tmp_path / "receipt")
    play(client)
    seat = play(client)  # of the first deal nothing of the log was known before
    kept = json.loads((tmp_path / "receipt").read_text().splitlines()[1])["log"]
    part = client.get("chain")
    files: dict[str, Any] = {
        "t.tfd": seat.record(),
        "chain": client.get(f"tables/{seat.table}/commitments"),
        "heads": part,
    }
    for name, shown in files.items():
        (tmp_path / name).write_text(shown if isinstance(shown, str) else json.dumps(shown), "utf-8")
    given = [tmp_path / "t.tfd", "--server", server.url, "--kept", tmp_path / "receipt.heads"]
    given += [word for name in ("receipt", "chain", "heads") for word in (f"--{name}", tmp_path / name)]
    done = run(program, *given)
    assert (done.returncode, done.stdout) == (0, "Fair.\n")
    assert part["entries"][kept:]
    (tmp_path / "heads").write_text(json.dumps(verifier_vectors.log_of(*HEADS)), "utf-8")
    done = run(program, *given)
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, "NOT FAIR.")
    assert "not the one whose head was kept" in done.stdout


Lie = Callable[[dict[str, Any]], dict[str, Any]]


def log_without_the_last(part: dict[str, Any]) -> dict[str, Any]:
    return verifier_vectors.relinked(part["entries"][:-1])


def log_of_another_table(part: dict[str, Any]) -> dict[str, Any]:
    return verifier_vectors.relinked([*part["entries"][:-1], {**part["entries"][-1], "head": HEADS[0]}])


def log_begun_anew(part: dict[str, Any]) -> dict[str, Any]:
    return verifier_vectors.relinked(verifier_vectors.renumbered(part["entries"][1:]))


def log_signed_by_another(part: dict[str, Any]) -> dict[str, Any]:
    return verifier_vectors.relinked(part["entries"], verifier_vectors.OTHER)


def log_signed_by_nobody(part: dict[str, Any]) -> dict[str, Any]:
    return {**part, "head": {**part["head"], "signature": "00" * 64}}


@pytest.mark.parametrize(
    ("lie", "told"),
    [
        (log_without_the_last, "lacks it"),
        (log_of_another_table, "lacks it"),
        (log_begun_anew, "not the one whose head"),
        (log_signed_by_another, "not the one whose head"),
        (log_signed_by_nobody, "not signed"),
    ],
)
def test_a_program_notices_when_a_table_disappears_from_the_log(
    server: Served, monkeypatch: pytest.MonkeyPatch, lie: Lie, told: str
) -> None:
    """The server shows an honest log, signed by the key of the vectors, until the deal is checked."""
    client, asked = Client(server.url), Client.get
    play(Client(server.url))
    is_lying = False

    def get(self: Client, path: str, **query: Any) -> Any:
        nonlocal is_lying
        is_lying = is_lying or path.endswith("commitments")
        if not path.startswith("chain"):
            return asked(self, path, **query)
        part = verifier_vectors.relinked(asked(self, "chain")["entries"])
        part = lie(part) if is_lying else part
        return part["head"] if path == "chain/head" else {**part, "entries": part["entries"][query["after"] :]}

    monkeypatch.setattr(Client, "get", get)
    with pytest.raises(TefudaError) as caught:
        play(client)
    assert told in str(caught.value)
    assert isinstance(caught.value, UnfairShuffle) or told != "lacks it"


def test_a_server_without_a_log_is_played_on_unless_it_had_one(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, client = Client.get, Client(server.url)

    def get(self: Client, path: str, **query: Any) -> Any:
        if path.startswith("chain"):
            raise ServerRefused({"code": "not_found", "text": "There is no such page."})
        return asked(self, path, **query)

    client.read_log()
    monkeypatch.setattr(Client, "get", get)
    assert play(Client(server.url)).check() == [1]
    with pytest.raises(ServerRefused):
        play(client)


def test_the_log_is_shown_a_thousand_entries_at_a_time(server: Served) -> None:
    client = Client(server.url)
    play(client)
    part = client.get("chain")
    assert [row["number"] for row in part["entries"]] == list(range(1, len(part["entries"]) + 1))
    assert part["head"]["number"] == len(part["entries"])
    assert client.get("chain/head")["link"] == part["entries"][-1]["link"]
    assert client.get("chain", after=2**50)["entries"] == []
    for after in ("-1", "x", str(2**64)):
        with pytest.raises(ServerRefused):
            client.get("chain", after=after)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_several_processes_write_one_log(database: str, tmp_path: Path) -> None:
    with serving(database, tmp_path / "log", "--game", "gong-zhu", "--workers", "2") as served:

        def check(number: int) -> list[int]:
            return play(Client(served.url, receipts=tmp_path / f"{number}.receipts")).check()

        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(check, range(8))) == [[1]] * 8
    links = [json.loads((tmp_path / f"{number}.receipts").read_text())["link"] for number in range(8)]
    with Database(database) as own:
        assert sorted(row["head"] for row in entries(own)) == sorted(links)


def test_a_deal_that_a_crash_has_kept_out_is_entered_when_the_table_is_looked_at(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'tables.db'}"
    with serving(address, tmp_path / "log", "--game", "gong-zhu") as served:
        client = Client(served.url, receipts=tmp_path / "receipts")
        seat = play(client)
    with Database(address) as own:
        before = [row["head"] for row in entries(own)]
        own.change(lambda connection: connection.execute(delete(schema.heads)))
    with serving(address, tmp_path / "log", "--game", "gong-zhu") as served:
        Client(served.url).get(f"tables/{seat.table}/commitments")
    with Database(address) as own:
        assert [row["head"] for row in entries(own)] == before


def test_a_file_of_heads_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "receipts.heads"
    for text in ("7", "{", "[]", '{"server": "http://x", "number": 1}', '{"server": []}'):
        path.write_text(text, "utf-8")
        with pytest.raises(ChainError, match="not a file of heads") as caught:
            SeenLog(tmp_path / "receipts", "http://x")
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
