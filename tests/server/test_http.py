"""The API over HTTP: identity, origins, headers, the life of a table, errors in one form."""

import asyncio
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import combinations
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from tefuda.client import Client, ServerRefused
from tefuda.server import pages
from tefuda.server.http import orders, passkeys, routes
from tefuda.table import record, record_lines, shuffle
from tefuda.table.record import Record, RecordError
from tests.server.players import Player, seat_all
from tests.server.server_process import Served


@contextmanager
def browser(server: Served) -> Iterator[httpx.Client]:
    """A client that keeps cookies and says where its requests come from."""
    headers = {"Origin": server.url, "Sec-Fetch-Site": "same-origin"}
    with httpx.Client(base_url=server.url, headers=headers, timeout=60) as client:
        client.get("/")
        yield client


def unsafe_routes() -> list[tuple[str, str]]:
    """Every route that changes something, of programs and of pages."""
    routers = (routes.router, orders.router, passkeys.router, pages.router)
    found = [route for router in routers for route in router.routes if isinstance(route, APIRoute)]
    return [(method, route.path) for route in found for method in route.methods or () if method not in ("GET", "HEAD")]


@pytest.mark.parametrize("path", ["/", "/games/gong-zhu", "/games/gong-zhu/rules", "/healthz"])
def test_a_page_answers_head_as_it_answers_get_but_without_a_body(server: Served, path: str) -> None:
    got, head = httpx.get(server.url + path), httpx.head(server.url + path)
    assert head.status_code == got.status_code == 200
    assert head.headers["content-type"] == got.headers["content-type"]
    assert head.content == b""


def test_there_are_routes_to_walk() -> None:
    assert len(unsafe_routes()) >= 10


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path"), unsafe_routes())
def test_a_foreign_page_can_do_nothing(server: Served, method: str, path: str) -> None:
    address = server.url + path.format(table="nowhere", game="gong-zhu", key="nowhere", name="nowhere", club="nowhere")
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        assert httpx.request(method, address, json={}, headers=headers).status_code == 403
    assert httpx.request(method, address, json={}, headers={"Host": "evil.example"}).status_code == 421


def test_every_answer_has_its_headers(server: Served) -> None:
    for path in ("/", "/static/x/css/base.css", "/games/gong-zhu/rules", "/api/v1/tables", "/healthz", "/nowhere"):
        headers = httpx.get(server.url + path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


def test_guests_are_known_by_a_cookie_that_scripts_cannot_read(server: Served) -> None:
    with browser(server) as ann, browser(server) as ben:
        cookie = httpx.get(server.url).headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        table = ann.post("/api/v1/tables", json={"game": "gong-zhu", "name": "Ann"}).json()["table"]
        assert ann.get(f"/api/v1/tables/{table}").json()["you"] == {"seat": 0, "host": True}
        assert ben.get(f"/api/v1/tables/{table}").json()["you"] == {"seat": None, "host": False}
        assert ben.post(f"/api/v1/tables/{table}/close").status_code == 403
        forged = {"tefuda": ann.cookies["tefuda"][:-3] + "abc"}
        with httpx.Client(base_url=server.url, cookies=forged) as mallory:
            assert mallory.get(f"/api/v1/tables/{table}").json()["you"]["seat"] is None


def test_the_token_of_a_seat_opens_it_on_another_device(server: Served) -> None:
    with browser(server) as ann:
        table = ann.post("/api/v1/tables", json={"game": "gong-zhu"}).json()["table"]
        token = ann.post(f"/api/v1/tables/{table}/join", json={"name": "Ann"}).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    assert httpx.get(f"{server.url}/api/v1/tables/{table}", headers=headers).json()["you"]["seat"] == 0

    async def over_the_socket() -> None:
        player = await Player(server.url, table).connect()
        assert (await player.receive())["you"]["seat"] is None
        await player.send(type="hello", token=token)
        await player.until(lambda message: message["type"] == "state" and message["you"]["seat"] == 0)
        await player.close()

    asyncio.run(over_the_socket())


def test_what_is_repeated_with_a_key_is_done_once(server: Served) -> None:
    with browser(server) as ann:
        headers = {"Idempotency-Key": "one"}
        body = {"game": "gong-zhu", "name": "Ann", "bots": ["hints"] * 3}
        first, again = (ann.post("/api/v1/tables", json=body, headers=headers).json()["table"] for _ in range(2))
        other = ann.post("/api/v1/tables", json=body, headers={"Idempotency-Key": "two"}).json()["table"]
        assert first == again != other
        seats = ann.get(f"/api/v1/tables/{first}").json()["seats"]
        assert [seat["name"] for seat in seats] == ["Ann", "hints 1", "hints 2", "hints 3"]


def test_one_seat_claimed_by_many_has_one_taker(server: Served) -> None:
    host = Client(server.url)
    table = host.open("gong-zhu").table

    async def claim() -> list[int]:
        async with httpx.AsyncClient(base_url=server.url) as client:
            address, body = f"/api/v1/tables/{table}/join", {"name": "X", "seat": 2}
            answers = await asyncio.gather(*(client.post(address, json=body) for _ in range(8)))
        return sorted(answer.status_code for answer in answers)

    assert asyncio.run(claim()) == [200] + [409] * 7


def test_public_tables_are_listed_and_closed_ones_are_not(server: Served) -> None:
    host = Client(server.url)
    shown, hidden = host.open("gong-zhu", name="Ann").table, host.open("gong-zhu", public=False).table

    def listed() -> set[str]:
        return {found["table"] for found in host.get("tables")}

    until = time.monotonic() + 10
    while shown not in listed() and time.monotonic() < until:
        time.sleep(0.05)
    assert shown in listed()
    assert hidden not in listed()
    host.post(f"tables/{shown}/close")
    while shown in listed() and time.monotonic() < until:
        time.sleep(0.05)
    assert shown not in listed()


def test_delayed_spectators_see_the_past(server: Served) -> None:
    """A spectator of a delayed table sees it as it was: for them, nothing of the deal has happened yet."""

    async def scenario() -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=21, spectators="delayed")
        spectator = await Player(server.url, crowd.table).connect()
        assert (await spectator.receive())["seq"] == 1
        await crowd.play()
        assert spectator.state["deal"] is None
        snapshot = httpx.get(f"{server.url}/api/v1/tables/{crowd.table}").json()
        assert snapshot["deal"] is None
        await crowd.close()
        await spectator.close()

    asyncio.run(scenario())


@pytest.mark.deep
def test_a_bot_plays_on_for_somebody_who_does_not_answer(server: Served) -> None:
    async def scenario() -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=22, clock=5)
        silent, *others = crowd.players
        playing = [asyncio.create_task(player.play_on()) for player in others]

        def away(message: Any) -> bool:
            return any(event["kind"] == "absent" and event["seat"] == 0 for event in message.get("events", []))

        await silent.until(away)
        await asyncio.gather(*playing)
        assert silent.state["seats"][0]["absent"]
        await silent.order(type="here")
        while silent.state["seats"][0]["absent"]:
            await silent.receive()
        await crowd.close()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("path", "body", "status", "told"),
    [
        ("tables", {"game": "chess"}, 422, "there is no game 'chess' here"),
        ("tables", {"game": "gong-zhu", "seats": 9}, 422, "gong-zhu is played by 4 or 5, not by 9"),
        ("tables", {"game": "gong-zhu", "options": {"heart_values": "x"}}, 422, "heart_values: 'x' is not one of"),
        ("tables", {"game": "gong-zhu", "bots": ["os:system"]}, 422, "There is no such bot"),
        ("tables", {"game": "gong-zhu", "bots": ["hints"] * 5}, 422, "There are only 4 seats"),
        ("tables", {"game": "gong-zhu", "surprise": 1}, 422, "body.surprise"),
        ("tables/nowhere/play", {"play": "SQ"}, 404, "There is no such table"),
        ("verify", {"record": "no record"}, 422, "not a line of a record"),
    ],
)
def test_bad_input_is_said_in_one_form(server: Served, path: str, body: Any, status: int, told: str) -> None:
    answer = httpx.post(f"{server.url}/api/v1/{path}", json=body)
    assert answer.status_code == status
    assert told in answer.json()["error"]["text"]


def test_a_token_that_is_too_short_is_refused(server: Served) -> None:
    with pytest.raises(ServerRefused, match="22–64"):
        Client(server.url, token="short").get("tables/x")


def test_large_and_endless_bodies_are_refused(server: Served) -> None:
    address = f"{server.url}/api/v1/verify"
    assert httpx.post(address, content=b"x" * 300_000).status_code == 413
    assert httpx.post(address, content=iter([b"x"])).status_code == 411


def test_a_record_is_verified_over_the_wire(server: Served) -> None:
    async def play() -> str:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=23)
        await crowd.play()
        text = await crowd.record()
        await crowd.close()
        return text

    text = asyncio.run(play())
    client = Client(server.url)
    told = client.post("verify", {"record": text})
    assert (told["consistent"], told["fair"], told["kept"]) == (True, None, True)
    lines = text.splitlines()
    deal = json.loads(lines[1])
    deal["proof"]["secret"] = "00" * 32
    assert not client.post("verify", {"record": "\n".join([lines[0], json.dumps(deal), *lines[2:]])})["consistent"]
    for tampered, fault in changed(text):
        assert fault in client.post("verify", {"record": tampered}).get("error", "it is fair")
    for name in ("\0/1", "\ud800/1"):  # nothing that a database could look for, or an answer could name
        tampered = forged(Record.parse(text), name).replace("\ud800", r"\ud800")
        with pytest.raises(ServerRefused, match="is not written in ASCII"):
            client.post("verify", {"record": tampered})


def changed(text: str) -> Iterator[tuple[str, str]]:
    """What no proof of a shuffle shows, but the log of the table does."""
    saved = Record.parse(text)
    yield text.replace(f'"{saved.players[2]}"', '"Somebody"', 1), "seat 2 was never that of Somebody"
    proof = saved.deals[0].proof
    assert proof is not None
    for name in (f"{proof.table}0", f"{proof.table}{'9' * 5000}"):
        yield forged(saved, name), "no game"
    yield forged(saved, proof.table.replace("/", "/x")), "no game 'x1'"
    yield forged(saved, proof.table), "deal 1 was dealt otherwise"
    yield swapped(text), "deal 1 was played otherwise"


def forged(saved: record.Record, table: str) -> str:
    """A deal that nobody has played, with a proof that holds."""
    game = saved.load_game()
    bound_to = shuffle.context(game, table, 1)
    deck, chance = shuffle.shuffle(game.pack, bound_to, bytes(32), [b""] * 4)
    proof = shuffle.Proof(table, 1, shuffle.commit(bound_to, bytes(32)), bytes(32), (b"",) * 4)
    deal = game.deal(0, deck=deck, chance=chance, proof=proof)
    return record_lines.write_deals(game, [deal], [])


def swapped(text: str) -> str:
    """The same record with two plays of one seat in each other's place, and as fair as before."""
    lines = text.splitlines()
    plays = [number for number, line in enumerate(lines) if '"play"' in line]
    for one, other in combinations(plays, 2):
        if lines[one][:12] == lines[other][:12]:
            tampered = list(lines)
            tampered[one], tampered[other] = lines[other], lines[one]
            with suppress(RecordError):
                Record.parse("\n".join(tampered) + "\n").verify()
                return "\n".join(tampered) + "\n"
    raise AssertionError("no two plays can be swapped")


def test_the_page_and_the_api_describe_themselves(server: Served) -> None:
    assert '<a class="home"' in httpx.get(server.url).text
    api = httpx.get(f"{server.url}/api/v1/openapi.json").json()
    for path, methods in api["paths"].items():
        for method, what in methods.items():
            assert what.get("summary"), f"{method} {path} has no summary"
            assert what.get("description"), f"{method} {path} has no description"
    assert {found["game"] for found in Client(server.url).get("games")} == {"gong-zhu"}
    assert Client(server.url).get("games/gong-zhu")["rules"]["GZ-8"]
    assert httpx.get(f"{server.url}/readyz").json() == {"status": "ok"}


@pytest.mark.parametrize(
    ("query", "header", "title"),
    [
        ("", "zh-TW,zh;q=0.9,en;q=0.8", "拱豬"),
        ("", "zh-CN,zh;q=0.9,en;q=0.8", "拱猪"),
        ("", "de-CH, ja;q=0.5", "ゴンジュー"),
        ("?lang=zh-HK", "en", "拱豬"),
        ("?lang=xx", "", "Gong Zhu"),
    ],
)
def test_the_reader_is_answered_in_their_language(server: Served, query: str, header: str, title: str) -> None:
    found = httpx.get(f"{server.url}/api/v1/games{query}", headers={"Accept-Language": header}).json()
    assert [game["title"] for game in found] == [title]


def test_figures_for_prometheus(server: Served) -> None:
    pytest.importorskip("prometheus_client", reason="the metrics are left out: uv sync --extra metrics")
    with browser(server) as aiko:
        assert aiko.post("/api/v1/tables", json={"game": "gong-zhu", "name": "Aiko"}).status_code == 201
    page = httpx.get(f"{server.url}/metrics").text
    for figure in ("tables", "order_seconds_count"):
        assert re.search(rf'^tefuda_{figure}\{{game="gong-zhu"\}} [1-9]', page, re.MULTILINE)


def test_what_is_said_is_one_of_the_phrases_and_not_too_often(server: Served) -> None:
    with browser(server) as aiko, browser(server) as stranger:
        opened = aiko.post("/api/v1/tables", json={"game": "gong-zhu", "name": "Aiko"}).json()
        address = f"/api/v1/tables/{opened['table']}/say"
        assert aiko.post(address, json={"phrase": "hello"}).status_code == 200
        assert aiko.post(address, json={"phrase": "thanks"}).status_code == 429
        assert stranger.post(address, json={"phrase": "hello"}).status_code == 403
        refused = aiko.post(address, json={"phrase": "anything else"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "no_such_phrase")


def test_hints_are_for_who_plays_alone_and_is_to_play(server: Served) -> None:
    with browser(server) as aiko, browser(server) as bo:
        alone = aiko.post("/api/v1/tables", json={"game": "gong-zhu", "name": "Aiko"}).json()["table"]
        assert aiko.get(f"/api/v1/tables/{alone}/hint").json()["error"]["code"] == "not_to_play"
        assert aiko.get(f"/api/v1/tables/{alone}/hint?quick=true").json()["error"]["code"] == "not_to_play"
        bo.post(f"/api/v1/tables/{alone}/join", json={"name": "Bo"})
        assert aiko.get(f"/api/v1/tables/{alone}/hint").json()["error"]["code"] == "not_alone"
