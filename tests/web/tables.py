"""Tables with people at real browsers."""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx

from tests.server.server_process import Served
from tests.web.driver import NEXT, Driver, Typist

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, WebSocketRoute
    from playwright.sync_api._generated import LocatorAssertions  # which is not exported

PATIENCE = 120_000
"""Milliseconds that anything may take: games may have to be compiled, and cards to be drawn, before the first page."""

BARRED = ".hand .slot.barred"

PHONE = {"width": 360, "height": 640}
TALL = {"width": 390, "height": 844}
ASIDE = {"width": 844, "height": 390}
SIDEWAYS = {"width": 740, "height": 360}
TABLET = {"width": 768, "height": 1024}
DESK = {"width": 1280, "height": 800}
LARGE = {"width": 1920, "height": 1080}
HUGE = {"width": 2560, "height": 1440}

SEATS = {"gong-zhu": 4, "luk-fu": 3, "ma-diao": 4, "sap-ng-wu": 3, "kakkuri": 5}
"""How many play a game in most tests."""
SIZES = (PHONE, TALL, ASIDE, DESK, LARGE, HUGE)
"""The windows in which every page is looked at."""

_POST = """async ([path, body]) => {
  const headers = {"content-type": "application/json"};
  return (await fetch(path, {method: "POST", headers, body: JSON.stringify(body)})).json();
}"""

_PRACTISED = f"""try {{
  for (const game of {list(SEATS)}) localStorage[`tefuda.deals-${{game}}`] ??= "9";
}} catch {{ /* nothing may be kept */ }}"""
"""The browser of somebody who has played all games: in the first deals of a game a table goes slower."""

STILL = """async () => {
  const moving = () => document.getAnimations().filter(each =>
    each.playState === "running" && each.effect.getComputedTiming().iterations !== Infinity);
  await document.fonts.ready;
  let quiet = 0;
  for (let frame = 0; quiet < 3; frame += 1) {
    if (frame > 1000) throw new Error("the page never rests");
    await new Promise(go => requestAnimationFrame(go));
    const found = moving();
    quiet = found.length ? 0 : quiet + 1;
    await Promise.all(found.map(each => each.finished.catch(() => {})));
  }
}"""
"""Until nothing moves for three frames: in one a change of size is noticed, in the next it is drawn, and then begins to
move what moves because of that."""

SHIFTS = """() => {
  let sum = 0;
  const add = entries => entries.forEach(each => (sum += each.hadRecentInput ? 0 : each.value));
  const seen = new PerformanceObserver(list => add(list.getEntries()));
  seen.observe({type: "layout-shift"});
  window.shifted = () => (add(seen.takeRecords()), sum);
}"""


def get(address: str) -> httpx.Response:
    """What somebody without a browser is answered, as late as that may be."""
    return httpx.get(address, timeout=PATIENCE / 1000, follow_redirects=True)


def expect(found: "Locator") -> "LocatorAssertions":
    """What is to be so of a part of a page, if not at once: pages wait for the server, for scripts, for a frame."""
    from playwright.sync_api import expect as wait_for  # left out where there is no browser

    wait_for.set_options(timeout=PATIENCE)
    return wait_for(found)


def until_compiled(site: Served) -> None:
    """Wait until all games can be played; until then forms and tables lead to a page that asks for patience."""
    while not all(game["ready"] for game in get(f"{site.url}/api/v1/games").json()):
        time.sleep(0.2)


class Person:
    """Somebody at a browser of their own.

    Attributes:
        page: what they see.
        faults: what their browser has complained of.
        lines: the sockets their page has opened, the latest last.
    """

    def __init__(self, browser: "Browser", site: Served, language: str, size: dict[str, int], **how: Any) -> None:
        self.site, self.language = site, language
        how = {"service_workers": "block", **how}
        self.context = browser.new_context(locale=language, viewport=size, **how)  # type: ignore[arg-type]
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(_PRACTISED)
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.lines: list[WebSocketRoute] = []
        self.page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.route_web_socket(re.compile("/socket"), self._connect)
        self.page.goto(f"{site.url}/lab")  # any page makes a stranger a guest

    def _connect(self, line: "WebSocketRoute") -> None:
        line.connect_to_server()
        self.lines.append(line)

    def cut(self) -> None:
        """Tear the connection."""
        self.lines[-1].close(code=4000)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = self.page.evaluate(_POST, [f"/api/v1/tables{path}", body])
        return answer

    def sit(self, table: str) -> None:
        """Come to a table where a seat is theirs already, or free."""
        self.page.goto(f"{self.site.url}/t/{table}?lang={self.language}")
        self.page.wait_for_selector("#table[data-ready]")


@contextmanager
def company(
    browser: "Browser", site: Served, game: str, seats: int, people: int = 2, language: str = "en",
    size: dict[str, int] = DESK, body: Mapping[str, Any] | None = None, **how: Any,
) -> Iterator[list[Person]]:  # fmt: skip
    """People at one table, bots on the other seats; the deal begins when the last has come.

    Args:
        browser: of all of them.
        site: the server.
        game: its name.
        seats: of the table.
        people: how many of them are people.
        language: of their pages.
        size: of their windows.
        body: what else the table is opened with.
        how: options of the browser's contexts.
    """
    guests = [Person(browser, site, language, size, **how) for _ in range(people)]
    bots = ["hints"] * (seats - people)
    wanted = {"game": game, "seats": seats, "name": "Aiko", "bots": bots, "clock": 600, **(body or {})}
    opened = guests[0].post("", wanted)
    for guest in guests[1:]:
        guest.post(f"/{opened['table']}/join", {"name": "Bo"})
    for guest in guests:
        guest.sit(opened["table"])
    try:
        yield guests
    finally:
        for guest in guests:
            guest.context.close()
    assert [fault for guest in guests for fault in guest.faults] == []


_OPEN = """async body => {
  const headers = {"content-type": "application/json"};
  return (await (await fetch("/api/v1/tables", {method: "POST", headers, body: JSON.stringify(body)})).json()).table;
}"""


def alone(page: "Page", body: dict[str, Any], site: Served) -> None:
    """Open a table by the page's own cookie, and go there."""
    table = page.evaluate(_OPEN, body)
    page.goto(f"{site.url}/t/{table}")
    page.wait_for_selector("#table[data-ready]")


def drivers(guests: Sequence[Person], hands: str = "mouse") -> list[Driver]:
    """Somebody to play for each, by ``mouse``, ``touch`` or ``keyboard``."""
    if hands == "keyboard":
        return [Typist(guest.page, seed) for seed, guest in enumerate(guests)]
    return [Driver(guest.page, seed, hands == "touch") for seed, guest in enumerate(guests)]


def until_asked(page: "Page") -> None:
    """Wait until the page waits for its reader; in a later deal, if everything this one asked had only one answer."""
    waiting, over = page.locator("#table[data-turn=mine]"), page.locator(NEXT)
    waiting.or_(over).first.wait_for()
    while not waiting.count():
        over.click()
        over.wait_for(state="detached")
        waiting.or_(over).first.wait_for()


def until_turn(page: "Page", phase: str) -> None:
    """Play on until a card is to be chosen in this phase, and not all are legal; if need be in a later deal or game."""
    driver, again = Driver(page), page.locator(f"{NEXT}, [data-act=rematch]")
    while not (driver.turn and phase in (page.locator(".status").text_content() or "") and driver.points(BARRED)):
        if driver.over:
            again.first.click()
            page.locator(".results").wait_for(state="detached")
        elif not driver.step():
            page.wait_for_timeout(50)
    page.keyboard.press("Escape")  # lets go of a card that was picked when the turn had just begun
    page.evaluate("document.activeElement.blur()")  # a card with the focus lies above its neighbour's edge
    until_furnished(page)
    until_still(page)


def until_furnished(page: "Page") -> None:
    """Wait until the scripts are there that come after the first cards: those for dragging and for notes on cards."""
    page.locator(".tip").wait_for(state="attached")


def watch_shifts(page: "Page") -> None:
    """From now on count by how much the page moves things by itself."""
    until_still(page)
    page.evaluate(SHIFTS)


def shifts(page: "Page") -> float:
    """How much it has moved them since, as browsers measure it."""
    until_still(page)
    return float(page.evaluate("window.shifted()"))


def until_still(page: "Page") -> None:
    """Wait until nothing moves but what never rests: what moves cannot be pointed at."""
    page.evaluate(STILL)


def overflow(page: "Page") -> int:
    """By how many pixels a page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


_CUT_NOTES = """() => [...document.querySelectorAll(".seat .notes li")].filter(note => {
  if (!note.checkVisibility()) return false;
  const [own, place] = [note, note.closest(".seat")].map(each => each.getBoundingClientRect());
  return own.right > place.right || own.bottom > place.bottom || own.top < place.top;
}).map(note => note.textContent)"""


def cut_notes(page: "Page") -> list[str]:
    """What is noted at a place and does not lie within it."""
    found: list[str] = page.evaluate(_CUT_NOTES)
    return found
