"""The deal of the day by two visitors, and a deal tried again from a moment of its replay, in a real browser."""

import re
from typing import TYPE_CHECKING

import pytest

from tests.web.conftest import Visit
from tests.web.driver import LONGEST, Driver, play
from tests.web.tables import PATIENCE, PHONE, expect, overflow, until_still

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

GAME = "gong-zhu"
"""A game in which bots can search at once: ``tests/searched.py``."""

_HURRY = """() => fetch(location.pathname.replace("/t/", "/api/v1/tables/") + "/pace", {
  method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify({speed: "instant"})})"""


def play_out(page: "Page") -> None:
    """Play whatever is lit until the score sheet is there."""
    page.wait_for_selector("#table[data-ready]")
    page.evaluate(_HURRY)
    play([Driver(page)])
    until_still(page)


def test_the_reader_is_told_by_their_own_clock_when_the_next_deal_comes(visit: Visit) -> None:
    page = visit(f"/games/{GAME}/day", timezone_id="Asia/Tokyo")
    expect(page.locator("#ends")).to_have_text(
        re.compile(r"A new deal comes at 9:00\sAM your time \(in \d+ hours?\)\.")
    )


def _list_grows(page: "Page") -> None:
    """A page that was opened while bots still played shows their results when they have: nobody has to come back."""
    bots = page.locator(".daily .bot")
    bots.first.wait_for(timeout=LONGEST * 1000)  # on a busy machine the strong ones take their time
    given = list[str]()

    def as_before(route: "Route") -> None:
        if route.request.resource_type != "document":  # what the page asks for by itself is answered as it is
            route.fallback()
            return
        answered = route.fetch(timeout=PATIENCE).text()
        early = re.sub('(?s)<tr class="bot">.*?</tr>|<p class="[^"]*waits".*?</p>', "", answered)
        early = early.replace("</table>", '</table><p class="waits"></p>', 1)
        script = re.search(r'href="([^"]*)css/base.css', early)
        assert script
        early = early.replace("</head>", f'<script type="module" src="{script[1]}js/pages/daily.js"></script></head>')
        given.append(early)
        route.fulfill(body=early, content_type="text/html")

    page.route("**/day/*", as_before)
    page.reload()
    bots.first.wait_for()
    assert ['class="bot"' in each for each in given] == [False]


def test_two_visitors_play_the_deal_of_the_day_and_try_it_again(visit: Visit) -> None:
    lists = []
    for number, size in enumerate((None, PHONE), 1):
        page = visit(f"/games/{GAME}/day", **({} if size is None else {"size": size}))
        assert page.locator(".daily").count() == 0
        page.locator("form button").first.click()
        page.wait_for_url("**/t/*")
        play_out(page)
        expect(page.locator(".winner-line")).to_contain_text("The deal of the day")
        page.locator("a[href*='/day/']").click()
        page.locator(f".daily tbody tr:not(.bot) >> nth={number - 1}").wait_for()
        assert overflow(page) <= 0
        assert page.locator(".daily thead th").last.text_content() == "Points"
        lists.append(page.locator(".daily tr:not(.bot)").count() - 1)
        assert page.locator(".daily .mine").count() == 1
    assert lists == [1, 2]
    _list_grows(page)
    page.locator("a[href*='review=0']").click()
    page.locator(".parts").wait_for()
    page.locator("[data-go=first]").click()
    page.locator("form.again button").click()
    page.wait_for_url("**/t/*")
    play_out(page)
    expect(page.locator(".winner-line")).to_contain_text("This time you got")
    page.locator("[data-act=rematch]").click()
    page.locator(".results").wait_for(state="detached")
