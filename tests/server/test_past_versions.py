"""Tables of other versions of the rules: played on where the engine can, readable in any case."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tefuda.server.store import Draft, Event, Listing, open_store
from tefuda.server.table import commands, events, replays, reports, table_messages
from tefuda.server.table.callers import token_hash
from tefuda.server.table.events import apply
from tefuda.server.table.past_game import PastGame
from tefuda.server.table.table_state import TableState
from tefuda.table.record import Record
from tests.server.server_process import Served, serving
from tests.server.test_table import ANN, HOST, Played, order
from tests.web.tables import until_compiled

TOKEN = "the-token-of-the-host-of-them-all"


def session(deals: int, **settings: Any) -> Played:
    """A table at which so many deals were played and the next one was begun; Ann has left in the middle."""
    played = Played(**settings)
    played.do(order(commands.join, played.table, ANN, name="Ann"))
    played.do(order(commands.seat_bots, played.table, HOST, bot="hints"))
    for _ in range(deals):
        played.deal()
        played.play_out()
    played.deal()
    for _ in range(3):
        assert played.table.deal is not None
        played.do(events.play_for(played.table.deal.mover, played.table.deal.legal()[0]))
    played.do(order(commands.leave, played.table, ANN))
    return played


def under(rules: int, played: Played) -> TableState:
    """The same table as a version finds it that does not know its rules."""
    table = TableState()
    for event in played.events:
        body = {**event.body, "rules": rules} if event.kind == "created" else event.body
        apply(table, Event(event.seq, event.at, event.kind, body))
    assert table.past is not None
    table.past.summary = table_messages.summary(played.table)
    return table


@pytest.fixture(scope="module")
def two() -> Played:
    return session(2)


def test_what_could_be_shown_can_still_be_read(two: Played) -> None:
    table, now = under(99, two), two.table
    assert now.deal is not None
    message = table_messages.state_message(table, reports.Perspective(-1, "ja"))
    assert table.past is not None
    assert message["past"]["totals"] == [sum(row[seat] for row in now.results) for seat in range(4)]
    assert "第99版" in message["past"]["text"]
    assert [deal.number for deal in table.past.shown()] == [1, 2]
    assert [proof.deal for proof in table.revealed] == [1, 2]
    first = replays.shown_deals(two.events)[1][0]
    told = replays.past_story(table, 1, None, "en")
    assert [(play["seat"], play["play"]) for play in told["plays"]] == first.history
    assert all(play["line"] for play in told["plays"])


def test_a_deal_in_progress_is_shown_when_the_host_closes_the_table(two: Played) -> None:
    table = under(99, two)
    for draft in order(commands.close, table, HOST):
        apply(table, Event(table.seq + 1, table.at, draft.kind, draft.body))
    assert table.past is not None
    assert [len(deal.history) for deal in table.past.shown()][2:] == [3]


def test_without_a_listing_only_what_has_ended_is_shown(two: Played) -> None:
    table = under(99, two)
    assert table.past is not None
    table.past.summary = {}
    assert table.past.shown() == []
    assert table_messages.state_message(table, reports.Perspective(-1))["past"]["totals"] == []
    table.past.sessions.append([])
    assert len(table.past.shown(1)) == 3


def test_its_record_is_verified_by_a_version_that_knows_the_rules(two: Played) -> None:
    """The record lacks what later deals begin from: whoever knows the rules finds it by playing."""
    table = under(99, two)
    past = PastGame("gong-zhu", 1, 4, {})
    assert table.past is not None
    past.sessions, past.summary, past.closed = table.past.sessions, table.past.summary, True
    for deal in past.sessions[0]:
        assert deal.proof.table == two.table.proof_name
    deals = Record.parse(past.record(1, ["A", "B", "C", "D"])).replay().deals
    assert [deal.history for deal in deals[:2]] == [deal.history for deal in replays.shown_deals(two.events)[1]]
    assert [deal.payoff() for deal in deals[:2]] == two.table.results
    cut = past.record(1, []).split("\n")
    without_a_play = "\n".join(cut[:3] + cut[4:])
    with pytest.raises(ValueError, match=r"deal 2: the deal before it is not finished|play "):
        Record.parse(without_a_play).replay()


def test_options_that_are_gone_do_not_matter() -> None:
    played = session(1, options={"target": 500})
    created = played.events[0]
    body = {**created.body, "rules": 7, "options": {"target": 500, "gone": "once", "heart_values": "no such value"}}
    table = TableState()
    for event in [Event(1, created.at, "created", body), *played.events[1:]]:
        apply(table, event)
    assert table.game.changed_options() == body["options"]
    assert table.game.options["target"] == 500


async def keep(url: str, name: str, played: Played, rules: int) -> None:
    """Write a table into a database as the server that knew its rules left it."""
    store = open_store(url)
    host = {"guest": None, "token": token_hash(TOKEN)}
    drafts = [
        Draft(event.kind, {**event.body, "rules": rules, "table": name, "host": host} if event.seq == 1 else event.body)
        for event in played.events
    ]
    await store.append(name, 0, drafts)
    await store.show(Listing(name, len(drafts), 1, True, table_messages.summary(played.table)))
    await store.close()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, two: Played) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("past")
    url = f"sqlite:///{folder / 'tables.db'}"
    asyncio.run(keep(url, "oldtable", two, 99))
    asyncio.run(keep(url, "secrettable", session(1, table="secrettable", spectators="none"), 99))
    with serving(url, folder / "log", "--game", "gong-zhu") as served:
        until_compiled(served)
        yield served


@pytest.mark.slow
def test_the_past_is_read_over_the_wire(kept: Served) -> None:
    with httpx.Client(base_url=kept.url, timeout=300) as client:
        state = client.get("/api/v1/tables/oldtable").json()
        assert (state["phase"], state["rules"], len(state["past"]["totals"])) == ("closed", 99, 4)
        assert "played under version 99" in state["past"]["text"]
        for path in ("/t/oldtable", "/r/oldtable", "/r/oldtable?deal=2"):
            page = client.get(path, headers={"accept": "text/html"})
            assert page.status_code == 200
            assert state["past"]["text"] in page.text
            assert page.text.count("<li>") >= 52
        record = client.get("/api/v1/tables/oldtable/record").text
        head, *lines = map(json.loads, record.splitlines())
        assert head["rules"] == 99
        assert [line["deal"] for line in lines if "deal" in line] == [1, 2]
        replay = client.get("/api/v1/tables/oldtable/replay?deal=2").json()
        assert len(replay["plays"]) >= 52
        assert client.get("/api/v1/tables/oldtable/replay?deal=3").status_code == 404
        assert [proof["deal"] for proof in client.get("/api/v1/tables/oldtable/proofs").json()] == [1, 2]
        review = client.get("/api/v1/tables/oldtable/review?deal=1&seat=0")
        assert (review.status_code, review.json()["error"]["code"]) == (409, "other_rules")
        refused = client.post("/api/v1/tables/oldtable/join", json={"name": "Ann"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "other_rules")
        assert client.get("/").status_code == 200


def test_a_past_table_without_spectators_is_for_those_who_sat_there(kept: Served) -> None:
    with httpx.Client(base_url=kept.url, timeout=300) as client:
        page = client.get("/t/secrettable", headers={"accept": "text/html"})
        assert (page.status_code, "<li>" in page.text.partition("<main")[2]) == (200, False)
        for path in ("/r/secrettable", "/api/v1/tables/secrettable/record", "/api/v1/tables/secrettable/replay"):
            assert client.get(path).status_code == 403


def test_the_host_may_close_a_past_table(kept: Served) -> None:
    with httpx.Client(base_url=kept.url, timeout=300) as client:
        closed = client.post("/api/v1/tables/oldtable/close", headers={"Authorization": f"Bearer {TOKEN}"})
        assert closed.status_code == 200
        lines = map(json.loads, client.get("/api/v1/tables/oldtable/record").text.splitlines())
        assert [line["deal"] for line in lines if "deal" in line] == [1, 2, 3]


@pytest.mark.deep
def test_a_table_of_kakkuris_first_version_is_read_and_played_under_it(tmp_path: Path) -> None:
    played = Played(table="kakkuri1", game="kakkuri", seats=5)
    played.do(order(commands.seat_bots, played.table, HOST, bot="hints"))
    played.deal()
    played.play_out()
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    asyncio.run(keep(url, "kakkuri1", played, 1))
    with (
        serving(url, tmp_path / "log", "--game", "kakkuri") as served,
        httpx.Client(base_url=served.url, timeout=300) as client,
    ):
        state = client.get("/api/v1/tables/kakkuri1").json()
        assert "error" not in state
        assert (state["rules"], state["phase"], "past" in state) == (1, "shuffling", False)
        for path in ("/t/kakkuri1", "/r/kakkuri1", "/api/v1/tables/kakkuri1/record"):
            assert client.get(path).status_code == 200
