"""Tours in a real browser: gone through by mouse, by keyboard and by being shown, and where they are offered."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tefuda import games
from tefuda.table import tour
from tests.server.server_process import Served
from tests.web.barriers import barriers
from tests.web.conftest import Visit
from tests.web.tables import DESK, PATIENCE, PHONE, cut_notes, expect, get, overflow, until_still

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


def first(game: str) -> tour.Tour:
    return tour.load(games.description(game).files.tours[0])


def until(page: "Page", number: int) -> None:
    """Wait until a step has been reached, and all its plays have been shown."""
    page.wait_for_selector(f".coach[data-shown='{number}']")


def tap(page: "Page", card: str) -> None:
    """Tap a card, also one that may not be played and so counts as disabled."""
    until_still(page)
    page.locator(f"[data-card={card}]").click(position={"x": 8, "y": 40}, force=True)


def test_a_tour_is_played_to_its_end_by_keyboard(visit: Visit) -> None:
    page, steps = visit("/games/luk-fu/tour"), first("luk-fu").steps
    page.wait_for_selector("#table[data-ready]")
    for number, step in enumerate(steps[:-1], 1):
        until(page, number)
        if step.ask:
            page.keyboard.type(f"{step.ask}?")
            page.locator(".why a").wait_for()
        if step.play and not step.play[0].isalpha():
            for card in step.play[0].removeprefix("~").split("+"):
                if page.locator(".slot.picked").count() < len(step.play[0].split("+")):
                    page.keyboard.type(card)
                    page.keyboard.press(" ")
            page.locator(".bar [data-play]").first.press("Enter")
        elif step.play:
            page.locator(f".bar [data-play={step.play[0]}]").press("Enter")
        else:
            page.keyboard.press("n")
    until(page, len(steps))
    expect(page.locator(".coach form button")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")


def test_a_tour_is_played_to_its_end_by_mouse(visit: Visit) -> None:
    page, steps = visit("/games/gong-zhu/tour"), first("gong-zhu").steps
    page.wait_for_selector("#table[data-ready]")
    for number, step in enumerate(steps[:-1], 1):
        until(page, number)
        if step.ask:
            assert not page.locator("[data-tour=next]").is_visible()
            tap(page, step.ask)
            page.locator(".why a").wait_for()
        if step.play:
            tap(page, step.play[0].removeprefix("expose:"))
            page.locator(f".bar [data-play='{step.play[0]}']").click()
        else:
            page.locator("[data-tour=next]").click()
    until(page, len(steps))
    page.locator(".results tbody > tr").nth(3).wait_for()
    page.locator(".coach form button").wait_for()


def test_another_play_is_answered_with_a_word_and_nothing_is_played(visit: Visit) -> None:
    page = visit("/games/gong-zhu/tour#4")
    page.wait_for_selector("#table[data-turn=mine]")
    tap(page, "SQ")
    page.locator(".bar [data-play=SQ]").click()
    assert "your own pig" in (page.locator(".why p").text_content() or "")
    assert page.url.endswith("#4")
    assert page.locator("[data-card=SQ]").count() == 1


def test_one_can_go_back_and_come_again_to_the_same_step(visit: Visit) -> None:
    page = visit("/games/gong-zhu/tour#6")
    page.wait_for_selector("#table[data-turn=mine]")
    held = page.locator(".hand .slot").count()
    lines = page.locator(".log li").count()
    page.locator("[data-tour=do]").click()
    until(page, 7)
    expect(page.locator(".hand .slot")).to_have_count(held - 1)
    page.locator("[data-tour=back]").click()
    until(page, 6)
    expect(page.locator(".hand .slot")).to_have_count(held)
    expect(page.locator(".log li")).to_have_count(lines)
    page.reload()
    page.wait_for_selector("#table[data-turn=mine]")
    expect(page.locator(".hand .slot")).to_have_count(held)


@pytest.mark.parametrize(
    ("game", "language"),
    [("gong-zhu", "zh-Hans"), ("luk-fu", "ja"), ("ma-diao", "zh-Hant"), ("sap-ng-wu", "en"), ("kakkuri", "ja")],
)
def test_who_is_shown_everything_comes_to_the_end_on_a_telephone(visit: Visit, game: str, language: str) -> None:
    page, steps = visit(f"/games/{game}/tour", PHONE, language), first(game).steps
    page.wait_for_selector("#table[data-ready]")
    for number, step in enumerate(steps, 1):
        until(page, number)
        assert overflow(page) <= 0
        assert cut_notes(page) == []
        head = page.locator(".coach h3").text_content()
        assert head == step.words[language].head
        if step.play or step.ask:
            page.locator("[data-tour=do]").click()
        if not step.play and number < len(steps):
            page.locator("[data-tour=next]").click()
    page.locator(".coach form button").wait_for()


@pytest.mark.deep
@pytest.mark.parametrize("game", games.names())
def test_notes_are_not_cut_in_lessons_on_a_small_phone(visit: Visit, game: str) -> None:
    page = visit("/offline", PHONE)
    for path in games.description(game).files.tours[1:]:
        for number in range(1, len(tour.load(path).steps) + 1):
            # The step twice: with another number after the # alone nothing would be loaded anew.
            page.goto(f"/games/{game}/tour/{path.stem}?{number}#{number}")
            until(page, number)
            assert (path.stem, number, cut_notes(page)) == (path.stem, number, [])


def test_a_right_play_among_several_leads_on_in_its_own_way(visit: Visit) -> None:
    page = visit("/games/luk-fu/tour#6")
    page.wait_for_selector("#table[data-turn=mine]")
    tap(page, "K9")
    page.locator(".bar [data-play=K9]").click()
    until(page, 7)
    expect(page.locator("[data-card=K8]")).to_have_count(1)
    expect(page.locator(".hand [data-card=K9]")).to_have_count(0)


COVERED = """() => {
  const offer = document.querySelector(".welcome").getBoundingClientRect();
  return [...document.querySelectorAll(".felt, .controls, .hand")].filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return left < offer.right && right > offer.left && top < offer.bottom && bottom > offer.top;
  }).map((each) => each.className);
}"""
"""What lies under the offer of the tour, of felt, controls and hand."""


def test_the_tour_is_offered_at_the_first_table_of_a_game_only(visit: Visit) -> None:
    page = visit("/games/gong-zhu")  # where no deal ends before the reader has played: its results would hide the offer
    page.locator("button[value=bots]").click()
    page.locator(".welcome a").wait_for()
    page.wait_for_selector("#table[data-turn=mine]")
    for width, height in ((1280, 800), (390, 844), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        until_still(page)
        assert page.evaluate(COVERED) == []
    page.locator(".welcome button").click()
    page.locator(".welcome").wait_for(state="hidden")
    page.reload()
    page.wait_for_selector("#table[data-ready]")
    assert not page.locator(".welcome").is_visible()


def test_without_scripts_a_tour_can_be_read(site: Served, chromium: "Browser") -> None:
    context = chromium.new_context(base_url=site.url, java_script_enabled=False, locale="en")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto("/games/ma-diao/tour")
    assert page.locator(".words li").count() == len(first("ma-diao").steps)
    assert page.locator(".words li").first.is_visible()
    assert not page.locator(".board").is_visible()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_axe_finds_nothing_above_minor(visit: Visit, scheme: str, size: dict[str, int]) -> None:
    page = visit("/offline", size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    for number in (2, 5, 10):
        page.goto(f"/games/gong-zhu/tour?{number}#{number}")
        until(page, number)
        assert barriers(page) == []


def test_a_folder_of_ones_own_tours_is_served(tmp_path: Path, chromium: "Browser") -> None:
    from tests.server.server_process import serving

    own = games.description("gong-zhu").files.tours[0].read_text("utf-8")
    own = own.replace("The pig and the sheep", "Our club's tour")
    (tmp_path / "tours").mkdir()
    (tmp_path / "tours" / "club.toml").write_text(own, "utf-8")
    options = ("--tours", str(tmp_path / "tours"), "--game", "gong-zhu")
    with serving(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log", *options) as site:
        context = chromium.new_context(base_url=site.url, locale="en")
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto("/games/gong-zhu")
        page.get_by_role("link", name="Our club's tour").click()
        page.wait_for_selector("#table[data-ready]")
        assert page.url.split("#")[0].endswith("/games/gong-zhu/tour/club")
        context.close()


def test_a_place_that_is_tapped_shows_all_its_notes(visit: Visit) -> None:
    """Before that it shows two at most."""
    page = visit("/games/ma-diao/tour#8", PHONE)
    until(page, 8)
    until_still(page)
    own = f"[data-seat='{page.evaluate(MOST_NOTED)}']"
    assert not page.evaluate(UNCUT, own)
    page.locator(own).click()
    until_still(page)
    assert page.evaluate(UNCUT, own)
    page.locator(own).press("Tab")  # it closes when something else has the focus
    until_still(page)
    assert not page.evaluate(UNCUT, own)


UNCUT = """place => {
  const seat = document.querySelector(place);
  return [...seat.querySelectorAll(".notes li")].every(note => {
    if (!note.checkVisibility()) return false;
    const isSeen = ({x, y, width, height}) => {
      const edges = [[2, height / 2], [width - 2, height / 2], [width / 2, 2], [width / 2, height - 2]];
      return edges.every(([dx, dy]) => note.contains(document.elementFromPoint(x + dx, y + dy)));
    };
    return [...note.getClientRects()].every(isSeen);
  });
}"""
"""Whether every edge of each line of each note at a place is to be seen."""

MOST_NOTED = """() => [...document.querySelectorAll(".seat")]
  .map(seat => [seat.querySelectorAll(".notes li").length, seat])
  .filter(([count]) => count > 2).sort(([one], [other]) => other - one)[0][1].dataset.seat"""
"""The place of which most is noted, more than is shown."""


def test_faces_are_on_the_places(visit: Visit) -> None:
    page = visit("/games/gong-zhu", DESK)
    page.locator("button[value=bots]").click()
    page.wait_for_selector("#table[data-ready]")
    portraits = page.locator(".seat .portrait")
    portraits.nth(3).wait_for()
    drawn = {each.evaluate("each => getComputedStyle(each).backgroundImage") for each in portraits.all()}
    assert len(drawn) == 1, "one request for all faces"
    address = drawn.pop().split('"')[1]
    assert len({each.evaluate("each => getComputedStyle(each).backgroundPosition") for each in portraits.all()}) == 4
    assert get(address).text.count("<svg ") == 1 + 4
    assert get(address.replace("+", "+nobody-1+", 1)).status_code == 404
    assert get(f"{address.removesuffix('.svg')}{'+ox-1' * 5}.svg").status_code == 404, "more than sit at a table"
