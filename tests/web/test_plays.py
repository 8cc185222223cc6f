"""How cards are handled at a table in a real browser: named, dragged, asked about; and what stands in their way."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.server.server_process import Served
from tests.web.driver import NEXT, Finger, middle
from tests.web.tables import BARRED, LARGE, PHONE, Person, company, expect, until_asked, until_still, until_turn

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser

LEGAL = ".hand .slot.legal"


def onto_the_felt(page: "Page") -> tuple[float, float]:
    box = page.locator(".middle").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: "Page", card: "Locator") -> None:
    """By mouse."""
    page.mouse.move(*middle(card))
    page.mouse.down()
    page.mouse.move(*onto_the_felt(page), steps=5)
    page.mouse.up()


def held(guest: Person) -> int:
    return guest.page.locator(".slot").count()


def until_played(guest: Person, card: str, before: int) -> None:
    """Wait until a card has left the hand, which held so many before; it alone."""
    guest.page.locator(f".slot[data-card={card}]").wait_for(state="detached")
    expect(guest.page.locator(".slot")).to_have_count(before - 1)


def test_a_card_dragged_onto_the_felt_is_played(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        until_turn(guest.page, "trick")
        before = held(guest)
        card = guest.page.locator(LEGAL).first
        name = card.get_attribute("data-card")
        assert name
        drag(guest.page, card)
        until_played(guest, name, before)


def test_a_card_that_may_not_be_played_returns_and_says_why(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        until_turn(guest.page, "trick")
        before = held(guest)
        drag(guest.page, guest.page.locator(BARRED).first)
        guest.page.locator(".why a", has_text="GZ-").wait_for()
        guest.page.locator(".drag").wait_for(state="detached")
        assert held(guest) == before


def test_a_card_let_go_above_the_hand_stays(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        page = guest.page
        until_turn(page, "trick")
        x, y = middle(page.locator(LEGAL).first)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 30, y + 5, steps=3)
        page.locator(".drag").wait_for()
        page.mouse.up()
        page.locator(".drag").wait_for(state="detached")
        expect(page.locator(".slot.picked")).to_have_count(0)


def test_a_finger_drags_too(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1, size=PHONE, has_touch=True) as (guest,):
        until_turn(guest.page, "trick")
        before, card, finger = held(guest), guest.page.locator(LEGAL).first, Finger(guest.page)
        name = card.get_attribute("data-card")
        assert name
        (x, y), (to_x, to_y) = middle(card), onto_the_felt(guest.page)
        finger.down((x, y))
        for part in (0.2, 0.5, 1):
            finger.move((x + (to_x - x) * part, y + (to_y - y) * part))
        finger.up()
        until_played(guest, name, before)


def leader(guests: list[Person]) -> "Page":
    """The page of whoever leads, when all have laid nothing."""
    while True:
        guests[0].page.wait_for_timeout(50)
        for guest in guests:
            if not guest.page.locator("#table[data-turn=mine]").count():
                continue
            nothing = guest.page.locator("[data-play='supreme:none']")
            if not nothing.count():
                return guest.page
            nothing.click()
            nothing.wait_for(state="detached")


def test_a_play_of_several_cards_is_named(chromium: "Browser", site: Served) -> None:
    """Whoever leads with 28 cards holds two that are alike."""
    with company(chromium, site, "sap-ng-wu", 3, people=3) as guests:
        page = leader(guests)
        page.locator(".slot.stack").first.press("Space")
        page.locator(".offer", has_text="a pair, with").first.click()
        button = page.locator("[data-play]", has_text="Play a pair:")
        button.click()
        page.locator(".log li", has_text="a pair: ").wait_for()
        for each in guests:
            each.page.locator(".play .called", has_text="a pair").wait_for()


def test_a_card_that_the_mouse_rests_on_says_what_it_is(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        page = guest.page
        until_turn(page, "trick")
        card = page.locator(LEGAL).first
        tip = page.locator(".tip")
        page.mouse.move(*onto_the_felt(page))  # a mouse that is still where it clicked last asks nothing
        page.mouse.move(*middle(card))
        tip.locator("li", has_text="from the top").wait_for()
        assert tip.locator("b").text_content() == card.get_attribute("aria-label")
        page.keyboard.press("Escape")
        tip.wait_for(state="hidden")


def test_a_finger_that_stays_asks_and_does_not_play(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1, size=PHONE, has_touch=True) as (guest,):
        page, finger = guest.page, Finger(guest.page)
        until_turn(page, "trick")
        finger.down(middle(page.locator(LEGAL).first))
        page.locator(".tip li").first.wait_for()
        finger.up()
        until_still(page)
        assert page.locator(".slot.picked").count() == 0
        assert page.locator(".tip").is_visible()
        finger.down(onto_the_felt(page))
        finger.up()
        page.locator(".tip").wait_for(state="hidden")
        assert page.locator(".slot.picked").count() == 0


def test_the_combinations_of_a_hand_stand_beside_it_or_where_there_is_no_room_among_the_cards(
    chromium: "Browser", site: Served
) -> None:
    with company(chromium, site, "sap-ng-wu", 3, people=1, size=PHONE) as (guest,):
        page = guest.page
        page.locator(".hand .slot").first.wait_for()
        page.locator("[data-tab=ranks]").click()
        expect(page.locator(".panel .beside-hand .held").first).to_be_visible()
        expect(page.locator(".below > .beside-hand")).to_be_hidden()
        page.set_viewport_size(LARGE)  # type: ignore[arg-type]
        expect(page.locator(".below > .beside-hand .held").first).to_be_visible()


def test_an_open_panel_leaves_hand_and_buttons_free_on_a_phone(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1, size=PHONE) as (guest,):
        until_asked(guest.page)
        guest.page.locator("[data-tab=ranks]").click()
        guest.page.locator(".panel .ranks").wait_for()
        until_still(guest.page)
        panel, controls = (guest.page.locator(each).bounding_box() for each in (".panel", ".controls"))
        assert panel
        assert controls
        assert panel["height"] > 100
        assert panel["y"] + panel["height"] <= controls["y"] + 1


LOOKS: list[dict[str, Any]] = [{"forced_colors": "active"}, {"reduced_motion": "reduce"}]


@pytest.mark.parametrize("look", LOOKS, ids=["forced-colours", "reduced-motion"])
def test_cards_are_played_without_colours_and_without_motion(
    chromium: "Browser", site: Served, look: dict[str, Any]
) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1, **look) as (guest,):
        page = guest.page
        until_turn(page, "trick")
        before = held(guest)
        page.locator(LEGAL).first.press("Space")
        expect(page.locator(".slot.picked")).to_have_count(1)
        name = page.locator(".slot.picked").get_attribute("data-card")
        assert name
        page.locator(".bar [data-play]").first.press("Enter")
        until_played(guest, name, before)
        assert page.locator(NEXT).count() == 0
