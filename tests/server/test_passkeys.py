"""Passkeys: added by a guest, who signs in with them elsewhere; what is refused; what is kept, exported and erased."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from typing import Any

import httpx
import pytest

from tefuda.engine.errors import TefudaError
from tefuda.server.settings import ServerSettings
from tefuda.server.store import Store, identities, open_store
from tefuda.server.store.database import Database
from tefuda.server.store.port import Passkey
from tefuda.server.table.callers import Refused
from tests.server.server_process import Served, serving_passkeys

pytest.importorskip("webauthn", reason="passkeys are left out: uv sync --extra passkeys")

from tefuda.server.http import passkeys
from tefuda.server.http.passkeys import Ceremonies
from tefuda.server.table.callers import guest_hash
from tests.server.authenticator import PRESENT, Authenticator

ANN = "a" * 22
ORIGIN = "https://cards.example"


# Ceremonies


@pytest.fixture
def ceremonies() -> Ceremonies:
    return Ceremonies(b"secret", ORIGIN)


def made(ceremonies: Ceremonies, device: Authenticator) -> Passkey:
    """The passkey that Ann's device makes."""
    answer = device.make(ceremonies.creation(ANN, "Ann", []))
    return ceremonies.made(answer, ceremonies.challenge(answer, guest_hash(ANN)), guest_hash(ANN))


def test_whoever_has_the_passkey_signs_in(ceremonies: Ceremonies) -> None:
    device = Authenticator(ORIGIN)
    passkey = made(ceremonies, device)
    answer = device.sign(ceremonies.request())
    assert ceremonies.signed(answer, ceremonies.challenge(answer), passkey) == (ANN, 1)


def test_what_a_browser_is_asked_for(ceremonies: Ceremonies) -> None:
    known = Passkey("AAAA", guest_hash(ANN), "", 0, 0)
    options = ceremonies.creation(ANN, "Ann", [known])
    assert options["rp"] == {"id": "cards.example", "name": "Tefuda"}
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert [each["id"] for each in options["excludeCredentials"]] == ["AAAA"]
    assert options["attestation"] == "none"
    assert ceremonies.request()["allowCredentials"] == []


@pytest.mark.parametrize(
    "device",
    [
        pytest.param(Authenticator("https://evil.example"), id="another site"),
        pytest.param(Authenticator("http://cards.example"), id="the same host over http"),
        pytest.param(Authenticator("https://sub.cards.example"), id="a host below it"),
        pytest.param(Authenticator(ORIGIN, flags=PRESENT), id="its owner was not recognised"),
    ],
)
def test_devices_that_are_refused(ceremonies: Ceremonies, device: Authenticator) -> None:
    with pytest.raises(Refused, match="bad_passkey"):
        made(ceremonies, device)
    honest = Authenticator(ORIGIN)
    passkey = made(ceremonies, honest)
    device.id, device.key, device.user = honest.id, honest.key, honest.user
    answer = device.sign(ceremonies.request())
    with pytest.raises(Refused, match="bad_passkey"):
        ceremonies.signed(answer, ceremonies.challenge(answer), passkey)


def test_a_passkey_of_somebody_else_is_refused(ceremonies: Ceremonies) -> None:
    passkey, thief = made(ceremonies, Authenticator(ORIGIN)), Authenticator(ORIGIN)
    thief.user = ANN.encode()
    answer = thief.sign(ceremonies.request())
    with pytest.raises(Refused, match="bad_passkey"):
        ceremonies.signed(answer, ceremonies.challenge(answer), passkey)


def test_a_user_handle_that_the_passkey_is_not_for_is_refused(ceremonies: Ceremonies) -> None:
    device = Authenticator(ORIGIN)
    passkey = made(ceremonies, device)
    device.user = b"b" * 22  # it is not signed
    answer = device.sign(ceremonies.request())
    with pytest.raises(Refused, match="bad_passkey"):
        ceremonies.signed(answer, ceremonies.challenge(answer), passkey)


def test_a_counter_that_stands_still_betrays_a_copy(ceremonies: Ceremonies) -> None:
    device = Authenticator(ORIGIN)
    passkey = made(ceremonies, device)
    answer = device.sign(ceremonies.request())
    later = Passkey(**{**vars(passkey), "counter": 1})
    with pytest.raises(Refused, match="bad_passkey"):
        ceremonies.signed(answer, ceremonies.challenge(answer), later)


def test_a_challenge_is_for_one_purpose_one_guest_and_a_while(
    ceremonies: Ceremonies, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = Authenticator(ORIGIN)
    adding, signing = device.make(ceremonies.creation(ANN, "Ann", [])), device.sign(ceremonies.request())
    foreign = device.sign(Ceremonies(b"another", ORIGIN).request())
    assert ceremonies.challenge(adding, guest_hash(ANN)).text != ceremonies.challenge(signing).text
    for answer, guest in ((adding, ""), (adding, "b" * 40), (signing, guest_hash(ANN)), (foreign, "")):
        with pytest.raises(Refused, match="passkey_late"):
            ceremonies.challenge(answer, guest)
    monkeypatch.setattr(passkeys, "ANSWER_WITHIN", -1)
    with pytest.raises(Refused, match="passkey_late"):
        ceremonies.challenge(signing)


@pytest.mark.parametrize(
    ("origin", "told"),
    [
        (None, "say where people find the server"),
        ("http://cards.example", "over https and at localhost alone, not at http://cards.example"),
        ("http://127.0.0.1:8000", "over https and at localhost alone"),
        ("https://192.0.2.1", "192.0.2.1 is an address"),
        ("https://[2001:db8::1]", "2001:db8::1 is an address"),
    ],
)
def test_origins_without_passkeys(origin: str | None, told: str) -> None:
    with pytest.raises(TefudaError, match=f"^--passkeys: .*{told}".replace(".", r"\.").replace(r"\.*", ".*")):
        ServerSettings(origin=origin, passkeys=True)


@pytest.mark.parametrize("origin", ["https://cards.example", "https://cards.example:8443", "http://localhost:8000"])
def test_origins_with_passkeys(origin: str) -> None:
    assert ServerSettings(origin=origin, passkeys=True).passkeys


# The store


def run(url: str, work: Callable[[Store], Coroutine[Any, Any, None]]) -> None:
    async def with_store() -> None:
        store = open_store(url)
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(with_store())


def test_passkeys_are_kept_used_and_removed(database: str) -> None:
    async def scenario(store: Store) -> None:
        first, second = Passkey("k1", "ann", "pub", 0, 5, None, "Ann", "ox-1"), Passkey("k2", "ann", "pub", 0, 6)
        assert await store.passkeys.add(second)
        assert await store.passkeys.add(first)
        assert not await store.passkeys.add(Passkey("k1", "eve", "other", 0, 7))
        assert await store.passkeys.of("ann") == [first, second]
        assert await store.passkeys.find("k1") == first
        assert await store.passkeys.find("nothing") is None
        assert await store.passkeys.use("k2", 0, 8)  # this device counts nothing
        assert await store.passkeys.use("k1", 3, 8)
        assert not await store.passkeys.use("k1", 3, 9)
        assert not await store.passkeys.use("k1", 0, 9)
        await store.passkeys.rename("ann", "Anna", "rat-2")
        found = await store.passkeys.find("k1")
        assert found == Passkey("k1", "ann", "pub", 3, 5, 8, "Anna", "rat-2")
        await store.passkeys.remove("k1", "eve")
        assert await store.passkeys.find("k1") == found
        await store.passkeys.remove("k1", "ann")
        assert await store.passkeys.find("k1") is None
        assert not await store.passkeys.use("k1", 9, 9)

    run(database, scenario)


def test_a_challenge_is_spent_once_and_then_forgotten(database: str) -> None:
    async def scenario(store: Store) -> None:
        late = 1 << 42
        assert await store.passkeys.spend("c", late)
        assert not await store.passkeys.spend("c", late)
        assert await store.passkeys.spend("old", 1)
        assert await store.passkeys.spend("old", 1)  # it had been forgotten: nobody accepts it any more

    run(database, scenario)


def test_administrators_export_and_erase_passkeys(database: str) -> None:
    ann, ben = "a" * 40, "b" * 40

    async def add(store: Store) -> None:
        for key, guest in (("k1", ann), ("k2", ben)):
            assert await store.passkeys.add(Passkey(key, guest, "pub", 0, 5))

    async def look(store: Store) -> None:
        assert await store.passkeys.of(ann) == []
        assert len(await store.passkeys.of(ben)) == 1

    run(database, add)
    with Database(database) as beside:
        person = identities.find_identity(beside, ann)
        assert [each["id"] for each in identities.export(beside, person)["passkeys"]] == ["k1"]
        identities.erase(beside, person)
    run(database, look)


# At a server


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with passkeys; ``origin`` is what people type."""
    with serving_passkeys(tmp_path_factory.mktemp("club")) as found:
        yield found


def origin_of(club: Served) -> str:
    return club.url.replace("127.0.0.1", "localhost")


@contextmanager
def guest(club: Served, name: str = "") -> Iterator[httpx.Client]:
    """A browser that has been here before."""
    headers = {"Origin": origin_of(club), "Sec-Fetch-Site": "same-origin"}
    with httpx.Client(base_url=club.url, headers=headers, timeout=60) as client:
        client.get("/me")
        if name:
            client.post("/me", data={"name": name, "face": "rabbit-3"})
        yield client


def post(client: httpx.Client, path: str, body: Any = None) -> httpx.Response:
    return client.post(f"/api/v1/passkeys{path}", json={} if body is None else body)


def add_passkey(client: httpx.Client, device: Authenticator) -> None:
    assert post(client, "", device.make(post(client, "/creation").json())).status_code == 201


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def test_a_guest_signs_in_from_another_browser(club: Served) -> None:
    device = Authenticator(origin_of(club))
    with guest(club, "Aiko") as ann, guest(club, "Ben") as other:
        add_passkey(ann, device)
        ann.post("/me", data={"name": "Aiko II", "face": "ox-2"})
        answer = device.sign(post(other, "/request").json())
        signed_in = post(other, "/sign-in", answer)
        assert (signed_in.status_code, signed_in.json()) == (200, {"name": "Aiko II"})
        assert (other.cookies["tefuda"], other.cookies["face"]) == (ann.cookies["tefuda"], "ox-2")
        assert "httponly" in signed_in.headers["set-cookie"].lower()
        assert "last used on" in other.get("/me").text
        assert refused(post(other, "/sign-in", answer)) == (410, "passkey_late")  # once


def test_a_passkey_that_is_removed_opens_nothing(club: Served) -> None:
    device = Authenticator(origin_of(club))
    with guest(club) as ann, guest(club) as eve:
        add_passkey(ann, device)
        key = device.make({"user": {"id": ""}, "challenge": ""})["id"]
        eve.post("/me/passkeys/remove", data={"key": key})
        assert key in ann.get("/me").text
        assert ann.post("/me/passkeys/remove", data={"key": key}).headers["location"] == "/me#passkeys"
        assert key not in ann.get("/me").text
        assert refused(post(eve, "/sign-in", device.sign(post(eve, "/request").json()))) == (404, "no_such_passkey")


def test_forgetting_takes_the_passkeys_along(club: Served) -> None:
    device = Authenticator(origin_of(club))
    with guest(club, "Zenobia") as ann, guest(club) as other:
        add_passkey(ann, device)
        ann.post("/me/forget", data={"sure": "yes"})
        assert refused(post(other, "/sign-in", device.sign(post(other, "/request").json()))) == (404, "no_such_passkey")
        with closing(sqlite3.connect(club.db.removeprefix("sqlite:///"))) as kept:
            assert kept.execute("SELECT count(*) FROM passkeys WHERE name = 'Zenobia'").fetchone() == (0,)


def test_what_the_database_keeps_lets_nobody_in(club: Served) -> None:
    device = Authenticator(origin_of(club))
    with guest(club) as ann:
        add_passkey(ann, device)
    kept = b"".join(path.read_bytes() for path in club.log.parent.glob("tables.db*") if path.is_file())
    assert device.user not in kept


def test_bad_input_is_answered_in_one_line(club: Served) -> None:
    device = Authenticator(origin_of(club))
    with guest(club) as ann, httpx.Client(base_url=club.url) as stranger:
        assert refused(post(stranger, "/creation")) == (401, "no_guest")
        good = device.make(post(ann, "/creation").json())
        assert refused(post(stranger, "", good)) == (401, "no_guest")
        with guest(club) as eve:
            assert refused(post(eve, "", good)) == (410, "passkey_late")  # the challenge is Ann's
        for wrong in ({}, {**good, "id": "!"}, {**good, "response": ""}):
            assert refused(post(ann, "", wrong)) == (422, "bad_input")
        for wrong in ({**good, "response": {}}, {**good, "response": {**good["response"], "clientDataJSON": 5}}):
            assert refused(post(ann, "", wrong)) == (422, "bad_passkey")
        odd = device.make(post(ann, "/creation").json())
        assert refused(post(ann, "", {**odd, "type": "password"})) == (422, "bad_passkey")
        for text in ("AAAA", "e30", ""):
            broken = {**good, "response": {**good["response"], "clientDataJSON": text}}
            assert refused(post(ann, "", broken)) == (422, "bad_passkey")
        for text in ("AAAA", "", "oA", "v___"):
            fresh = device.make(post(ann, "/creation").json())
            broken = {**fresh, "response": {**fresh["response"], "attestationObject": text}}
            assert refused(post(ann, "", broken)) == (422, "bad_passkey")
        add_passkey(ann, device)
        twice = device.make(post(ann, "/creation").json())
        assert refused(post(ann, "", twice)) == (422, "bad_passkey")
        for part in ("authenticatorData", "signature", "userHandle"):
            fresh = device.sign(post(ann, "/request").json())
            broken = {**fresh, "response": {**fresh["response"], part: "AAAA"}}
            assert refused(post(ann, "/sign-in", broken)) == (422, "bad_passkey")
    written = club.log.read_text("utf-8")
    assert "Traceback" not in written


def test_a_guest_has_so_many_passkeys_and_no_more(club: Served) -> None:
    with guest(club) as ann:
        for _ in range(20):
            add_passkey(ann, Authenticator(origin_of(club)))
        assert refused(post(ann, "/creation")) == (409, "too_many_passkeys")


def test_a_server_without_passkeys_says_so(server: Served) -> None:
    with httpx.Client(base_url=server.url, headers={"Origin": server.url}) as client:
        page = client.get("/me").text
        assert "passkey" not in page.lower()
        for path in ("/creation", "/request"):
            assert refused(post(client, path)) == (404, "no_passkeys")
        assert refused(post(client, "", Authenticator(server.url).make({"user": {"id": ""}, "challenge": ""}))) == (
            404, "no_passkeys",
        )  # fmt: skip
