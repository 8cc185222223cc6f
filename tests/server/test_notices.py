"""Notices: who is told of their turn at a slow table, what they are told, where messages are not sent; restarts."""

import asyncio
import re
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, closing
from pathlib import Path
from typing import Any

import pytest

from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import LANGUAGES
from tefuda.server.http.application import create_app
from tefuda.server.http.context import Server
from tefuda.server.live.subscribers import Subscriber
from tefuda.server.settings import ServerSettings
from tefuda.server.store import identities, open_store
from tefuda.server.store.database import Database
from tefuda.server.store.people import MOST_ADDRESSES
from tefuda.server.store.port import NoticeAddress
from tefuda.server.table import commands, events
from tefuda.server.table.callers import Caller
from tefuda.table.game import load
from tests.server.test_table import ANN, HOST, Played, order

pytest.importorskip("pywebpush", reason="notices are left out: uv sync --extra push")

from tefuda.server.live import live_tables, notices, scheduler
from tefuda.server.live.notices import message
from tefuda.server.live.web_push import PublicResolver, WebPush
from tests.server.guests import DAY, ORIGIN, Guest, serving
from tests.server.push_service import PushService, push_service

CONTACT = "mailto:host@cards.example"


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as found:
        yield found


def telling(folder: Path, *names: str, **settings: Any) -> AbstractAsyncContextManager[list[Guest]]:
    """A server whose notices may go to this machine, and guests of these names."""
    return serving(folder, *names, **{"push": CONTACT, "push_anywhere": True, **settings})


async def sit(*guests: Guest) -> str:
    """A slow table at which these sit, and bots."""
    host, *others = guests
    wanted = {"game": "gong-zhu", "name": "P0", "clock": DAY, "speed": "instant"}
    table: str = (await host.post("tables", wanted, 201))["table"]
    for number, guest in enumerate(others, 1):
        await guest.post(f"tables/{table}/join", {"name": f"P{number}"})
    await host.post(f"tables/{table}/bots", {"bot": "hints"})
    return table


# Who is told what


@pytest.mark.slow
def test_whoever_is_asked_and_not_there_is_told_and_nothing_of_the_cards(tmp_path: Path, service: PushService) -> None:
    faces = load("gong-zhu").description.display.faces
    cards = {*faces, *(face.text for face in faces.values())}

    async def scenario() -> None:
        async with telling(tmp_path, "ann", "ben") as (ann, ben):
            guests = {"ann": ann, "ben": ben}
            for name, guest in guests.items():
                await guest.post("notices?lang=en", service.subscription(name))
            table = await sit(ann, ben)
            for _ in range(12):
                told = await asyncio.to_thread(service.next)
                asked = await guests[told.browser].state(table)
                assert asked["deal"]["mover"] == asked["you"]["seat"]
                assert set(told.said) == {"title", "body", "table"}
                assert (told.said["title"], told.said["table"]) == ("Your turn: Gong Zhu", table)
                other = "P1" if told.browser == "ann" else "P0"
                sentence = rf"With {other}, \w+, \w+\. (\w+ has played|The cards are dealt)\.|With P0, \w+, \w+\. .*"
                assert re.fullmatch(sentence, told.said["body"])
                assert not cards & set(re.findall(r"[^\s.,]+", told.text))
                assert told.headers["topic"] == table
                await guests[told.browser].play(table, asked)

    asyncio.run(scenario())


def dealt(secret: bytes) -> Played:
    """The host and Ann at a slow table of bots, at a deal that follows from this secret."""
    played = Played(clock=DAY)
    for caller, name in ((HOST, "Host"), (ANN, "Ann")):
        played.do(order(commands.join, played.table, caller, name=name))
    played.do(order(commands.seat_bots, played.table, HOST, bot="hints"))
    played.do(events.commit(played.table, secret))
    played.do(events.close_seals(played.table))
    return played


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_notice_is_the_same_whatever_the_cards(language: str) -> None:
    one, other = (dealt(secret).table for secret in (bytes(32), b"\x01" * 32))
    assert one.view(0) != other.view(0)
    assert message(one, 0, language) == message(other, 0, language)


@pytest.mark.slow
def test_whoever_is_there_is_not_told(tmp_path: Path, service: PushService) -> None:
    async def scenario() -> None:
        async with telling(tmp_path, "ann", "ben") as (ann, ben):
            for name, guest in (("ann", ann), ("ben", ben)):
                await guest.post("notices", service.subscription(name))
            table = (await ann.post("tables", {"game": "gong-zhu", "name": "P0", "clock": DAY}, 201))["table"]
            watching = Subscriber(Caller(ann.hash))
            await ann.services.tables.subscribe(table, watching, None)
            await ben.post(f"tables/{table}/join", {"name": "P1"})
            await ann.post(f"tables/{table}/bots", {"bot": "hints"})
            for _ in range(3):
                while (deal := (await ann.state(table))["deal"]) is None or deal["mover"] != 1:
                    if deal is not None and deal["mover"] == 0 and not deal["answered"]:
                        await ann.play(table)
                    await asyncio.sleep(0.01)
                assert (await asyncio.to_thread(service.next)).browser == "ben"
                await ben.play(table)

    asyncio.run(scenario())


# Subscriptions


def test_the_latest_browsers_of_a_guest_are_told_until_they_end_it_or_are_erased(
    tmp_path: Path, service: PushService
) -> None:
    async def scenario() -> None:
        async with telling(tmp_path, "ann") as (ann,):
            kept = [service.subscription(f"b{number}") for number in range(MOST_ADDRESSES + 2)]
            for each in kept:
                await ann.post("notices?lang=ja", each)
            found = await ann.addresses()
            assert {each.address for each in found} == {each["endpoint"] for each in kept[2:]}
            assert {each.language for each in found} == {"ja"}
            await ann.post("notices/end", {"endpoint": kept[-1]["endpoint"]})
            assert len(await ann.addresses()) == MOST_ADDRESSES - 1
            await ann.client.post("/me/forget", data={"sure": "yes"}, headers={"origin": ORIGIN})
            assert await ann.addresses() == []
            late = NoticeAddress("https://push.example/1", ann.hash, "", "", "en", 0)
            await ann.services.store.notice_addresses.add(late)
            assert await ann.addresses() == [], "they have been erased"

    asyncio.run(scenario())


def test_an_administrator_exports_them(tmp_path: Path, service: PushService) -> None:
    async def scenario() -> None:
        async with telling(tmp_path, "ann") as (ann,):
            await ann.post("notices", service.subscription("ann"))
            with Database(ann.services.store.address) as database:
                found = identities.export(database, identities.KnownPerson((ann.hash,), ()))
            assert [each["guest"] for each in found["notice_addresses"]] == [ann.hash]

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example/1",
        "ftp://push.example/1",
        "https://127.0.0.1/1",
        "https://127.1/1",
        "https://0x7f.0x1/1",
        "https://2130706433/1",
        "https://[::1]/1",
        "https://[::ffff:10.0.0.1]/1",
        "https://[fe80::1]/1",
        "https://10.0.0.8/1",
        "https://169.254.169.254/latest",
        "https://localhost/1",
        "https://database/1",
        "https://printer.local/1",
        "https://push.example:8443/1",
        "https://[/1",
        "",
    ],
)
def test_messages_are_sent_to_no_address_of_the_servers_own_network(
    tmp_path: Path, service: PushService, endpoint: str
) -> None:
    async def scenario() -> None:
        async with telling(tmp_path, "ann", push_anywhere=False) as (ann,):
            wanted = service.subscription("ann")
            await ann.post("notices", {**wanted, "endpoint": "https://push.example/1"})
            error = await ann.post("notices", {**wanted, "endpoint": endpoint}, 422)
            assert error["error"]["code"] == "bad_subscription"
            assert len(await ann.addresses()) == 1

    asyncio.run(scenario())


def test_a_name_that_leads_into_the_servers_own_network_is_not_asked() -> None:
    with pytest.raises(OSError, match="no public address"):
        asyncio.run(PublicResolver().resolve("localhost", 443))


@pytest.mark.parametrize("keys", [{"p256dh": "AAAA", "auth": "AAAA"}, {"p256dh": "B" * 87, "auth": "A" * 22}, {}])
def test_keys_that_are_none_are_refused(tmp_path: Path, service: PushService, keys: dict[str, str]) -> None:
    async def scenario() -> None:
        async with telling(tmp_path, "ann") as (ann,):
            await ann.post("notices", {**service.subscription("ann"), "keys": keys}, 422)

    asyncio.run(scenario())


def test_a_stranger_and_another_site_cannot_subscribe(tmp_path: Path, service: PushService) -> None:
    async def scenario() -> None:
        async with telling(tmp_path, "ann") as (ann,):
            wanted, address = service.subscription("ann"), "/api/v1/notices"
            foreign = await ann.client.post(address, json=wanted, headers={"origin": "https://evil.example"})
            assert foreign.status_code == 403
            ann.client.cookies.clear()
            error = await ann.post("notices", wanted, 401)
            assert error["error"]["code"] == "no_guest"

    asyncio.run(scenario())


def test_without_the_hosts_wish_nobody_can_subscribe(tmp_path: Path, service: PushService) -> None:
    async def scenario() -> None:
        async with telling(tmp_path, "ann", push=None) as (ann,):
            error = await ann.post("notices", service.subscription("ann"), 404)
            assert error["error"]["code"] == "no_notices"

    asyncio.run(scenario())


def test_a_contact_that_push_services_would_refuse_is_refused_at_the_start() -> None:
    with pytest.raises(TefudaError, match="--push someone: write mailto:"):
        WebPush(bytes(32), "someone")
    assert WebPush(bytes(32), CONTACT).key == WebPush(bytes(32), CONTACT).key, "browsers have subscribed for it"


# Push services


async def told_once(folder: Path, service: PushService) -> tuple[list[str], list[NoticeAddress]]:
    """What becomes of a notice to Ann, and her subscriptions afterwards."""
    outcomes, done = list[str](), asyncio.Event()

    def note(outcome: str) -> None:
        outcomes.append(outcome)
        done.set()

    async with telling(folder, "ann") as (ann,):
        await ann.post("notices", service.subscription("ann"))
        sender = ann.services.notices
        sender.on_sent = note
        played = Played(clock=DAY)
        played.do(order(commands.join, played.table, Caller(ann.hash), name="Ann"))
        sender.tell(played.table, [0])
        await asyncio.wait_for(done.wait(), 120)
        return outcomes, await ann.addresses()


@pytest.mark.parametrize(
    ("status", "outcome", "kept", "tries"),
    [(201, "sent", 1, 1), (410, "gone", 0, 1), (404, "gone", 0, 1), (307, "failed", 1, 1), (503, "failed", 1, 3)],
)
def test_what_a_push_service_answers(
    tmp_path: Path, service: PushService, monkeypatch: pytest.MonkeyPatch,
    status: int, outcome: str, kept: int, tries: int,
) -> None:  # fmt: skip
    monkeypatch.setattr(notices, "WAITS", (0.0, 0.0, 0.0))
    service.status = status
    outcomes, left = asyncio.run(told_once(tmp_path, service))
    assert (outcomes, len(left)) == ([outcome], kept)
    assert service.paths == ["/ann"] * tries, "nothing is followed elsewhere"


def test_what_becomes_of_notices_is_counted(tmp_path: Path) -> None:
    pytest.importorskip("prometheus_client", reason="metrics are left out: uv sync --extra metrics")
    store = open_store(f"sqlite:///{tmp_path / 'tables.db'}")
    services: Server = create_app(store, ServerSettings(push=CONTACT), metrics=True).state.services
    assert services.metrics is not None
    services.notices.on_sent("failed")
    assert b'tefuda_notices_total{outcome="failed"} 1.0' in services.metrics.page()
    asyncio.run(store.close())


# While nobody is there, and after a restart


@pytest.mark.slow
def test_after_a_restart_the_day_ends_when_it_would_have_ended(
    tmp_path: Path, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second server starts a day after the first; nobody looks at the table."""
    for module, name, value in (
        (scheduler, "GRACE", 0.0), (live_tables, "WAKE_EVERY", 0.05), (live_tables, "LATE", 0),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, value)

    async def begin() -> tuple[str, str]:
        async with telling(tmp_path, "ann", "ben") as (ann, ben):
            for name, guest in (("ann", ann), ("ben", ben)):
                await guest.post("notices", service.subscription(name))
            table = await sit(ann, ben)
            asked = (await asyncio.to_thread(service.next)).browser
            await (await ann.services.tables.get(table)).until_kept()
            return table, asked

    async def go_on(table: str, asked: str) -> None:
        async with telling(tmp_path, "ann", "ben") as (ann, ben):
            other = await asyncio.to_thread(service.next)
            assert other.browser != asked
            log = [(each.kind, each.body.get("seat")) for each in await ann.services.store.read(table)]
            seat = 0 if asked == "ann" else 1
            assert log.count(("absent", seat)) == 1
            assert ("played", seat) in log
            assert not (await ben.state(table))["seats"][seat]["absent"]

    table, asked = asyncio.run(begin())
    with closing(sqlite3.connect(tmp_path / "tables.db")) as database, database:
        (at, due) = database.execute("SELECT at, due FROM listings").fetchone()
        assert due - at == pytest.approx(1000 * DAY, abs=5000)
        for change in ("events SET at = at - ?", "listings SET at = at - ?, due = due - ?"):
            database.execute(f"UPDATE {change}", [1000 * DAY] * change.count("?"))
    asyncio.run(go_on(table, asked))


# The next table


@pytest.mark.slow
def test_a_player_is_led_to_the_tables_where_it_is_their_turn(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with telling(tmp_path, "ann", "ben", push=None) as (ann, ben):
            tables = {await sit(ann, ben) for _ in range(2)}

            async def turns(guest: Guest) -> set[str]:
                for table in tables:
                    await (await guest.services.tables.get(table)).until_kept()
                return {each["table"] for each in (await guest.client.get("/me/turns")).json()}

            async def until_asked(asked: Guest, table: str) -> None:
                """Play for both until this guest is asked and has a choice."""
                while True:
                    for guest in (ann, ben):
                        state = await guest.state(table)
                        if (deal := state["deal"]) and deal["legal"]:
                            if guest is asked and not deal["answered"]:
                                return
                            await guest.play(table, state)
                    await asyncio.sleep(0.01)

            for table in tables:
                await until_asked(ann, table)
            assert (await turns(ann), await turns(ben)) == (tables, set())
            assert "24 h left" not in (await ann.client.get("/?lang=en")).text
            assert "Your turn · 23 h left" in (await ann.client.get("/?lang=en")).text
            first = next(iter(tables))
            await until_asked(ben, first)
            assert (await turns(ann), await turns(ben)) == (tables - {first}, {first})

    asyncio.run(scenario())
