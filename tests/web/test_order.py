"""The order in which one holds one's cards: sorted by the page, or laid by hand."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.server.server_process import Served
from tests.web.driver import Finger, middle
from tests.web.tables import PHONE, company, expect, until_asked, until_turn

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

HELD = "() => [...document.querySelectorAll('.hand .slot')].map(each => each.dataset.card)"
SORT = "[data-act=sort]"


def held(page: "Page") -> list[str]:
    found: list[str] = page.evaluate(HELD)
    return found


def until_held(page: "Page", cards: list[str]) -> None:
    page.wait_for_function(f"cards => ({HELD})().join() === cards.join()", arg=cards)


LAID = """async ({scene, words, sort}) => {
  const choice = document.querySelector('link[href$="table/choice.js"]').href;
  const load = name => import(choice.replace("choice", name));
  const [{Order}, {usesOf}, {slotsOf}, {read}] = await Promise.all(["order", "choice", "hand", "notation"].map(load));
  const order = new Order({root: document, draw: () => {}});
  const cards = scene.hand.flatMap(group => group.cards);
  const plays = words.map(word => read(word, card => cards.includes(card)));
  const uses = usesOf(slotsOf(scene.hand), plays, {}, scene.beating);
  const lay = (holds = false) => order.lay(scene, {deal: "1", plays, uses, holds}).map(group => group.cards.join(" "));
  lay();
  while (order.now !== sort) order.next();
  return lay();
}"""

HAND = [["T9", "T7", "T1"], ["K9", "K3"], ["S9", "S7", "S4"], ["C3"]]


@pytest.mark.parametrize(
    ("sort", "words", "beating", "laid"),
    [
        pytest.param("suit", [], [], ["T9 T7 T1", "K9 K3", "S9 S7 S4", "C3"], id="as the server lays them"),
        pytest.param("rank", [], [], ["T9 K9 S9", "T7 S7", "S4", "K3 C3", "T1"], id="the highest first"),
        pytest.param("wins", ["T9", "T7", "T1"], ["T9"], ["T9", "T7 T1", "K9 K3 S9 S7 S4 C3"], id="what wins first"),
        pytest.param("wins", [], [], ["T9 T7 T1", "K9 K3", "S9 S7 S4", "C3"], id="before one is asked"),
        pytest.param(
            "sets", ["T7+S7", "T9+K9+S9", "K3+C3", "T9+K9", "T1"], [],
            ["T9 K9 S9", "T7 S7", "K3 C3", "T1", "S4"], id="the largest combination first",
        ),
    ],
)  # fmt: skip
def test_cards_are_sorted(
    chromium: "Browser", site: Served, sort: str, words: list[str], beating: list[str], laid: list[str]
) -> None:
    hand = [{"label": "", "cards": cards, "marked": []} for cards in HAND]
    scene: dict[str, Any] = {"hand": hand, "beside": [], "beating": beating}
    with company(chromium, site, "luk-fu", 3, people=1) as (guest,):
        assert guest.page.evaluate(LAID, {"scene": scene, "words": words, "sort": sort}) == laid


def test_a_way_of_sorting_is_chosen_by_button_or_key_and_stays(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        page = guest.page
        until_asked(page)
        usual = held(page)
        first = page.locator(".slot").first
        first.focus()
        page.keyboard.press("f")
        by_rank = sorted(usual, key=lambda card: "AKQJ198765432".index(card[1]))
        until_held(page, by_rank)
        assert page.evaluate("document.activeElement.dataset.card") == usual[0]
        page.reload()
        page.wait_for_selector(SORT)
        until_held(page, by_rank)
        page.locator(SORT).click()  # what wins first
        page.locator(SORT).click()
        until_held(page, usual)


def test_no_card_jumps_while_one_is_picked(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        page = guest.page
        page.wait_for_selector(SORT)
        page.locator(SORT).click()
        page.locator(SORT).click()
        until_turn(page, "trick")
        cards = held(page)
        legal = page.locator(".slot.legal").count()
        assert page.locator(".slot").evaluate_all("all => all.map(each => each.classList.contains('legal'))") == [
            number < legal for number in range(len(cards))
        ]
        page.locator(".slot.legal").last.press("Enter")
        page.locator(".slot.picked").wait_for()
        assert held(page) == cards


def test_a_card_dragged_within_the_hand_lies_there_until_one_sorts_again(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        page = guest.page
        until_turn(page, "trick")
        usual = held(page)
        (x, y), (to_x, to_y) = middle(page.locator(".slot").first), middle(page.locator(".slot").nth(3))
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(to_x, to_y, steps=5)
        page.locator(".drop-mark").wait_for()
        page.mouse.up()
        laid = [*usual[1:3], usual[0], *usual[3:]]
        until_held(page, laid)
        expect(page.locator(".slot.picked, .play[data-played='0']")).to_have_count(0)
        page.reload()
        page.wait_for_selector(SORT)
        until_held(page, laid)
        page.locator(SORT).click()
        until_held(page, usual)


def test_a_finger_and_the_keyboard_lay_cards_elsewhere_too(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1, size=PHONE, has_touch=True) as (guest,):
        page = guest.page
        until_turn(page, "trick")
        usual, finger = held(page), Finger(page)
        (x, y), (to_x, to_y) = middle(page.locator(".slot").nth(1)), middle(page.locator(".slot").first)
        finger.down((x, y))
        for part in (0.3, 0.6, 1):
            finger.move((x + (to_x - x) * part, y + (to_y - y) * part))
        page.locator(".drop-mark").wait_for()
        finger.up()
        laid = [usual[1], usual[0], *usual[2:]]
        until_held(page, laid)
        page.locator(".slot").nth(1).press("Shift+ArrowRight")
        until_held(page, [laid[0], laid[2], laid[1], *laid[3:]])
        assert page.evaluate("document.activeElement.dataset.card") == laid[1]
        expect(page.locator(SORT)).to_have_text("My order")
