"""Several who want the same at the same moment, at different processes: exactly one gets it.

``TEFUDA_ROUNDS`` sets how often the long runs try."""

import asyncio
import gc
import os
import random
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tefuda.server.live.live_tables import LiveTables
from tefuda.server.table.callers import Refused
from tests.server.conftest import new_database
from tests.server.crowds import Acknowledged, check
from tests.server.players import Player, seat_all
from tests.server.postgres import Cluster
from tests.server.server_process import Served, serving

ROUNDS = int(os.environ.get("TEFUDA_ROUNDS", "1000"))

Seats = list[list[Player]]
"""Four clients for each seat, by seat."""


@pytest.fixture
def three(cluster: Cluster, tmp_path: Path) -> Iterator[list[str]]:
    """The address of three processes on one database: any of them takes a connection."""
    url = new_database(cluster)
    with serving(url, tmp_path / "log", "--game", "gong-zhu", "--workers", "3") as server:
        yield [server.url]


async def read_for_ever(player: Player) -> None:
    while True:
        await player.receive(within=600)
        player.frames.clear()


async def whose_turn(seats: Seats) -> list[Player]:
    """The clients of the seat that has a choice to make, as soon as all of them know."""
    while True:
        for players in seats:
            if len({player.state.get("seq") for player in players}) == 1 and players[0].choice():
                return players
        await asyncio.sleep(0.001)


async def answer(player: Player, number: str) -> dict[str, Any]:
    while number not in player.answers:
        await asyncio.sleep(0.001)
    return player.answers.pop(number)


async def fire(players: list[Player], chance: random.Random) -> Acknowledged:
    """All clients of a seat play at once; the play that was accepted.

    They play what each of them likes and say upon what they play, or all the same without saying so: then a play that
    came second is illegal, for the card is gone."""
    state = players[0].state
    words = [player.choice() or "" for player in players]
    if chance.random() < 0.5 and ":" not in words[0]:
        orders = [{"play": words[0]}] * len(players)
    else:
        orders = [{"play": word, "seq": state["seq"]} for word in words]
    numbers = [secrets.token_hex(4) for _ in players]
    together = zip(players, orders, numbers, strict=True)
    await asyncio.gather(*(player.send(type="play", id=number, **order) for player, order, number in together))
    answers = [await answer(player, number) for player, number in zip(players, numbers, strict=True)]
    accepted = [k for k, each in enumerate(answers) if each["type"] == "done"]
    assert len(accepted) == 1, answers
    assert all(each["error"]["code"] in ("gone_on", "illegal") for each in answers if each["type"] == "refused")
    (first,) = accepted
    return Acknowledged(players[0].table, answers[first]["seq"], state["you"]["seat"], orders[first]["play"])


async def race(urls: list[str], rounds: int) -> list[Acknowledged]:
    crowd = await seat_all(urls, "gong-zhu", 4, options={"target": 10_000}, clock=86400)
    await crowd.close()
    seats = [
        [await Player(urls[k % len(urls)], crowd.table, player.token, seed=k).connect() for k in range(4)]
        for player in crowd.players
    ]
    everybody, chance = [player for players in seats for player in players], random.Random(rounds)
    reading = [asyncio.create_task(read_for_ever(player)) for player in everybody]
    readying = [asyncio.create_task(be_ready(players[0])) for players in seats]
    accepted = [await fire(await whose_turn(seats), chance) for _ in range(rounds)]
    for task in [*reading, *readying]:
        task.cancel()
    await asyncio.gather(*reading, *readying, return_exceptions=True)
    await asyncio.gather(*(player.close() for player in everybody))
    return accepted


async def be_ready(player: Player) -> None:
    """Agree to every deal."""
    while True:
        shuffle = player.state.get("shuffle")
        if shuffle and not shuffle["ready"][player.state["you"]["seat"]]:
            await player.send(type="ready", deal=shuffle["deal"], entropy="00", id=f"ready {shuffle['deal']}")
        await asyncio.sleep(0.05)


async def claim(urls: list[str], rounds: int) -> None:
    """Two people claim a seat, over and over; who gets it leaves again."""
    async with httpx.AsyncClient(timeout=60) as client:
        made = await client.post(f"{urls[0]}/api/v1/tables", json={"game": "gong-zhu"})
        table = f"{urls[0]}/api/v1/tables/{made.json()['table']}"
        people = [{"Authorization": f"Bearer {secrets.token_urlsafe(16)}"} for _ in range(2)]
        for k in range(rounds):
            body = {"name": "X", "seat": k % 4}
            async with httpx.AsyncClient(timeout=60) as one, httpx.AsyncClient(timeout=60) as other:  # new connections
                pairs = zip((one, other), people, strict=True)
                asked = [each.post(f"{table}/join", json=body, headers=who) for each, who in pairs]
                taken = [found.status_code for found in await asyncio.gather(*asked)]
            assert sorted(taken) == [200, 409]
            winner = people[taken.index(200)]
            assert (await client.post(f"{table}/leave", headers=winner)).status_code == 200


def test_of_four_clients_that_play_for_one_seat_one_is_accepted(server: Served) -> None:
    accepted = asyncio.run(race([server.url], 60))
    assert len({each.seq for each in accepted}) == 60


@pytest.mark.deep
def test_of_four_clients_at_three_processes_one_is_accepted(cluster: Cluster, three: list[str]) -> None:
    accepted = asyncio.run(race(three, ROUNDS))
    assert len({each.seq for each in accepted}) == ROUNDS
    assert asyncio.run(check(cluster.url.replace("/postgres?", "/tefuda?"), accepted)) > ROUNDS


@pytest.mark.deep
def test_a_seat_claimed_by_two_at_different_processes_has_one_taker(three: list[str]) -> None:
    asyncio.run(claim(three, ROUNDS))


@pytest.mark.slow
def test_an_order_that_nobody_waits_for_any_more_is_refused_in_silence() -> None:
    """Else people who ask for something forbidden and go away at once could fill the log."""
    complaints = list[Any]()

    class Slow:
        async def carry_out(self, *_: Any) -> int:
            await asyncio.sleep(0.01)
            raise Refused("illegal")

    class OneTable(LiveTables):
        def __init__(self) -> None:
            pass

        async def get(self, name: str) -> Any:
            return Slow()

    async def scenario() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        asking = asyncio.create_task(OneTable().carry_out("t", lambda _: []))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asking.cancel()
        await asyncio.sleep(0.1)
        gc.collect()

    asyncio.run(scenario())
    assert not complaints
