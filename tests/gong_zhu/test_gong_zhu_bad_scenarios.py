"""Positions and options that Gong Zhu cannot have: what is wrong is named."""

from pathlib import Path

import pytest

from tests.table.bad_scenarios import HANDS, case, position, told

BAD = [
    ("partnership of five", case(top="seats = 5\noptions = { partnership = true }"), ["partnership", "4"]),
    ("two of clubs led by five", case(top='seats = 5\noptions = { first_leader = "C2" }'), ["first_leader", "C2"]),
    ("two rules for the transformer and all the hearts",
     case(top="options = { transformer_losses_only = true, all_hearts_transformer_300 = true }"),
     ["transformer_losses_only", "all_hearts_transformer_300"]),
    ("cards always open at a table without exposing",
     case(top='options = { always_open = "all", exposing = false }'), ["always_open", "exposing"]),
    ("unknown field", position(HANDS + 'tricks = [0, 0, 0, 0]'), ["tricks", "trick"]),
    ("field of another game", position(HANDS + "eldest = 0"), ["eldest"]),
    ("hands as a word", position('hands = "S2"'), ["hands"]),
    ("hands as a number", position("hands = 4"), ["hands"]),
    ("hands as numbers", position("hands = [1, 2, 3, 4]"), ["hands", "1"]),
    ("hands as lists", position('hands = [["S2"], ["S3"], ["S4"], ["S5"]]'), ["hands", "S2"]),
    ("three hands", position('hands = ["S2", "S3", "S4"]'), ["hands", "4"]),
    ("five hands", position('hands = ["S2", "S3", "S4", "S5", "S6"]'), ["hands", "4"]),
    ("unknown card", position('hands = ["S1", "S3", "S4", "S5"]'), ["hands", "S1"]),
    ("cards with commas", position('hands = ["S2, H2", "S3", "S4", "S5"]'), ["S2,"]),
    ("card twice in a hand", position('hands = ["S2 S2", "S3", "S4", "S5"]'), ["S2", "twice"]),
    ("card in two hands", position('hands = ["S2", "S2", "S4", "S5"]'), ["hands", "S2"]),
    ("card in a hand and captured", position(HANDS + 'captured = ["", "S4", "", ""]'), ["captured", "S4"]),
    ("card in a hand and in the trick", position(HANDS + 'trick = ["0:S3"]', expect="[case.expect]\nto_move = 1\n"),
     ["trick", "S3"]),
    ("card captured and in the trick", position(HANDS + 'captured = ["SK", "", "", ""]\ntrick = ["0:SK"]',
     expect="[case.expect]\nto_move = 1\n"), ["trick", "SK"]),
    ("captured as a word", position(HANDS + 'captured = "SK"'), ["captured"]),
    ("captured by three", position(HANDS + 'captured = ["SK", "", ""]'), ["captured"]),
    ("exposed card that cannot be", position(HANDS + 'exposed = "S2"'), ["exposed", "S2"]),
    ("exposed as a number", position(HANDS + "exposed = 5"), ["exposed", "5"]),
    ("exposed as a list", position(HANDS + 'exposed = ["SQ"]'), ["exposed", "SQ"]),
    ("exposed twice", position(HANDS + 'exposed = "SQ SQ"'), ["exposed", "SQ"]),
    ("led with a letter that is no suit", position(HANDS + 'led = "SX"'), ["led", "X"]),
    ("led with a small letter", position(HANDS + 'led = "s"'), ["led", "s"]),
    ("led as a number", position(HANDS + "led = 5"), ["led", "5"]),
    ("led as a list", position(HANDS + 'led = ["SH"]'), ["led"]),
    ("led as a list of nothing", position(HANDS + 'led = [""]'), ["led"]),
    ("trick as a word", position(HANDS + 'trick = "0:SK"'), ["0"]),
    ("trick as a number", position(HANDS + "trick = 5"), ["trick"]),
    ("trick as numbers", position(HANDS + "trick = [5]"), ["5"]),
    ("trick without a seat", position(HANDS + 'trick = ["SK"]'), ["SK"]),
    ("trick of a seat that is not there", position(HANDS + 'trick = ["7:SK"]'), ["7"]),
    ("trick of a seat with a curious digit", position(HANDS + 'trick = ["²:SK"]'), ["²:SK"]),
    ("trick without a card", position(HANDS + 'trick = ["0:"]'), ["trick"]),
    ("trick with two cards of one seat", position(HANDS + 'trick = ["0:SK SA"]', expect="[case.expect]\nto_move = 1\n"),
     ["trick", "SK SA"]),
    ("trick with an unknown card", position(HANDS + 'trick = ["0:S1"]'), ["trick", "S1"]),
    ("trick out of turn", position(HANDS + 'trick = ["0:SK", "2:SA"]'), ["trick", "seat 2"]),
    ("trick that is complete", position(HANDS + 'trick = ["0:S6", "1:S7", "2:S8", "3:S9"]'), ["trick", "complete"]),
    ("to_move against the trick", position(HANDS + 'to_move = 2\ntrick = ["0:S6"]'), ["to_move", "2"]),
    ("to_move of nobody", position(HANDS + "to_move = 4"), ["to_move", "4"]),
    ("to_move below 0", position(HANDS + "to_move = -1"), ["to_move", "-1"]),
    ("to_move as a word", position(HANDS + 'to_move = "south"'), ["to_move", "south"]),
    ("to_move as true", position(HANDS + "to_move = true"), ["to_move", "True"]),
    ("dealer who is not there", position(HANDS + "dealer = 4"), ["dealer", "4"]),
    ("totals of three", position(HANDS + "totals = [0, 0, 0]"), ["totals"]),
    ("totals as a number", position(HANDS + "totals = 3"), ["totals"]),
    ("totals as words", position(HANDS + 'totals = ["a", "b", "c", "d"]'), ["totals", "a"]),
    ("totals with halves", position(HANDS + "totals = [0.5, 0, 0, 0]"), ["totals", "0.5"]),
    ("totals beyond all bounds", position(HANDS + "totals = [99999999999, 0, 0, 0]"), ["totals", "99999999999"]),
    ("unknown phase", position(HANDS + 'phase = "exposing"'), ["phase", "exposing"]),
    ("phase as a number", position(HANDS + "phase = 1"), ["phase", "1"]),
    ("exposing with a trick on the table", position(HANDS + 'phase = "expose"\ntrick = ["0:S6"]',
     expect="[case.expect]\nto_move = 1\n"), ["phase"]),
    ("exposing at a table without", position(HANDS + 'phase = "expose"').replace(
        "[case.position]", "options = { exposing = false }\n[case.position]"), ["phase", "exposing"]),
    ("exposing where cards are always open", position(HANDS + 'phase = "expose"').replace(
        "[case.position]", 'options = { always_open = "all" }\n[case.position]'), ["phase", "always_open"]),
    ("sheep exposed where it never is", position(HANDS + 'exposed = "DJ"').replace(
        "[case.position]", 'options = { always_open = "all_but_sheep" }\n[case.position]'), ["exposed", "DJ"]),
    ("two of hearts in the pack of five", position('hands = ["H2", "S3", "S4", "S5", "S6"]').replace(
        "[case.position]", "seats = 5\n[case.position]"), ["H2"]),
    ("two of clubs in the other pack of five", position('hands = ["H2", "C2", "S4", "S5", "S6"]').replace(
        "[case.position]", 'seats = 5\noptions = { five_deck = "pagat" }\n[case.position]'), ["C2"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "named"), [pytest.param(text, named, id=name) for name, text, named in BAD])
def test_what_is_wrong_is_named(tmp_path: Path, text: str, named: list[str]) -> None:
    message = told(tmp_path, text)
    assert message, "the file passes"
    for word in named:
        assert word in message
    assert message.count("\n") == 0
