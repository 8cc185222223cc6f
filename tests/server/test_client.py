"""The client for programs, and the example that the documentation shows."""

import runpy
import sys
from pathlib import Path

import pytest

from tefuda import games
from tefuda.client import Client, ServerRefused, Turn, UnfairShuffle
from tefuda.engine.errors import TefudaError
from tefuda.table.record import Record
from tests.server.server_process import Served, serving

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_bot_of_ten_lines_plays_a_session(
    server: Served, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bot.py", server.url])
    runpy.run_path(str(EXAMPLES / "bot.py"))
    deals = Record.parse(capsys.readouterr().out).verify()
    assert deals[-1].facts()["over"]
    assert all(deal.over for deal in deals)
    assert deals[0].proof is not None
    assert [bool(part) for part in deals[0].proof.entropy] == [True, False, False, False]


@pytest.mark.slow
def test_a_program_that_is_told_of_plays_in_brief_can_play_all_the_same(tmp_path: Path) -> None:
    table = {"name": "Aiko", "bots": ["hints"] * 2, "options": {"session_deals": 2}}
    with serving(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log", "--game", "luk-fu") as served:
        seat, turns = Client(served.url, brief=True).open("luk-fu", **table), []
        for turn in seat:
            turns.append(turn)
            seat.play(turn.choices[-1])
        assert any("scene" not in turn.state["deal"] for turn in turns)
        assert all(turn.state["you"]["seat"] == 0 and len(turn.state["results"]) < 2 for turn in turns)
        assert len(seat.state["results"]) == 2
        assert len(seat.check()) == 2


def somebody_elses(moment: Turn) -> str:
    """A card that is not in the hand: illegal whatever is being asked."""
    return next(card for card in games.description("gong-zhu").cards if card not in moment.hand)


def test_an_illegal_play_is_refused_with_the_rule(server: Served) -> None:
    seat = Client(server.url).open("gong-zhu", name="Aiko", bots=["hints"] * 3)
    moment = next(iter(seat))
    card = somebody_elses(moment)
    with pytest.raises(ServerRefused, match=r"\[GZ-\d+\]") as refused:
        seat.play(card)
    assert refused.value.code == "illegal"
    reason = seat.why_not(card)
    assert reason is not None
    assert reason["rule"] == refused.value.rule
    assert seat.why_not(moment.choices[0]) is None
    seat.close()


def test_reasons_come_in_the_readers_language(server: Served) -> None:
    seat = Client(server.url, language="ja").open("gong-zhu", name="あい子", bots=["hints"] * 3)
    moment = next(iter(seat))
    with pytest.raises(ServerRefused, match=r"[ぁ-ん]"):
        seat.play(somebody_elses(moment))
    with pytest.raises(ServerRefused, match="主催者"):
        Client(server.url, language="ja").post(f"tables/{seat.table}/close")
    seat.close()


def test_a_program_comes_back_to_its_seat_with_its_token(server: Served, tmp_path: Path) -> None:
    client = Client(server.url, receipts=tmp_path / "receipts")
    seat = client.open("gong-zhu", name="Aiko", bots=["hints"] * 3)
    hand = next(iter(seat)).hand
    seat.close()
    again = Client(server.url, client.token, receipts=tmp_path / "receipts").join(seat.table, "Somebody")
    assert next(iter(again)).hand == hand
    assert again.unproven == {}
    again.close()


def test_a_program_says_of_which_deals_it_cannot_know_who_chose_the_cards(server: Served) -> None:
    """It has come back without its receipts, and so to a deal of which it knows nothing."""
    client = Client(server.url)
    seat = client.open("gong-zhu", name="Aiko", bots=["hints"] * 3)
    next(iter(seat))
    seat.close()
    with pytest.raises(UnfairShuffle, match=r"deal 1 of table .* showed no shuffle"):
        next(iter(Client(server.url, client.token).join(seat.table, "Aiko")))
    again = Client(server.url, client.token, allow_unproven=True).join(seat.table, "Aiko")
    assert next(iter(again)).choices
    assert list(again.unproven) == [1]
    client.post(f"tables/{seat.table}/close")
    assert list(again) == []
    assert again.check() == []


@pytest.mark.parametrize(("url", "told"), [("localhost", "write it like"), ("http://localhost:1", "refused")])
def test_a_server_that_is_not_there_is_said_in_one_line(url: str, told: str) -> None:
    with pytest.raises(TefudaError, match=told):
        Client(url).get("games")
