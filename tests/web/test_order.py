"""The order in which one holds one's cards: sorted by the page, or laid by hand."""

from typing import TYPE_CHECKING

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


LAID = """async ({cards, uses, sort}) => {
  const plays = document.querySelector('link[href$="table/plays.js"]').href;
  const load = name => import(plays.replace("plays", name));
  const [{Order, called}, {Store}] = await Promise.all(["order", "store"].map(load));
  const hand = cards.map(each => ({label: "", cards: each.split(" "), marked: []}));
  const store = new Store(() => {}), order = new Order({root: document.querySelector("#table"), store});
  store.set({state: {session: 1, deal: {number: 1, scene: {hand}}}});
  const lay = () => order.lay(uses && new Map(Object.entries(uses))).map(group => group.cards.join(" "));
  lay();
  while (called(store.now) !== sort) order.next();
  return lay();
}"""

HAND = ["T9 T7 T1", "K9 K3", "S9 S7 S4", "C3"]
TILES = ["66 66 11 55", "45 45 34", "35 26 36"]
USES = {"T9.0": "wins", "T7.0": "legal", "T1.0": "legal"}


@pytest.mark.parametrize(
    ("game", "cards", "sort", "uses", "laid"),
    [
        pytest.param("luk-fu", HAND, "By suit", None, HAND, id="as the server lays them"),
        pytest.param(
            "luk-fu", HAND, "By rank", None, ["T9 K9 S9", "T7 S7", "S4", "K3 C3", "T1"], id="the highest first"
        ),
        pytest.param(
            "luk-fu", HAND, "Winners first", USES, ["T9", "T7 T1", "K9 K3", "S9 S7 S4", "C3"], id="what wins first"
        ),
        pytest.param("luk-fu", HAND, "Winners first", None, HAND, id="before one is asked"),
        pytest.param(
            "luk-fu", HAND, "By combination", None, ["T9 K9 S9", "T7 T1", "K3", "S7 S4", "C3"], id="three of a kind"
        ),
        pytest.param(
            "sap-ng-wu", TILES, "By combination", None, ["66 66 45 45 36", "11 35 26", "55", "34"],
            id="the largest combination first",
        ),
    ],
)  # fmt: skip
def test_cards_are_sorted(
    chromium: "Browser", site: Served, game: str, cards: list[str], sort: str, uses: dict[str, str] | None,
    laid: list[str],
) -> None:  # fmt: skip
    held = {"cards": cards, "sort": sort, "uses": uses and dict.fromkeys(
        (f"{card}.0" for card in " ".join(cards).split()), "barred"
    ) | uses}  # fmt: skip
    with company(chromium, site, game, 3, people=1) as (guest,):
        assert guest.page.evaluate(LAID, held) == laid


def test_only_orders_that_make_sense_are_offered(chromium: "Browser", site: Served) -> None:
    """In Kakkuri suits say nothing, and a hand lies in the order of play: there is nothing else to choose."""
    with company(chromium, site, "kakkuri", 5, people=1) as (guest,):
        expect(guest.page.locator(SORT)).to_be_hidden()


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
        page.mouse.move(to_x, to_y - 5, steps=5)
        page.locator(".drop-mark").wait_for(state="attached")  # what shows it is loaded while one drags
        page.mouse.move(to_x, to_y)
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
        for part in (0.3, 0.6, 0.9):
            finger.move((x + (to_x - x) * part, y + (to_y - y) * part))
        page.locator(".drop-mark").wait_for(state="attached")
        finger.move((to_x, to_y))
        page.locator(".drop-mark").wait_for()
        finger.up()
        laid = [usual[1], usual[0], *usual[2:]]
        until_held(page, laid)
        page.locator(".slot").nth(1).press("Shift+ArrowRight")
        expect(page.locator(".live")).to_contain_text(f": 3 of {len(usual)}")  # a forced play may have gone before
        until_held(page, [laid[0], laid[2], laid[1], *laid[3:]])
        assert page.evaluate("document.activeElement.dataset.card") == laid[1]
        expect(page.locator(SORT)).to_have_text("My order")


def test_where_nothing_can_be_kept_the_hand_is_sorted_all_the_same(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, people=1) as (guest,):
        guest.context.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
        guest.page.reload()
        guest.page.wait_for_selector(".slot")
        usual = held(guest.page)
        guest.page.locator(SORT).click()
        until_held(guest.page, sorted(usual, key=lambda card: "AKQJ198765432".index(card[1])))
