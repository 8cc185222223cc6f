"""``python -m tests.web.elements``: one page of the docs with every element of the table in every state.

The page's own scripts draw the elements (``elements.js``), a game of each shape of cards, light and dark."""

import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.server.server_process import serving
from tests.web.tables import company, until_compiled, until_still

PICTURES = Path(__file__).parents[2] / "docs/project/elements"
SCRIPT = Path(__file__).with_suffix(".js")
SEATS = {"gong-zhu": 4, "ma-diao": 4}


def main(folder: Path = PICTURES) -> None:
    """Take the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as kept,
        serving(f"sqlite:///{kept}/tables.db", Path(kept) / "log") as site,
        sync_playwright() as playwright,
    ):
        until_compiled(site)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for game, seats in SEATS.items():
            for scheme in ("light", "dark"):
                looks: dict[str, Any] = {"color_scheme": scheme, "reduced_motion": "reduce", "bypass_csp": True}
                with company(browser, site, game, seats, people=1, **looks) as (guest,):
                    guest.page.wait_for_selector(".slot")
                    guest.page.evaluate(SCRIPT.read_text("utf-8").partition("\n")[2])
                    until_still(guest.page)
                    guest.page.wait_for_load_state("networkidle")
                    picture = Image.open(BytesIO(guest.page.screenshot(full_page=True)))
                    picture.save(folder / f"{game}-{scheme}.webp", quality=82, method=6)
        browser.close()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
