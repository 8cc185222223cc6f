"""What keeps people from a page, as axe finds it."""

from typing import TYPE_CHECKING

import pytest

from tests.web.tables import until_still

if TYPE_CHECKING:
    from playwright.sync_api import Page

MISSING = "left out; to look for barriers: uv sync --group browser"


def barriers(page: "Page") -> list[tuple[str, str, str]]:
    """All above minor on the page once it rests: the rule, the first element, what is wrong with it."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason=MISSING).Axe()
    until_still(page)
    found = [each for each in axe.run(page).response["violations"] if each["impact"] != "minor"]
    return [(each["id"], each["nodes"][0]["html"], each["nodes"][0]["failureSummary"]) for each in found]
