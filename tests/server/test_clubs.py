"""Clubs: a whole season, played by programs; what others may see of a round, and when."""

import csv
import io
import re
import zipfile
from contextlib import ExitStack
from itertools import product

import httpx

from tefuda.server.store import Store, identities
from tefuda.server.store.database import Database
from tefuda.server.store.people import ERASED, PlacedSides
from tefuda.server.store.port import Club, Member, Season
from tefuda.table.record import Record
from tests.server.server_process import Served
from tests.server.test_daily import code, hand
from tests.server.test_people import guest, is_over, play_on
from tests.server.test_store import run

ROUNDS, DEALS = 2, 2


def found_club(organiser: httpx.Client, *others: httpx.Client) -> str:
    """The address of a new club with these members."""
    address = organiser.post("/clubs", data={"name": "Tuesdays"}).headers["location"]
    for each in others:
        assert each.post(f"{address}/member").status_code == 303
    return str(address)


def begin_season(organiser: httpx.Client, club: str) -> None:
    organiser.post(f"{club}/seasons", data={"game": "gong-zhu", "rounds": str(ROUNDS), "deals": str(DEALS)})


def come(client: httpx.Client, club: str) -> str:
    """The member's table in the present round, at which they sit now."""
    return str(client.post(f"{club}/play").headers["location"]).removeprefix("/t/")


def play_deals(client: httpx.Client, table: str, hands: list[list[str]] | None = None) -> None:
    """Play all deals of a round at a table where everybody else is a bot; the cards held in each go to ``hands``."""
    for number in range(1, DEALS + 1):
        held = hand(client, table)
        if hands is not None:
            hands.append(held)
        play_on([client], table, is_over)
        again = client.post(f"/api/v1/tables/{table}/rematch", json={})
        assert (again.status_code, number < DEALS) in ((200, True), (409, False)), again.text


def place_of(page: str, name: str) -> int:
    return int(re.findall(rf"<td>(\d+)</td><th scope=\"row\">{name}<", page)[0])


def test_a_small_season(server: Served) -> None:
    with ExitStack() as stack:
        ann, ben, eve = (stack.enter_context(guest(server, name)) for name in ("Ann", "Ben", "Eve"))
        club = found_club(ann, ben)
        assert (
            code(ben.post(f"{club}/seasons", data={"game": "gong-zhu"}, headers={"Accept": "*/*"})) == "not_organiser"
        )
        begin_season(ann, club)
        for number in range(1, ROUNDS + 1):
            ann.post(f"{club}/round", data={"do": "begin"})
            ann.post(f"{club}/round", data={"do": "begin"})  # the button was pressed twice
            tables, hands = [come(each, club) for each in (ann, ben)], [list[list[str]](), list[list[str]]()]
            assert len({*tables}) == 2
            assert code(eve.post(f"{club}/play", headers={"Accept": "*/*"})) == "not_in_round"
            play_deals(ann, tables[0], hands[0])
            nobody_learns_the_cards(tables[0], ann, ben, eve)
            play_deals(ben, tables[1], hands[1])
            assert hands[0] == hands[1]
            assert hands[0][0] != hands[0][1]
            assert f"deals played: {DEALS} of {DEALS}" in ben.get(club).text
            ann.post(f"{club}/round", data={"do": "end"})
            page = eve.get(club).text
            assert sorted(place_of(page, name) for name in ("Ann", "Ben")) in ([1, 2], [1, 1])
            assert f"rounds: {number}<" in page  # of the ladder
            for client in (ann, eve):
                everything_is_shown(tables, client)
        lines = list(csv.DictReader(io.StringIO(eve.get(f"{club}/1/results.csv").text)))
        assert len(lines) == ROUNDS * 2 * DEALS * 4
        scores = {
            name: sum(float(line["score"]) for line in lines if line["player"] == name) for name in ("Ann", "Ben")
        }
        assert abs(scores["Ann"] + scores["Ben"]) < 0.01  # both in the same seat: one wins what the other loses
        assert (scores["Ann"] > 0) <= (place_of(page, "Ann") == 1)
        with zipfile.ZipFile(io.BytesIO(eve.get(f"{club}/1/records.zip").content)) as archive:
            assert len(archive.namelist()) == ROUNDS * 2 * DEALS
            for name in archive.namelist():
                (deal,) = Record.parse(archive.read(name).decode()).verify()
                assert deal.over


def nobody_learns_the_cards(table: str, player: httpx.Client, member: httpx.Client, stranger: httpx.Client) -> None:
    """What was played at a table stays hidden while others may play the same cards."""
    for client in (member, stranger):
        assert code(client.get(f"/api/v1/tables/{table}/record")) == "not_seated"
        assert code(client.post(f"/api/v1/tables/{table}/join", json={"name": "Eve"})) == "not_invited"
        assert client.get(f"/api/v1/tables/{table}").json()["deal"] is None
    assert player.get(f"/api/v1/tables/{table}/proofs").json() == []
    for session in range(1, DEALS + 1):
        assert code(player.get(f"/api/v1/tables/{table}/replay?session={session}")) == "no_such_deal"
        assert '"deck"' not in player.get(f"/api/v1/tables/{table}/record?session={session}").text
    assert code(player.get(f"/api/v1/tables/{table}/review?session=1&seat=1")) == "hands_hidden"


def everything_is_shown(tables: list[str], player: httpx.Client) -> None:
    for session, table in product(range(1, DEALS + 1), tables):
        found = player.get(f"/api/v1/tables/{table}/replay?session={session}").json()
        assert found["proof"]["table"] in [f"{each}/{session}" for each in tables]
        assert player.get(f"/r/{table}?session={session}").status_code == 200


def test_who_does_not_come_is_replaced_and_whoever_leaves_is_paired_no_more(server: Served) -> None:
    with ExitStack() as stack:
        ann, ben, cleo = (stack.enter_context(guest(server, name)) for name in ("Ann", "Ben", "Cleo"))
        club = found_club(ann, ben, cleo)
        begin_season(ann, club)
        cleo.post(f"{club}/member", data={"leave": "yes"})
        ann.post(f"{club}/round", data={"do": "begin"})
        assert code(cleo.post(f"{club}/play", headers={"Accept": "*/*"})) == "not_in_round"
        ann.post(f"{club}/round", data={"do": "fill"})
        table = come(ann, club) if "/t/" in str(ann.post(f"{club}/play").headers.get("location")) else ""
        assert table == ""  # a bot has the seat of whoever comes too late
        ann.post(f"{club}/round", data={"do": "end"})
        assert "rounds: 1<" not in ann.get(club).text


# Kept in a database


def test_it_is_kept_and_forgotten_with_its_people(database: str) -> None:
    ann, ben = "a" * 40, "b" * 40
    season = Season("c", 1, "gong-zhu", 4, "{}", 4, 2)

    async def play(store: Store) -> None:
        kept = store.clubs
        await kept.add(Club("c", 1, "Tuesdays"))
        assert await kept.add(Member("c", 1, ann, "Ann", ""), ann)
        assert not await kept.add(Member("c", 2, ann, "Ann", ""), ann)  # once in a club
        assert await kept.add(Member("c", 2, ben, "Ben", ""), ben)
        assert await kept.add(season)
        assert [each.name for each in await kept.of(ben)] == ["Tuesdays"]
        contest = PlacedSides("gong-zhu", "club c", [[ann], [ben]], [1, 2])
        assert await kept.go_on(season, [{"tables": {"t": [1, 0, 0, 0]}, "ended": True}], contest)
        assert not await kept.go_on(season, [], contest)  # somebody else was faster
        assert [each.games for each in (await store.people.ratings([ann, ben])).values()] == [1, 1]

    async def look(store: Store) -> None:
        assert [(each.person, each.name) for each in await store.clubs.find(Member, club="c")] == [
            (None, ERASED), (ben, "Ben"),
        ]  # fmt: skip
        assert not await store.clubs.add(Member("c", 3, ann, "Ann", ""), ann)

    run(database, play)
    with Database(database) as beside:
        person = identities.own_identity(beside, [ann])
        assert [row["name"] for row in identities.export(beside, person)["clubs"]] == ["Ann"]
        identities.erase(beside, person)
    run(database, look)
