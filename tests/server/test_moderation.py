"""Moderation: who may moderate, what they can do to people and tables, and what is written down of it."""

import asyncio
import re
import time
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from tefuda.server.store import Draft, identities, moderation, open_store
from tefuda.server.store.database import Database
from tefuda.server.store.moderation import Deed
from tefuda.server.store.people import ERASED
from tefuda.server.store.port import Listing
from tefuda.server.store.stored_tables import list_reports
from tests.server.administration import admin, told
from tests.server.server_process import Served
from tests.server.test_people import guest, open_table, shows

ANN, BEN, MAX = "a" * 40, "b" * 40, "c" * 40


@pytest.fixture
def reported(database: str) -> str:
    """The address of a database with a listed table, at which Ann has reported Ben twice."""
    host = {"guest": ANN, "token": None}
    created = {"table": "t", "game": "gong-zhu", "rules": 1, "seats": 4, "options": {}, "host": host, "public": True}
    drafts = [
        Draft("created", {**created, "invite": None, "spectators": "none", "clock": None}),
        Draft("seated", {"seat": 0, "name": "Ann", "guest": ANN, "token": None}),
        Draft("seated", {"seat": 1, "name": "Ben", "guest": BEN, "token": None}),
        Draft("reported", {"seat": 0, "of": 1, "note": "first"}),
        Draft("reported", {"seat": 0, "of": 1, "note": "second"}),
    ]

    async def write() -> None:
        store = open_store(database)
        await store.append("t", 0, drafts)
        await store.show(
            Listing("t", 5, 1, public=True, summary={"phase": "waiting", "seats": [{"name": "Ann"}, {"name": "Ben"}]})
        )
        await store.close()

    asyncio.run(write())
    return database


async def listed(db: str) -> list[str]:
    store = open_store(db)
    try:
        return [each.table for each in await store.public(9)]
    finally:
        await store.close()


def done(db: str, deed: str, subject: str, **how: Any) -> bool:
    with Database(db) as database:
        return moderation.do(database, Deed(deed, subject, **how))


# The store


def test_every_deed_is_written_down_with_who_did_it_to_whom_and_why(reported: str) -> None:
    assert done(reported, "mute", BEN, whom="Ben", why="Rude.", by=MAX, name="Max", until=2**42)
    assert told(reported, "ban", "203.0.113.7", "--reason", "Floods.") == {"banned": ["203.0.113.7"], "until": None}
    assert told(reported, "close", "t", "--yes") == {"closed": ["t"]}
    assert told(reported, "close", "t", "--yes") == {"closed": []}  # nothing is done twice
    found = told(reported, "log")
    assert [(each["deed"], each["subject"], each["whom"], each["why"], each["name"]) for each in found] == [
        ("close", "t", "", "", ""),
        ("ban", "203.0.113.7", "", "Floods.", ""),
        ("mute", BEN, "Ben", "Rude.", "Max"),
    ]
    assert all(each["at"] > 1_700_000_000_000 for each in found)
    last = admin(reported, "log", "--limit", "0").stdout.splitlines()[-1]
    assert last.endswith(f"Max {MAX}  mute  {BEN}  Ben  Rude.")
    assert len(told(reported, "log", "--limit", "1")) == 1
    muted = next(each for each in told(reported, "bans") if each["mute"])
    assert (muted["subject"], muted["until"]) == (BEN, 2**42)
    assert told(reported, "unban", BEN) == {"unbanned": [BEN]}


def test_a_ban_takes_the_place_of_a_mute(reported: str) -> None:
    done(reported, "mute", BEN)
    done(reported, "ban", BEN)
    assert [each["mute"] for each in told(reported, "bans")] == [False]


def test_a_report_that_is_done_with_is_shown_no_more_until_it_is_opened_again(reported: str) -> None:
    assert done(reported, "done", "t:4")
    with Database(reported) as database:
        assert [each.note for each in list_reports(database, open_only=True)] == ["second"]
        assert [(each.note, each.done) for each in list_reports(database)] == [("second", False), ("first", True)]
        assert [each.note for each in list_reports(database, limit=1)] == ["second"]
    assert "(done)" in admin(reported, "reports").stdout
    done(reported, "reopen", "t:4")
    with Database(reported) as database:
        assert len(list_reports(database, open_only=True)) == 2


def test_a_hidden_table_is_in_no_list_until_it_is_shown_again(reported: str) -> None:
    assert asyncio.run(listed(reported)) == ["t"]
    assert done(reported, "hide", "t")
    assert not done(reported, "hide", "t")
    assert asyncio.run(listed(reported)) == []

    async def goes_on() -> None:
        store = open_store(reported)
        await store.show(Listing("t", 6, 2, public=True, summary={"phase": "playing"}))
        await store.close()

    asyncio.run(goes_on())
    assert asyncio.run(listed(reported)) == []
    assert done(reported, "show", "t")
    assert asyncio.run(listed(reported)) == ["t"]
    for deed in ("hide", "close"):
        with pytest.raises(Exception, match="nowhere: there is no such table"):
            done(reported, deed, "nowhere")


def test_moderators_are_appointed_at_the_shell(reported: str) -> None:
    assert list(told(reported, "moderators", MAX)) == [MAX]  # who has only looked at pages
    assert sorted(told(reported, "moderators", "t:1")) == [BEN, MAX]
    told(reported, "moderators", "t:1")
    assert list(told(reported, "moderators", "t:1", "--remove")) == [MAX]
    assert f"{BEN} is no moderator" in admin(reported, "moderators", BEN, "--remove").stderr
    assert "is no address, no hash" in admin(reported, "moderators", "Max").stderr
    assert [each["deed"] for each in told(reported, "log")] == ["remove_moderator", "add_moderator", "add_moderator"]


def test_whoever_is_erased_is_a_moderator_no_more_and_named_in_no_log(reported: str) -> None:
    told(reported, "moderators", "t:0")
    done(reported, "mute", BEN, whom="Ben", by=ANN, name="Ann")
    with Database(reported) as database:
        assert len(identities.export(database, identities.find_identity(database, ANN))["moderator"]) == 1
    for person in (ANN, BEN):
        told(reported, "erase", person, "--yes")
    assert told(reported, "moderators") == {}
    (deed,) = [each for each in told(reported, "log") if each["deed"] == "mute"]
    assert (deed["by"], deed["name"], deed["whom"]) == (ERASED, ERASED, ERASED)


# The page


def own_hash(client: httpx.Client) -> str:
    """The reader's hash, as the page tells it to whoever is no moderator."""
    answer = client.get("/moderation")
    assert answer.status_code == 403
    return str(re.findall(r"moderators ([0-9a-f]{40})", answer.text)[0])


def appointed(server: Served, client: httpx.Client) -> str:
    mine = own_hash(client)
    told(server.db, "moderators", mine)
    assert client.get("/moderation").status_code == 200
    return mine


def moderate(client: httpx.Client, do: str, **how: str) -> httpx.Response:
    return client.post("/moderation", data={"do": do, **how})


def until_refused(client: httpx.Client, path: str, code: str, **body: Any) -> None:
    """Order something until it is refused so: every process learns of bans within seconds."""
    limit = time.monotonic() + 60
    while True:
        answer = client.post(path, json=body, headers={"Accept": "application/json"})
        if answer.status_code == 403:
            assert answer.json()["error"]["code"] == code
            return
        assert time.monotonic() < limit
        time.sleep(0.3)


def test_only_moderators_see_the_page_and_do_anything_there(server: Served) -> None:
    with guest(server, "Max") as max_, guest(server, "Eve") as eve:
        assert "/moderation" not in eve.get("/me").text
        mine = appointed(server, max_)
        assert '<a href="/moderation">' in max_.get("/me").text
        table = open_table(eve, bots=["easy"])
        for do in (f"close {table}", f"hide {table}", f"ban {'a' * 40}"):
            assert moderate(eve, do, why="So.").status_code == 403
        foreign = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
        assert max_.post("/moderation", data={"do": f"hide {table}"}, headers=foreign).status_code == 403
        assert eve.get(f"/api/v1/tables/{table}").json()["phase"] == "waiting"
        told(server.db, "moderators", mine, "--remove")
        assert max_.get("/moderation").status_code == 403


def test_a_moderator_mutes_somebody_who_was_reported_and_lets_them_speak_again(server: Served) -> None:
    with ExitStack() as stack:
        ann, ben, max_ = (stack.enter_context(guest(server, name)) for name in ("Ann", "Ben", "Max"))
        appointed(server, max_)
        rude, mine = own_hash(ben), open_table(ann, name="Ann", bots=[], public=False, chat=True)
        ben.post(f"/t/{mine}/join", data={"name": "Ben <b>"})
        ben.post(f"/api/v1/tables/{mine}/say", json={"text": "Something rude"})
        said = ann.get(f"/api/v1/tables/{mine}").json()["seq"]
        ann.post(f"/api/v1/tables/{mine}/report", json={"seat": 1, "said": said, "note": "He <i>shouts</i>."})
        page = max_.get("/moderation").text
        for text in (
            "Ben &lt;b&gt;",
            "Something rude",
            "He &lt;i&gt;shouts&lt;/i&gt;.",
            "Reported by Ann",
            f"/t/{mine}",
        ):
            assert text in page
        assert moderate(max_, f"mute {rude}", days="7").status_code == 422  # without a reason
        assert moderate(max_, f"mute {rude}", why="Be kind.", whom="Ben", days="7").status_code == 303
        until_refused(ben, f"/api/v1/tables/{mine}/say", "muted", phrase="hello")
        answer = ben.post("/me", data={"name": "Ruder", "face": "ox-1"})
        assert (answer.status_code, "Be kind." in answer.text) == (403, True)
        assert ben.post("/clubs", data={"name": "Rude club"}).status_code == 403
        other = open_table(ben, name="Rude name", bots=[])
        assert ben.get(f"/api/v1/tables/{other}").json()["seats"][0]["name"] == "Rabbit"
        page = max_.get("/moderation").text
        assert f"unban {rude}" in page or f"{rude}" in page
        muted = re.findall(r'value="(unban [0-9a-f ]+)"', page)[0]
        assert moderate(max_, muted).status_code == 303
        limit = time.monotonic() + 60
        while ben.post(f"/api/v1/tables/{mine}/say", json={"phrase": "hello"}).status_code != 200:
            assert time.monotonic() < limit
            time.sleep(0.3)
        report = re.findall(r'value="(done [\w:]+)"', page)[0]
        assert moderate(max_, report).status_code == 303
        page = max_.get("/moderation").text
        assert "He &lt;i&gt;shouts" not in page
        reopened = f"reopen {report.removeprefix('done ')}"
        assert reopened in page
        moderate(max_, reopened)
        assert "He &lt;i&gt;shouts" in max_.get("/moderation").text


def test_a_moderator_hides_closes_and_bans(server: Served) -> None:
    with ExitStack() as stack:
        ann, eve, max_ = (stack.enter_context(guest(server, name)) for name in ("Ann", "Eve", "Max"))
        mine = appointed(server, max_)
        open_table(max_, bots=[])
        table = open_table(ann, bots=["easy"])
        assert shows(eve, "/", table)
        moderate(max_, "hide", subject=table)
        assert shows(eve, "/", table, wanted=False)
        moderate(max_, f"show {table}")
        assert shows(eve, "/", table)
        moderate(max_, f"close {table}", why="Bad name.")
        assert shows(eve, f"/api/v1/tables/{table}", '"phase":"closed"')
        rude = own_hash(eve)
        for subject, status in (("203.0.113.0/24", 403), (mine, 403), ("nobody", 422), ("d" * 40, 422), ("", 422)):
            assert moderate(max_, "ban", subject=subject, why="So.").status_code == status, subject
        for wrong in ({"do": "erase x"}, {"do": "add_moderator " + rude}, {"do": "ban x", "days": "3"}):
            assert max_.post("/moderation", data={"why": "So.", **wrong}).status_code == 422
        open_table(eve, bots=[])  # else no log knows her
        moderate(max_, f"ban {rude}", why="Floods.", days="0")
        until_refused(eve, "/api/v1/tables", "banned", game="gong-zhu")
        done = {each["deed"] for each in told(server.db, "log", "--limit", "0")}
        assert {"hide", "show", "close", "ban"} <= done


# The host of a table


def test_a_host_mutes_a_player_at_their_table_and_sends_one_away_before_the_first_deal(server: Served) -> None:
    with ExitStack() as stack:
        ann, ben, eve = (stack.enter_context(guest(server, name)) for name in ("Ann", "Ben", "Eve"))
        table = open_table(ann, name="Ann", bots=[])
        at = f"/api/v1/tables/{table}"
        for client, name in ((ben, "Ben"), (eve, "Eve")):
            client.post(f"{at}/join", json={"name": name})
        assert ben.post(f"{at}/mute", json={"seat": 2}).status_code == 403
        assert ann.post(f"{at}/mute", json={"seat": 3}).status_code == 422  # nobody is there
        assert ann.post(f"{at}/mute", json={"seat": 1}).status_code == 200
        assert [each.get("muted", False) for each in eve.get(at).json()["seats"]] == [False, True, False, False]
        until_refused(ben, f"{at}/say", "hushed", phrase="hello")
        ben.post(f"{at}/leave", json={})
        ben.post(f"{at}/join", json={"name": "Ben again", "seat": 1})
        until_refused(ben, f"{at}/say", "hushed", phrase="hello")  # it is the person who is muted
        assert ann.post(f"{at}/mute", json={"seat": 1, "muted": False}).status_code == 200
        assert ben.post(f"{at}/say", json={"phrase": "hello"}).status_code == 200
        assert ann.post(f"{at}/bots/remove", json={"seat": 0}).status_code == 409  # who leaves uses leave
        assert ann.post(f"{at}/bots/remove", json={"seat": 2}).status_code == 200
        until_refused(eve, f"{at}/join", "removed", name="Eve")
        assert [each["name"] for each in ann.get(at).json()["seats"]] == ["Ann", "Ben again", "", ""]
        ann.post(f"{at}/bots", json={"bot": "easy"})
        for client in (ann, ben):
            client.post(f"{at}/ready", json={"deal": 1, "entropy": "00"})
        assert shows(ann, at, '"number":1')
        assert ann.post(f"{at}/bots/remove", json={"seat": 1}).status_code == 409  # in the middle of a game nobody is
