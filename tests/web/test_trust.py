"""A house that cheats with the shuffle is caught by the page, through what the browser has kept."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tefuda.cli.verify import verify
from tefuda.engine.errors import TefudaError
from tefuda.table import shuffle
from tests.server.server_process import Served, serving
from tests.web.tables import DESK, PATIENCE, Person, company, until_compiled

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

Proof = dict[str, Any]

RECEIPT = "JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith('tefuda.receipt:'))?.[1] ?? 'null')"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("house")
    with serving(f"sqlite:///{folder / 'tables.db'}", folder / "log", "--game", "gong-zhu") as found:
        until_compiled(found)
        yield found


def consistent(proof: Proof, secret: bytes, entropy: list[bytes]) -> Proof:
    """A proof that holds, from another secret and other entropy."""
    bound_to = proof["context"].encode()
    commitment = shuffle.commit(bound_to, secret)
    this_round = shuffle.round_of(bound_to, proof["attempt"])
    seals = [
        shuffle.seal(this_round, commitment, seat, part).hex() if part else "" for seat, part in enumerate(entropy)
    ]
    places, chance = shuffle.shuffle(np.arange(len(proof["pack"])), this_round, secret, entropy)
    return {
        **proof,
        "commitment": commitment.hex(),
        "secret": secret.hex(),
        "entropy": [part.hex() for part in entropy],
        "seals": seals,
        "chance": chance,
        "deck": [proof["pack"][place] for place in places],
    }


def parts(proof: Proof) -> list[bytes]:
    return [bytes.fromhex(part) for part in proof["entropy"]]


def ground(proof: Proof) -> Proof:
    return consistent(proof, bytes(32), parts(proof))


def late(proof: Proof) -> Proof:
    return consistent(proof, bytes.fromhex(proof["secret"]), [*parts(proof)[:3], b"late"])


def replaced(proof: Proof) -> Proof:
    return consistent(proof, bytes.fromhex(proof["secret"]), [b"not theirs", *parts(proof)[1:]])


def redealt(proof: Proof) -> Proof:
    return {**proof, "hands": proof["hands"][1:] + proof["hands"][:1]}


def close(guest: Person, change: Callable[[Proof], Proof]) -> None:
    """Close the table during the deal, with what the house says of its shuffle changed."""
    page = guest.page
    until(guest, f"({RECEIPT})?.hand?.length === 13")

    def tamper(route: Any) -> None:
        told = route.fetch(timeout=PATIENCE).json()
        route.fulfill(json=[change(proof) for proof in told])

    page.route("**/proofs", tamper)
    with page.expect_response("**/proofs"):
        guest.post(f"/{table_of(guest)}/close", {})


def until(guest: Person, condition: str) -> None:
    """Wait; in the form of a function, since the page's own rules forbid other scripts."""
    guest.page.wait_for_function(f"() => {condition}")


def table_of(guest: Person) -> str:
    return guest.page.url.partition("/t/")[2].partition("?")[0]


@pytest.mark.parametrize(
    ("cheat", "told"),
    [
        (ground, "the commitment is not the one shown"),
        (late, "the seals are not those of the list"),
        (replaced, "your part is not what your browser added"),
        (redealt, "the cards you were dealt are not those"),
    ],
)
def test_the_table_says_that_the_house_has_cheated(
    chromium: "Browser", house: Served, cheat: Callable[[Proof], Proof], told: str
) -> None:
    with company(chromium, house, "gong-zhu", 4, people=1) as (guest,):
        close(guest, cheat)
        alarm = guest.page.locator(".alarm")
        alarm.wait_for()
        assert told in (alarm.text_content() or "")


def test_two_pages_of_one_seat_add_one_part(chromium: "Browser", house: Served) -> None:
    people = [Person(chromium, house, "en", DESK) for _ in range(2)]
    opened = people[0].post("", {"game": "gong-zhu", "seats": 4, "name": "Aiko", "bots": ["hints"] * 2, "clock": 600})
    other = people[0].context.new_page()
    people[0].sit(opened["table"])
    other.goto(people[0].page.url)
    other.wait_for_selector("#table[data-ready]")
    people[1].post(f"/{opened['table']}/join", {"name": "Bo"})
    people[1].sit(opened["table"])
    until(people[0], f"({RECEIPT})?.hand?.length === 13")
    receipt = people[0].page.evaluate(RECEIPT)
    assert receipt["seal"] == receipt["seals"][receipt["seat"]]
    assert (receipt["entropy"] != "", receipt["named"], receipt["faults"]) == (True, [], [])
    for person in people:
        person.context.close()


FAULTS = """async address => {
  const receipts = document.querySelector('link[href$="js/receipts.js"]').href;
  const {check} = await import(receipts.replace("receipts.js", "proofs.js"));
  const get = async what => (await fetch(`${address}/${what}`)).json();
  const [proofs, chain] = await Promise.all(["proofs", "commitments"].map(get));
  return Promise.all(proofs.map(async proof => (await check(proof, chain)).faults));
}"""
"""What the page's script finds wrong with the proof of each deal of a table."""


def test_an_honest_deal_is_called_fair_by_the_page_and_by_verify(
    chromium: "Browser", house: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The receipts that the page saves are those that ``tefuda verify`` reads."""
    with company(chromium, house, "gong-zhu", 4) as guests:
        guest = guests[0]
        close(guest, lambda proof: proof)
        page, table = guest.page, table_of(guest)
        assert page.evaluate(FAULTS, f"/api/v1/tables/{table}") == [[]]  # by then the page's own check has ended
        assert page.locator(".alarm, .doubt").count() == 0
        page.goto(f"{house.url}/r/{table}?lang=en")
        page.get_by_role("button", name="Check it here").click()
        page.get_by_text("Fair: the order of the pack follows").wait_for()
        with page.expect_download() as saved:
            page.get_by_role("link", name="Save the receipts").click()
        receipts, record = tmp_path / "mine.receipts", tmp_path / "t.tfd"
        saved.value.save_as(receipts)
        record.write_text(page.evaluate(f"fetch('/api/v1/tables/{table}/record').then(found => found.text())"))
    verify(record, [], receipts)
    told = capsys.readouterr().out
    assert "deal 1: fair, 2 of 4 seats added entropy in attempt 1; the receipt of seat 0 agrees" in told
    kept = json.loads(receipts.read_text("utf-8"))
    receipts.write_text(json.dumps({**kept, "commitment": "00" * 32}), "utf-8")
    with pytest.raises(TefudaError, match="the commitment is not the one shown before the deal"):
        verify(record, [], receipts)


def test_a_page_that_is_shown_another_commitment_after_it_has_sealed_reveals_nothing(
    chromium: "Browser", house: Served
) -> None:
    """The house changes its commitment when the list of seals is closed."""
    guest = Person(chromium, house, "en", {"width": 1280, "height": 800})
    sent: list[str] = []

    def connect(line: Any) -> None:
        server = line.connect_to_server()

        def forward(message: str) -> None:
            told = json.loads(message)
            if told["type"] in ("state", "shuffle") and told["shuffle"] and told["shuffle"]["seals"]:
                told["shuffle"]["commitment"] = "00" * 32
            line.send(json.dumps(told))

        def back(message: str) -> None:
            sent.append(json.loads(message)["type"])
            server.send(message)

        server.on_message(forward)
        line.on_message(back)

    guest.page.route_web_socket("**/socket*", connect)
    opened = guest.post("", {"game": "gong-zhu", "name": "Aiko", "bots": ["hints"] * 3})
    guest.sit(opened["table"])
    until(guest, f"({RECEIPT})?.faults?.includes('commitment')")
    guest.page.evaluate("window.dispatchEvent(new Event('online'))")  # the page asks whether the line still stands
    while "ping" not in sent:  # all that it has sent before has come by then
        guest.page.wait_for_timeout(50)
    assert "ready" in sent
    assert "reveal" not in sent
    guest.context.close()
