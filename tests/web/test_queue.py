"""Waiting for players in a real browser."""

import re

import pytest

from tests.web.conftest import Visit
from tests.web.tables import TALL, expect

pytestmark = pytest.mark.browser


def test_strangers_find_each_other_and_sit_at_one_table(visit: Visit) -> None:
    first, *others = [visit("/games/sap-ng-wu/players", TALL) for _ in range(3)]
    for page in (first, *others):
        page.wait_for_url("**/t/*")
    assert len({page.url for page in (first, *others)}) == 1
    expect(first.locator(".hand .slot").first).to_be_visible()


def test_the_reader_sees_who_waits_and_leaves_by_going_away(visit: Visit) -> None:
    page, friend = visit("/games/ma-diao/players", TALL), visit("/")
    told = page.locator(".told")
    expect(told).to_have_text("A table for 4; waiting here: 1")
    expect(page.locator(".waited")).to_have_text(re.compile(r"You have waited for \d:\d\d\."))
    friend.locator(".game", has_text="Ma Diao").get_by_role("link", name="Play with others").click()
    expect(told).to_have_text("A table for 4; waiting here: 2")
    twin = friend.context.new_page()
    twin.goto("/games/ma-diao/players")
    expect(twin.locator(".told")).to_have_text("A table for 4; waiting here: 2")
    twin.close()
    friend.get_by_role("link", name="Cancel").click()
    expect(told).to_have_text("A table for 4; waiting here: 1")


def test_bots_come_if_the_reader_likes(visit: Visit) -> None:
    page = visit("/games/kakkuri/players", TALL)
    page.get_by_label("Start with bots in the free seats after 20 seconds").check()
    page.wait_for_url("**/t/*")
    expect(page.get_by_role("group", name="Your hand")).to_be_visible()


def test_without_scripts_the_page_says_what_else_can_be_done(visit: Visit) -> None:
    page = visit("/games/ma-diao/players", TALL, java_script_enabled=False)
    expect(page.locator(".late")).to_contain_text("nobody can find you here")
    page.get_by_role("button", name="Open a table for everybody").click()
    page.wait_for_url("**/t/*")
