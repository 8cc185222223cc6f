"""The moderators' page in a browser: without scripts, and with nothing that keeps people from it."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.server.administration import told
from tests.server.server_process import Served
from tests.web.barriers import barriers
from tests.web.people import apart
from tests.web.tables import TALL

if TYPE_CHECKING:
    from playwright.sync_api import Page

Visit = Callable[..., "Page"]


def reported(site: Served) -> str:
    """A listed table at which Ann has reported Ben by his name."""
    with httpx.Client(base_url=f"{site.url}/api/v1", timeout=300) as api:
        table = api.post("/tables", json={"game": "gong-zhu", "name": "Ann"}).json()
        at = f"/tables/{table['table']}"
        assert api.post(f"{at}/join", json={"name": "Ben with a rather long n"}).json()["seat"] == 1
        bearer = {"Authorization": f"Bearer {table['token']}"}
        note = {"seat": 1, "note": "His name offends somebody whom everybody here knows, and he will not change it."}
        assert api.post(f"{at}/report", json=note, headers=bearer).status_code == 200
    return str(table["table"])


def moderators_page(visit: Visit, site: Served, **how: object) -> "Page":
    page = visit("/", **how)
    refused = page.context.request.get("/moderation").text()  # tells everybody their hash
    apart(appoint(site.db, re.findall("moderators ([0-9a-f]{40})", refused)[0]))
    page.goto(f"{site.url}/moderation")
    return page


async def appoint(db: str, person: str) -> None:
    told(db, "moderators", person)


def test_a_moderator_works_without_scripts_on_a_telephone(visit: Visit, site: Served) -> None:
    table = reported(site)
    page = moderators_page(visit, site, size=TALL, java_script_enabled=False)
    assert page.evaluate("document.documentElement.scrollWidth") <= TALL["width"]
    report = page.locator("section li", has_text="His name offends").filter(has_text=table)
    report.get_by_role("button", name="Mute").click()  # without a reason the browser does not send it
    assert not page.locator("section li", has_text="Banned").count()
    report.get_by_label("Reason").fill("Choose another name.")
    report.get_by_role("button", name="Mute").click()
    log = page.locator("ol.list li").first
    assert "Mute · Ben with a rather long n" in log.inner_text().replace("\u00a0", " ")
    assert "Choose another name." in log.inner_text()
    log.get_by_role("button", name="Undo").click()
    assert "Lift" in page.locator("ol.list li").first.inner_text()
    page.locator("section li", has_text="His name offends").filter(has_text=table).get_by_role(
        "button", name="Done"
    ).click()
    assert not page.locator("ul.list li", has_text=table).filter(has_text="His name offends").count()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_above_minor_on_the_moderators_page(visit: Visit, site: Served, scheme: str) -> None:
    reported(site)
    page = moderators_page(visit, site, color_scheme=scheme, bypass_csp=True)
    other = page.locator("form", has=page.locator("[name=subject]"))
    other.locator("[name=subject]").fill("203.0.113.9")
    other.get_by_label("Reason").fill("Floods.")
    other.get_by_role("button", name="Ban", exact=True).click()
    assert barriers(page) == []
