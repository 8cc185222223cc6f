"""What browsers do to a page: no cookies, two tabs of one table, a clock that is set while one plays.

Offline, an old service worker and storage that is forbidden: ``test_installation``, ``test_table``, ``test_felt``."""

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.server.server_process import Served
from tests.web.conftest import Visit
from tests.web.driver import Driver
from tests.web.tables import DESK, PATIENCE, company, expect, until_asked, until_still

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

NO_COOKIES = {"profile": {"default_content_setting_values": {"cookies": 2}}}
"""Chromium's own setting."""

A_DAY = 86_400_000
"""Milliseconds."""


def test_without_cookies_the_page_says_what_they_are_needed_for(
    chromium: "Browser", site: Served, tmp_path: Path
) -> None:
    """Storage is forbidden too, then; the rules are there all the same."""
    (tmp_path / "Default").mkdir()
    (tmp_path / "Default" / "Preferences").write_text(json.dumps(NO_COOKIES), "utf-8")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    context = chromium.browser_type.launch_persistent_context(
        tmp_path,
        executable_path=program,
        args=["--no-sandbox"],
        base_url=site.url,
        locale="en",
        viewport=DESK,  # type: ignore[arg-type]
    )
    context.set_default_timeout(PATIENCE)
    page, faults = context.pages[0], list[str]()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto("/games/gong-zhu")
    page.locator(".no-cookies", has_text="Cookies are blocked").wait_for()
    for play in ("bots", "friends"):
        page.goto("/games/gong-zhu")
        page.locator(f"button[value={play}]").click()
        page.locator("main", has_text="which seat is yours").wait_for()
        assert "/t/" not in page.url  # no table that nobody could play at
    _nobody_takes_a_seat(page, site)
    page.goto("/games/gong-zhu/rules")
    page.locator("#GZ-8").wait_for()
    context.close()
    assert faults == []


def _nobody_takes_a_seat(page: "Page", site: Served) -> None:
    """At a friend's table they are told too, and the seat stays free for others."""
    asked = {"game": "gong-zhu", "name": "Aiko"}
    friend = httpx.post(f"{site.url}/api/v1/tables", json=asked, timeout=PATIENCE / 1000).json()
    page.goto(f"/t/{friend['table']}")
    page.locator("#name").fill("Bo")
    page.locator("[data-sit]").first.click()
    page.locator(".why", has_text="which seat is yours").wait_for()
    assert page.locator("[data-sit]").count() == 3


def test_who_has_cookies_hears_nothing_of_them(visit: Visit) -> None:
    page = visit("/games/gong-zhu")
    assert not page.locator(".no-cookies").is_visible()


def test_two_tabs_of_one_table_show_the_same(visit: Visit) -> None:
    """A play that is made in one is seen in the other, which then plays on."""
    first = visit("/games/gong-zhu")
    first.locator("button[value=bots]").click()
    first.wait_for_selector("#table[data-ready]")
    second = first.context.new_page()
    second.goto(first.url)
    for page, other in ((first, second), (second, first)):
        until_asked(page)
        until_asked(other)
        until_still(page)
        before = other.locator("#table").get_attribute("data-ready")
        driver = Driver(page)
        while other.locator("#table").get_attribute("data-ready") == before:
            if not driver.step():
                page.wait_for_timeout(50)
        until_asked(page)
        shown = page.locator("#table").get_attribute("data-ready")
        assert shown
        expect(other.locator("#table")).to_have_attribute("data-ready", shown)
        held = [each.locator(".hand .slot").count() for each in (page, other)]
        assert held[0] == held[1]


TICKED = """before => {
  const now = document.querySelector("[role=timer]")?.textContent;
  return now && now !== before;
}"""
"""Whether the clock has gone on; between two turns there is none."""


@pytest.mark.parametrize("change", [A_DAY, -A_DAY], ids=["forward", "back"])
def test_a_clock_that_is_set_takes_nobody_time(chromium: "Browser", site: Served, change: int) -> None:
    with company(chromium, site, "gong-zhu", 4) as guests:
        page = guests[0].page
        timer = page.locator("[role=timer]").first
        before = timer.text_content()
        page.evaluate("change => { const now = Date.now; Date.now = () => now() + change; }", change)
        page.wait_for_function(TICKED, arg=before)
        minutes = int((timer.text_content() or "").split(":")[0])
        assert 5 <= minutes <= 10
