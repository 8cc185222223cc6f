"""People: what their games bring, ratings, statistics, going on elsewhere, being forgotten."""

import asyncio
import re
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest

from tefuda import load
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.server.store import Store, identities, open_store
from tefuda.server.store.database import Database
from tefuda.server.store.people import ERASED, GameResult, PlacedSides
from tefuda.server.store.port import HouseRules, PlayerRating, SeatResult
from tefuda.server.store.ratings import BOTS, PEOPLE, contests, shown, statistics
from tefuda.server.table import player_faces
from tefuda.server.table.player_faces import level_number, level_of
from tests.server.server_process import Served

SOMETHING_TO_TYPE = re.compile(r"~\d+")


def seat(number: int, who: str, points: float, place: int, side: int | None = None) -> SeatResult:
    """``who`` is a bot's spec behind ``@``, or a person."""
    bot = who[1:] if who.startswith("@") else None
    return SeatResult(
        number, who.strip("@"), None if bot else who, bot, number if side is None else side, points, place
    )


def game(*seats: SeatResult, **how: Any) -> GameResult:
    usual: dict[str, Any] = {"table": "t", "session": 1, "at": 1, "game": "gong-zhu", "deals": 2, "over": True}
    return GameResult(**{**usual, "practice": False, **how}, seats=seats)


AGAINST_BOTS = game(seat(0, "ann", 40, 1), seat(1, "@hints", -10, 3), seat(2, "@hints", 0, 2))
TOGETHER = game(seat(0, "ann", 40, 1), seat(1, "ben", -10, 3), seat(2, "@hints", 0, 2))


# Ratings


def test_who_is_compared_with_whom() -> None:
    assert [(each.pool, each.rated) for each in contests(AGAINST_BOTS)] == [(BOTS, ["ann", "bot hints"])]
    people, bots = contests(TOGETHER)
    assert (people.pool, people.sides, people.places) == (PEOPLE, [["ann"], ["ben"]], [1, 3])
    assert (bots.pool, bots.sides, bots.places) == (BOTS, [["ann"], ["ben"], ["bot hints"]], [1, 3, 2])


def test_what_counts_for_nothing() -> None:
    for nothing in (
        replace(AGAINST_BOTS, over=False),
        replace(AGAINST_BOTS, practice=True),
        game(seat(0, "ann", 4, 1), seat(1, "ann", 2, 2)),
        game(seat(0, "@hints", 4, 1), seat(1, "@net", 2, 2)),
    ):
        assert contests(nothing) == []
    left = replace(AGAINST_BOTS.seats[0], name="")
    assert contests(game(left, seat(1, "ben", 50, 1)))[0].rated == ["ann", "ben"]  # whoever leaves is still rated


def test_partners_are_one_side() -> None:
    (contest,) = contests(
        game(seat(0, "ann", 9, 1, 0), seat(1, "ben", 3, 2, 1), seat(2, "cleo", 9, 1, 0), seat(3, "dan", 3, 2, 1))
    )
    assert (contest.sides, contest.places) == ([["ann", "cleo"], ["ben", "dan"]], [1, 2])
    after = contest.rate(dict.fromkeys(contest.rated, PlayerRating()))
    assert after["ann"] == after["cleo"]
    assert after["ann"].mu > PlayerRating().mu > after["ben"].mu


def test_winning_raises_a_rating_and_playing_makes_it_more_certain() -> None:
    found = dict.fromkeys(["ann", "ben"], PlayerRating())
    for number in range(1, 31):
        (contest,) = contests(game(seat(0, "ann", 9, 1), seat(1, "ben", 3, 2)))
        found = contest.rate(found)
        assert found["ann"].games == number
    assert shown(PlayerRating()) == (1500, 1000)
    (ann, margin), (ben, _) = shown(found["ann"]), shown(found["ben"])
    assert ann > 1700 > 1300 > ben
    assert margin < 800


def test_the_seats_of_one_bot_are_rated_together() -> None:
    (contest,) = contests(AGAINST_BOTS)
    after = contest.rate({"ann": PlayerRating(), "bot hints": PlayerRating(20, 2, 100)})
    assert after["bot hints"].games == 101
    assert after["bot hints"].mu < 20


# Statistics


def test_figures_of_a_player() -> None:
    easy = level_of(load("gong-zhu").description, "hints")
    assert easy == "easy"
    results = [
        AGAINST_BOTS,
        replace(AGAINST_BOTS, session=2, practice=True),
        replace(AGAINST_BOTS, session=3, over=False, deals=4),
        game(seat(0, "@hints", 5, 1), seat(1, "ann", 5, 1), seat(2, "@mine", -10, 3), session=4),
    ]
    found = statistics(results, "ann", lambda _game, spec: easy if spec == "hints" else "")
    assert list(found) == ["gong-zhu"]
    figures = found["gong-zhu"]
    assert (figures.games, figures.first, figures.deals) == (2, 2, 8)
    assert figures.gain == (45 + 45 + 7.5) / 8
    against = figures.against["easy"]
    assert (against.bots, against.ahead) == (3, 2)
    assert statistics(results, "eve", lambda *_: "") == {}


# Faces


def test_everybody_has_a_face_and_bots_show_their_level() -> None:
    assert player_faces.usual_face("ann") == player_faces.usual_face("ann") != player_faces.usual_face("ben")
    for code in (
        player_faces.usual_face("ann"),
        *(player_faces.bot_face(seat, level) for seat in range(8) for level in range(5)),
    ):
        drawn = player_faces.face_svg(code)
        assert drawn is not None
        assert drawn.startswith("<svg")
    for nobody in ("tiger", "tiger-9", "plum-5", "../rat-1", "cat-1", ""):
        assert player_faces.face_svg(nobody) is None
    description = load("gong-zhu").description
    assert [level_number(description, bot) for bot in ("hints:slip=25", "hints", "nobody")] == [1, 2, 0]
    for language in LANGUAGES:
        texts = catalogue(TEXTS, language)
        assert all(texts(f"page.me.animal.{animal}") for animal in player_faces.ANIMALS)
        assert len({texts(f"page.table.flower_{flower}") for flower in range(len(player_faces.FLOWERS))}) == 8


# Store


def run(url: str, scenario: Callable[[Store], Coroutine[Any, Any, None]]) -> None:
    async def with_store() -> None:
        store = open_store(url)
        try:
            await scenario(store)
        finally:
            await store.close()

    asyncio.run(with_store())


def test_a_finished_game_changes_ratings_once(database: str) -> None:
    async def scenario(store: Store) -> None:
        begun = replace(TOGETHER, over=False, deals=1)
        await store.people.record(begun, contests)
        assert await store.people.ratings(["ann"]) == {}
        for _ in range(2):
            await store.people.record(TOGETHER, contests)
        await store.people.record(begun, contests)  # late news
        found = await store.people.ratings(["ann", "ben", "bot hints"])
        assert {key: rating.games for key, rating in found.items()} == {
            (who, "gong-zhu", pool): 1 for who, pool in
            [("ann", PEOPLE), ("ann", BOTS), ("ben", PEOPLE), ("ben", BOTS), ("bot hints", BOTS)]
        }  # fmt: skip
        assert found["ann", "gong-zhu", PEOPLE].mu > 25 > found["ben", "gong-zhu", PEOPLE].mu
        assert await store.people.results("ann", 9) == [replace(TOGETHER, shown=False)]

    run(database, scenario)


def nobody(_result: GameResult) -> Sequence[PlacedSides]:
    """Rates nobody."""
    return []


def test_results_come_the_latest_first(database: str) -> None:
    async def scenario(store: Store) -> None:
        for at in (3, 1, 2):
            await store.people.record(replace(TOGETHER, session=at, at=at), nobody)
        await store.people.record(replace(AGAINST_BOTS, table="other", at=9), nobody)
        assert [each.at for each in await store.people.results("ben", 2)] == [3, 2]
        assert [each.at for each in await store.people.results("ann", 9)] == [9, 3, 2, 1]
        assert await store.people.results("hints", 9) == []

    run(database, scenario)


def test_house_rules_are_kept_and_removed_by_whoever_saved_them(database: str) -> None:
    async def scenario(store: Store) -> None:
        ours = HouseRules("abc", 5, "ann", "Tuesdays", "gong-zhu", 4, {"target": 500})
        await store.people.save_rules(ours)
        assert await store.people.rules("abc") == ours
        assert await store.people.all_rules(9, "ann") == [ours]
        assert await store.people.all_rules(9, "ben") == []
        assert not await store.people.remove_rules("abc", "ben")
        assert await store.people.remove_rules("abc", "ann")
        assert await store.people.rules("abc") is None

    run(database, scenario)


def test_administrators_export_and_erase_results_and_ratings(database: str) -> None:
    ann, ben = "a" * 40, "b" * 40
    played = game(seat(0, ann, 40, 1), seat(1, ben, -10, 2))

    async def play(store: Store) -> None:
        await store.people.record(played, contests)
        await store.people.save_rules(HouseRules("abc", 5, ann, "Tuesdays", "gong-zhu", 4, {}))

    async def look(store: Store) -> None:
        assert await store.people.results(ann, 9) == []
        (left,) = await store.people.results(ben, 9)
        assert [(each.name, each.person) for each in left.seats] == [(ERASED, None), (ben, ben)]
        assert {who for who, _, _ in await store.people.ratings([ann, ben])} == {ben}
        found = await store.people.rules("abc")
        assert found is not None
        assert found.person is None

    run(database, play)
    with Database(database) as beside:
        person = identities.find_identity(beside, ann)
        told = identities.export(beside, person)
        assert [len(told[name]) for name in ("results", "ratings", "house_rules")] == [1, 1, 1]
        identities.erase(beside, person)
    run(database, look)


# At a server


@contextmanager
def guest(server: Served, name: str = "Aiko") -> Iterator[httpx.Client]:
    """A browser without scripts that has been here before."""
    headers = {"Origin": server.url, "Sec-Fetch-Site": "same-origin", "Accept": "text/html"}
    with httpx.Client(base_url=server.url, headers=headers, timeout=300) as client:
        client.get("/me")
        client.post("/me", data={"name": name, "face": "rabbit-3"})
        yield client


def open_table(client: httpx.Client, **how: Any) -> str:
    wanted = {"game": "gong-zhu", "name": "Aiko", "bots": ["easy"] * 3, **how}
    table: str = client.post("/api/v1/tables", json=wanted).json()["table"]
    return table


def play_on(clients: Sequence[httpx.Client], table: str, until: Callable[[dict[str, Any]], bool]) -> None:
    """Play the first legal plays until something is true of the table."""
    while True:
        for client in clients:
            state = client.get(f"/api/v1/tables/{table}").json()
            if until(state):
                return
            shuffle, deal, mine = state["shuffle"], state["deal"], state["you"]["seat"]
            if shuffle and not shuffle["ready"][mine]:
                client.post(f"/api/v1/tables/{table}/ready", json={"deal": shuffle["deal"], "entropy": "00"})
            elif deal and deal["legal"] and not deal["answered"]:
                client.post(f"/api/v1/tables/{table}/play", json={"play": deal["legal"][0]})
            else:
                time.sleep(0.01)


def is_over(state: dict[str, Any]) -> bool:
    return bool(state["phase"] == "over")


def shows(client: httpx.Client, path: str, text: str, *, wanted: bool = True) -> bool:
    """Whether a page shows something, or nothing of it, within a while: what it shows is kept in the background."""
    until = time.monotonic() + 120
    while (text in client.get(path).text) is not wanted:
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def test_a_finished_game_stands_on_the_page_of_who_played_it(server: Served) -> None:
    with guest(server) as ann, guest(server) as eve:
        table = open_table(ann, options={"target": 10})
        assert ann.get(f"/api/v1/tables/{table}").json()["seats"][0]["face"] == "rabbit-3"
        assert shows(ann, "/me", f"/t/{table}/leave")
        play_on([ann], table, is_over)
        assert shows(ann, "/me", f"/r/{table}?session=1")
        assert shows(ann, "/me", "Rating against bots")  # kept after the last deal, not after each
        assert re.search(r"place \d of 4", ann.get("/me").text)
        assert shows(ann, "/me", f"/t/{table}/leave", wanted=False)
        assert table not in eve.get("/me").text


def test_a_table_waits_for_its_player(server: Served) -> None:
    with guest(server) as ann:
        table = open_table(ann)
        play_on([ann], table, lambda state: bool(state["deal"] and state["deal"]["mover"] == 0))
        assert shows(ann, "/me", "Your turn")
        assert shows(ann, "/", "Your turn")
        assert ann.post(f"/t/{table}/leave").headers["location"] == "/me"
        own = ann.get("/me").text
        assert f"/t/{table}/leave" not in own
        assert f"/t/{table}/close" in own  # still its host
        assert ann.post(f"/t/{table}/close").status_code == 303
        assert "You have no unfinished game" in ann.get("/me").text


def test_a_lost_table_counts_when_its_host_leaves_seats_a_bot_there_and_closes_it(server: Served) -> None:
    with guest(server) as ann:
        table = open_table(ann, options={"session_deals": 2, "target": 10_000})  # not over after the first deal
        play_on([ann], table, lambda state: len(state["results"]) > 0 or (state["deal"] or {}).get("number", 0) > 1)
        assert "undoes nothing" in ann.get("/me").text
        ann.post(f"/t/{table}/leave")
        assert ann.post(f"/api/v1/tables/{table}/bots", json={"bot": "easy", "seat": 0}).status_code == 200
        assert shows(ann, "/me", "Rating against bots", wanted=False)
        ann.post(f"/t/{table}/close")
        assert shows(ann, "/me", "Rating against bots")
        assert re.search(r"place \d of 4", ann.get("/me").text)


def test_only_the_host_closes_a_table(server: Served) -> None:
    with guest(server) as ann, guest(server, "Ben") as ben:
        table = open_table(ann, bots=["easy"])
        assert ben.post(f"/t/{table}/close").status_code == 403
        assert ben.get(f"/api/v1/tables/{table}").json()["phase"] == "waiting"


def test_a_guest_goes_on_at_another_device(server: Served) -> None:
    with guest(server) as ann, guest(server, "Ben") as other, httpx.Client(base_url=server.url) as stranger:
        table = open_table(ann)
        link = re.findall(r'value="(http[^"]+/me/arrive\?as=[^"]+)"', ann.get("/me/device").text)[0]
        sent = link.partition("as=")[2]
        assert "Continue as Aiko" in other.get(link).text
        assert other.cookies["tefuda"] != ann.cookies["tefuda"]  # opening the link has changed nothing
        assert other.post("/me/arrive", data={"as": sent}).status_code == 303
        assert (other.cookies["tefuda"], other.cookies["face"]) == (ann.cookies["tefuda"], "rabbit-3")
        assert shows(other, "/me", f"/t/{table}/leave")
        for wrong in (sent[:-1], ann.cookies["tefuda"], "x", ""):
            assert stranger.get("/me/arrive", params={"as": wrong}).status_code == 410
            assert stranger.post("/me/arrive", data={"as": wrong}, headers={"origin": server.url}).headers[
                "location"
            ] == "/me/arrive"  # fmt: skip
        assert stranger.get("/me/device").status_code == 200  # whoever has looked at a page is a guest


@pytest.mark.slow
def test_a_forgotten_guest_leaves_nothing_but_plays(server: Served) -> None:
    with guest(server, "Zenobia") as ann:
        over, unfinished = open_table(ann, name="Zenobia", options={"target": 10}), open_table(ann, name="Zenobia")
        play_on([ann], over, is_over)
        assert shows(ann, "/me", f"/r/{over}?session=1")
        before = dict(ann.cookies)
        passed = re.findall(r"/me/arrive\?as=([^\"]+)\"", ann.get("/me/device").text)[0]
        assert ann.post("/me/forget", data={}).headers["location"] == "/me#forget"
        answer = ann.post("/me/forget", data={"sure": "yes"})
        assert answer.status_code == 200
        assert "storage" in answer.headers["clear-site-data"]
        assert "tefuda" not in ann.cookies
        again = httpx.Client(base_url=server.url, cookies=before)
        assert over not in again.get("/me").text
        assert unfinished not in again.get("/me").text
        again.close()
        old = {"cookie": f"tefuda={before['tefuda']}", "origin": server.url}
        opened = httpx.post(f"{server.url}/api/v1/tables", json={"game": "gong-zhu", "name": "Ann"}, headers=old)
        assert opened.status_code == 201
        assert "tefuda" in opened.cookies  # whoever has the old cookie is a stranger
        assert httpx.post(f"{server.url}/me/arrive", data={"as": passed}, headers=old).cookies.get("tefuda") is None
        for table in (over, unfinished):
            assert not says_name(server, table)
        assert httpx.get(f"{server.url}/r/{over}", headers={"accept": "text/html"}).status_code == 200


def says_name(server: Served, table: str) -> bool:
    """Whether a table still names Zenobia after a while; live tables are loaded anew."""
    for _ in range(400):
        if "Zenobia" not in httpx.get(f"{server.url}/api/v1/tables/{table}").text:
            return False
        time.sleep(0.05)
    return True


def test_a_name_and_a_face_are_kept_in_the_browser(server: Served) -> None:
    with guest(server) as ann:
        assert 'src="/faces/rabbit-3.svg"' in ann.get("/").text
        assert ann.post("/me", data={"name": "\u200b" * 3, "face": "cat-1"}).headers["location"] == "/me?fault=name#who"
        assert "A name needs" in ann.get("/me?fault=name").text
        ann.post("/me", data={"name": "", "face": "ox-1"})
        assert "<h1>Ox</h1>" in ann.get("/me").text
        opened = ann.post("/games/gong-zhu", data={"with": "bots"}).headers["location"]
        assert ann.get(f"/api/v1{opened.replace('/t/', '/tables/')}").json()["seats"][0]["name"] == "Ox"
