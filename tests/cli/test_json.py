"""``--json``: one document on standard output, with what people are shown."""

import json
from pathlib import Path
from typing import Any

from tests.cli.command import run
from tests.table.fair import fair_record

from tefuda import games
from tefuda.table.record import Record


def document(home: dict[str, str], *words: str, status: int = 0) -> Any:
    done = run(home, *words, "--json")
    assert done.returncode == status, done.stderr
    assert done.stdout.isascii()
    return json.loads(done.stdout)


def test_the_games(home: dict[str, str]) -> None:
    found = document(home, "games")
    assert [game["name"] for game in found] == list(games.names())
    assert all(game["seats"] and game["native"] and game["about"] for game in found)


def test_all_rules_of_a_game_with_its_options(home: dict[str, str]) -> None:
    found = document(home, "rules", "gong-zhu")
    assert len(found["rules"]) == 27
    assert {option["name"] for option in found["options"]} >= {"target", "partnership"}
    assert found["sections"]


def test_one_rule(home: dict[str, str]) -> None:
    found = document(home, "rules", "luk-fu", "18", "--lang", "ja")
    assert [rule["number"] for rule in found["rules"]] == ["LF-18"]
    assert "options" not in found


def test_where_a_game_comes_from(home: dict[str, str]) -> None:
    found = document(home, "rules", "kakkuri", "--about")
    assert found["blocks"][0]["kind"] == "title"
    assert found["terms"][0]["word"]


def test_a_record(home: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "two.tfd"
    path.write_text(fair_record(), "utf-8")
    recorded = Record.read(path)
    whole = document(home, "replay", str(path))
    assert [[f"{play['seat']}:{play['play']}" for play in deal["plays"]] for deal in whole["deals"]] == [
        deal.plays for deal in recorded.deals
    ]
    assert [deal["payoff"] for deal in whole["deals"]] == [deal.payoff for deal in recorded.deals]
    seen = document(home, "replay", str(path), "--seat", "2")
    assert seen["deals"][0]["hands"] == {"2": whole["deals"][0]["hands"]["2"]}
    hidden = [play["seat"] for deal in seen["deals"] for play in deal["plays"] if play["play"] is None]
    assert hidden
    assert 2 not in hidden


def test_a_fair_shuffle(home: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "two.tfd"
    path.write_text(fair_record(), "utf-8")
    found = document(home, "verify", str(path))
    assert (found["consistent"], found["fair"]) == (True, False)  # nothing was kept from before the deals
    assert [len(bytes.fromhex(deal["commitment"])) for deal in found["deals"]] == [32, 32]


def test_rulings(home: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("x = ", "utf-8")
    good = next(iter(sorted((Path(__file__).parent.parent / "gong_zhu" / "scenarios").glob("*.toml"))))
    assert all(case["failures"] == [] for case in document(home, "check", str(good))["cases"])
    found = document(home, "check", str(good), str(tmp_path / "bad.toml"), status=2)
    assert found["cases"]
    assert "bad.toml" in found["unreadable"][0]


def test_the_cards_of_a_deck(home: dict[str, str]) -> None:
    found = document(home, "deck", "kakkuri", "--deck", "western")
    assert found["deck"] == "western"
    assert set(found["decks"]) == {"komatsu", "western"}
    assert all(card["names"]["ja"] for card in found["cards"])
