"""The site as an app: what browsers ask of one that can be installed, and what is there without a server."""

import json
import re
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from tools import icons

from tefuda import games
from tefuda.engine.texts import LANGUAGES
from tefuda.server.pages.site import ICONS
from tests.server.server_process import Served
from tests.web.conftest import Visit
from tests.web.people import links, visitor
from tests.web.tables import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

KEPT = """async () => {
  const names = await caches.keys();
  const lists = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys())));
  return lists.flat().map((request) => new URL(request.url).pathname);
}"""

READ = f"""async (most) => {{
  const every = async (sign) => (await ({KEPT})()).filter((path) => sign.test(path)).length >= most;
  while (!navigator.serviceWorker.controller || !(await every(/rules$/)) || !(await every(/^.decks/))) {{
    await new Promise((done) => setTimeout(done, 50));
  }}
}}"""
"""Waits until the rules and the cards of so many games are kept."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_browser_may_install_it(site: Served, language: str) -> None:
    with visitor(site, language) as reader:
        page = reader.get("/").text
        (address,) = (link for link in links(page) if link.endswith(".webmanifest"))
        answer = reader.get(address)
        assert answer.headers["content-type"] == "application/manifest+json"
        manifest = json.loads(answer.text)
        assert {"name", "short_name", "description", "theme_color", "background_color", "id"} <= set(manifest)
        assert (manifest["lang"], manifest["display"], manifest["scope"]) == (language, "standalone", "/")
        assert reader.get(manifest["start_url"]).status_code == 200
        assert all(reader.get(each["url"]).status_code == 200 for each in manifest["shortcuts"])
        for wanted in ('name="viewport"', 'name="theme-color"', 'rel="apple-touch-icon"'):
            assert wanted in page


def test_icons_are_as_large_as_the_manifest_says(site: Served) -> None:
    image = pytest.importorskip("PIL.Image")
    with visitor(site) as reader:
        told: list[dict[str, Any]] = reader.get("/manifest.webmanifest").json()["icons"]
        sizes = {(icon["sizes"], icon.get("purpose", "any")) for icon in told}
        assert {("any", "any"), ("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= sizes
        for icon in told:
            answer = reader.get(icon["src"])
            assert answer.headers["content-type"].partition(";")[0] == icon["type"]
            if icon["type"] == "image/png":
                drawn = image.open(BytesIO(answer.content))
                assert f"{drawn.width}x{drawn.height}" == icon["sizes"]


def test_icons_are_drawn_from_the_icon_of_the_pages() -> None:
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    for name in ICONS:
        kept, now = (image.open(BytesIO(data)) for data in ((icons.FOLDER / name).read_bytes(), icons.drawn(name)))
        assert kept.convert("RGBA").tobytes() == now.convert("RGBA").tobytes(), "python -m tools.icons"
        assert ("whole" in name) == (kept.convert("RGBA").getpixel((0, 0))[3] == 255)


@pytest.mark.slow
def test_a_worker_is_another_one_after_an_update_and_in_another_language(site: Served) -> None:
    def settings(language: str) -> dict[str, Any]:
        with visitor(site, language) as reader:
            answer = reader.get("/worker.js")
            assert answer.headers["cache-control"] == "no-cache"
            found: dict[str, Any] = json.loads(re.findall(r"const SETTINGS = (.*);", answer.text)[0])
            assert all(reader.get(path).status_code == 200 for path in (*found["shell"], *found["readable"]))
            assert found["version"].startswith(found["shell"][1].split("/")[2])  # the hash of all files
            return found

    assert settings("en")["version"] == settings("en")["version"] != settings("ja")["version"]


def installed(visit: Visit, **how: Any) -> "Page":
    """A page of a browser that has kept what it keeps."""
    page = visit("/", service_workers="allow", refused=True, **how)
    page.evaluate(READ, len(games.names()))
    return page


@pytest.mark.browser
def test_rules_and_faces_are_there_without_a_server(visit: Visit) -> None:
    page = installed(visit)
    page.context.set_offline(True)
    page.goto("/games/luk-fu/rules?from=home#LF-18")
    expect(page.locator(".rule:target dt")).to_have_text("LF-18")
    assert page.evaluate("getComputedStyle(document.querySelector('.rules')).display") == "grid"
    page.wait_for_function("() => document.querySelector('.faces svg use').getBoundingClientRect().width > 20")
    page.goto("/t/abcdefghijkm")
    page.get_by_role("heading", name="The server can't be reached").wait_for()
    page.get_by_role("link", name="Rules of Kakkuri").click()
    page.get_by_role("heading", name="Rules of Kakkuri").wait_for()
    page.context.set_offline(False)
    page.goto("/")
    page.get_by_role("heading", name="Sit down and play").wait_for()


@pytest.mark.browser
def test_nothing_of_a_table_is_kept(visit: Visit) -> None:
    page = installed(visit)
    page.goto("/games/gong-zhu")
    page.get_by_role("button", name="Play now against bots").click()
    page.wait_for_url("**/t/*")
    page.locator(".hand .slot").first.wait_for()
    page.goto("/me")
    page.goto("/")
    kept = page.evaluate(KEPT)
    allowed = re.compile(r"/offline|/(static|decks|faces|icons)/.*|/games/[^/]+/(rules|about)")
    assert [path for path in kept if not allowed.fullmatch(path)] == []
    assert any("/js/table/" in path for path in kept)  # the worker was there, and has kept the table's scripts


@pytest.mark.browser
def test_what_an_older_worker_has_kept_is_deleted(visit: Visit) -> None:
    page = visit("/offline", service_workers="allow")
    page.evaluate(
        "async () => (await caches.open('tefuda-0123456789abcdef-en')).put('/static/old.css', new Response('old'))"
    )
    page.goto("/")
    page.evaluate(READ, len(games.names()))
    assert len(page.evaluate("caches.keys()")) == 1
    assert "/static/old.css" not in page.evaluate(KEPT)
