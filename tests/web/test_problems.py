"""Problems on the page: one is solved, one missed, and the list remembers both."""

import json
import re

import httpx
import pytest

from tefuda.bots.problem import problems_of
from tefuda.games import description, names
from tests.server.server_process import Served
from tests.web.conftest import Visit
from tests.web.tables import PATIENCE, PHONE, get, overflow, until_still

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", [None, PHONE], ids=["desk", "phone"])
def test_a_problem_is_solved_and_another_missed(visit: Visit, size: dict[str, int] | None) -> None:
    first, second = [each for each in problems_of(description("gong-zhu")) if ":" not in each.best][-2:]
    page = visit(f"/games/gong-zhu/problems/{first.name}", **({} if size is None else {"size": size}))
    page.wait_for_selector(".coach[data-shown='1']")
    page.locator("#table[data-turn=mine]").wait_for()
    assert overflow(page) <= 0
    assert not re.search(r"Bot \d", page.locator(".felt").inner_text()), "bots have names"
    until_still(page)
    page.locator(f".hand [data-card='{first.best}']").press("Enter")
    page.locator(f".bar [data-play='{first.best}']").press("Enter")
    page.wait_for_selector(".coach[data-shown='2']")
    assert re.search("rather than|: ", page.locator(".said").text_content() or "")
    page.goto(f"/games/gong-zhu/problems/{second.name}")
    page.locator("#table[data-turn=mine]").wait_for()
    page.locator("[data-tour=do]").click()
    page.wait_for_selector(".coach[data-shown='2']")
    page.locator(".coach form button").click()
    page.wait_for_url(lambda address: second.name not in address)  # another one follows
    page.goto("/games/gong-zhu/problems")
    for problem, state in ((first, "solved"), (second, "missed")):
        page.locator(f"[data-problem='{problem.name}'] .state", has_text=state).wait_for()


KEPT = "([game, problem]) => JSON.parse(localStorage.getItem(`tefuda.problem.${game}.${problem}`) ?? '{}')"
SCHEDULED = f"known => !['', 'damaged', undefined].includes(({KEPT})(known).card)"
"""Whether the server has answered when a problem comes back, and this is kept: until then another page is no help."""

COMES_BACK = """([game, problem]) => {
  const key = `tefuda.problem.${game}.${problem}`;
  localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)), due: 1 }));
}"""


def test_a_missed_problem_comes_back(visit: Visit) -> None:
    missed, other, *_ = [each.name for each in problems_of(description("gong-zhu"))]
    page = visit(f"/games/gong-zhu/problems/{missed}")
    page.locator("[data-tour=do]").click()
    page.wait_for_selector(".coach[data-shown='2']")
    page.wait_for_function(f"known => ({KEPT})(known).due > Date.now()", arg=["gong-zhu", missed])
    page.goto("/games/gong-zhu/problems")
    page.locator(f"[data-problem='{missed}'] .state", has_text="missed").wait_for()
    assert page.locator("#due").is_hidden()

    page.evaluate(COMES_BACK, ["gong-zhu", missed])
    page.reload()
    page.locator(f"[data-problem='{missed}'] .state", has_text="missed · due again").wait_for()
    assert page.locator("#due").text_content() == "Problems to repeat (1)"
    page.goto(f"/games/gong-zhu/problems/{other}")
    page.locator("[data-tour=do]").click()
    page.wait_for_selector(".coach[data-shown='2']")
    page.locator(".coach form button").click()
    page.wait_for_url(f"**/problems/{missed}*")


@pytest.mark.parametrize("kept", ["missed", "{", '{"state": "missed", "card": "damaged", "due": 1}'])
def test_what_an_earlier_page_kept_is_read_and_what_is_damaged_begins_anew(visit: Visit, kept: str) -> None:
    problem = problems_of(description("gong-zhu"))[0].name
    page = visit("/games/gong-zhu/problems")
    page.evaluate("([key, kept]) => localStorage.setItem(key, kept)", [f"tefuda.problem.gong-zhu.{problem}", kept])
    page.reload()
    for _ in range(2):
        page.goto(f"/games/gong-zhu/problems/{problem}")
        page.locator("[data-tour=do]").click()
        page.wait_for_selector(".coach[data-shown='2']")
        page.wait_for_function(SCHEDULED, arg=["gong-zhu", problem])
        page.goto("/games/gong-zhu/problems")
        page.locator(f"[data-problem='{problem}'] .state", has_text="missed").wait_for()


def test_answers_to_problems_are_scheduled_and_nothing_is_kept_of_them(site: Served) -> None:
    name = problems_of(description("gong-zhu"))[0].name
    address = f"{site.url}/games/gong-zhu/problems/{name}/answered"
    with httpx.Client(timeout=PATIENCE / 1000) as client:
        first = client.post(address, json={"solved": False}).json()
        again = client.post(address, json={"solved": True, "card": first["card"]}).json()
        assert again["due"] > first["due"]
        damaged = client.post(address, json={"solved": False, "card": "damaged"}).json()
        assert json.loads(damaged["card"])["step"] == json.loads(first["card"])["step"]
        assert client.post(address, json={"card": ""}).status_code == 422
        assert client.post(address.replace(name, "0-0"), json={"solved": True}).status_code == 404


@pytest.mark.parametrize("game", names())
def test_every_game_has_a_list_and_a_problem_of_the_day(visit: Visit, game: str) -> None:
    page = visit(f"/games/{game}/problems", language="ja")
    assert page.locator(".problems li").count() == len(problems_of(description(game)))
    page.locator("a.button:visible").click()
    page.wait_for_selector(".coach[data-shown='1']")


def test_a_problem_that_there_is_not(site: Served) -> None:
    assert get(f"{site.url}/games/gong-zhu/problems/0-0").status_code == 404
    assert get(f"{site.url}/games/gong-zhu/problems/today").is_success


def test_the_problem_of_the_day_comes_in_the_language_of_its_address(site: Served) -> None:
    found = get(f"{site.url}/games/gong-zhu/problems/today?lang=ja")
    assert found.url.params["lang"] == "ja"
    assert '<html lang="ja"' in found.text
