"""The table as one sees it: cards as large as the window allows, nothing that jumps, the end of a game, settings."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.server.server_process import Served
from tests.web.barriers import barriers
from tests.web.driver import NEXT, Driver, play
from tests.web.tables import (
    ASIDE,
    DESK,
    HUGE,
    PHONE,
    TALL,
    Person,
    alone,
    company,
    cut_notes,
    drivers,
    expect,
    until_asked,
    until_still,
    until_turn,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "zh-Hant"])
def test_notes_are_not_cut_on_a_small_phone(chromium: "Browser", site: Served, language: str) -> None:
    """Not in Ma Diao either, where a place has most of them."""
    found = set[str]()
    with company(chromium, site, "ma-diao", 4, people=1, language=language, size=PHONE) as guests:
        play(drivers(guests), lambda _: found.update(cut_notes(guests[0].page)))
    assert found == set()


WIDTHS = """() => document.querySelector(".play:has(> :nth-child(5))") ? [] : [
  ...document.querySelectorAll(".play > .playing-card")
].map(
  card => card.getBoundingClientRect().width
)"""
"""Of the cards of plays, unless one has five cards or more."""


SPEAK = """text => {
  document.querySelectorAll(".bubble").forEach(said => said.remove()); // of what has just been played
  for (const seat of document.querySelectorAll(".side:not(.mine) > .seat")) {
    const bubble = document.createElement("p");
    bubble.className = "bubble";
    bubble.textContent = text;
    seat.classList.add("says");
    seat.querySelector(".plate").after(bubble);
  }
  const seen = selector => [...document.querySelectorAll(selector)].filter(each => each.checkVisibility());
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const places = seen(".bubble").map(bubble => bubble.getBoundingClientRect());
  const covered = seen(".name, .facts > *, .play > .playing-card, .lain > .playing-card").filter(each =>
    places.some(place => meet(place, each.getBoundingClientRect())));
  const shown = [places.length, covered.map(each => `${each.className} ${each.textContent}`)];
  seen(".bubble").forEach(bubble => bubble.remove());
  document.querySelectorAll(".says").forEach(seat => seat.classList.remove("says"));
  return shown;
}"""
"""Lets everybody say something at once: how many words are seen, and what they cover of figures and of the trick."""


@pytest.mark.parametrize(("game", "seats"), [("gong-zhu", 4), pytest.param("kakkuri", 5, marks=pytest.mark.deep)])
def test_what_is_said_on_a_telephone_covers_neither_the_figure_that_matters_nor_the_trick(
    chromium: "Browser", site: Served, game: str, seats: int
) -> None:
    with company(chromium, site, game, seats, people=1, size=TALL) as (guest,):
        page, driver, lying = guest.page, Driver(guest.page), guest.page.locator(":is(.play, .lain) > .playing-card")
        while not driver.turn or lying.count() < 2:
            if driver.over:
                driver.next_deal()
            elif not driver.step():
                page.wait_for_timeout(30)
        for size in (TALL, PHONE, ASIDE):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            until_still(page)
            assert page.evaluate(SPEAK, "Passes: cannot beat man-seven ×5") == [seats - 1, []], size


@pytest.mark.parametrize(
    ("game", "seats"),
    [("gong-zhu", 4), *(pytest.param(*each, marks=pytest.mark.deep) for each in (("luk-fu", 3), ("ma-diao", 4)))],
)
def test_the_cards_of_a_trick_are_large_on_a_phone(chromium: "Browser", site: Served, game: str, seats: int) -> None:
    with company(chromium, site, game, seats, people=1, size=TALL) as (guest,):
        page, driver, widths = guest.page, Driver(guest.page), list[float]()
        while not widths:  # in a deal that ends at once, or whose tricks the reader leads, nothing lies there
            widths = page.evaluate(WIDTHS)
            if driver.over:
                driver.next_deal()
            elif not widths and not driver.step():
                page.wait_for_timeout(50)
        assert min(widths) >= 64


CROWDED = """async rooms => {
  const {spread} = await import(document.querySelector('link[href$="table/layout.js"]').href);
  const touch = (w, h) => (one, place, places) =>
    places.slice(place + 1).some(other => Math.abs(one.x - other.x) < w && Math.abs(one.y - other.y) < h);
  return rooms.filter(room => {
    const {w, places} = spread(4, room);
    const high = w / room.ratio + room.head;
    const isCut = places.some(({y}) => y + w / room.ratio / 2 - high < -room.height / 2);
    return places.some(touch(w, high)) || (isCut && room.height > 60);
  });
}"""
"""The rooms in which a play, or the crown above it, lies on another, or beyond the upper edge."""


def test_the_plays_of_a_trick_and_their_crowns_keep_apart_in_every_room(chromium: "Browser", site: Served) -> None:
    rooms = [
        {"width": width, "height": height, "ratio": ratio, "most": 200, "head": head}
        for width in range(200, 1200, 50)
        for height in range(36, 400, 4)
        for ratio in (0.5, 0.7)
        for head in (0, 12)
    ]
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        assert guest.page.evaluate(CROWDED, rooms) == []


@pytest.mark.parametrize("clockwise", [False, True])
def test_the_next_player_sits_at_the_right_or_where_play_goes_clockwise_at_the_left(
    chromium: "Browser", site: Served, clockwise: bool
) -> None:
    """What they play lies there too."""
    body = {"options": {"exposing": False, "clockwise": clockwise}}
    with company(chromium, site, "gong-zhu", 4, people=1, body=body) as (guest,):
        page, driver = guest.page, Driver(guest.page)
        last = page.locator(".play[data-played='3']")
        while not driver.turn or not last.count():  # whoever plays before the reader has played
            if driver.over:
                driver.next_deal()
            elif not driver.step():
                page.wait_for_timeout(30)
        until_still(page)
        assert seats_around(page) == (["1", "2", "3"] if clockwise else ["3", "2", "1"])
        lain, felt = last.bounding_box(), page.locator(".middle").bounding_box()
        assert lain is not None
        assert felt is not None
        beyond_the_middle = lain["x"] + lain["width"] / 2 > felt["x"] + felt["width"] / 2
        assert beyond_the_middle == clockwise


def test_before_the_first_deal_the_seats_are_where_they_will_be(chromium: "Browser", site: Served) -> None:
    body: dict[str, Any] = {"options": {"clockwise": True}, "bots": []}
    with company(chromium, site, "gong-zhu", 4, people=1, body=body) as (guest,):
        assert seats_around(guest.page) == ["1", "2", "3"]
        assert not guest.page.evaluate("document.querySelectorAll('.hand .card').length")


def seats_around(page: "Page") -> list[str | None]:
    """The seats at the left, opposite and at the right of the reader."""
    return [page.locator(f".side.{side} > .seat").get_attribute("data-seat") for side in ("left", "top", "right")]


# Alone with bots


def test_who_is_alone_has_no_clock_pauses_and_takes_back(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        page = guest.page
        until_turn(page, "trick")
        assert page.locator(".clock").inner_text() == ""
        held = page.locator(".slot").count()
        name = page.locator(".slot.legal").first.get_attribute("data-card")
        page.locator(".slot.legal").first.press("Enter")
        page.locator(".slot.legal.picked").press("Enter")
        page.locator(f".slot[data-card={name}]").wait_for(state="detached")
        page.locator("[data-act=take_back]").click()
        page.locator(f".slot[data-card={name}]").wait_for()
        expect(page.locator(".slot")).to_have_count(held)
        page.keyboard.press("p")
        page.locator(".status", has_text="Paused").wait_for()
        page.locator("[data-act=pause]").click()
        page.locator(".status", has_text="Your turn").wait_for()


@pytest.mark.deep
def test_the_table_says_whose_time_is_up(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4) as guests:
        guests[0].post(f"/{guests[0].page.locator('#table').get_attribute('data-table')}/pace", {"clock": 5})
        for guest in guests:
            guest.page.locator(".line-state", has_text="time is up").first.wait_for()


# The end


@pytest.fixture
def ended(chromium: "Browser", site: Served) -> "Any":
    """Somebody whose game of one deal is over."""
    guest = Person(chromium, site, "en", TALL, reduced_motion="reduce")
    options = {"game": "ma-diao", "name": "Aiko", "bots": ["hints"] * 3, "options": {"session_deals": 1}}
    alone(guest.page, options, site)
    play([Driver(guest.page)])
    yield guest
    guest.context.close()
    assert guest.faults == []


def test_the_end_names_who_has_won_with_the_ranking_and_the_way_on(ended: Person) -> None:
    page = ended.page
    page.locator(".overlay.end .ranking").wait_for()
    totals = page.locator(".ranking .total").all_inner_texts()
    numbers = [float(total.replace("−", "-")) for total in totals]
    assert numbers == sorted(numbers, reverse=True)
    winners = page.locator(".ranking li.winner .name").all_inner_texts()
    title = page.locator(".winner-line h2").inner_text()
    if "You" in winners:
        assert title.startswith("You win")
    else:
        assert title.endswith(" win together" if len(winners) > 1 else " wins")
        assert all(winner in title for winner in winners)
    assert page.locator(".overlay [data-act=rematch]").is_visible()
    assert page.locator(".overlay a[href^='/r/']").first.is_visible()
    assert not page.locator(".falling").is_visible(), "motion is reduced"


def test_axe_finds_nothing_above_minor_at_the_end_and_in_the_settings(ended: Person) -> None:
    ended.page.locator(".ranking").wait_for()
    for scheme in ("light", "dark"):
        ended.page.emulate_media(color_scheme=scheme)
        for opens in (False, True):
            if opens:
                ended.page.locator("[data-act=settings]").click()
                ended.page.locator("dialog.settings").wait_for()
            assert barriers(ended.page) == []
            ended.page.keyboard.press("Escape")
            ended.page.locator("dialog").wait_for(state="detached")


def test_a_deal_with_unseen_cards_offers_no_dead_link_to_its_replay(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "kakkuri", 5, people=1) as (guest,):
        play(drivers([guest]))
        for link in guest.page.locator(".overlay a[href^='/r/']").all():
            address = link.get_attribute("href") or ""
            assert guest.page.request.get(f"{site.url}{address}").text().count('id="replay"') == 1
        answer = guest.page.request.get(
            f"{site.url}/r/{guest.page.locator('#table').get_attribute('data-table')}?deal=1"
        )
        is_shown = 'data-go="play"' in answer.text()
        assert guest.page.locator(".overlay a[href^='/r/']").count() == (2 if is_shown else 0)  # and to its review


# Settings


def test_settings_are_made_by_keyboard_and_kept(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        page = guest.page
        page.keyboard.press("o")
        page.locator("dialog.settings").wait_for()
        page.locator("input[name=theme][value=light]").focus()
        page.keyboard.press("ArrowRight")
        page.locator("input[name=felt][value=green]").focus()
        page.keyboard.press("ArrowRight")
        page.locator("html[data-theme=dark][data-felt=blue]").wait_for()
        page.locator("input[name=taps][value=two]").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Escape")
        page.reload()
        page.locator("html[data-theme=dark][data-felt=blue]").wait_for()
        until_turn(page, "trick")
        held = page.locator(".slot").count()
        page.locator(".slot.legal").first.press("Enter")  # one tap is enough now
        page.wait_for_function("count => document.querySelectorAll('.slot').length === count", arg=held - 1)


def test_who_may_keep_nothing_plays_all_the_same(chromium: "Browser", site: Served) -> None:
    guest = Person(chromium, site, "en", TALL)
    guest.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no') }})"
    )
    alone(guest.page, {"game": "gong-zhu", "name": "Aiko", "bots": ["hints"] * 3}, site)
    until_asked(guest.page)
    guest.page.locator("[data-act=settings]").click()
    guest.page.locator("label[data-value=dark]").first.click()
    guest.page.locator("dialog .notice").wait_for()
    guest.context.close()
    assert guest.faults == []


def test_a_cold_table_is_light(chromium: "Browser", site: Served) -> None:
    """Compressed, fonts apart: below 200 kB and 40 requests."""
    guest = Person(chromium, site, "en", TALL)
    line = guest.context.new_cdp_session(guest.page)
    line.send("Network.enable")
    asked, loaded = dict[str, str](), dict[str, float]()
    line.on("Network.requestWillBeSent", lambda event: asked.update({event["requestId"]: event.get("type", "")}))
    line.on("Network.loadingFinished", lambda event: loaded.update({event["requestId"]: event["encodedDataLength"]}))
    alone(guest.page, {"game": "gong-zhu", "name": "Aiko", "bots": ["hints"] * 3}, site)
    until_asked(guest.page)
    guest.page.wait_for_load_state("networkidle")
    # What the browser has already weighs nothing, and asks for nothing; the page before may have asked for more.
    weights = [weight for request, weight in loaded.items() if weight and asked.get(request, "Font") != "Font"]
    assert len(weights) <= 41, "the order to open the table is one of them"
    assert sum(weights) < 200_000
    guest.context.close()


# Rules and values beside the table


def test_rules_and_values_are_read_beside_the_table(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        page = guest.page
        page.keyboard.press("i")
        page.locator(".rules-text", has_text="GZ-12").wait_for()
        for style in ("reading", "rules"):  # the first names the font of its rarer characters
            expect(page.locator(f"link[rel=stylesheet][href$='css/{style}.css']")).to_have_count(1)
        expect(page.locator("link[rel=stylesheet][href$='css/base.css']")).to_have_count(1)
        page.keyboard.press("r")
        page.locator(".values li", has_text="for whoever takes it").first.wait_for()


def test_one_leaves_and_comes_back_to_the_same_seat(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        page = guest.page
        until_asked(page)
        address = page.url
        page.locator(".table-tools summary").click()
        page.locator("[data-act=leave]").click()
        page.locator("dialog button[value=yes]").click()
        page.wait_for_url(f"{site.url}/")
        page.goto(address)
        page.locator(".bar [data-sit]").wait_for()
        assert page.locator(".slot").count() == 0
        assert page.locator(NEXT).count() == 0


TOP = """each => {
  const mark = getComputedStyle(each, "::after");
  const above = mark.content === "none" ? 0 : Math.min(0, parseFloat(mark.top) || 0);
  return each.getBoundingClientRect().top + above;
}"""
"""Where something begins, with a mark that stands above it."""


def test_nothing_is_cut_off_where_words_are_long_or_the_window_is_large(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1, language="ja") as (guest,):
        page = guest.page
        until_turn(page, "トリック")
        page.locator(".slot.wins, .slot.legal").first.press("Enter")
        for size in (PHONE, DESK, HUGE):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            until_still(page)
            assert page.evaluate("(tabs => tabs.scrollWidth - tabs.clientWidth)(document.querySelector('.tabs'))") == 0
            hand, card = (page.locator(each).evaluate(TOP) for each in (".hand", ".slot.picked > .playing-card"))
            assert card >= hand, size
