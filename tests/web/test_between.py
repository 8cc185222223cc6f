"""Slow tables in a real browser: until when each play is due, being told of one's turn, the way to the next table."""

import json
import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.server_process import Served
from tests.web.tables import PATIENCE, TALL, Person, company, expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SLOW = {"clock": 86_400, "speed": "instant"}

AGREES = """(() => {
  const told = {endpoint: "https://push.example/1", keys: KEYS};
  const subscription = {...told, toJSON: () => told, unsubscribe: async () => !(localStorage.told = "")};
  PushManager.prototype.subscribe = async () => (localStorage.told = "yes", subscription);
  PushManager.prototype.getSubscription = async () => (localStorage.told ? subscription : null);
})()"""
"""A browser whose push service is there: it takes whatever it is asked for."""

SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  let shown = await worker.getNotifications();
  for (const last = Date.now() + 60_000; !shown.length && Date.now() < last; shown = await worker.getNotifications())
    await new Promise(go => setTimeout(go, 50));
  return shown.map(({title, body, data}) => ({title, body, data}));
}"""


def asked_first(guests: list[Person]) -> tuple[Person, Person]:
    """Whoever is asked, and the other: nothing happens at the table until they answer. Whoever has one answer only is
    to play for a moment, and not asked."""
    first, second = guests
    for _ in range(PATIENCE // 50):
        for asked, other in ((first, second), (second, first)):
            if asked.page.locator("#table[data-turn=mine]").count():
                return asked, other
        first.page.wait_for_timeout(50)
    raise AssertionError("nobody is asked")


def test_a_slow_table_says_until_when_each_play_is_due(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, body=SLOW, timezone_id="Asia/Tokyo") as guests:
        asked, _ = asked_first(guests)
        expect(asked.page.locator(".clock time")).to_have_text(re.compile(r"^until tomorrow \d\d:\d\d$"))
        expect(asked.page.locator("[role=timer]")).to_have_count(0)


def test_nobody_is_missed_who_leaves_the_page(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, body=SLOW) as guests:
        asked, other = asked_first(guests)
        asked.page.goto(f"{site.url}/lab")
        other.page.reload()
        other.page.wait_for_selector("#table[data-ready]")
        expect(other.page.locator(".portrait.gone, [data-stand-in]")).to_have_count(0)


def test_where_it_is_not_my_turn_a_link_leads_to_the_table_where_it_is(chromium: "Browser", site: Served) -> None:
    with company(chromium, site, "gong-zhu", 4, body=SLOW) as guests:
        asked, other = asked_first(guests)
        here = asked.page.url.partition("?")[0]
        there = other.post("", {"game": "gong-zhu", "name": "Bo", "bots": ["hints"], **SLOW})["table"]
        asked.page.goto(f"{site.url}/t/{there}")
        asked.page.wait_for_selector("#table[data-ready]")
        asked.post(f"/{there}/join", {"name": "Aiko"})
        asked.page.get_by_role("link", name="Next table (1)").click()  # a fourth player has yet to come
        asked.page.wait_for_url(here)


def deliver(page: "Page", text: str) -> None:
    """Let the browser bring a message to the service worker, as if a push service had sent it."""
    line = page.context.new_cdp_session(page)
    found: list[Any] = []
    line.on("ServiceWorker.workerRegistrationUpdated", lambda told: found.extend(told["registrations"]))
    line.send("ServiceWorker.enable")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    number, origin = found[0]["registrationId"], page.evaluate("location.origin")
    line.send("ServiceWorker.deliverPushMessage", {"origin": origin, "registrationId": number, "data": text})


@pytest.mark.skipif(find_spec("pywebpush") is None, reason="notices are left out: uv sync --extra push")
def test_a_browser_is_asked_once_and_shows_what_it_is_told(chromium: "Browser", site: Served) -> None:
    from tests.server.push_service import PushService

    with PushService() as service:
        script = AGREES.replace("KEYS", json.dumps(service.subscription("aiko")["keys"]))
    how: dict[str, Any] = {"service_workers": "allow", "permissions": ["notifications"]}
    with company(chromium, site, "gong-zhu", 4, size=TALL, body=SLOW, **how) as guests:
        page = asked_first(guests)[0].page
        page.add_init_script(script)
        page.reload()
        page.get_by_role("button", name="Tell me when it is my turn").click()
        expect(page.locator(".notice-place")).to_contain_text("This browser will tell you")
        page.reload()
        page.wait_for_selector("#table[data-ready]")
        expect(page.get_by_role("button", name="Tell me when it is my turn")).to_have_count(0)
        table = page.url.rpartition("/")[2].partition("?")[0]
        deliver(page, json.dumps({"title": "Your turn: Gong Zhu", "body": "With Bo.", "table": table}))
        assert page.evaluate(SHOWN) == [{"title": "Your turn: Gong Zhu", "body": "With Bo.", "data": f"/t/{table}"}]
