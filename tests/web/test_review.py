"""The review of a deal in a real browser: from the score sheet and in a replay, by mouse, finger and keyboard."""

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from tefuda.engine.texts import LANGUAGES
from tests.server.server_process import Served
from tests.web.conftest import Visit
from tests.web.driver import Driver, play
from tests.web.tables import DESK, PHONE, TALL, Person, expect, overflow, shifts, until_still, watch_shifts

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


def amounts(page: "Page") -> list[Decimal]:
    """What the parts of a deal brought, their sum last, as they are shown."""
    return [Decimal(shown.replace("−", "-")) for shown in page.locator(".parts dd").all_inner_texts()]


def test_a_deal_is_reviewed_and_each_moment_leads_to_the_table_as_it_stood(
    visit: Visit, reviewed: tuple[str, int, dict[str, Any]]
) -> None:
    table, seat, found = reviewed
    page = visit(f"/r/{table}")
    page.locator("#replay[data-ready='0']").wait_for()
    page.get_by_role("button", name="Review").click()
    page.get_by_label("Player").select_option(str(seat))
    page.locator(f"#review[data-seat='{seat}']").wait_for()
    *parts, whole = amounts(page)
    assert (len(parts), sum(parts), whole) == (3, whole, Decimal(str(found["gain"])))
    assert page.locator(".worth figcaption").inner_text().startswith("What the deal was worth with all hands open:")
    assert page.locator(".worth circle").count() == len(found["moments"])
    for moment in found["moments"]:
        button = page.locator(f".moments [data-at='{moment['plays']}']")
        assert re.sub("you|Ann", "", moment["text"]) == re.sub("you|Ann", "", button.inner_text())
        button.click()
        page.locator(f"#replay[data-ready='{moment['plays']}']").wait_for()
        expect(button).to_have_attribute("aria-current", "step")
        expect(page.locator(f".hands [data-seat='{seat}']")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="What was played").click()
    page.locator(".story > ol").wait_for()
    page.locator("#review").wait_for(state="hidden")


def test_a_link_opens_a_review_and_the_keyboard_goes_through_it(
    visit: Visit, reviewed: tuple[str, int, dict[str, Any]]
) -> None:
    table, seat, found = reviewed
    page = visit(f"/r/{table}?review={seat}")
    page.locator(f"#review[data-seat='{seat}']").wait_for()
    page.wait_for_url(re.compile(f"review={seat}"))
    whose = page.get_by_label("Player")
    whose.focus()
    page.keyboard.press("ArrowDown" if seat < 2 else "ArrowUp")
    other = seat + 1 if seat < 2 else seat - 1
    page.locator(f"#review[data-seat='{other}']").wait_for()
    assert page.locator("#replay[data-ready='0']").count() == 1, "the keys of the choice are no keys of the replay"
    page.keyboard.press("ArrowUp" if seat < 2 else "ArrowDown")
    page.locator(f"#review[data-seat='{seat}']").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator(f"#replay[data-ready='{found['moments'][0]['plays']}']").wait_for()
    expect(page.locator(".moments button:focus")).to_have_count(1)


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_nothing_jumps_while_a_review_is_made(
    visit: Visit, reviewed: tuple[str, int, dict[str, Any]], size: dict[str, int]
) -> None:
    table, seat, found = reviewed
    page = visit(f"/r/{table}", size)
    page.locator("#replay[data-ready='0']").wait_for()
    page.get_by_role("button", name="Review").focus()
    watch_shifts(page)
    page.get_by_role("button", name="Review").click()
    page.get_by_label("Player").select_option(str(seat))
    page.locator(f"#review[data-seat='{seat}']").wait_for()
    assert shifts(page) < 0.05
    assert overflow(page) == 0
    first = page.locator(".moments button").first
    first.click()
    page.locator(f"#replay[data-ready='{found['moments'][0]['plays']}']").wait_for()
    until_still(page)
    box = page.locator(".felt").bounding_box()
    assert box is not None
    assert box["y"] < size["height"] / 2, "the table is in sight"
    assert box["y"] + box["height"] > 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_is_in_the_readers_language(
    visit: Visit, reviewed: tuple[str, int, dict[str, Any]], language: str
) -> None:
    table, seat, found = reviewed
    page = visit(f"/r/{table}?review={seat}&lang={language}")
    page.locator(f"#review[data-seat='{seat}']").wait_for()
    told = page.locator(".story").inner_text()
    assert not re.search(r"review\.|\{\w+\}", told)
    assert ("Luck" in told) == (language == "en")
    assert str(found["moments"][0]["plays"] + 1) in page.locator(".moments button").first.inner_text()


def test_a_review_that_fails_is_asked_for_again(visit: Visit, reviewed: tuple[str, int, dict[str, Any]]) -> None:
    table, seat, _ = reviewed
    page = visit("/", refused=True)
    page.route("**/review?*", lambda route: route.abort())
    page.goto(f"/r/{table}?review={seat}")
    again = page.get_by_role("button", name="Try again")
    again.wait_for()
    assert "The review failed" in page.locator("#review [role=status]").inner_text()
    page.unroute("**/review?*")
    again.click()
    page.locator(f"#review[data-seat='{seat}']").wait_for()


def test_how_far_a_review_is_can_be_read(visit: Visit, reviewed: tuple[str, int, dict[str, Any]]) -> None:
    table, seat, _ = reviewed
    page = visit("/")
    told = {"judged": 3, "decisions": 7, "moments": [{"plays": 5, "text": "Play 6: you played SK.", "reason": ""}]}
    page.route("**/review?*", lambda route: route.fulfill(status=202, json=told))
    page.goto(f"/r/{table}?review={seat}")
    page.get_by_text("3 of 7 decisions judged").wait_for()
    page.get_by_text("Play 6: you played SK.").wait_for()
    assert page.locator("#review progress").evaluate("each => each.value / each.max") == 3 / 7
    page.unroute("**/review?*")
    page.locator(f"#review[data-seat='{seat}']").wait_for()


def test_the_score_sheet_leads_to_the_review_of_ones_own_deal(chromium: "Browser", site: Served) -> None:
    aiko = Person(chromium, site, "en", DESK)
    page, options = aiko.page, {"session_deals": 1}
    aiko.sit(aiko.post("", {"game": "gong-zhu", "name": "Aiko", "bots": ["hints"] * 3, "options": options})["table"])
    play([Driver(page)])
    page.locator(".overlay").get_by_role("link", name="Review").click()
    page.locator("#review[data-seat='0']").wait_for()
    assert "Your plays" in page.locator(".parts").inner_text()
    aiko.context.close()
    assert aiko.faults == []


def test_while_hands_are_hidden_the_score_sheet_opens_the_review_of_ones_own_seat(
    chromium: "Browser", site: Served
) -> None:
    aiko = Person(chromium, site, "en", PHONE)
    page = aiko.page
    aiko.sit(aiko.post("", {"game": "luk-fu", "name": "Aiko", "bots": ["hints"] * 2})["table"])
    play([Driver(page)])
    page.locator(".overlay").get_by_role("button", name="Review").click()
    dialog = page.locator("dialog.dialog")
    dialog.locator(".review[data-seat='0']").wait_for()
    assert dialog.locator("dt").all_inner_texts() == ["Your plays", "The result, compared with the others"]
    assert dialog.get_by_text("when all hands may be shown").is_visible()
    assert dialog.locator("select, svg, [data-at]").count() == 0
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    expect(page.locator("[data-act=review]")).to_be_focused()
    aiko.context.close()
    assert aiko.faults == []


ON_TOP = """each => {
  const {x, y, width, height} = each.getBoundingClientRect();
  return each.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


def test_whoever_follows_a_shared_link_goes_through_replay_and_review_to_the_end(
    chromium: "Browser", site: Served
) -> None:
    aiko, friend = (Person(chromium, site, language, size) for language, size in (("en", TALL), ("ja", PHONE)))
    options = {"session_deals": 1}
    aiko.sit(aiko.post("", {"game": "gong-zhu", "name": "Aiko", "bots": ["hints"] * 3, "options": options})["table"])
    play([Driver(aiko.page)])
    aiko.page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }")
    aiko.page.locator(".overlay [data-act=share]").click()
    answer = aiko.page.locator(".notice-place .why")
    answer.wait_for()
    until_still(aiko.page)
    assert answer.evaluate(ON_TOP), "the score sheet does not cover the answer"
    page = friend.page
    page.goto(aiko.page.evaluate("window.copied"))
    page.locator("#replay[data-ready='0']").wait_for()
    page.locator("[data-view=review]").click()
    page.locator("#review[data-seat]:not([data-seat=''])").wait_for()
    for moment in page.locator(".moments [data-at]").all():
        moment.click()
        page.locator(f"#replay[data-ready='{moment.get_attribute('data-at')}']").wait_for()
    page.locator("[data-go=last]").click()
    end = page.locator(".steps input").get_attribute("max")
    page.locator(f"#replay[data-ready='{end}']").wait_for()
    assert overflow(page) == 0
    for person in (aiko, friend):
        person.context.close()
        assert person.faults == []
