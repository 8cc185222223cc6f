"""A game of another package, which leaves to the kit what it may, on the page."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.own_game import with_leduc_poker
from tests.server.server_process import Served, serving
from tests.web.driver import Driver, play
from tests.web.tables import alone, until_compiled

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Served]:
    db, log = f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log"
    with serving(db, log, "--game", "leduc-poker", environment=with_leduc_poker(tmp_path)) as found:
        until_compiled(found)
        yield found


def test_a_game_without_positions_sheet_and_notation_is_played_from_deal_to_deal(
    chromium: "Browser", site: Served
) -> None:
    page = chromium.new_page(base_url=site.url)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto("/games/leduc-poker")
    alone(page, {"game": "leduc-poker", "name": "Aiko", "bots": ["hints"]}, site)
    person = Driver(page)
    for _ in range(2):
        play([person])
        person.next_deal()
    assert faults == []
