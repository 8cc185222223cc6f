"""A server with all games, and a real browser that looks at it."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.server.serving import Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MISSING = "left out; to test in a browser: uv sync --group browser, and Chromium (apt-get install chromium)"


@pytest.fixture(scope="session")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder whose runs the server shows."""
    return tmp_path_factory.mktemp("laboratory")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, laboratory: Path) -> Iterator[Served]:
    """A server that tests share; each opens tables of its own."""
    folder = tmp_path_factory.mktemp("site")
    with serving(f"sqlite:///{folder / 'tables.db'}", folder / "log", "--lab", str(laboratory)) as found:
        while not all(game["ready"] for game in httpx.get(f"{found.url}/api/v1/games").json()):
            time.sleep(0.2)  # until then forms lead to a page that asks for patience
        yield found


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """Chromium as the system has it; tests open contexts of their own."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    api = pytest.importorskip("playwright.sync_api", reason=MISSING)
    if program is None:
        pytest.skip(MISSING)
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()
