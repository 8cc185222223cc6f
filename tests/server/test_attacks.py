"""What somebody with bad intentions sends: paths out of the folders, deep and swollen data, others' tokens, invented
addresses.

Elsewhere: foreign origins and forms (``test_http``, ``test_sockets``), floods (``test_sockets``, ``test_admission``),
proxies (``test_proxies``), garbage of every kind (``test_fuzz``), what scripts may load (``test_http``)."""

import asyncio
import gzip
import json
import socket
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.server.players import Player, closed, seat_all
from tests.server.server_process import Served, serving

OUTWARDS = ("../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%5c", "..%252f", "....//", "..;/", "..%c0%af", "%00../")
ROOTS = ("/static/x/", "/static/", "/lab/", "/lab/x/", "/t/", "/r/", "/games/", "/decks/gong-zhu/", "/api/v1/tables/")


def ask(server: Served, path: str, *headers: str) -> tuple[int, bytes]:
    """Ask for a path exactly as it is written; clients would tidy it up."""
    where = urlsplit(server.url)
    with socket.create_connection((str(where.hostname), int(where.port or 0)), 30) as line:
        lines = [f"GET {path} HTTP/1.1", f"Host: {where.netloc}", "Connection: close", *headers, "", ""]
        line.sendall("\r\n".join(lines).encode("latin-1"))
        answer = b""
        while part := line.recv(65536):
            answer += part
    return int(answer.split(b" ", 2)[1]), answer


@pytest.mark.slow
@pytest.mark.parametrize("root", ROOTS)
def test_no_path_leads_out_of_the_folders(server: Served, root: str) -> None:
    for step in OUTWARDS:
        for target in (
            f"{step * 12}etc/passwd",
            f"{step * 3}pyproject.toml",
            f"{step}templates/base.html",
            "/etc/passwd",
        ):
            status, answer = ask(server, root + target)
            assert status in (307, 308, 400, 401, 404, 405, 422), f"{root}{target}: {status}"
            for secret in (b"root:x:", b"[project]", b"{% block"):
                assert secret not in answer, f"{root}{target}"
    assert server.answers()


# Data


DEEP = (
    "[" * 100_000,
    '{"a":' * 40_000,
    '{"record": ' + "[" * 60_000 + "]" * 60_000 + "}",
    '{"game": "gong-zhu", "options": {"target": ' + "[" * 50_000 + "]" * 50_000 + "}}",
)


@pytest.mark.parametrize("path", ["verify", "tables", "tables/x/play"])
def test_deep_json_is_refused(server: Served, path: str) -> None:
    for body in DEEP:
        answer = httpx.post(f"{server.url}/api/v1/{path}", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 404, 422)
        assert answer.json()["error"]["code"]


def test_deep_json_in_a_record_is_refused(server: Served) -> None:
    head = {"tefuda": 1, "game": "gong-zhu", "rules": 1, "seats": 4, "options": {}, "players": [], "seed": None}
    deep = '{"deal": 1, "before": ' + '{"a":' * 20_000 + "1" + "}" * 20_000 + ', "chance": 1, "deck": "SA"}'
    for record in ("[" * 150_000, json.dumps(head) + "\n" + deep + "\n{}\n", '{"tefuda": ' + "9" * 150_000 + "}\n{}\n"):
        answer = httpx.post(f"{server.url}/api/v1/verify", json={"record": record}, timeout=60)
        assert answer.status_code == 422
        assert "record" in answer.json()["error"]["text"]


def test_deep_json_over_a_socket_is_refused(server: Served) -> None:
    async def scenario() -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=31)
        player = crowd.players[0]
        assert player.line is not None
        for text in ("[" * 16_000, '{"type":' * 1900, '{"type": "play", "play": ' + "[" * 8000 + "]" * 7900 + "}"):
            await player.line.send(text)
            message = await player.until(lambda message: message["type"] == "refused")
            assert message["error"]["code"] == "bad_message"
        assert (await player.order(type="ping"))["type"] == "pong"
        await crowd.close()

    asyncio.run(scenario())


@pytest.mark.slow
def test_bodies_that_swell_are_not_unpacked(server: Served) -> None:
    before = server.memory()
    bomb = b'{"record": "' + b"x" * 200_000_000 + b'"}'
    for packed, kind in ((gzip.compress(bomb), "gzip"), (zlib.compress(bomb), "deflate")):
        headers = {"content-type": "application/json", "content-encoding": kind}
        assert httpx.post(f"{server.url}/api/v1/verify", content=packed, headers=headers).status_code in (400, 413, 422)
    assert server.memory() < before + 32


def test_messages_that_swell_close_the_socket(server: Served) -> None:
    async def scenario() -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=32)
        address = f"{server.url.replace('http', 'ws')}/api/v1/tables/{crowd.table}/socket"
        before = server.memory()
        with pytest.raises(ConnectionClosed) as end:
            await _swell(address)
        assert end.value.rcvd is None or end.value.rcvd.code == 1009
        assert server.memory() < before + 64
        await crowd.close()

    asyncio.run(scenario())


async def _swell(address: str) -> None:
    """Send a message that takes little room on the wire, and read until the server hangs up."""
    async with connect(address, compression="deflate", max_size=None) as line:
        await line.send("x" * 100_000_000)
        while True:
            await line.recv()


# Tokens


async def told(server: Served, table: str, token: str) -> dict[str, Any]:
    """The table as the bearer of a token sees it."""
    async with httpx.AsyncClient(base_url=f"{server.url}/api/v1/tables") as client:
        answer = await client.get(f"/{table}", headers={"Authorization": f"Bearer {token}"})
    found: dict[str, Any] = answer.json()
    return found


def test_the_token_of_a_seat_that_was_left_opens_nothing(server: Served) -> None:
    """Also over a socket that was open before, and when somebody else sits there."""

    async def scenario() -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=33, clock=86400)
        leaver, token = crowd.players[1], crowd.players[1].token
        await asyncio.gather(*(player.until(_is_shuffling) for player in crowd.players))
        await asyncio.gather(*(player.act() for player in crowd.players))
        await asyncio.gather(*(player.until(_has_deal) for player in crowd.players))
        assert (await told(server, crowd.table, token))["deal"]["scene"]["hand"]
        assert (await crowd.post("leave", token=token)).status_code == 200
        await leaver.until(lambda message: message["type"] == "state" and message["you"]["seat"] is None)
        assert not leaver.state["deal"]["scene"]["hand"]
        again = await Player(server.url, crowd.table).connect()
        await again.send(type="hello", token=token)
        await again.until(lambda message: message["type"] == "state" and message["you"]["seat"] is None)
        for state in (again.state, await told(server, crowd.table, token)):
            assert not state["deal"]["scene"]["hand"]
            assert state["deal"]["legal"] == []
        assert (await crowd.post("play", {"play": "S2"}, token=token)).status_code == 403
        newcomer = "the-token-of-the-newcomer"
        assert (await crowd.post("join", {"name": "New", "seat": 1}, token=newcomer)).status_code == 200
        assert (await told(server, crowd.table, token))["you"]["seat"] is None
        refused = await crowd.post("join", {"name": "Back", "seat": 1}, token=token)
        assert refused.json()["error"]["code"] == "has_seen"
        await crowd.close()
        await again.close()

    asyncio.run(scenario())


def _is_shuffling(message: dict[str, Any]) -> bool:
    return message["type"] == "state" and message["shuffle"] is not None


def _has_deal(message: dict[str, Any]) -> bool:
    return message["type"] == "state" and message["deal"] is not None


def test_tokens_keys_and_invitations_are_good_for_their_own_alone(server: Served) -> None:
    base, body = f"{server.url}/api/v1/tables", {"game": "gong-zhu", "name": "Host", "by_invitation": True}
    ann, ben = ({"Authorization": f"Bearer the-token-of-{name}-and-no-other"} for name in ("ann", "ben"))
    key = {"Idempotency-Key": "the same"}
    with httpx.Client(timeout=60) as client:
        first, second = (client.post(base, json=body, headers={**who, **key}).json() for who in (ann, ben))
        assert first["table"] != second["table"]
        assert client.post(f"{base}/{second['table']}/close", headers=ann).status_code == 403
        join = {"name": "Guest", "invite": first["invite"]}
        assert client.post(f"{base}/{second['table']}/join", json=join).status_code == 403
        again = client.post(base, json=body, headers={**ann, **key}).json()
        assert again["table"] == first["table"]
        mine = client.post(f"{base}/{first['table']}/join", json={**join, "name": "Ben"}, headers={**ben, **key})
        assert mine.json()["seat"] == 1
        for scheme in ("Basic", "bearer2", "Token"):
            headers = {"Authorization": f"{scheme} the-token-of-ann-and-no-other"}
            assert client.get(f"{base}/{first['table']}", headers=headers).json()["you"]["seat"] is None


# Addresses


@pytest.mark.slow
def test_nobody_is_believed_to_be_a_proxy(tmp_path: Path) -> None:
    """Invented addresses do not escape the limits: neither those of somebody who is no proxy, nor those before the last
    that a proxy has added itself."""
    with serving(
        f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log", "--game", "gong-zhu", "--rate", "1"
    ) as served:
        for near, spoofed in (("127.0.0.2", "203.0.113.{}"), ("127.0.0.1", "203.0.113.{}, 198.51.100.7")):
            with httpx.Client(transport=httpx.HTTPTransport(local_address=near), timeout=60) as client:
                answers: list[int] = []
                while answers.count(429) < 5 and len(answers) < 2000:  # however slow the machine is
                    k = len(answers) % 250
                    invented = {
                        "X-Forwarded-For": spoofed.format(k),
                        "Forwarded": f"for=203.0.113.{k}",
                        "X-Real-IP": "8.8.8.8",
                    }
                    answers.append(client.get(f"{served.url}/api/v1/tables", headers=invented).status_code)
            assert answers.count(429) == 5, near


def test_invented_hosts_and_schemes_change_nothing(server: Served) -> None:
    headers = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Server": "evil.example", "X-Original-URL": "/healthz"}
    page = httpx.get(f"{server.url}/", headers=headers)
    assert "evil.example" not in page.text
    assert "evil.example" not in str(page.headers)
    for method in ("X-HTTP-Method-Override", "X-Method-Override"):
        assert httpx.get(f"{server.url}/api/v1/verify", headers={method: "POST"}).status_code == 405
    status, answer = ask(server, "http://evil.example/")
    assert status in (200, 400, 404, 421)
    assert b"evil.example" not in answer
    assert ask(server, "/", "Host: evil.example")[0] == 421


def test_headers_without_end_are_cut_off(server: Served) -> None:
    status, _ = ask(server, "/", *(f"X-{number}: {'x' * 4000}" for number in range(40)))
    assert status in (200, 400, 431)
    assert server.answers()


def test_a_socket_of_too_many_characters_is_closed(server: Served) -> None:
    async def scenario() -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4, seed=34)
        await crowd.players[0].send(type="why", play="\U0001f0a1" * 20_000)
        assert await closed(crowd.players[0]) == 1009
        await crowd.close()

    asyncio.run(scenario())
