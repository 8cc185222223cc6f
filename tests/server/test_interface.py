"""The description of the interface: complete in itself, and true of what is sent while games are played."""

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, TypeAdapter, create_model

from tefuda import games
from tefuda.server.http.orders import SESSION_MODELS, SOCKET_COMMANDS, OrderId
from tefuda.server.table.message_types import SENT
from tests.server.players import Player, seat_all
from tests.server.server_process import Served, serving

PREFIX = "/api/v1"


@cache
def message_validator(name: str) -> Draft202012Validator:
    """Of a message over the socket, by the types and commands that the socket itself uses."""
    adapters: list[Any] = [(each, "validation", TypeAdapter(each)) for each in orders()]
    adapters += [(each, "serialization", TypeAdapter(each)) for each in SENT]
    described = TypeAdapter.json_schemas(adapters, ref_template="#/$defs/{model}")[1]["$defs"]
    return Draft202012Validator({"$defs": described, "$ref": f"#/$defs/{name}"})


@cache
def orders() -> list[type[BaseModel]]:
    """Models of the messages that clients send: what a command takes, with ``type`` and ``id``."""
    bases = {**{name: command.arguments for name, command in SOCKET_COMMANDS.items()}, **SESSION_MODELS}
    found = []
    for name, base in bases.items():
        fields: dict[str, Any] = {"type": (Literal[name], ...), "id": (OrderId, None)}
        found.append(create_model(f"{name.capitalize()}Order", __base__=base, **fields))
    return found


def answer_validator(document: Mapping[str, Any], path: str, method: str, status: int) -> Draft202012Validator:
    """Of an answer over HTTP."""
    content = document["paths"][PREFIX + path][method]["responses"][str(status)]["content"]
    return Draft202012Validator({**content["application/json"]["schema"], "components": document["components"]})


def every(part: Any, key: str) -> Iterator[Any]:
    """All values under this key, at any depth."""
    if isinstance(part, dict):
        if key in part:
            yield part[key]
        for each in part.values():
            yield from every(each, key)
    elif isinstance(part, list):
        for each in part:
            yield from every(each, key)


def resolve(document: Any, reference: str) -> Any:
    for name in reference.removeprefix("#/").split("/"):
        document = document[name]
    return document


# The description itself


def test_http_is_described(server: Served) -> None:
    document = httpx.get(f"{server.url}{PREFIX}/openapi.json").json()
    for reference in every(document, "$ref"):
        assert resolve(document, reference) is not None
    assert set(document["components"]["securitySchemes"]) == {"token", "guest"}
    assert document["security"] == [{}, {"token": []}, {"guest": []}]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            answers = operation["responses"]
            assert {"400", "403", "421", "429", "500", "503"} <= set(answers), f"{method} {path}"
            for status, answer in answers.items():
                for content in answer["content"].values():
                    assert content.get("schema"), f"{method} {path}: {status} has no schema"
    join = document["paths"][f"{PREFIX}/tables/{{table}}/join"]["post"]
    assert {"200", "401", "403", "404", "409", "410", "413", "422"} <= set(join["responses"])
    assert "$ref" in join["requestBody"]["content"]["application/json"]["schema"]


@pytest.mark.parametrize("path", ["/tables", "/tables/nowhere/bots"])
def test_all_methods_of_an_address_are_allowed(server: Served, path: str) -> None:
    answer = httpx.request("DELETE", f"{server.url}{PREFIX}{path}")
    known = httpx.get(f"{server.url}{PREFIX}/openapi.json").json()["paths"][PREFIX + path.replace("nowhere", "{table}")]
    assert answer.status_code == 405
    assert {each.lower() for each in answer.headers["allow"].split(", ")} == set(known)


# What is sent


class DescribedPlayer(Player):
    """A player who looks up all that they send and receive."""

    async def receive(self, within: float = 30) -> dict[str, Any]:
        message = await super().receive(within)
        name = f"{message['type'].capitalize()}Message"
        message_validator(name).validate(message)
        return message

    async def send(self, **message: Any) -> None:
        message_validator(f"{message['type'].capitalize()}Order").validate(message)
        await super().send(**message)


async def check_a_table(url: str, game: str) -> None:
    """Play a deal, ask all that can be asked, and look up every answer."""
    seats = games.description(game).seats[0]
    crowd = await seat_all([url], game, seats, seed=5)
    document = httpx.get(f"{url}{PREFIX}/openapi.json").json()
    for number, player in enumerate(crowd.players):
        await player.close()
        crowd.players[number] = DescribedPlayer(url, crowd.table, player.token, seed=number)  # type: ignore[index]
        await crowd.players[number].connect(query=("", "patch=true", "brief=true")[number % 3])
    spectator = await DescribedPlayer(url, crowd.table).connect()
    watching = asyncio.create_task(spectator.play_on())
    first = crowd.players[0]
    await first.receive()
    for order in ({"type": "ping"}, {"type": "why", "play": "SQ"}, {"type": "play", "play": "nonsense"}):
        await first.order(**order)
    await crowd.play()
    await watching
    async with httpx.AsyncClient(base_url=f"{url}{PREFIX}", timeout=60) as client:
        headers = {"Authorization": f"Bearer {first.token}"}

        async def look(path: str, method: str = "get", **sent: Any) -> None:
            concrete = path.replace("{table}", crowd.table).replace("{game}", game)
            answer = await client.request(method, concrete, headers=headers, **sent)
            described = re.sub(r"\?.*", "", path)
            answer_validator(document, described, method, answer.status_code).validate(answer.json())

        await look("/tables/{table}/close", "post")
        for path in ("", "/replay", "/replay?deal=99", "/proofs", "/commitments", "/hint", "/why?play=SQ"):
            await look(f"/tables/{{table}}{path}")
        for wait in (0, 20, 20, 20):
            await look(f"/tables/{{table}}/review?wait={wait}")
        await look("/tables/{table}/review?seat=9")
        for path in ("/games", "/games/{game}", "/tables"):
            await look(path)
        await look("/tables/{table}/play", "post", json={"play": "SQ"})
        await look("/tables/{table}/join", "post", json={"name": "Late"})
        record = (await client.get(f"/tables/{crowd.table}/record", headers=headers)).text
        await look("/verify", "post", json={"record": record})
        await look("/verify", "post", json={"record": record.replace('"play"', '"plays"')})
        await look("/tables", "post", json={"game": game, "name": "Ann", "bots": ["hints"]})
    await crowd.close()
    await spectator.close()


@pytest.mark.slow
def test_all_that_a_game_sends_is_as_described(server: Served) -> None:
    asyncio.run(check_a_table(server.url, "gong-zhu"))


@pytest.mark.deep
@pytest.mark.parametrize("game", games.names())
def test_all_that_any_game_sends_is_as_described(tmp_path: Path, game: str) -> None:
    with serving(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log", "--game", game) as served:
        asyncio.run(check_a_table(served.url, game))


def test_what_is_not_described_is_found_out() -> None:
    """The oracle of this file can fail."""
    validator = message_validator("PongMessage")
    validator.validate({"v": 1, "type": "pong", "id": "x"})
    assert not validator.is_valid({"v": 1, "type": "pong"})
    assert not message_validator("StateMessage").is_valid(json.loads('{"type": "state", "v": 1}'))
