"""What people see while a game is still being compiled: never a blank wait."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tefuda.server.http.application import create_app
from tefuda.server.live.compiler import GameCompiler
from tefuda.server.settings import ServerSettings
from tefuda.server.store import open_store
from tefuda.server.store.port import Draft
from tests.web.people import Reader, apart

FORM = {"name": "Ann", "seats": "5", "level": "strong", "set-target": "500", "with": "friends"}
OLDER = {"table": "older", "game": "luk-fu"}
"""A table from before the server was started anew: which game is played there is all that can be known."""

REFRESH = '<noscript><meta http-equiv="refresh"'


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    store = open_store(f"sqlite:///{tmp_path / 'tables.db'}")
    apart(store.append("older", 0, [Draft("created", OLDER)]))
    return Reader(create_app(store, ServerSettings()))


def test_a_form_is_kept_until_the_game_is_ready(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = reader.post("/games/gong-zhu", FORM)
    assert answer.status_code == 303
    address = answer.headers["location"]
    assert parse_qs(urlsplit(address).query) == {name: [value] for name, value in FORM.items()}
    page = reader.get(address).text
    assert "Gong Zhu" in page
    assert REFRESH in page
    for name, value in FORM.items():
        assert f'<input type="hidden" name="{name}" value="{value}">' in page
    monkeypatch.setattr(GameCompiler, "is_ready", lambda *_: True)
    page = reader.get(address).text
    assert REFRESH not in page
    assert "<button>Go to the table</button>" in page


def test_a_form_that_will_not_do_is_answered_at_once(reader: Reader) -> None:
    assert reader.post("/games/gong-zhu", {**FORM, "set-target": "0"}).status_code == 422


def test_a_tour_is_waited_for_on_a_page_that_says_so(reader: Reader) -> None:
    page = reader.get("/games/luk-fu/tour").text
    assert "The rules of Luk Fu are being prepared" in page
    assert REFRESH in page


@pytest.mark.parametrize("address", ["/t/older", "/t/older/invite", "/r/older"])
def test_a_table_of_older_days_its_invitation_and_its_replay_are_waited_for(reader: Reader, address: str) -> None:
    page = reader.get(address).text
    assert "The rules of Luk Fu are being prepared" in page
    assert REFRESH in page


def test_who_sits_down_is_kept_waiting_with_their_name(reader: Reader) -> None:
    answer = reader.post("/t/older/join", {"name": "Ann", "invite": "token"})
    assert answer.status_code == 303
    page = reader.get(answer.headers["location"]).text
    assert "The rules of Luk Fu are being prepared" in page
    assert '<form method="post" action="/t/older/join">' in page
    assert '<input type="hidden" name="name" value="Ann">' in page
    assert '<input type="hidden" name="invite" value="token">' in page


def test_the_lobby_and_the_games_page_say_that_the_first_table_takes_a_while(reader: Reader) -> None:
    for address in ("/", "/games/kakkuri"):
        assert "The rules are still being prepared" in reader.get(address).text


def test_progress_is_told_step_by_step(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reader.get("/games/ma-diao/prepared").json() == {"ready": False, "done": 0, "steps": 0}
    monkeypatch.setattr(GameCompiler, "progress", lambda *_: (2, 6))
    assert reader.get("/games/ma-diao/prepared").json() == {"ready": False, "done": 2, "steps": 6}
    assert 'value="2" max="6"' in reader.get("/games/ma-diao/tour").text
