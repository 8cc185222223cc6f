"""A server with all games, and a real browser that looks at it."""

import re
import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tefuda.client import Client
from tests.server.server_process import Served, serving
from tests.web.tables import DESK, PATIENCE, until_compiled

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Visit = Callable[..., "Page"]

MISSING = "left out; to test in a browser: uv sync --group browser, and Chromium (apt-get install chromium)"


@pytest.fixture(scope="session")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder whose runs the server shows."""
    return tmp_path_factory.mktemp("laboratory")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, laboratory: Path) -> Iterator[Served]:
    """A server that tests share; each opens tables of its own."""
    folder = tmp_path_factory.mktemp("site")
    push = ["--push", "mailto:host@cards.example"] if find_spec("pywebpush") else []
    with serving(f"sqlite:///{folder / 'tables.db'}", folder / "log", "--lab", str(laboratory), *push) as found:
        until_compiled(found)
        yield found


@pytest.fixture(scope="session")
def reviewed(site: Served) -> tuple[str, int, dict[str, Any]]:
    """A table whose only deal is over, a seat that gave something away in it, and that seat's review: of a game in
    which bots can search at once (``tests/searched.py``)."""
    for _ in range(5):
        client = Client(site.url)
        seat = client.open("gong-zhu", name="Ann", bots=["random"] * 3, options={"session_deals": 1})
        for moment in seat:
            seat.play(moment.choices[-1])
        for place in range(4):
            while "moments" not in (found := client.get(f"tables/{seat.table}/review", seat=place, wait=20)):
                pass
            if found["moments"]:
                return seat.table, place, found
    raise AssertionError("nobody has given anything away in five deals")


@pytest.fixture(scope="package")
def chromium() -> Iterator["Browser"]:
    """Chromium as the system has it; tests open contexts of their own.

    It ends before tests of another folder begin: Playwright keeps an event loop running, beside which ``asyncio.run``
    fails."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    api = pytest.importorskip("playwright.sync_api", reason=MISSING)
    if program is None:
        pytest.skip(MISSING)
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: "Browser", site: Served) -> Iterator[Visit]:
    """Opens a page in a browser of its own; a fault of a script, or a file that is missing, fails the test.

    Where a form is to be refused, or nothing can be reached, ``refused=True`` lets the browser say so. There are no
    service workers, which would answer in the place of the server, but for ``service_workers="allow"``."""
    contexts, faults = [], list[str]()

    def open_page(
        path: str, size: dict[str, int] = DESK, language: str = "en", *, refused: bool = False, **settings: Any
    ) -> "Page":
        settings = {"service_workers": "block", **settings}
        context = chromium.new_context(base_url=site.url, viewport=size, locale=language, **settings)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()

        def hear(text: str) -> None:
            if not (refused and re.search("status of 4(10|22)|ERR_(FAILED|INTERNET)", text)):
                faults.append(text)

        page.on("pageerror", lambda error: hear(str(error)))
        page.on("console", lambda said: hear(said.text) if said.type == "error" else None)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []
