"""Drawing games whose plays are groups of cards, and long texts in a language without blanks."""

import re
import subprocess
import sys

import pytest
from rich.console import Console

from tefuda.cli.draw import Artist
from tefuda.engine.texts import LANGUAGES, catalogue
from tefuda.table.deal import Deal
from tefuda.table.game import load


def drawn(deal: Deal, language: str = "en", width: int = 80) -> str:
    console = Console(record=True, width=width, file=sys.stderr, force_terminal=False)
    names = ["You", "Bot 1", "Bot 2", "Bot 3"][: deal.game.seats]
    artist = Artist(deal.game.description, language, names, console)
    scene = deal.view(0).scene
    console.print(artist.table(scene, 0, deal.mover, "title"))
    console.print(artist.reference(scene))
    console.print(artist.hand(scene, deal.legal()))
    return console.export_text()


def position() -> Deal:
    fields = {"hands": ["66 66 66 45 36 34", "15", "16"], "contest": ["1:44+34+34+25"], "won": ["", "11 11 13", ""]}
    deal = load("sap-ng-wu").position(fields)
    deal.play("pass")
    return deal


def test_copies_are_drawn_once_with_their_number() -> None:
    text = drawn(position())
    assert "[ 44人 34七×2 25七 ]" in text
    assert "won 11地×2 13鵝" in text
    assert "66天×3" in text


@pytest.mark.parametrize(("clockwise", "around"), [(False, ["Bot 3", "Bot 1"]), (True, ["Bot 1", "Bot 3"])])
def test_the_next_player_sits_at_the_right_or_where_play_goes_clockwise_at_the_left(
    clockwise: bool, around: list[str]
) -> None:
    text = drawn(load("gong-zhu", exposing=False, clockwise=clockwise).deal(seed=1))
    assert re.findall(r"Bot [13]", text) == around
    assert text.index("Bot 2") < min(map(text.index, around)) < text.index("You")


def test_what_everybody_knows_of_a_player_is_drawn() -> None:
    text = drawn(position())
    assert "3 fu" in text
    assert "passed" in text


def test_the_table_of_ranks_is_drawn_whole() -> None:
    texts = load("sap-ng-wu").description.files.texts
    for language in LANGUAGES:
        heaven_nine = catalogue(texts, language)("scene.heaven_nine")
        text = drawn(position(), language)
        assert f"{heaven_nine} 66天 45九 36九" in text
        goose, long, red = "鹅长红" if language == "zh-Hans" else "鵝長紅"
        assert f"66天 11地 44人 13{goose} 55梅 33{long} 22板 56斧 46{red} 16高 15六" in text
        assert "…" not in text


def test_cards_of_legal_groups_are_marked() -> None:
    deal = load("sap-ng-wu").position({"hands": ["66 45 36 34", "15", "16"], "contest": ["2:44+34+25"]})
    text = drawn(deal)
    assert all(card in text for card in ("▸66天", "▸45九", "▸36九", " 34七"))
    assert "▸34七" not in text


def test_numbers_in_sentences_are_not_taken_for_cards() -> None:
    console = Console(record=True, width=80)
    artist = Artist(load("sap-ng-wu").description, "en", ["You", "Bot 1", "Bot 2"], console)
    assert artist.paint("15 fu of 24").plain == "15 fu of 24"


@pytest.mark.slow
def test_japanese_rules_are_printed_whole() -> None:
    command = [sys.executable, "-m", "tefuda", "rules", "sap-ng-wu", "SN-11", "--lang", "ja"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "…" not in done.stdout
    assert "武子だけの組も出せません" in "".join(line.strip() for line in done.stdout.splitlines())
