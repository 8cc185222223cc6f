"""Bad scenario files: what is wrong is named, in a failure of the case or in a ScenarioError, and no other error.

What one game alone can find wrong is tested beside that game."""

from pathlib import Path

import pytest

from tefuda.table.scenario import ScenarioError, check_file
from tests.table.bad_scenarios import EXPECT, HEAD, PACK, POSITION, SUITED, case, deal, expecting, position, told

ALL_EMPTY = 'hands = ["", "", "", ""]'

BAD = [
    # The file
    ("bad TOML", "game = gong-zhu", ["TOML"]),
    ("TOML cut short", case() + '\nlegal = ["S2"', ["TOML"]),
    ("a key twice", case(expect=EXPECT + "to_move = 1\n"), ["TOML"]),
    ("empty file", "", ["[[case]]"]),
    ("no case", HEAD, ["[[case]]"]),
    ("case as a table", HEAD + '[case]\nname = "x"\n', ["[[case]]"]),
    ("case as a list of numbers", HEAD + "case = [1, 2]\n", ["case"]),
    ("case as a list of words", HEAD + 'case = ["x"]\n', ["case"]),
    ("unknown key of the file", 'gane = "gong-zhu"\n' + case(), ["gane", "game"]),
    ("unknown game", case(top='game = "gongzhu"'), ["gongzhu", "gong-zhu"]),
    ("game as a number", case(top="game = 4"), ["game"]),
    ("no game", f'[[case]]\nname = "x"\n{POSITION}{EXPECT}', ["game"]),
    ("three seats", case(top="seats = 3"), ["3"]),
    ("seats as a word", case(top='seats = "four"'), ["four"]),
    ("seats as a list", case(top="seats = [4]"), ["[4]"]),
    ("unknown option", case(top="options = { targett = 5 }"), ["targett", "target"]),
    ("unknown value of an option", case(top='options = { heart_values = "pip" }'), ["heart_values", "pip"]),
    ("option out of bounds", case(top="options = { target = 0 }"), ["target", "0"]),
    ("switch with another word", case(top='options = { partnership = "maybe" }'), ["partnership", "maybe"]),
    ("option as a list", case(top="options = { target = [5] }"), ["target", "[5]"]),
    ("an option called seats", case(top="options = { seats = 5 }"), ["seats"]),
    ("an option called name", case(top='options = { name = "x" }'), ["name"]),
    ("an option called description", case(top='options = { description = "x" }'), ["description"]),
    ("options as a word", case(top='options = "target"'), ["options"]),
    ("options as a list", case(top="options = [1]"), ["options"]),
    ("options of the file as a word", case().replace(HEAD, HEAD + 'options = "target"\n'), ["options"]),
    # The case
    ("unknown key of the case", case(top='expected = "x"'), ["expected"]),
    ("expect missing", case(expect=""), ["expect"]),
    ("expect empty", case(expect="[case.expect]\n"), ["expect"]),
    ("expect as a word", case(top='expect = "legal"', expect=""), ["expect"]),
    ("neither position nor deal", case(begin=""), ["position", "deal"]),
    ("position and deal", case(begin=POSITION + "[case.deal]\nseed = 1\n"), ["position", "deal"]),
    ("position as a word", case(top='position = "S2"', begin=""), ["position"]),
    ("position as a number", case(top="position = 3", begin=""), ["position"]),
    ("position as a list", case(top='position = ["hands"]', begin=""), ["position"]),
    ("deal as a word", case(top='deal = "S2"', begin=""), ["deal"]),
    ("deal as a number", case(top="deal = 3", begin=""), ["deal"]),
    ("rules as a number", case().replace('rules = ["GZ-1"]', "rules = 1"), ["rules"]),
    ("moves as a number", case(top="moves = 3"), ["moves"]),
    ("moves as one word", case(top='moves = "0:S2"'), ["moves"]),
    ("moves as numbers", case(top="moves = [3]"), ["moves", "3"]),
    ("move without a seat", case(top='moves = ["S2"]'), ["moves", "S2"]),
    ("move of a seat that is no number", case(top='moves = ["north:S2"]'), ["moves", "north:S2"]),
    ("move of a seat with a curious digit", case(top='moves = ["²:S2"]'), ["moves", "²:S2"]),
    ("move of a seat that is not there", case(top='moves = ["9:S2"]'), ["moves", "9:S2"]),
    ("move of the wrong seat", case(top='moves = ["1:S3"]'), ["1:S3", "seat 0"]),
    ("move that is illegal", case(top='moves = ["0:S2", "1:H3"]'), ["1:H3", "GZ-12"]),
    ("move that is no play", case(top='moves = ["0:Q2"]'), ["0:Q2"]),
    ("move after the end", case(top='moves = ["0:S2"]', begin='[case.position]\nhands = ["", "", "", ""]\n'),
     ["0:S2", "over"]),
    # The deal
    ("nothing to deal", deal("dealer = 0"), ["hands", "deck", "seed"]),
    ("hands and seed", deal(f"seed = 1\nhands = {SUITED}"), ["hands", "seed"]),
    ("deck and seed", deal(f'seed = 1\ndeck = "{PACK}"'), ["deck", "seed"]),
    ("seed as a word", deal('seed = "seven"'), ["seed", "seven"]),
    ("seed below 0", deal("seed = -1"), ["seed", "-1"]),
    ("seed with a half", deal("seed = 0.5"), ["seed", "0.5"]),
    ("unknown field of the deal", deal("seed = 1\nface = 3"), ["face"]),
    ("dealer as a word", deal('seed = 1\ndealer = "me"'), ["dealer", "me"]),
    ("dealer who is not there in a deal", deal("seed = 1\ndealer = 4"), ["dealer", "4"]),
    ("before, which no file can give", deal("seed = 1\nbefore = 3"), ["before"]),
    ("chance as a word", deal('seed = 1\nchance = "x"'), ["chance"]),
    ("chance beyond all bounds", deal("seed = 1\nchance = 99999999999999999999"), ["chance"]),
    ("a field called self", deal("seed = 1\nself = 3"), ["self"]),
    ("hands of twelve", deal(f"hands = {SUITED.replace(' SA', '')}"), ["hands", "12"]),
    ("a card dealt twice", deal(f"hands = {SUITED.replace(' SA', ' HA')}"), ["HA"]),
    ("a hand too few", deal(f"hands = {SUITED.split(', ')[0]}]"), ["hands"]),
    ("hands of the deal as a word", deal('hands = "S2 S3"'), ["hands"]),
    ("hands of the deal as four letters", deal('hands = "abcd"'), ["hands"]),
    ("hands of the deal as a number", deal("hands = 5"), ["hands"]),
    ("deck of 51", deal(f'deck = "{PACK.removesuffix(" CA")}"'), ["deck", "CA"]),
    ("deck with a card twice", deal(f'deck = "{PACK.replace("CA", "S2")}"'), ["deck", "S2"]),
    ("deck with an unknown card", deal(f'deck = "{PACK.replace("CA", "C1")}"'), ["deck", "C1"]),
    ("deck of 52 for five", case(top="seats = 5", begin=f'[case.deal]\ndeck = "{PACK}"\n'), ["deck"]),
    ("deck as a number", deal("deck = 5"), ["deck"]),
    ("deck as a list of words", deal('deck = ["S2", "S3"]'), ["deck"]),
    ("deck as a list of lists", deal('deck = [["S2"], ["S3", "S4"]]'), ["deck"]),
    ("deck as a table", deal("deck = { S2 = 1 }"), ["deck"]),
    # What is expected
    ("unknown key of expect", expecting('legall = ["S2"]'), ["legall", "legal"]),
    ("key of another game", expecting("pot = 3"), ["pot"]),
    ("legal as a word", expecting('legal = "S7"'), ["legal"]),
    ("legal as a number", expecting("legal = 7"), ["legal"]),
    ("legal as numbers", expecting("legal = [7]"), ["legal", "7"]),
    ("has as a word", expecting('has = "S2"'), ["has"]),
    ("lacks as a word", expecting('lacks = "S3"'), ["lacks"]),
    ("lacks as true", expecting("lacks = true"), ["lacks"]),
    ("legal with a word that is no play", expecting('legal = ["S2", "H1"]'), ["H1"]),
    ("legal with a card too few", expecting('legal = ["S2"]'), ["legal", "H2"]),
    ("has a card that is not legal", expecting('has = ["S3"]'), ["has", "S3"]),
    ("lacks a card that is legal", expecting('lacks = ["S2"]'), ["lacks", "S2"]),
    ("advised another play than S2", expecting('advised = ["H2"]'), ["advised", "H2", "S2"]),
    ("advised as a word", expecting('advised = "S2"'), ["advised"]),
    ("advised in a deal that is over", position(ALL_EMPTY, "[case.expect]\nadvised = ['H2']\n"), ["advised", "H2"]),
    ("count that is not so", expecting("count = 3"), ["count", "3", "2"]),
    ("count as a word", expecting('count = "2"'), ["count"]),
    ("why as a list", expecting('why = ["S3"]'), ["why"]),
    ("why as a word", expecting('why = "GZ-12"'), ["why"]),
    ("why with a number for the rule", expecting("why = { S3 = 13 }"), ["why", "S3", "13"]),
    ("why of a legal play", expecting('why = { S2 = "GZ-13" }'), ["why", "S2", "legal"]),
    ("why by another rule", expecting('why = { S3 = "GZ-12" }'), ["why", "S3", "GZ-12", "GZ-13"]),
    ("why of a word that is no play", expecting('why = { S1 = "GZ-12" }'), ["S1"]),
    ("to_move that is not so", expecting("to_move = 2"), ["to_move", "2"]),
    ("payoff as a number", expecting("payoff = 0"), ["payoff"]),
    ("payoff of three", expecting("payoff = [0, 0, 0]"), ["payoff"]),
    ("next_leader before the end", expecting("next_leader = 0"), ["next_leader", "not over"]),
    ("over before the end", expecting("over = true"), ["over"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "named"), [pytest.param(text, named, id=name) for name, text, named in BAD])
def test_what_is_wrong_is_named(tmp_path: Path, text: str, named: list[str]) -> None:
    message = told(tmp_path, text)
    assert message, "the file passes"
    for word in named:
        assert word in message
    assert message.count("\n") == 0


def test_the_good_case_behind_the_bad_ones_passes(tmp_path: Path) -> None:
    """Otherwise each of them could fail for another reason than its own."""
    assert told(tmp_path, case()) == ""
    assert told(tmp_path, case(begin="[case.deal]\n" + f"hands = {SUITED}\n")) == ""
    assert told(tmp_path, case(begin="[case.deal]\n" + f'deck = "{PACK}"\n', expect="[case.expect]\ncount = 1\n")) == ""


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"nowhere\.toml"):
        check_file(tmp_path / "nowhere.toml")


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=tmp_path.name):
        check_file(tmp_path)


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bytes.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ScenarioError, match=r"bytes\.toml"):
        check_file(path)


def test_one_bad_case_does_not_hide_the_others(tmp_path: Path) -> None:
    path = tmp_path / "mixed.toml"
    good = f'[[case]]\nname = "good"\n{POSITION}{EXPECT}'
    path.write_text(f'{HEAD}[[case]]\nname = "bad"\nwrong = 1\n{POSITION}{EXPECT}\n{good}', "utf-8")
    bad, fine = check_file(path)
    assert (bad.case, bad.passed) == ("bad", False)
    assert (fine.case, fine.passed) == ("good", True)
