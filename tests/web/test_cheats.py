"""The page at a real server that cheats, and at the end of a line on which somebody changes what the server says."""

import json
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.cheating_server import CHEATS
from tests.server.server_process import Served, serving
from tests.server.test_cheats import HARMLESS, OTHERS, STEPS
from tests.web.tables import DESK, Person, until_compiled

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AMBER = ("silent", "names me first")
"""Cheats after which nothing of the browser is in the deal; nothing that was promised is broken."""

BEGUN = "document.querySelectorAll('.hand .slot').length === 13"
TOLD = "document.querySelector('.alarm, .doubt')"


@pytest.fixture(scope="module")
def cheating(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("cheating")
    db, log = f"sqlite:///{folder / 'tables.db'}", folder / "log"
    with serving(db, log, "--game", "gong-zhu", module="tests.server.cheating_server") as found:
        until_compiled(found)
        yield found


@pytest.mark.parametrize("cheat", CHEATS)
def test_the_page_says_at_the_table_how_the_server_cheats(chromium: "Browser", cheating: Served, cheat: str) -> None:
    guest = Person(chromium, cheating, "en", DESK)
    opened = guest.post("", {"game": "gong-zhu", "name": cheat, "bots": ["hints"] * 3})
    guest.sit(opened["table"])
    guest.page.wait_for_function(f"() => {BEGUN} || {TOLD}")
    guest.post(f"/{opened['table']}/close", {})
    guest.page.locator(".doubt" if cheat in AMBER else ".alarm").wait_for()
    guest.context.close()


def test_the_page_notices_every_change_of_what_is_shown_of_a_shuffle(chromium: "Browser", cheating: Served) -> None:
    """Each field left out, and given another value, once, in each step; at honest tables. Programs try more values."""
    guest, missed = Person(chromium, cheating, "en", DESK, reduced_motion="reduce"), []
    lie: dict[str, Any] = {}

    def connect(line: Any) -> None:
        server = line.connect_to_server()

        def forward(message: str) -> None:
            told = json.loads(message)
            shown = told.get("shuffle")
            if lie and shown and STEPS[lie["step"]](shown) and shown[lie["field"]] != lie["value"]:
                told["shuffle"] = {key: value for key, value in shown.items() if key != lie["field"]}
                told["shuffle"] |= {} if lie["value"] is None else {lie["field"]: lie["value"]}
                lie.clear()
            line.send(json.dumps(told))

        server.on_message(forward)
        line.on_message(server.send)

    guest.page.route_web_socket("**/socket*", connect)
    for step, field in product(STEPS, OTHERS):
        for value in (None, OTHERS[field][0]) if (step, field) not in HARMLESS else ():
            lie |= {"step": step, "field": field, "value": value}
            opened = guest.post("", {"game": "gong-zhu", "name": "Ann", "bots": ["hints"] * 3})
            guest.sit(opened["table"])
            guest.page.wait_for_function(f"() => {BEGUN} || {TOLD}")
            guest.post(f"/{opened['table']}/close", {})
            guest.page.wait_for_function("() => document.querySelector('#table').dataset.phase === 'closed'")
            guest.page.evaluate("fetch('/readyz')")  # what the page has asked for is answered by now
            if not lie and not guest.page.query_selector(".alarm, .doubt"):
                missed.append((step, field, value))
            lie.clear()
    assert missed == []
    guest.context.close()
