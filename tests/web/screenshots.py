"""``python -m tests.web.screenshots DIR [GAME …]``: what a table of each game looks like, to be looked at.

For each game, in a wide window and a small one: early in a deal, with a reason, late, the ranks, the score sheet, and
some steps of its tour; once in the dark.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from tests.server.serving import Served, serving
from tests.web.driver import NEXT, Driver
from tests.web.tables import DESK, PHONE, Person, company

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SEATS = {"gong-zhu": 4, "luk-fu": 3, "ma-diao": 4, "sap-ng-wu": 3, "kakkuri": 8}
LATE = 6
"""Plays of one's own after which a deal is late."""
MOST_DEALS = 4
"""After so many it is enough, also where no card was to be chosen."""


class Camera:
    """Takes pictures of one person's page in both windows.

    Args:
        guest: whose.
        folder: where they go.
        name: what they begin with.
    """

    def __init__(self, guest: Person, folder: Path, name: str) -> None:
        self.page, self.folder, self.name = guest.page, folder, name

    def take(self, moment: str, panel: str = "") -> None:
        """A picture of a moment in each window, with a panel opened if one is named."""
        for size in (PHONE, DESK):
            self.page.set_viewport_size(size)  # type: ignore[arg-type]
            self.page.wait_for_timeout(200)
            if panel:
                self.page.locator(f"[data-tab={panel}]").click()
            self.page.wait_for_timeout(200)
            self.page.screenshot(path=self.folder / f"{self.name}-{size['width']}-{moment}.png")


def photograph(browser: "Browser", site: Served, game: str, folder: Path, scheme: str) -> None:
    """Deals of a game until the first has been pictured early, late and at its end."""
    with company(browser, site, game, SEATS[game], people=1, color_scheme=scheme) as (guest,):
        camera, left = Camera(guest, folder, f"{game}-{scheme}"), ["early", "late"]
        for seed in range(MOST_DEALS):
            _play(guest, camera, left, Driver(guest.page, seed=seed))
            if seed == 0:
                camera.take("sheet")
                guest.page.locator("[data-act=look]").first.click()
                camera.take("ranks", panel="ranks")
                camera.take("log", panel="log")
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
                camera.take(left.pop(0))
            _explain(guest, camera)
        if not driver.step():
            guest.page.wait_for_timeout(50)


def _explain(guest: Person, camera: Camera) -> None:
    barred = guest.page.locator(".slot.barred")
    if barred.count() and not (camera.folder / f"{camera.name}-{DESK['width']}-reason.png").exists():
        barred.last.press("?")
        guest.page.locator(".why").wait_for()
        camera.take("reason")


TOUR_STEPS = (1, 5, 8)


def photograph_tour(browser: "Browser", site: Served, game: str, folder: Path, scheme: str) -> None:
    """Some steps of a game's tour."""
    guest = Person(browser, site, "en", DESK, color_scheme=scheme)
    for step in TOUR_STEPS:
        guest.page.goto("about:blank")
        guest.page.goto(f"{site.url}/games/{game}/tour#{step}")
        guest.page.wait_for_selector("#table[data-ready]")
        Camera(guest, folder, f"{game}-{scheme}").take(f"tour-{step}")
    guest.context.close()


def main(folder: str, games: Sequence[str] = ()) -> None:
    """Take all pictures."""
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as kept,
        serving(f"sqlite:///{kept}/tables.db", Path(kept) / "log") as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for game in games or SEATS:
            for scheme in ("light", "dark"):
                photograph(browser, site, game, path, scheme)
                photograph_tour(browser, site, game, path, scheme)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
