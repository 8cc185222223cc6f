"""The table in a real browser: deals played by people, what is refused, lost connections, what everybody can use."""

import re
from itertools import cycle, product
from typing import TYPE_CHECKING, Any

import pytest

from tefuda.engine.texts import LANGUAGES
from tests.server.server_process import Served
from tests.web.barriers import barriers
from tests.web.driver import NEXT, Driver, play
from tests.web.tables import (
    BARRED,
    DESK,
    PATIENCE,
    PHONE,
    SEATS,
    SIDEWAYS,
    TALL,
    company,
    drivers,
    expect,
    overflow,
    until_asked,
    until_still,
    until_turn,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

WAYS = [
    pytest.param("gong-zhu", "mouse", "en", DESK, id="gong-zhu"),
    pytest.param("luk-fu", "touch", "ja", PHONE, id="luk-fu"),
    pytest.param("ma-diao", "keyboard", "zh-Hant", DESK, id="ma-diao"),
    pytest.param("sap-ng-wu", "touch", "zh-Hans", PHONE, id="sap-ng-wu"),
    pytest.param("kakkuri", "keyboard", "ja", PHONE, id="kakkuri"),
]

"""One for each game, between them every language."""

LEGAL_NOW = "async table => (await (await fetch(`/api/v1/tables/${table}`)).json()).deal.legal"
"""The plays of whoever looks at a page."""

EVERY_WAY = [
    pytest.param(game, hands, language, size, id=f"{game}-{hands}-{language}-{size['width']}", marks=pytest.mark.deep)
    for game in SEATS
    for (size, hands), language in zip(product((DESK, PHONE), ("mouse", "touch", "keyboard")), cycle(LANGUAGES))
]
"""Each game with every kind of hand in both windows, and in each language at least once."""


@pytest.mark.parametrize(("game", "hands", "language", "size"), [*WAYS, *EVERY_WAY])
def test_two_people_and_bots_play_a_deal(
    chromium: "Browser", site: Served, game: str, hands: str, language: str, size: dict[str, int]
) -> None:
    how: dict[str, Any] = {"has_touch": True} if hands == "touch" else {}
    with company(chromium, site, game, SEATS[game], language=language, size=size, **how) as guests:
        play(drivers(guests, hands))
        for guest in guests:
            assert guest.page.locator(".results tbody > tr").count() == SEATS[game]
            assert overflow(guest.page) <= 0
            assert guest.page.locator("html").get_attribute("lang") == language


def test_a_connection_cut_three_times_and_a_page_loaded_anew_lose_nothing(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4) as guests:
        first, second = guests

        def between(step: int) -> None:
            if step in (4, 12, 20):
                first.cut()
            if step == 16:
                second.page.reload()
                second.page.wait_for_selector("#table[data-ready]")

        play(drivers(guests), between)
        assert len(first.lines) >= 4
        for guest in guests:
            tricks = guest.page.locator(".log li", has_text=re.compile(r"^Trick \d+:")).all_text_contents()
            assert [int(line.split()[1].rstrip(":")) for line in tricks] == list(range(1, 14))


def test_a_card_that_may_not_be_played_says_which_rule_forbids_it(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        page = guest.page
        until_turn(page, "trick")
        card = page.locator(".slot.barred").last
        assert card.get_attribute("aria-disabled") == "true"
        card.press("?")
        link = page.locator(".why a")
        link.wait_for()
        assert re.fullmatch(r"GZ-\d+", link.text_content() or "")
        assert link.get_attribute("href") == f"/games/gong-zhu/rules#{link.text_content()}"
        reason = (page.locator(".why p").text_content() or "").removesuffix(link.text_content() or "").strip()
        assert reason
        expect(page.locator(".live p").last).to_have_text(reason)
        page.keyboard.press("Escape")
        expect(page.locator(".why")).to_have_count(0)


HEAR = """() => {
  window.heard = [];
  new MutationObserver((changes) => {
    for (const change of changes) for (const sentence of change.addedNodes) window.heard.push(sentence.textContent);
  }).observe(document.querySelector(".live"), {childList: true});
  return document.querySelectorAll(".log li").length;
}"""
"""Keeps what a screen reader is given to say from now on; how much is in the log already."""


def test_who_cannot_see_the_table_hears_everything_once_and_in_order(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        page = guest.page
        until_asked(page)
        until_still(page)  # what is in the log by now has been heard
        before = page.evaluate(HEAR)
        play(drivers([guest]))
        told = page.locator(".log li").all_text_contents()[before:]
        page.wait_for_function("last => window.heard.includes(last)", arg=told[-1])
        heard = page.evaluate("window.heard")
        assert [sentence for sentence in heard if sentence in told] == told
        assert all(heard)
        others = [
            sentence
            for sentence in heard
            if re.match(r"(Peony|Aster|Lotus): .* of (spades|hearts|diamonds|clubs)", sentence)
        ]
        assert len(others) >= 13, "what lies in the trick is heard before one's own turn"


def test_who_plays_alone_can_ask_what_to_play(chromium: "Browser", site: Served) -> None:
    """A sentence at once, figures on request; one verdict heads the list, its cards are marked in the hand, and it goes
    when the moment has passed."""
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        page = guest.page
        until_turn(page, "trick")
        page.keyboard.press("h")
        page.locator(".panel .advice").wait_for()
        page.locator(".panel details summary").click()
        page.locator(".ideas tbody tr").first.wait_for()
        best = page.locator(".ideas tbody th").first.text_content() or ""
        sentences = page.locator(".panel p").all_text_contents()
        assert best in sentences[0]
        assert len(sentences) >= 2
        advised = page.locator(".slot.advised")
        expect(advised).to_have_count(1)
        assert "advised" in (advised.get_attribute("aria-label") or "")
        advised.press("Enter")
        page.locator(".bar [data-play]").first.press("Enter")
        advised.wait_for(state="detached")
        page.locator(".ideas").wait_for(state="detached")


def test_nobody_is_advised_against_other_people(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4) as guests:
        assert guests[0].page.locator("[data-tab=hint]").count() == 0
        table = guests[0].page.locator("#table").get_attribute("data-table")
        assert guests[0].page.request.get(f"{site.url}/api/v1/tables/{table}/hint").status == 403
        guests[0].faults.clear()


def test_a_phrase_arrives_in_the_readers_language(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4) as guests:
        first, second = guests
        second.page.goto(f"{second.page.url.partition('?')[0]}?lang=ja")
        second.page.wait_for_selector("#table[data-ready]")
        first.page.locator(".panel [data-act=talk]").press("Enter")
        first.page.locator("[data-phrase=well_played]").press("Enter")
        second.page.locator(".bubble", has_text="お見事！").wait_for()
        first.page.locator(".log .said", has_text="Well played!").wait_for()


def test_two_taps_say_something_on_a_phone_and_the_reader_need_not_hear_everybody(
    chromium: "Browser", site: Served
) -> None:
    with company(chromium, site, "gong-zhu", 4, people=3, size=TALL, has_touch=True) as (first, second, third):
        second.page.locator(".table-tools [data-act=talk]").tap()
        second.page.locator("[data-mute='Bo 2']").tap()
        second.page.locator("[data-phrase=who_has_pig]").tap()
        for page in (first.page, second.page, third.page):
            bubble = page.locator(".bubble", has_text="Who has the pig?")
            expect(bubble).to_be_visible()
            until_still(page)
            left, right = bubble.evaluate(
                "each => [each.getBoundingClientRect().left, each.getBoundingClientRect().right]"
            )
            assert left >= 0
            assert right <= TALL["width"]
        third.page.locator(".table-tools [data-act=talk]").tap()
        third.page.locator("[data-phrase=wow]").tap()
        expect(first.page.locator(".bubble", has_text="Wow!")).to_be_visible()
        first.page.locator(".table-tools [data-act=talk]").tap()
        first.page.locator("[data-phrase=laugh]").tap()
        expect(second.page.locator(".bubble", has_text="Ha ha!")).to_be_visible()
        second.page.locator("[data-tab=log]").tap()
        said = second.page.locator(".log .said")
        assert said.all_text_contents() == ["You: Who has the pig?", "Aiko: Ha ha!"]


def test_friends_write_to_each_other(chromium: "Browser", site: Served) -> None:
    body = {"public": False, "chat": True}
    with company(chromium, site, "gong-zhu", 4, body=body) as (first, second):
        first.page.keyboard.press("t")
        field = first.page.locator(".talk [name=text]:focus")
        field.fill("Is that <b>the pig</b>?")
        field.press("Enter")
        expect(second.page.locator(".bubble", has_text="Is that <b>the pig</b>?")).to_be_visible()
        expect(second.page.locator(".log .said")).to_have_text("Aiko: Is that <b>the pig</b>?")


def test_a_friend_is_asked_whether_a_play_may_be_taken_back(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, body={"public": False}) as (first, second):
        expect(first.page.locator(".table-tools [data-act=take_back]")).to_have_attribute("title", "Ask to take back")
        ann, bo = drivers((first, second))
        while not ann.turn:
            bo.step()
            first.page.wait_for_timeout(30)
        table = first.page.locator("#table").get_attribute("data-table")
        first.post(f"/{table}/play", {"play": first.page.evaluate(LEGAL_NOW, table)[0]})
        first.page.keyboard.press("u")
        asked = second.page.locator("[data-key=asked-back]")
        expect(asked).to_contain_text("Aiko would like to take their last play back.")
        asked.get_by_role("button", name="Don't allow it").click()
        expect(asked).to_have_count(0)
        for where in (".log", ".line-state"):
            expect(first.page.locator(where)).to_contain_text("Bo does not agree: the play stands.")
        first.page.keyboard.press("u")
        expect(first.page.locator(".why")).to_contain_text("The others have already been asked for that.")
        first.faults.clear()  # a browser complains of what is refused


def test_panels_open_by_key(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "sap-ng-wu", 3, people=1) as (guest,):
        for key, name in {"r": "ranks", "s": "score", "l": "last", "k": "keys", "g": "log"}.items():
            guest.page.keyboard.press(key)
            guest.page.wait_for_selector(f"[data-tab={name}][aria-selected=true]")
        guest.page.locator(".log li").first.wait_for()


def test_twenty_eight_cards_fit_a_small_phone(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "sap-ng-wu", 3, people=1, size=PHONE) as (guest,):
        until_asked(guest.page)
        until_still(guest.page)
        slots = guest.page.locator(".slot").all()
        boxes = [slot.bounding_box() for slot in slots]
        assert sum(int(slot.get_attribute("data-count") or 0) for slot in slots) == 28
        assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 360 for box in boxes)
        assert overflow(guest.page) <= 0


_TOUCHING = """() => {
  const boxes = [...document.querySelectorAll(".play")].map(each => each.getBoundingClientRect());
  const before = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 1;
  const apart = (a, b) => before(a, b) || before(b, a);
  return boxes.flatMap((one, place) => boxes.slice(place + 1).filter(other => !apart(one, other))).length;
}"""


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
@pytest.mark.parametrize("game", ["gong-zhu", "ma-diao", "luk-fu"])
def test_the_plays_of_a_trick_keep_apart_on_a_small_phone(
    chromium: "Browser", site: Served, game: str, size: dict[str, int]
) -> None:
    with company(chromium, site, game, SEATS[game], people=1, size=size, reduced_motion="reduce") as (guest,):
        driver, most = Driver(guest.page), 0
        while most < SEATS[game] or not driver.over:
            until_still(guest.page)
            assert guest.page.evaluate(_TOUCHING) == 0
            most = max(most, guest.page.locator(".play").count())
            if driver.over:  # thrown in before the first trick
                guest.page.locator(NEXT).click()
                guest.page.locator(".results").wait_for(state="detached")
            elif not driver.step():
                guest.page.wait_for_timeout(50)


_IN_SIGHT = """() => {
  const isCut = each => {
    const {top, left, right, height} = each.getBoundingClientRect();
    return top < 0 || left < 0 || right > innerWidth + 1 || top + Math.min(height, 40) > innerHeight + 1;
  };
  const all = document.querySelectorAll(".seat, .middle, .slot, .unseen > *, .question, .bar button");
  return [...all].filter(isCut).map(each => each.className);
}"""

_ROWS_OF_BACKS = """() => {
  const tops = [...document.querySelectorAll(".unseen > *")].map(each => Math.round(each.getBoundingClientRect().top));
  return new Set(tops).size;
}"""


@pytest.mark.parametrize("game", SEATS)
def test_a_phone_that_lies_on_its_side_shows_the_whole_table(chromium: "Browser", site: Served, game: str) -> None:
    with company(chromium, site, game, SEATS[game], people=1, size=SIDEWAYS, reduced_motion="reduce") as (guest,):
        driver = Driver(guest.page)
        until_asked(guest.page)
        while guest.page.locator(".unseen").count():  # what is asked before anybody looks stands over the backs
            until_still(guest.page)
            assert guest.page.evaluate(_IN_SIGHT) == []
            assert guest.page.evaluate(_ROWS_OF_BACKS) <= 1
            driver.step()
            until_asked(guest.page)
        until_still(guest.page)
        assert guest.page.evaluate(_IN_SIGHT) == []
        assert guest.page.locator(".hand-row").count() == 1
        assert overflow(guest.page) <= 0


def test_a_spectator_sees_no_hand(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        guest.page.wait_for_selector("#table[data-turn=mine]")
        table = guest.page.locator("#table").get_attribute("data-table")
        context = chromium.new_context()
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(f"{site.url}/t/{table}")
        page.wait_for_selector("#table[data-ready]")
        assert page.locator(".slot").count() == 0
        assert page.locator(".seat").count() == 4
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("game", "size"), [("sap-ng-wu", DESK), ("gong-zhu", PHONE)], ids=["desk", "phone"])
def test_axe_finds_nothing_above_minor(
    chromium: "Browser", site: Served, game: str, size: dict[str, int], scheme: str
) -> None:
    """At one's turn, with every panel open, with a reason, at the score sheet."""
    with company(chromium, site, game, SEATS[game], people=1, size=size, color_scheme=scheme) as (guest,):
        page = guest.page
        until_turn(page, "")
        page.locator(BARRED).first.press("?")
        page.locator(".why").wait_for()
        assert barriers(page) == []
        page.keyboard.press("Escape")
        for panel in page.locator("[data-tab]").evaluate_all("tabs => tabs.map(tab => tab.dataset.tab)"):
            if page.locator("#table").get_attribute("data-panel") != panel:
                page.locator(f"[data-tab={panel}]").click()
            page.locator(f"#table[data-panel={panel}]").wait_for()
            assert (panel, barriers(page)) == (panel, [])
        page.keyboard.press("Escape")
        play(drivers([guest]))
        assert barriers(page) == []


# Decks


LOOK = """() => {
  const slots = [...document.querySelectorAll(".hand .slot")], box = slots[0].getBoundingClientRect();
  return {sprite: document.querySelector("#table").dataset.sprite, ratio: box.width / box.height,
          words: slots.map(slot => slot.dataset.card), names: slots.map(slot => slot.getAttribute("aria-label")),
          drawn: document.querySelector(".hand img").dataset.face ?? ""};
}"""
"""How the cards of the hand are drawn and called."""


def test_a_game_is_shown_with_the_deck_that_its_player_has_chosen(chromium: "Browser", site: Served) -> None:
    """At the table and in its rules: faces, shape and names; the table goes on where it was."""
    with company(chromium, site, "kakkuri", 5, people=1) as (guest,):
        page = guest.page
        until_turn(page, "")
        page.locator(".hand img").first.wait_for(state="attached")
        before = page.evaluate(LOOK)
        page.keyboard.press("o")
        page.locator("dialog.settings input[name=deck][value=western]").check(force=True)
        page.locator("dialog.settings .head button").click()
        page.wait_for_function(
            "sprite => document.querySelector('#table').dataset.sprite !== sprite", arg=before["sprite"]
        )
        page.locator("#table[data-ready] .hand img").first.wait_for(state="attached")
        until_still(page)
        after = page.evaluate(LOOK)
        assert after["words"] == before["words"]
        assert after["ratio"] == pytest.approx(57 / 89, abs=0.01) != pytest.approx(before["ratio"], abs=0.01)
        assert all(re.search(" of (clubs|spades|diamonds|hearts)", name) for name in after["names"])
        until_turn(page, "")
        page.locator(BARRED).first.press("?")
        page.locator(".why").wait_for()
        assert not re.search("batons|swords|coins|cups", page.locator(".why").text_content() or "")
        page.goto(f"{site.url}/games/kakkuri/rules")
        assert page.locator(".deck-choice [aria-current]").text_content() == "Western cards"
        assert "hearts" in (page.locator(".faces").last.text_content() or "")
        page.locator(".deck-choice a:not([aria-current])").click()
        expect(page.locator(".deck-choice [aria-current]")).not_to_have_text("Western cards")
        assert "cups" in (page.locator(".faces").last.text_content() or "")
        assert (page.locator(".drawn use").first.get_attribute("href") or "").startswith(before["sprite"])
