"""A report in a real browser: it looks as it was written, and can do nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
pytest.importorskip("matplotlib", reason="the laboratory is left out: uv sync --extra lab")

from tefuda.lab.experiment_file import parse
from tefuda.lab.report.page import write
from tefuda.lab.runs import Run
from tests.server.server_process import Served
from tests.web.barriers import barriers
from tests.web.tables import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

Visit = Callable[..., "Page"]


@pytest.fixture(scope="module")
def run(laboratory: Path) -> Run:
    """A run with a report."""
    arms = [{"name": "exposing"}, {"name": "none", "options": {"exposing": False}}]
    given = {"question": "Does exposing matter?", "game": "gong-zhu", "deals": 60, "arms": arms}
    made = Run(laboratory / "why", parse("why", given))
    made.play(processes=1)
    write(made, made.path)
    return made


@pytest.fixture
def visit(site: Served, chromium: "Browser") -> Iterator[Visit]:
    """Opens a page."""
    contexts = []

    def open_page(path: str, width: int = 1280, **settings: object) -> "Page":
        more = {"locale": "en", "viewport": {"width": width, "height": 800}, **settings}
        context = chromium.new_context(base_url=site.url, **more)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()


def test_a_report_is_reached_from_the_lobby_and_shown_with_its_styles(visit: Visit, run: Run) -> None:
    page = visit("/")
    page.locator("footer a[href='/lab']").click()
    page.get_by_role("link", name="Does exposing matter?").click()
    page.wait_for_url("**/lab/why#in-en")
    assert page.locator("h1").text_content() == "Does exposing matter?"
    style = "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]"
    assert page.evaluate(style, ["main", "maxWidth"]) == "736px"
    assert page.evaluate(style, [".answer", "borderLeftWidth"]) == "3px"
    page.locator("table").last.wait_for()
    page.go_back()
    page.wait_for_url("**/lab")


def test_a_report_runs_no_script_and_loads_nothing(visit: Visit, run: Run, site: Served) -> None:
    other = run.path.parent / "evil"
    other.mkdir()
    for name in ("run.json", "report.json"):
        (other / name).write_bytes((run.path / name).read_bytes())
    (other / "report.html").write_text(
        "<!doctype html><title>x</title><p>Less.<script>document.title = 'ran'</script>"
        f"<img src='{site.url}/static/x/icon.svg' onerror='document.title = 1'>"
        "<form action='/games/gong-zhu' method='post'><button>play</button></form>",
        "utf-8",
    )
    page = visit("about:blank")
    answered = list[str]()
    page.on("response", lambda response: answered.append(response.url))
    page.goto("/lab/evil")
    with page.expect_console_message(lambda said: "Blocked form submission" in said.text):
        page.locator("button").click()
    assert page.title() == "x"
    assert page.url == f"{site.url}/lab/evil"
    assert answered == [page.url]
    assert page.evaluate("self.origin") == "null"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/lab", "/lab/why"])
def test_axe_finds_nothing_above_minor(visit: Visit, run: Run, path: str, scheme: str) -> None:
    assert barriers(visit(path, color_scheme=scheme, bypass_csp=True)) == []


@pytest.mark.parametrize("path", ["/lab", "/lab/why"])
def test_a_small_telephone_scrolls_no_page_sideways(visit: Visit, run: Run, path: str) -> None:
    page = visit(path, width=360)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
