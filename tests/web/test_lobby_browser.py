"""Lobby, forms, rules and replays in a real browser."""

import json
import re
import time
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tefuda.client import Client
from tefuda.engine.texts import LANGUAGES
from tests.server.server_process import Served
from tests.web.barriers import barriers
from tests.web.conftest import Visit
from tests.web.tables import DESK, PATIENCE, PHONE, TALL, expect, until_still

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

VECTORS = Path(__file__).parent.parent / "table" / "shuffle_vectors.json"


@pytest.fixture(scope="module")
def finished(site: Served) -> str:
    """A table whose game is over."""
    seat = Client(site.url).open("sap-ng-wu", name="Ann", bots=["hints"] * 2, options={"session_deals": 1})
    for moment in seat:
        seat.play(moment.choices[0])
    return seat.table


def width_of(page: "Page") -> int:
    return int(page.evaluate("document.documentElement.scrollWidth"))


def test_one_click_leads_to_a_table_with_cards_in_hand(visit: Visit) -> None:
    page = visit("/")
    page.locator(".game").first.get_by_role("button").click()
    page.wait_for_url("**/t/*")
    page.locator(".hand .slot").first.wait_for()


@pytest.mark.parametrize("size", [TALL, DESK])
def test_a_newcomer_plays_a_card_at_the_first_click(visit: Visit, size: dict[str, int]) -> None:
    page = visit("/", size)
    hand = page.locator(".hand-dealt")
    expect(hand.locator("img[src]")).to_have_count(13)  # drawn, not only named
    expect(hand.locator(".legal")).to_have_count(3)
    hand.get_by_role("link", name="seven of spades").click(position={"x": 12, "y": 12})
    page.locator(".coach .count", has_text="Step 5 of 10").wait_for()
    expect(page.locator(".hand [data-card=S7]")).to_have_count(0)
    assert "play=" not in page.url  # a reload does not play it again


def test_a_card_that_a_newcomer_may_not_play_is_explained(visit: Visit) -> None:
    page = visit("/")
    page.locator(".hand-dealt").get_by_role("link", name="ace of diamonds").click(position={"x": 12, "y": 12})
    expect(page.locator(".notice-place")).to_contain_text("the suit led is spades")
    expect(page.locator(".coach .count")).to_contain_text("Step 4 of 10")


def test_who_comes_back_sees_their_tables_then_today_then_the_games(visit: Visit) -> None:
    page = visit("/")
    page.locator(".game", has_text="Luk Fu").get_by_role("button").click()
    page.wait_for_selector("#table[data-ready]")
    until = time.monotonic() + PATIENCE / 1000
    page.goto("/")
    while not page.locator(".today").count() and time.monotonic() < until:  # the list follows
        page.reload()
    headings = ["Your tables", "Today in Luk Fu", "All games, the easiest first", "Open seats"]
    assert page.locator("h2").all_inner_texts()[:4] == headings
    assert not page.locator(".hand-dealt").count()
    today = page.locator("[data-problem]")
    key = f"tefuda.problem.luk-fu.{today.get_attribute('data-problem')}"
    answered = {"state": "missed", "card": "", "due": 0}
    page.evaluate("([key, kept]) => localStorage.setItem(key, JSON.stringify(kept))", [key, answered])
    page.reload()
    expect(today).to_contain_text("missed")
    expect(today.get_by_role("link", name="Problems to repeat (1)")).to_be_visible()
    page.locator(".today").get_by_role("button").click()
    page.wait_for_selector("#table[data-ready]")


def test_the_lobby_of_a_telephone_is_short_and_stands_on_one_edge(visit: Visit) -> None:
    page = visit("/", TALL)
    until_still(page)
    end = "document.querySelector('#tables').getBoundingClientRect().top + scrollY"  # below are others' tables
    assert page.evaluate(end) < 2000
    page.set_viewport_size({"width": 1366, "height": 768})
    edges = ".masthead .home, .opening, .path, .foot > span"
    left = "found => found.map(each => Math.round(each.getBoundingClientRect().left))"
    assert len(set(page.locator(edges).evaluate_all(left))) == 1


def test_all_but_the_table_works_without_scripts(visit: Visit, finished: str) -> None:
    page = visit("/", java_script_enabled=False)
    page.locator(".games").get_by_role("link", name="Gong Zhu", exact=True).click()
    page.get_by_label("Your name").fill("Ann")
    page.locator(".options summary").click()
    page.get_by_label("Points that end the game").fill("500")
    page.get_by_role("button", name="Open a table for everybody").click()
    page.wait_for_url("**/t/*")
    assert page.locator("main noscript, main .notice").first.is_visible()
    page.goto("/")
    own, until = page.locator(".own .names", has_text="Ann"), time.monotonic() + PATIENCE / 1000
    while not own.count() and time.monotonic() < until:  # the list follows
        page.reload()
    assert own.count() == 1
    page.goto(f"/r/{finished}")
    assert page.locator(".story li").count() > 2
    assert page.locator(".scores").is_visible()
    assert not page.locator(".screen").is_visible()


def test_a_conflict_is_said_and_the_form_keeps_what_was_typed(visit: Visit, site: Served) -> None:
    page = visit("/games/gong-zhu", refused=True, java_script_enabled=False)
    page.locator("input[name=seats][value='5']").check(force=True)
    page.locator(".options summary").click()
    page.get_by_label("Partners", exact=True).check()
    page.get_by_label("Points that end the game").fill("700")
    with page.expect_response("**/games/gong-zhu") as answer:
        page.get_by_role("button", name="Play now against bots").click()
    assert answer.value.status == 422
    assert "partnership needs 4 seats" in page.get_by_role("alert").inner_text()
    assert page.get_by_label("Partners", exact=True).is_checked()
    assert page.get_by_label("Points that end the game").input_value() == "700"


def test_the_language_menu_changes_the_language_for_good(visit: Visit) -> None:
    page = visit("/games/luk-fu", language="zh-HK")
    assert page.locator("html").get_attribute("lang") == "zh-Hant"
    page.locator(".menu summary").click()
    page.get_by_role("link", name="日本語").click()
    page.wait_for_url("**/games/luk-fu?lang=ja")
    assert page.locator("html").get_attribute("lang") == "ja"
    page.goto("/")
    assert page.locator("html").get_attribute("lang") == "ja"


def test_a_rules_number_leads_to_the_rule(visit: Visit) -> None:
    page = visit("/games/luk-fu/rules#LF-18")
    expect(page.locator(".rule:target dt")).to_have_text("LF-18")
    expect(page.locator(".rule:target")).to_be_in_viewport()
    page.locator(".rule:target dd a").first.click()
    expect(page.locator(".rule:target dt")).not_to_have_text("LF-18")


def test_an_invitation_is_copied_and_taken(visit: Visit) -> None:
    ann = visit("/games/luk-fu", permissions=["clipboard-read", "clipboard-write"])
    ann.get_by_role("button", name="Play with friends").click()
    ann.wait_for_url("**/invite")
    assert ann.locator("svg.qr path").count() == 1
    ann.get_by_role("button", name="Copy").click()
    ann.get_by_role("button", name="Copied").wait_for()
    link = ann.evaluate("navigator.clipboard.readText()")
    assert link == ann.get_by_label("Link to the table").input_value()
    ben = visit(link, java_script_enabled=False)
    ben.locator("input[name=name]").fill("Ben")
    ben.get_by_role("button", name="Sit here").click()
    ben.wait_for_url("**/t/*")
    ann.goto(re.sub(r"\?.*", "", link))
    ann.locator("main", has_text="Ben").wait_for()


# Replays


def test_a_replay_is_gone_through_by_keys_slider_and_list(visit: Visit, finished: str) -> None:
    page = visit(f"/r/{finished}")
    page.locator("#replay[data-ready='0']").wait_for()
    last = int(page.locator("input[type=range]").get_attribute("max") or "")
    for key, at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)):
        page.keyboard.press(key)
        page.locator(f"#replay[data-ready='{at}']").wait_for()
        page.wait_for_url(re.compile(rf"[?&]at={at}\b"))
    page.locator("[data-at='2']").click()
    page.locator("#replay[data-ready='2']").wait_for()
    page.locator("input[type=range]").fill(str(last))
    page.locator(f"#replay[data-ready='{last}']").wait_for()
    page.locator("[data-go=back]").click()
    page.locator(f"#replay[data-ready='{last - 1}']").wait_for()


def test_a_replay_shows_every_hand_and_comes_back_to_a_moment(visit: Visit, site: Served, finished: str) -> None:
    page = visit(f"/r/{finished}?deal=1&at=0")
    page.locator("#replay[data-ready='0']").wait_for()
    hands = Client(site.url).get(f"tables/{finished}/replay", deal=1)["moments"][0]["hands"]
    assert sum(len(group["cards"]) for hand in hands for group in hand) == 84
    faces = sum(1 for hand in hands for group in hand for _ in groupby(group["cards"]))  # copies are drawn once
    assert page.locator(".open-hand .playing-card").count() == faces
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(r"[?&]at=1\b"))
    again = visit(page.url)
    again.locator("#replay[data-ready='1']").wait_for()
    third = page.locator(".hands button").nth(2)
    third.click()
    expect(page.locator(".side.mine .name")).to_have_text(third.inner_text())


def test_a_replay_plays_by_itself_and_stops_at_the_end(visit: Visit, finished: str) -> None:
    page = visit(f"/r/{finished}")
    last = int(page.locator("input[type=range]").get_attribute("max") or "")
    page.goto(f"/r/{finished}?at={last - 2}")
    page.locator(f"#replay[data-ready='{last - 2}']").wait_for()
    page.clock.install()
    page.get_by_role("button", name="Play", exact=True).click()
    page.clock.run_for(4_000)
    page.locator(f"#replay[data-ready='{last}']").wait_for()
    page.get_by_role("button", name="Play", exact=True).wait_for()


def test_the_shuffle_is_computed_again_in_the_page(visit: Visit, finished: str) -> None:
    page = visit(f"/r/{finished}")
    page.get_by_role("button", name="Check it here").click()
    page.get_by_text("Consistent: the secret").wait_for()  # this browser has not played, and has no receipt


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ("proof.secret = '00' + proof.secret.slice(2)", "Not fair: the secret"),
        ("proof.deck.push(proof.deck.shift())", "Not fair: the cards"),
        ("proof.entropy[0] = 'ff'", "Not fair: what a player added"),
        ("proof.chance += 1", "Not fair: the cards"),
    ],
)
def test_a_shuffle_that_was_tampered_with_is_found_out(visit: Visit, finished: str, change: str, verdict: str) -> None:
    page = visit("/")

    def tampered(route: Any) -> None:
        told = route.fetch(timeout=PATIENCE).json()
        told["proof"] = page.evaluate(f"proof => {{ {change}; return proof; }}", told["proof"])
        route.fulfill(json=told)

    page.route("**/replay?*", tampered)
    page.goto(f"/r/{finished}")
    page.get_by_role("button", name="Check it here").click()
    page.get_by_text(verdict).wait_for()


def test_the_scripts_shuffle_as_the_vectors_say(visit: Visit) -> None:
    page = visit("/")
    base = re.sub(r"css/base.css$", "js/", page.locator("link[rel=stylesheet]").first.get_attribute("href") or "")
    vectors = json.loads(VECTORS.read_text("utf-8"))
    found = page.evaluate(
        """async ([base, vectors]) => {
          const {committed, shuffled} = await import(base + "proofs.js");
          const compute = async (each) => ({commitment: await committed(each), ...await shuffled(each.pack, each)});
          return Promise.all(vectors.map(compute));
        }""",
        [base, vectors],
    )
    assert found == [{key: each[key] for key in ("commitment", "deck", "chance")} for each in vectors]


def test_sha256_for_networks_without_https_is_the_browsers_own(visit: Visit) -> None:
    page = visit("/")
    base = re.sub(r"css/base.css$", "js/", page.locator("link[rel=stylesheet]").first.get_attribute("href") or "")
    differing = page.evaluate(
        """async (base) => {
          const {computed, sha256} = await import(base + "shuffle.js");
          const lengths = [...Array(200).keys(), 1000, 4096];
          const same = async (length) => {
            const bytes = Uint8Array.from({length}, (_, k) => (k * 7 + length) % 256);
            return computed(bytes).join() === (await sha256(bytes)).join();
          };
          const found = await Promise.all(lengths.map(same));
          return lengths.filter((_, place) => !found[place]);
        }""",
        base,
    )
    assert differing == []


# For everybody

PAGES = (
    "/",
    "/games/gong-zhu",
    "/games/luk-fu/rules",
    "/games/luk-fu/examples/LF-18",
    "/games/luk-fu/problems",
    "/games/gong-zhu/problems/today",
    "/games/gong-zhu/day",
    "/games/kakkuri/about",
    "REPLAY",
    "REVIEW",
    "INVITE",
    "JOIN",
    "/games/kakkuri/preparing",
    "/me",
    "/me/device",
    "/offline",
)


def address(name: str, request: pytest.FixtureRequest, page: "Page") -> str:
    if name == "REPLAY":
        return f"/r/{request.getfixturevalue('finished')}?at=1"
    if name == "REVIEW":
        table, seat, _ = request.getfixturevalue("reviewed")
        return f"/r/{table}?review={seat}"
    if name in ("INVITE", "JOIN"):
        page.goto("/games/luk-fu")
        page.locator("button[value=friends]").click()
        page.wait_for_url("**/invite")
        link = page.locator("#link").input_value()
        if name == "INVITE":
            return page.url
        page.context.clear_cookies()  # a stranger opens the link
        return link
    page.route("**/prepared", lambda route: route.fulfill(json={"ready": False, "done": 2, "steps": 6}))
    return name


SHOWN = {
    "REPLAY": "#replay[data-ready]",
    "REVIEW": "#review[data-seat]:not([data-seat=''])",
    "JOIN": ".chairs",
    "/games/kakkuri/preparing": "progress[max='6']",
}
"""What is there when a page that a script completes is complete."""


def until_shown(page: "Page", name: str) -> None:
    page.locator(SHOWN.get(name, "main")).wait_for()
    until_still(page)


def barriers_in_all(page: "Page", name: str) -> list[tuple[str, str, str]]:
    """What axe finds above minor on a page, its first details opened."""
    until_shown(page, name)
    for summary in page.locator("details > summary").all()[:4]:
        summary.click()
    return barriers(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_above_minor(visit: Visit, request: pytest.FixtureRequest, name: str, scheme: str) -> None:
    page = visit("/", color_scheme=scheme, bypass_csp=True)
    page.goto(address(name, request, page))
    assert barriers_in_all(page, name) == []


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("name", ["/games/kakkuri/rules", "/games/ma-diao", "JOIN"])
def test_axe_finds_nothing_in_other_languages(
    visit: Visit, request: pytest.FixtureRequest, name: str, language: str
) -> None:
    page = visit("/", language=language, bypass_csp=True)
    page.goto(address(name, request, page))
    assert barriers_in_all(page, name) == []


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", PAGES)
def test_a_small_telephone_scrolls_no_page_sideways(
    visit: Visit, request: pytest.FixtureRequest, name: str, language: str
) -> None:
    page = visit("/", PHONE, language)
    page.goto(address(name, request, page))
    until_shown(page, name)
    for summary in page.locator("main details > summary").all()[:3]:
        summary.click()
    assert width_of(page) <= 360
