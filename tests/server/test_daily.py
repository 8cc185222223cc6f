"""The deal of the day: one shuffle for everybody, played once, compared with people and bots."""

import asyncio
import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import httpx
import pytest

from tefuda import load
from tefuda.server.http.application import create_app
from tefuda.server.live.daily_games import HOUSE, DailyGames, bots_seed, compared, given_row
from tefuda.server.live.live_table import LiveTable
from tefuda.server.live.pools import BotPool
from tefuda.server.live.subscribers import RecentEvents
from tefuda.server.pages.shown_game import today
from tefuda.server.settings import ServerSettings
from tefuda.server.store import Store, identities, open_store
from tefuda.server.store.database import Database
from tefuda.server.store.port import DailyResult, DealOfDay, Unavailable
from tefuda.server.table import commands, events, replays
from tefuda.server.table.callers import Caller
from tefuda.table.record import Record
from tests.server.server_process import Served
from tests.server.test_people import guest, is_over, play_on, shows
from tests.server.test_store import run
from tests.server.test_table import ANN, HOST, Played, order, refused

DAY = DealOfDay("2026-11-23", "gong-zhu")
GIVEN = {"kind": "day", "day": DAY.day}


def table_of_day(player: Caller = ANN) -> Played:
    """Ann's table, with bots on the other seats."""
    played = Played(given=GIVEN, spectators="none")
    played.do(order(commands.join, played.table, player, name="Ann"))
    played.do(events.first_bots(played.table, ["hints"] * 3))
    return played


@pytest.fixture
def first() -> Played:
    """A table that has shuffled the deal of a day."""
    played = table_of_day()
    played.do(events.commit(played.table, bytes(32)))
    played.do(events.close_seals(played.table))
    assert played.table.deal is None  # in a step of its own, since another table may be faster
    played.do(events.deal(played.table))
    return played


@pytest.fixture
def second(first: Played) -> Played:
    """Another table of the same day."""
    played = table_of_day()
    proof = first.table.proofs[0]
    played.do(events.give(played.table, given_row(played.table.game, proof)))
    return played


def test_everybody_has_the_same_cards_and_the_same_proof(first: Played, second: Played) -> None:
    hands = [[each.table.view(seat).hand() for seat in range(4)] for each in (first, second)]
    assert hands[0] == hands[1]
    assert first.table.proofs == second.table.proofs
    chain = [entry["kind"] for entry in second.table.chain.entries]
    assert chain == ["committed", "sealed"]


def test_a_table_that_was_slower_gets_what_the_faster_one_has_dealt(first: Played) -> None:
    slow = table_of_day()
    slow.do(events.commit(slow.table, bytes([7] * 32)))
    slow.do(events.give(slow.table, given_row(slow.table.game, first.table.proofs[0])))
    assert slow.table.shuffle is None
    assert slow.table.view(0).hand() == first.table.view(0).hand()
    assert events.give(slow.table, {}) == []


def test_the_game_ends_with_the_deal(second: Played) -> None:
    second.play_out()
    assert second.table.phase == "over"
    assert second.table.shown == {1}


@pytest.mark.parametrize(
    ("command", "caller", "arguments"),
    [(commands.take_back, ANN, {}), (commands.remove_bot, HOST, {"seat": 1}), (commands.seat_bots, HOST, {})],
)
def test_nobody_makes_it_easier(second: Played, command: Any, caller: Any, arguments: Any) -> None:
    refused("day_once", command, second.table, caller, **arguments)
    second.play_out()
    refused("day_once", commands.rematch, second.table, ANN)


def test_the_record_of_each_table_is_proven(first: Played, second: Played) -> None:
    for played in (first, second):
        played.play_out()
        deals = Record.parse(replays.write_record(played.events)).verify()
        assert deals[0].history == played.table.deal.history  # type: ignore[union-attr]
        assert replays.record_fault(first.events, deals, []) is None
        assert replays.proofs(played.table)[0]["table"] == first.table.proof_name


def test_a_record_of_another_shuffle_is_none_of_that_day(first: Played) -> None:
    other = Played()
    other.do(order(commands.join, other.table, ANN, name="Ann"))
    other.do(order(commands.seat_bots, other.table, HOST, bot="hints"))
    other.do(events.commit(other.table, bytes([7] * 32)))
    other.do(events.close_seals(other.table))
    other.play_out()
    fault = replays.record_fault(first.events, replays.shown_deals(other.events)[1], [])
    assert fault == "deal 1 was dealt otherwise at this table"


def test_bots_answer_the_same_plays_alike() -> None:
    game = load("gong-zhu")
    first = table_of_day()
    first.do(events.commit(first.table, bytes(range(32))))
    first.do([*events.close_seals(first.table), *events.deal(first.table)])
    deal = first.table.deal
    assert deal is not None
    pool = BotPool(1)

    async def twice(specs: list[str]) -> list[list[int]]:
        return [await pool.play_out(HOUSE, deal.at(0), specs, bots_seed(deal)) for _ in range(2)]

    for specs in (["hints", "net", "net", "net"], ["search:60it", "hints", "hints", "hints"]):
        one, other = asyncio.run(twice(specs))
        assert one == other
    pool.close()
    assert compared(game.description) == ["hints", "net", "search:1000it"]


def test_who_waits_for_bots_is_told_when_they_could_not_play() -> None:
    async def scenario() -> list[bool]:
        failing = SimpleNamespace(daily=SimpleNamespace(results=AsyncMock(side_effect=Unavailable("away"))))
        spawn = Mock(side_effect=asyncio.ensure_future)
        daily = DailyGames(SimpleNamespace(store=failing, background=SimpleNamespace(spawn=spawn)))  # type: ignore[arg-type]
        daily.let_bots_play(DAY, Mock())
        before = daily.is_played_by_bots(DAY)
        return [before, await daily.wait_for_bots(DAY, 60), daily.is_played_by_bots(DAY)]

    assert asyncio.run(scenario()) == [True, True, False]


# Kept in a database


def test_who_waits_until_a_table_is_kept_finds_its_result(first: Played, tmp_path: Path) -> None:
    played = table_of_day(HOST)  # only the result of whoever has opened the table counts
    played.do(events.give(played.table, given_row(played.table.game, first.table.proofs[0])))
    played.play_out()

    async def scenario() -> list[str]:
        store = open_store(f"sqlite:///{tmp_path / 'tables.db'}")
        services = create_app(store, ServerSettings(games=("gong-zhu",))).state.services
        live = LiveTable(services, played.table, RecentEvents(played.table), services.tables.daily)
        await live.until_kept()
        found = await store.daily.results(DAY)
        live.unload()
        await services.background.close()
        await store.close()
        return [each.name for each in found]

    assert asyncio.run(scenario()) == ["Ann"]


def result(player: str, points: float, at: int = 1) -> DailyResult:
    return DailyResult(player, at, player, points, "t")


def test_the_first_shuffle_and_the_first_result_of_each_count(database: str) -> None:
    async def scenario(store: Store) -> None:
        daily = store.daily
        assert await daily.proof(DAY) is None
        assert await daily.settle(DAY, {"table": "a/1"}) == {"table": "a/1"}
        assert await daily.settle(DAY, {"table": "b/1"}) == {"table": "a/1"}
        await daily.record(DAY, result("ann", 10))
        await daily.record(DAY, result("ann", 90))
        await daily.record(DAY, result("ben", 20))
        await daily.record(DAY, result("bot net", 10, at=5))
        found = await daily.results(DAY)
        assert [(each.player, each.points) for each in found] == [("ben", 20), ("ann", 10), ("bot net", 10)]
        assert [each.bot for each in found] == ["", "", "net"]
        assert await daily.results(DealOfDay("2026-11-22", "gong-zhu")) == []

    run(database, scenario)


def test_it_is_exported_and_forgotten_with_its_player(database: str) -> None:
    ann = "a" * 40

    async def play(store: Store) -> None:
        await store.daily.record(DAY, result(ann, 10))

    async def look(store: Store) -> None:
        assert await store.daily.results(DAY) == []

    run(database, play)
    with Database(database) as beside:
        person = identities.own_identity(beside, [ann])
        assert [row["points"] for row in identities.export(beside, person)["deals_of_the_day"]] == [10]
        identities.erase(beside, person)
    run(database, look)


# At a server


def begin(client: httpx.Client) -> str:
    """Open the table of today's deal; its name."""
    while not (address := str(client.post("/games/gong-zhu/day").headers.get("location", ""))):
        time.sleep(0.1)  # its rules are being compiled
    return address.removeprefix("/t/")


def hand(client: httpx.Client, table: str) -> list[str]:
    """The reader's cards, once they are dealt."""
    while True:
        state = client.get(f"/api/v1/tables/{table}").json()
        if state["deal"]:
            return [card for group in state["deal"]["scene"]["hand"] for card in group["cards"]]
        play_on([client], table, lambda state: bool(state["deal"]))


def code(answer: httpx.Response) -> str:
    found: str = answer.json()["error"]["code"]
    return found


def test_two_people_play_the_deal_of_the_day_and_compare(server: Served) -> None:
    day = today().isoformat()
    with guest(server, "Ann") as ann, guest(server, "Ben") as ben:
        assert 'href="/games/gong-zhu/day"' in ann.get("/games/gong-zhu").text
        assert "Play it" in ann.get("/games/gong-zhu/day").text
        table = begin(ann)
        cards = hand(ann, table)
        assert begin(ann) == table
        assert "Continue" in ann.get("/games/gong-zhu/day").text
        assert ben.get(f"/r/{table}").status_code == 403  # what is played there is nobody else's
        assert code(ben.get(f"/api/v1/tables/{table}/record")) == "not_seated"
        assert code(ann.get(f"/api/v1/tables/{table}/hint")) == "day_once"
        assert ann.get(f"/api/v1/tables/{table}").json()["given"] == {"kind": "day", "day": day}
        ann.post(f"/api/v1/tables/{table}/pace", json={"speed": "instant"})
        play_on([ann], table, is_over)
        assert shows(ann, "/games/gong-zhu/day", "Search (bot)")
        page = ann.get("/games/gong-zhu/day").text
        assert "Heuristics (bot)" in page
        assert "Neural network (bot)" in page
        assert shows(ann, "/games/gong-zhu/day", "</tbody>")
        assert "still playing" not in ann.get("/games/gong-zhu/day").text
        assert re.search(r'class="mine"><td>\d+</td><th scope="row">Ann', page)
        unplayed = ben.get("/games/gong-zhu/day").text
        assert "People who have played it: 1" in unplayed
        assert "Ann" not in unplayed  # until Ben has played, nothing is told
        other = begin(ben)
        assert other != table
        assert hand(ben, other) == cards
        ben.post(f"/api/v1/tables/{other}/pace", json={"speed": "instant"})
        play_on([ben], other, is_over)
        compared = ben.get("/games/gong-zhu/day").text  # at once, as a browser goes there from the score sheet
        assert 'scope="row">Ben' in compared
        assert 'scope="row">Ann' in compared
        record = ben.get(f"/api/v1/tables/{other}/record").text
        told = ben.post("/api/v1/verify", json={"record": record}).json()
        assert (told["consistent"], told["kept"]) == (True, True)
        again = ben.post(f"/r/{other}/again", data={"seat": "0"}).headers["location"].removeprefix("/t/")
        assert hand(ben, again) == cards


@pytest.mark.parametrize("day", ["2020-01-01", "tomorrow", "9999-12-31"])
def test_days_without_a_deal_have_no_page(server: Served, day: str) -> None:
    assert httpx.get(f"{server.url}/games/gong-zhu/day/{day}").status_code == 404
    assert httpx.get(f"{server.url}/games/no-such-game/day").status_code == 404
