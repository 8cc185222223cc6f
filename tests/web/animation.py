"""``python -m tests.web.animation FILE [GAME]``: a table in motion for the README, the first tricks of a deal as WebP.

What the browser draws is taken as it draws it, so run it where little else runs."""

import argparse
import base64
import tempfile
import time
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image
from playwright.sync_api import sync_playwright

from tefuda import games
from tests.server.server_process import serving
from tests.web.driver import Driver
from tests.web.tables import DESK, SEATS, Person, company, until_compiled

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZE = (960, 600)
MOST_BYTES = 1_000_000
LASTS = 14.0
"""Seconds."""
STEP = 0.1
"""Seconds a picture stays at least."""
END_STAYS = 1.5
"""Seconds more for the last one, before it begins again."""
FIRST = 1.0
"""Seconds until all cards are drawn."""
THINKS = 0.6
"""Seconds between two taps of the player's."""


def recorded(guest: Person) -> list[tuple[float, bytes]]:
    """A deal, as it is drawn from now on: seconds and JPEG files."""
    page, frames = guest.page, list[tuple[float, bytes]]()
    session = guest.context.new_cdp_session(page)

    def take(frame: dict[str, Any]) -> None:
        frames.append((frame["metadata"]["timestamp"], base64.b64decode(frame["data"])))
        session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    page.wait_for_selector("#table[data-phase=playing] .hand .slot")
    page.wait_for_timeout(1000 * FIRST)
    session.on("Page.screencastFrame", take)
    session.send("Page.startScreencast", {"format": "jpeg", "quality": 92})
    play(page)
    session.send("Page.stopScreencast")
    return frames


def play(page: "Page") -> None:
    """Play for a while, as fast as people do."""
    driver, ends = Driver(page, seed=1), time.monotonic() + LASTS
    while time.monotonic() < ends and not driver.over:
        if driver.turn:
            page.wait_for_timeout(1000 * THINKS)
            driver.step()
        page.wait_for_timeout(1000 * STEP)


def write(frames: list[tuple[float, bytes]], path: Path) -> None:
    """Write an animation without end, as good as fits."""
    pictures, stays = list[Image.Image](), list[int]()
    for (at, picture), (until, _) in zip(frames, [*frames[1:], (frames[-1][0] + END_STAYS, b"")], strict=True):
        if pictures and sum(stays) / 1000 > at - frames[0][0]:
            continue  # the one before stays its time
        pictures.append(Image.open(BytesIO(picture)).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS))
        stays.append(round(1000 * max(STEP, until - at)))
    for quality in range(80, 20, -10):
        pictures[0].save(
            path, save_all=True, append_images=pictures[1:], duration=stays, loop=0, quality=quality, method=6
        )
        if path.stat().st_size < MOST_BYTES:
            print(f"{path}: {len(pictures)} pictures in {sum(stays) / 1000:.0f} s, {path.stat().st_size:,} bytes")
            return
    raise SystemExit(f"{path}: {path.stat().st_size:,} bytes are more than {MOST_BYTES:,}")


def main() -> None:
    """Record a deal and write it."""
    asked = argparse.ArgumentParser(description="Writes a table in motion, as WebP.")
    asked.add_argument("file", type=Path)
    asked.add_argument("game", nargs="?", default="ma-diao", choices=games.names())
    wanted = asked.parse_args()
    with (
        tempfile.TemporaryDirectory() as kept,
        sync_playwright() as playwright,
        serving(f"sqlite:///{kept}/tables.db", Path(kept) / "log", "--game", wanted.game) as site,
    ):
        until_compiled(site)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        with company(browser, site, wanted.game, SEATS[wanted.game], people=1, size=DESK) as (guest,):
            write(recorded(guest), wanted.file)
        browser.close()


if __name__ == "__main__":
    main()
