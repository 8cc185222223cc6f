"""The drawings of cards at a table."""

from typing import TYPE_CHECKING

import pytest

from tests.server.server_process import Served
from tests.web.driver import Driver
from tests.web.tables import TALL, Person, alone, company, expect, until_asked

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

DRAWN = """() => {
  const faces = [...document.querySelectorAll(".board img[data-face]")];
  return faces.length > 0 && faces.every(face => face.complete && face.naturalWidth > 0);
}"""


def test_each_card_is_one_picture(chromium: "Browser", site: Served) -> None:
    """Not a copy of the sprite's shapes, which browsers would style and lay out for every card that lies somewhere."""
    with company(chromium, site, "ma-diao", 4, people=1) as (guest,):
        guest.page.wait_for_selector(".hand .slot")
        guest.page.wait_for_function(DRAWN)
        expect(guest.page.locator(".board .playing-card use")).to_have_count(0)
        faces = guest.page.locator(".hand img").evaluate_all("all => all.map(each => [each.dataset.face, each.src])")
        assert len({source for _, source in faces}) == len({face for face, _ in faces})


def test_cards_have_names_where_their_drawings_do_not_come(chromium: "Browser", site: Served) -> None:
    guest = Person(chromium, site, "en", TALL)
    guest.page.route("**/decks/**/cards/**", lambda route: route.fulfill(status=503))
    alone(guest.page, {"game": "gong-zhu", "name": "Aiko", "bots": ["hints"] * 3}, site)
    until_asked(guest.page)
    assert all(guest.page.locator(".hand .face-text").all_inner_texts())
    driver = Driver(guest.page)
    while not driver.plays:
        if not driver.step():
            guest.page.wait_for_timeout(50)
    guest.context.close()
    assert all("503" in fault for fault in guest.faults)
