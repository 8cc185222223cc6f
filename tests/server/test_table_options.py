"""What can be played for ever is refused where a table is opened, and stays open to simulations."""

from collections.abc import Iterator

import httpx
import pytest

from tefuda import games, load
from tefuda.engine.option import Option, OptionError
from tests.server.server_process import Served

LONG = {
    "gong-zhu": ["target", "session_deals"],
    "kakkuri": ["session_deals"],
    "luk-fu": ["session_deals"],
    "ma-diao": ["session_deals"],
    "sap-ng-wu": ["session_deals"],
}
"""What decides how long a game is."""


def bounded() -> Iterator[tuple[str, Option]]:
    for game in games.names():
        for option in games.description(game).rules.options:
            if option.most_at_table < option.most:
                yield game, option


def test_the_length_of_every_game_is_bounded_at_a_table() -> None:
    assert [(game, option.name) for game, option in bounded()] == [(game, name) for game in LONG for name in LONG[game]]


@pytest.mark.parametrize(
    ("game", "option"), [pytest.param(*each, id=f"{each[0]}-{each[1].name}") for each in bounded()]
)
def test_a_longer_game_is_for_simulations(game: str, option: Option) -> None:
    option.check_at_table(option.most_at_table)
    with pytest.raises(OptionError, match=f"^{option.name}: a table .*; {option.most_at_table} is the most"):
        option.check_at_table(option.most_at_table + 1)
    assert load(game, **{option.name: option.most}).changed_options() == {option.name: option.most}


def test_a_table_that_would_never_end_or_changes_the_rules_is_not_opened(server: Served) -> None:
    with httpx.Client(base_url=server.url, timeout=300) as client:
        body = {"game": "gong-zhu", "options": {"target": 1_000_000}}
        told = "target: a table cannot play a game of 1000000 to its end; 10000 is the most"
        answer = client.post("/api/v1/tables", json=body)
        assert (answer.status_code, answer.json()["error"]["text"]) == (422, told)
        answer = client.post("/api/v1/tables", json={**body, "options": {"pig": -150}})
        assert answer.json()["error"]["text"] == "pig: experiments change it, and no table does"
        assert answer.status_code == 422
        assert client.post("/api/v1/tables", json={**body, "options": {"target": 10_000}}).status_code == 201
        options = client.get("/api/v1/games/gong-zhu").json()["options"]
        assert next(each["most"] for each in options if each["name"] == "target") == 10_000
        form = {"set-target": "1000000", "company": "anybody", "name": "Ann"}
        page = client.post("/games/gong-zhu", data=form, headers={"origin": server.url, "accept": "text/html"})
        assert "from 1 to 10,000" in page.text
