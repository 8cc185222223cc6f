"""A club's season in a real browser, from its link to the replay of its last round."""

from typing import TYPE_CHECKING

import pytest

from tests.web.conftest import Visit
from tests.web.driver import Driver, play
from tests.web.tables import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def press(page: "Page", name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def play_round(page: "Page") -> None:
    """Play the one deal of a round, from the club's page until it is in sight again."""
    press(page, "Go to your table")
    page.wait_for_selector("#table[data-ready]")
    play([Driver(page)])
    page.get_by_role("link", name="To the standings").click()


def test_two_members_play_a_season_and_see_who_is_ahead(visit: Visit) -> None:
    ann = visit("/clubs")
    ann.get_by_label("Name of a new club").fill("Tuesdays")
    press(ann, "Create it")
    expect(ann.get_by_role("heading", name="Tuesdays")).to_be_visible()
    expect(ann.get_by_text("A round needs at least 2 members.")).to_be_visible()
    ben = visit(ann.get_by_label("Link to the club").input_value())
    press(ben, "Join the club")
    ann.reload()
    ann.get_by_label("Rounds", exact=True).fill("1")
    ann.get_by_label("Deals a round", exact=True).fill("1")
    press(ann, "Begin a new season")
    press(ann, "Begin round 1")
    play_round(ann)
    expect(ann.locator(".waits").get_by_text("deals played: 1 of 1")).to_have_count(1)
    expect(ann.get_by_role("link", name="Replay")).to_have_count(0)  # the other table has yet to play these cards
    ben.reload()
    play_round(ben)
    expect(ben.locator(".waits").get_by_text("deals played: 1 of 1")).to_have_count(2)
    ann.reload()
    press(ann, "End the round")
    scores = [
        float(each.replace("−", "-").split()[0])
        for each in ann.locator("#standings ~ .wide td:last-child").all_inner_texts()
    ]
    assert len(scores) == 2
    assert sum(scores) == 0  # both sat in the same seat: one wins what the other loses
    assert scores == sorted(scores, reverse=True)
    expect(ann.get_by_text("Rounds that are over")).to_be_visible()
    ann.get_by_role("link", name="Replay").first.click()
    expect(ann.locator(".felt .seat").first).to_be_visible()
