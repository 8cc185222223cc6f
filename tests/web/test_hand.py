"""The hand as one plays from it: every index in sight, what may be played, picked, passed, chosen beforehand."""

import re
from typing import TYPE_CHECKING

import pytest

from tests.server.server_process import Served
from tests.web.driver import Driver
from tests.web.tables import (
    DESK,
    PHONE,
    SEATS,
    Person,
    company,
    drivers,
    expect,
    until_asked,
    until_furnished,
    until_still,
    until_turn,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

FEW = [game if game in ("gong-zhu", "sap-ng-wu") else pytest.param(game, marks=pytest.mark.deep) for game in SEATS]
"""A game of suits, one of 28 cards; the others with the deep tests."""

STRIPS = """() => [...document.querySelectorAll(".hand .slot")].filter(slot => {
  const {left, top} = slot.getBoundingClientRect();
  const inside = [[3, 6], [21, 6], [3, 24], [21, 24]];
  return !inside.every(([x, y]) => slot.contains(document.elementFromPoint(left + x, top + y)));
}).map(slot => slot.dataset.card)"""
"""The cards whose index a finger would miss: less than 24 pixels of it are in sight."""


@pytest.mark.parametrize("game", FEW)
def test_every_index_of_the_hand_can_be_tapped_on_a_small_phone(chromium: "Browser", site: Served, game: str) -> None:
    with company(chromium, site, game, SEATS[game], people=1, size=PHONE, reduced_motion="reduce") as (guest,):
        until_asked(guest.page)
        until_still(guest.page)
        assert guest.page.evaluate(STRIPS) == []


def test_equal_cards_lie_in_one_stack_and_are_picked_one_after_the_other(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "sap-ng-wu", 3, people=1) as (guest,):
        page = guest.page
        page.wait_for_selector(".slot")
        counts = page.locator(".slot").evaluate_all("all => all.map(each => Number(each.dataset.count))")
        assert sum(counts) == 28
        cards = page.locator(".slot").evaluate_all("all => all.map(each => each.dataset.card)")
        assert len(set(cards)) == len(cards)
        for text, count in zip(
            page.locator(".slot").evaluate_all("all => all.map(each => each.textContent)"), counts, strict=True
        ):
            assert (f"×{count}" in text) == (count > 1)


USES = """async ({words, beating}) => {
  const load = name => import(document.querySelector(`link[href$="table/${name}.js"]`).href);
  const {read, usesOf} = await load("plays");
  const hand = ["34", "12", "66"].map(card => ({id: card, card}));
  const uses = usesOf(hand, words.map(word => read(word, card => hand.some(each => each.card === card))), {}, beating);
  return uses && Object.fromEntries(uses);
}"""


@pytest.mark.parametrize(
    ("words", "beating", "uses"),
    [
        pytest.param(["play", "pass"], [], None, id="declaring"),
        pytest.param(["supreme:12", "supreme:none"], [], {"12": "legal"}, id="laying cards open"),
        pytest.param(["34", "12"], [], {"34": "legal", "12": "legal", "66": "barred"}, id="leading"),
        pytest.param(["34", "12"], ["12"], {"34": "legal", "12": "wins", "66": "barred"}, id="following"),
        pytest.param(["34", "~34", "~66"], [], {"34": "wins", "12": "barred", "66": "throws"}, id="throwing"),
    ],
)
def test_no_card_is_in_the_shade_while_one_judges_the_hand(
    chromium: "Browser", site: Served, words: list[str], beating: list[str], uses: dict[str, str] | None
) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        assert guest.page.evaluate(USES, {"words": words, "beating": beating}) == uses


def test_cards_that_would_win_the_trick_so_far_are_marked_and_said(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        page, driver = guest.page, Driver(guest.page)
        while not page.locator(".slot.wins").count():  # in a deal whose tricks nobody can beat there are none
            if driver.over:
                driver.next_deal()
            elif not driver.step():
                page.wait_for_timeout(50)
        expect(page.locator(".slot.wins").first).to_have_attribute("aria-label", re.compile("wins so far"))
        expect(page.locator(".crown:not(.off)")).to_have_count(1)
        expect(page.locator(".play.ahead")).to_have_count(1)


WHOLE = """() => {
  const hand = document.querySelector(".hand").getBoundingClientRect();
  return Object.fromEntries([...document.querySelectorAll(".hand .slot")].map(slot => {
    const {bottom} = slot.querySelector(".playing-card").getBoundingClientRect();
    const below = slot.parentElement.nextElementSibling?.querySelector(".slot")?.getBoundingClientRect().top;
    return [slot.dataset.card, bottom <= (below ?? hand.bottom) + 1];
  }));
}"""
"""Of each card, whether neither the edge of the hand nor the row below cuts it."""


def test_a_card_that_one_looks_at_is_seen_whole(chromium: "Browser", site: Served) -> None:
    low = {**DESK, "height": 600}  # in a higher window the cards of some hands are seen whole
    with company(chromium, site, "sap-ng-wu", 3, people=1, size=low) as (guest,):
        page = guest.page
        until_asked(page)
        until_furnished(page)
        until_still(page)
        cut = [card for card, whole in page.evaluate(WHOLE).items() if not whole]
        assert cut, "all cards are seen whole"
        card = page.locator(f".slot[data-card='{cut[0]}']")
        for looks in ("points at it", "is on it by keyboard"):
            if looks == "points at it":
                card.hover(position={"x": 6, "y": 20})
            else:
                page.mouse.move(5, 5)
                card.focus()
            until_still(page)
            assert [each for each, whole in page.evaluate(WHOLE).items() if not whole] == cut[1:], looks


DOTS = """() => [...document.querySelectorAll(".hand .slot.marked:not(.throws, .wins) > .playing-card")]
  .filter(card => getComputedStyle(card, "::after").content !== "none").length"""
"""How many cards of the hand have the dot of a mark."""


def test_old_cards_are_not_marked_while_a_card_is_thrown(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "luk-fu", 3, people=1) as (guest,):
        page, driver = guest.page, Driver(guest.page)
        while not driver.over:
            if driver.turn and page.locator(".hand .slot.throws").count():
                assert page.locator(".legend.marked").count() == page.evaluate(DOTS) == 0
            if not driver.step():
                page.wait_for_timeout(50)


def test_one_enter_picks_and_a_second_one_plays(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        page = guest.page
        until_turn(page, "trick")
        held = page.locator(".slot").count()
        page.locator(".slot.legal").first.press("Enter")
        page.locator(".slot.picked").wait_for()
        assert page.locator(".slot").count() == held
        page.locator(".slot.picked").press("Enter")
        page.locator(".slot.picked").wait_for(state="detached")
        expect(page.locator(".slot")).to_have_count(held - 1)


PASS_ON = """() => {
  const button = document.querySelector("[data-act=pass_on]");
  button?.click();
  return Boolean(button);
}"""
"""At once: the button is there only for a moment where bots are quick."""


def test_one_passes_until_one_leads(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "sap-ng-wu", 3, people=1) as (guest,):
        page, driver = guest.page, Driver(guest.page)
        page.evaluate("localStorage.setItem('tefuda.told.passing', 'yes')")
        passes_on = False
        while not passes_on and not driver.over:
            passes_on = page.evaluate(PASS_ON)
            if not passes_on and not driver.step():
                page.wait_for_timeout(50)
        if passes_on:
            page.locator(".results").or_(page.locator("#table[data-turn=mine]")).first.wait_for()
            expect(page.locator(".bar [data-play=pass]")).to_have_count(0)


def bystander(guests: list[Person]) -> "Page":
    """The page of whoever is not asked while the other one is to play to a trick."""
    first, second = drivers(guests)
    while not (first.turn and "trick" in (guests[0].page.locator(".status").text_content() or "")):
        if not (first.step() or second.step()):
            guests[0].page.wait_for_timeout(50)
    guests[1].page.wait_for_selector("#table[data-turn='']")
    return guests[1].page


def test_choosing_a_card_beforehand_is_offered_once(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=2) as guests:
        page = bystander(guests)
        page.evaluate("localStorage.removeItem('tefuda.told.premove')")  # a card tapped too late has been told of it
        card = page.locator(".slot").first
        card.press("Enter")
        page.locator("[data-act=premove]").click()
        expect(page.locator(".slot.queued")).to_have_count(1)
        card.press("Enter")
        expect(page.locator(".slot.queued")).to_have_count(0)
        page.evaluate("localStorage.setItem('tefuda.settings', JSON.stringify({premove: 'off'}))")
        page.reload()
        page.wait_for_selector(".slot")
        card.press("Enter")
        page.locator(".why").wait_for()
        expect(page.locator("[data-act=premove]")).to_have_count(0)


PASSING = """async words => {
  const plays = document.querySelector('link[href$="table/plays.js"]').href;
  const {Ahead} = await import(plays.replace("plays", "ahead"));
  let offers = 0;
  const ahead = new Ahead({notify: () => (offers += 1), store: {now: {passes: false}}});
  return words.map(word => (ahead.played(word), offers));
}"""
"""How often it has been offered to pass until one leads, after each play of one's own."""


def test_passing_on_is_offered_once_after_two_passes(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "sap-ng-wu", 3, people=1) as (guest,):
        words = ["pass", "36", "pass", "pass", "pass", "36", "pass", "pass"]
        assert guest.page.evaluate(PASSING, words) == [0, 0, 0, 1, 1, 1, 1, 1]


FORM = """() => {
  const data = id => JSON.parse(document.getElementById(id).textContent);
  const [{formed}, texts] = [data("game"), data("texts").game];
  const held = [...document.querySelectorAll(".slot")].flatMap(({dataset}) => Array(+dataset.count).fill(dataset.card));
  const copies = (cards, card) => cards.filter(each => each === card).length;
  const fits = ({cards}) => cards.every(card => copies(cards, card) <= copies(held, card));
  const called = (name, words) => words.map(word => ({name: texts[name], word, cards: word.split("+")}));
  const all = Object.entries(formed).flatMap(([name, words]) => called(name, words)).filter(fits);
  return all.sort((one, other) => other.cards.length - one.cards.length)[0] ?? null;
}"""
"""The largest combination that the hand can form."""

PICKED = """cards => [...document.querySelectorAll(".slot.picked")].map(each => each.dataset.card).sort().join()
  === [...new Set(cards)].sort().join()"""
"""Whether these cards are picked, and no others."""


def not_asked(guests: list[Person]) -> "Page":
    """The page of one of two people while the other is asked."""
    pages = [guest.page for guest in guests]
    while True:
        for own, other in (pages, pages[::-1]):
            if own.locator("#table[data-turn='']").count() and other.locator("#table[data-turn=mine]").count():
                return own
        pages[0].wait_for_timeout(50)


@pytest.mark.parametrize("game", ["sap-ng-wu", "luk-fu"])
def test_a_card_tapped_out_of_turn_offers_what_it_can_form(chromium: "Browser", site: Served, game: str) -> None:
    form = None
    while form is None:  # in some deals of Luk Fu a hand forms nothing
        with company(chromium, site, game, 3, people=2) as guests:
            page = not_asked(guests)
            page.wait_for_selector(".slot")
            form = page.evaluate(FORM)
            if form is None:
                continue
            page.locator(f".slot[data-card='{form['cards'][0]}']").press("Enter")
            offer = page.locator(f"[data-offer='{form['word']}']")
            expect(offer).to_contain_text(re.compile(re.escape(form["name"]), re.IGNORECASE))
            assert page.locator(".offer").count() <= 6
            offer.press("Enter")
            page.wait_for_function(PICKED, arg=form["cards"])
            expect(page.locator(".bar [data-play]")).to_have_count(0)  # it is not their turn
            page.locator("[data-act=clear]").press("Enter")
            expect(page.locator(".slot.picked")).to_have_count(0)


PLAYED_OR_WHY = """card => document.querySelector(".why") || !document.querySelector(`.slot[data-card=${card}]`)"""
"""Whether a card has left the hand, or it is said that it may not be played."""


def test_a_card_chosen_beforehand_is_played_when_it_may_be(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=2) as (first, second):
        for guest in (first, second):
            guest.page.evaluate("localStorage.setItem('tefuda.settings', JSON.stringify({premove: 'on'}))")
            guest.page.reload()
            guest.page.wait_for_selector("#table[data-ready]")
        bystander([first, second])
        both = drivers([first, second])
        second.page.locator(".slot").first.click(position={"x": 6, "y": 20})
        chosen = second.page.locator(".slot.queued").get_attribute("data-card")
        while second.page.locator(".slot.queued").count():
            if not both[0].step():
                first.page.wait_for_timeout(50)
        second.page.wait_for_function(PLAYED_OR_WHY, arg=chosen)
