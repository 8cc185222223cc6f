"""``python -m tests.web.screenshots DIR [NAME …]``: what the pages look like, to be looked at.

A name is a game's, or ``pages`` for all that is no table; without names everything is pictured, in six windows from a
small telephone to a very large screen, the panels of a table and the steps of its tour in two of them.
Of a table: early in a deal, with a card picked, with a reason, late, each panel, the settings, the score sheet, the
replay, some steps of the tour; once in English and light, once dark in another language, once in forced colours. Of
other pages: light and dark, so that between them every language is seen."""

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from tefuda.client import Client
from tests.server.server_process import Served, free_port, serving
from tests.web.driver import NEXT, Driver
from tests.web.tables import DESK, PHONE, SIZES, Person, company, until_compiled

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SEATS = {"gong-zhu": 4, "luk-fu": 3, "ma-diao": 4, "sap-ng-wu": 3, "kakkuri": 8}
DARK = {"gong-zhu": "zh-Hans", "luk-fu": "ja", "ma-diao": "zh-Hant", "sap-ng-wu": "zh-Hant", "kakkuri": "ja"}
"""In which language a game is seen in the dark."""

LOOKS: Sequence[tuple[str, str, dict[str, Any]]] = (
    ("en", "light", {"color_scheme": "light"}),
    ("", "dark", {"color_scheme": "dark"}),
    ("en", "forced", {"color_scheme": "dark", "forced_colors": "active"}),
)
"""Language (of ``DARK`` if empty), name and settings of the browser."""

LATE = 6
"""Plays of one's own after which a deal is late."""
MOST_DEALS = 4
"""After so many it is enough, also where no card was to be chosen."""
PANELS = ("ranks", "log", "last", "score", "hint", "rules", "keys")
TOUR_STEPS = (1, 5, 8, 10)

STILL = """async () => {
  const sheets = new Set([...document.querySelectorAll("use")].map(use => use.getAttribute("href").split("#")[0]));
  await Promise.all([...sheets].map(sheet => fetch(sheet)));
  const isDrawn = () => [...document.images].every(each => !each.dataset.face || (each.src && each.complete));
  for (let tries = 0; tries < 100 && !isDrawn(); tries += 1) await new Promise(goOn => setTimeout(goOn, 20));
  await Promise.all(document.getAnimations().map(each => each.finished.catch(() => {})));
}"""
"""Waits until the cards are drawn and nothing moves."""


class Camera:
    """Takes pictures of one person's page in every window.

    Args:
        guest: whose.
        folder: where they go.
        name: what they begin with.
    """

    def __init__(self, guest: Person, folder: Path, name: str) -> None:
        self.page, self.folder, self.name = guest.page, folder, name

    def take(self, moment: str, panel: str = "", *, whole: bool = False, few: bool = False) -> None:
        """A picture of a moment in every window.

        Args:
            moment: what it is called.
            panel: opened before; empty for none.
            whole: the page down to its end, and not the window.
            few: in a small and a wide window only.
        """
        for size in (PHONE, DESK) if few else (*reversed(SIZES), DESK):
            self.page.set_viewport_size(size)  # type: ignore[arg-type]
            self.page.wait_for_timeout(200)
            if panel and self.page.locator("#table").get_attribute("data-panel") != panel:
                self.page.locator(f"[data-tab={panel}]").click()
            self.page.evaluate(STILL)
            self.page.wait_for_timeout(200)
            self.page.screenshot(path=self.folder / f"{self.name}-{size['width']}-{moment}.png", full_page=whole)


# Tables


def photograph(browser: "Browser", site: Served, game: str, folder: Path) -> None:
    """A game's tables and tour in every look."""
    for language, look, how in LOOKS:
        language = language or DARK[game]
        with company(browser, site, game, SEATS[game], people=1, language=language, **how) as (guest,):
            _table(Camera(guest, folder, f"{game}-{look}"), guest, panels=PANELS if look != "forced" else ("ranks",))
            if look != "forced":
                _tour(Camera(guest, folder, f"{game}-{look}"), site, game)


def _table(camera: Camera, guest: Person, panels: Sequence[str]) -> None:
    """Deals until one has been pictured early, late and at its end."""
    left = ["early", "late"]
    for seed in range(MOST_DEALS):
        _play(guest, camera, left, Driver(guest.page, seed=seed))
        if seed == 0:
            camera.take("sheet")
            guest.page.locator("[data-act=look]").first.click()
            for panel in panels:
                camera.take(panel, panel=panel, few=True)
            guest.page.keyboard.press("Escape")
            guest.page.keyboard.press("o")
            camera.take("settings")
            guest.page.keyboard.press("Escape")
            guest.page.locator("[data-act=results]").click()
        if not left:
            break
        guest.page.locator(NEXT).click()
        guest.page.locator(".results").wait_for(state="detached")


def _play(guest: Person, camera: Camera, left: list[str], driver: Driver) -> None:
    """Play a deal, and picture the moments that are left."""
    while not driver.over:
        if driver.turn and guest.page.locator(".slot.legal").count():
            if left[:1] == ["early"] or (left and driver.plays >= LATE):
                moment = left.pop(0)
                camera.take(moment)
                if moment == "early":
                    guest.page.locator(".slot.legal").first.press("Enter")
                    camera.take("picked")
                    guest.page.keyboard.press("Escape")
            _explain(guest, camera)
        if not driver.step():
            guest.page.wait_for_timeout(50)


def _explain(guest: Person, camera: Camera) -> None:
    barred = guest.page.locator(".slot.barred")
    if barred.count() and not (camera.folder / f"{camera.name}-{DESK['width']}-reason.png").exists():
        barred.last.press("?")
        guest.page.locator(".why").wait_for()
        camera.take("reason", few=True)


def _tour(camera: Camera, site: Served, game: str) -> None:
    """Some steps of a game's tour."""
    for step in TOUR_STEPS:
        # The step twice: with another number after the # alone nothing would be loaded anew.
        camera.page.goto(f"{site.url}/games/{game}/tour?{step}#{step}")
        camera.page.wait_for_selector(f".coach[data-shown='{step}']")
        camera.take(f"tour-{step}", few=True)


# All other pages


def photograph_pages(browser: "Browser", site: Served, folder: Path) -> None:
    """Lobby, game, invitation, waiting rooms, rules, replay and the rest, each language in one of the schemes."""
    replay = _finished(site)
    for language, scheme in (("en", "light"), ("ja", "dark"), ("zh-Hant", "light"), ("zh-Hans", "dark")):
        with _person(browser, site, language, color_scheme=scheme) as guest:
            camera = Camera(guest, folder, f"pages-{language}")
            table = _invitation(camera, site)
            with _person(browser, site, language, color_scheme=scheme) as friend:
                friend.page.goto(table)
                friend.page.wait_for_selector(".chairs")
                Camera(friend, folder, camera.name).take("join")
            for name, address in _addresses(replay).items():
                guest.page.goto(f"{site.url}{address}")
                guest.page.wait_for_load_state("networkidle")
                for summary in guest.page.locator("main details > summary").all()[:2]:
                    summary.click()
                camera.take(name, whole=True)
        with _person(browser, site, language, color_scheme=scheme, java_script_enabled=False) as guest:
            camera = Camera(guest, folder, f"pages-{language}")
            # The page that waits comes last: it asks again by itself.
            for name, address in {"no-script": "/games/luk-fu/tour", "preparing": "/games/kakkuri/preparing"}.items():
                guest.page.goto(f"{site.url}{address}")
                for size in (PHONE, DESK):
                    guest.page.set_viewport_size(size)  # type: ignore[arg-type]
                    guest.page.screenshot(path=folder / f"{camera.name}-{size['width']}-{name}.png")


def _addresses(replay: str) -> Mapping[str, str]:
    return {
        "lobby": "/",
        "me": "/me",
        "device": "/me/device",
        "offline": "/offline",
        "game": "/games/kakkuri",
        "day": "/games/gong-zhu/day",
        "problems": "/games/gong-zhu/problems",
        "lab": "/lab",
        "about": "/games/ma-diao/about",
        "rules": "/games/sap-ng-wu/rules",
        "replay": f"/r/{replay}?at=9",
        "review": f"/r/{replay}?review=0",
        "missing": "/t/nowhere",
    }


def _invitation(camera: Camera, site: Served) -> str:
    """Pictures of the invitation and of the table that waits; its link."""
    camera.page.goto(f"{site.url}/games/luk-fu")
    camera.page.locator("input[name=name]").fill("Aiko")
    camera.page.locator("button[value=friends]").click()
    camera.page.wait_for_url("**/invite")
    camera.take("invite", whole=True)
    link = camera.page.locator("#link").input_value()
    camera.page.goto(link)
    camera.page.wait_for_selector(".chairs")
    camera.take("waiting")
    return link


def _finished(site: Served) -> str:
    """A table whose game is over."""
    seat = Client(site.url).open("ma-diao", name="Aiko", bots=["hints"] * 3, options={"session_deals": 1})
    for moment in seat:
        seat.play(moment.choices[0])
    return seat.table


@contextmanager
def _person(browser: "Browser", site: Served, language: str, **how: Any) -> Iterator[Person]:
    guest = Person(browser, site, language, DESK, **how)
    yield guest
    guest.context.close()


def main(folder: str, names: Sequence[str] = ()) -> None:
    """Take all pictures."""
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    port = free_port()
    origin = f"http://localhost:{port}"
    hosted = ("--passkeys", "--origin", origin)
    with (
        tempfile.TemporaryDirectory() as kept,
        serving(f"sqlite:///{kept}/tables.db", Path(kept) / "log", *hosted, port=port) as site,
        sync_playwright() as playwright,
    ):
        site.url = origin  # where links lead
        until_compiled(site)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name in names or ["pages", *SEATS]:
            if name == "pages":
                photograph_pages(browser, site, path)
            else:
                photograph(browser, site, name, path)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
