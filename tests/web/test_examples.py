"""Examples of the rules: each that a game ships can be gone through, and readers of the rules find them."""

from html import unescape

import pytest

from tefuda.engine.texts import LANGUAGES
from tefuda.games import description, names
from tefuda.server.pages.tours import MOST_EXAMPLES, example_tour, examples_of, linked_rules
from tefuda.server.table import tour_steps
from tests.server.server_process import Served
from tests.web.conftest import Visit
from tests.web.tables import DESK, PHONE, expect, get, overflow

pytestmark = pytest.mark.browser

FEWEST = 12
"""Rules of every game that have an example."""


@pytest.mark.parametrize("game", names())
def test_every_example_can_be_gone_through(game: str) -> None:
    """It begins with its rule, comes to the moment of the case, and names the rule of each refusal."""
    known = examples_of(description(game))
    options = [name for name in description(game).rules.option_by_name if "_" in name]
    assert len(known) >= FEWEST
    assert all(1 <= len(examples) <= MOST_EXAMPLES for examples in known.values())
    for example, rule in {each: number for number in known for each in known[number]}.items():
        tour = example_tour(example, rule)
        deal = tour_steps.steps(tour, "en", "Ann")[-1]["states"][-1]["deal"]
        legal = example.case.table("expect").words("legal")
        assert deal["over"] or not legal or len(deal["legal"]) == len(legal), example.case["name"]
        refusals = [] if deal["over"] else [*example.case.table("expect").get("why", {}).values()]
        for language in LANGUAGES:
            texts = [step.words[language].text for step in tour.steps]
            assert texts[0].startswith(f"{rule}. ")
            assert not [name for name in options if name in texts[0]]  # they are called as people call them
            assert [text.rsplit(" ")[-1] for text in texts[len(texts) - len(refusals) :]] == refusals


def test_a_play_of_ones_own_is_called_so(site: Served) -> None:
    """And not by the name or the animal of whoever reads: at the table they are called "You"."""
    text = unescape(get(f"{site.url}/games/ma-diao/examples/MD-18").text)
    assert "You: “Refuse to play”" in text
    assert "You: +3" in text


@pytest.mark.parametrize(("size", "language"), [(DESK, "en"), (PHONE, "zh-Hans")], ids=["desk", "phone"])
def test_an_example_is_gone_through_by_keyboard(visit: Visit, size: dict[str, int], language: str) -> None:
    page = visit("/games/gong-zhu/rules", size, language)
    page.locator("#GZ-8 a.example").press("Enter")
    page.wait_for_selector(".coach[data-shown='1']")
    assert "GZ-8" in (page.locator(".said").text_content() or "")
    page.keyboard.press("n")
    page.wait_for_selector(".coach[data-shown='2']")
    barred = page.locator(".hand .slot.barred[data-card='DJ']")
    barred.wait_for()  # the felt shows what may be played and what may not
    page.keyboard.press("n")
    page.wait_for_selector(".coach[data-shown='3']")
    page.locator(".hand [data-card='DJ'][data-pointed]").wait_for()
    expect(page.locator(".said a[href$='rules#GZ-8']")).to_have_count(1)
    assert overflow(page) <= 0
    page.keyboard.press("b")
    page.wait_for_selector(".coach[data-shown='2']")
    page.keyboard.press("n")
    page.wait_for_selector(".coach[data-shown='3']")
    page.locator(".coach form button").press("Enter")
    page.wait_for_url("**/games/gong-zhu/examples/GZ-8/2?*")
    assert page.evaluate("localStorage.getItem('tefuda.tour.gong-zhu')") is None  # an example is no tour


def test_after_the_last_example_one_is_back_at_the_rule(visit: Visit) -> None:
    last = len(examples_of(description("luk-fu"))["LF-18"])
    page = visit(f"/games/luk-fu/examples/LF-18/{last}")
    page.wait_for_selector(".coach[data-shown='1']")
    while page.locator("[data-tour=next]").is_visible():
        step = int(page.locator(".coach").get_attribute("data-shown") or 0)
        page.keyboard.press("n")
        page.wait_for_selector(f".coach[data-shown='{step + 1}']")
    page.locator(".coach form button").click()
    page.wait_for_url("**/games/luk-fu/rules*#LF-18")


@pytest.mark.parametrize("address", ["GZ-0", "GZ-8/0", "GZ-8/99", "GZ-8/x", "LF-18"])
def test_an_example_that_there_is_not(site: Served, address: str) -> None:
    assert get(f"{site.url}/games/gong-zhu/examples/{address}").status_code == 404


@pytest.mark.parametrize("game", names())
def test_every_rule_with_an_example_links_it(site: Served, game: str) -> None:
    text = get(f"{site.url}/games/{game}/rules").text
    for address in linked_rules(description(game)).values():
        assert f'href="{address}"' in text
