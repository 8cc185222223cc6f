"""What players of Kakkuri see: the table, what is told of the plays, the score sheet."""

import sys
from collections.abc import Sequence

from rich.console import Console

from tefuda.cli.draw import Artist
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.table.deal import Deal
from tefuda.table.game import load
from tefuda.table.reasons import say_line

WIDTH, HEIGHT = 80, 24
MOST_ASKED = 6
"""Lines below the hand: what may be declared, and the prompt."""

MIDDLE_OF_A_DEAL = {
    "hands": ["SJ CA HK", "S5", "S6 S9", "", "S7", "S8", "S3", "D4"],
    "field": {"rank": "8", "by": 2},
    "dropped": [1, 4],
    "forced_out": 3,
    "to_move": 0,
    "box": 4,
}


def drawn(deal: Deal, language: str = "en", viewer: int = 0) -> str:
    console = Console(record=True, width=WIDTH, file=sys.stderr, force_terminal=False)
    words = catalogue(TEXTS, language)
    names = [words("you"), *(words("bot", number=seat) for seat in range(1, deal.game.seats))]
    artist = Artist(deal.game.description, language, names, console)
    scene = deal.view(viewer).scene
    console.print(artist.table(scene, viewer, deal.mover, "title"))
    console.print(artist.hand(scene, deal.legal()))
    return console.export_text()


def told(deal: Deal, plays: Sequence[str], viewer: int = -1) -> list[str]:
    """What is told of these plays of the seats that have them, in English."""
    game = deal.game.description
    said = []
    for play in plays:
        before = deal.view(viewer).record
        deal.play(play)
        lines = game.display.events(before, *deal.history[-1], deal.view(viewer).record)
        said += [say_line(game, line, "en", [f"P{seat}" for seat in range(deal.game.seats)]) for line in lines]
    return said


def sheet(deal: Deal) -> list[list[str]]:
    game = deal.game.description
    names = [f"P{seat}" for seat in range(deal.game.seats)]
    return [
        [say_line(game, line, "en", names) for line in game.display.sheet(deal.state, seat)]
        for seat in range(len(names))
    ]


def test_eight_players_fit_on_a_small_screen() -> None:
    for language in LANGUAGES:
        deal = load("kakkuri", seats=8).position(MIDDLE_OF_A_DEAL)
        lines = drawn(deal, language).splitlines()
        assert len(lines) + MOST_ASKED <= HEIGHT
        assert "…" not in "".join(lines)


def test_the_middle_of_the_table_tells_the_field_the_box_and_the_pot() -> None:
    text = drawn(load("kakkuri", seats=8).position(MIDDLE_OF_A_DEAL))
    assert "field 8 by Bot 2" in text
    assert "box 4 · pot 2" in text
    assert text.count("dropped") == 2
    assert "out (C3)" in text


def test_who_sits_round_the_table_and_what_lies_before_him() -> None:
    deal = load("kakkuri", seats=5).position({"hands": ["S6 D9", "D7", "H7", "C7", "S7"], "field": "S5", "to_move": 0})
    deal.play("S6")
    deal.play("end")
    text = drawn(deal)
    assert "field ♠S6 by You" in text
    assert "[ ♠S6 ]" in text
    assert "▶ Bot 1" in text


def test_a_wild_that_may_stand_for_another_card_is_marked() -> None:
    deal = load("kakkuri").position({"hands": ["CA S9 DQ", "", "", "", ""], "field": "D7", "to_move": 0})
    assert "▸CA(アカチョロ)" in drawn(deal)


def test_cards_are_held_in_the_order_in_which_they_are_laid() -> None:
    deal = load("kakkuri").position({"hands": ["CK HJ SQ D9 CA", "", "", "", ""], "field": "D7", "to_move": 0})
    hand = deal.view(0).scene.hand[0].cards
    assert hand == ("CA", "D9", "SQ", "HJ", "CK")


def test_nobody_sees_a_card_before_fuwaru_is_over() -> None:
    deal = load("kakkuri").deal(seed=1)
    assert deal.legal() == ["swap", "keep"]
    assert deal.view(deal.mover).scene.hand == ()


def test_a_lap_is_told() -> None:
    fields = {"hands": ["S6 D9", "D7 H2", "H9"], "field": "S5", "to_move": 0, "box": 5}
    deal = load("kakkuri", seats=3).position(fields)
    said = told(deal, ["S6", "end", "end", "end"])
    assert said == ["P0: S6", "P1: nothing", "P2: nothing", "Nobody goes on from S6. The right to raise the box: P0"]
    assert told(deal, ["cede"]) == ["P0: ceded the right"]
    assert told(deal, ["raise"])[0].startswith("P1: the box raised, ")


def test_dropping_and_returning_are_told() -> None:
    fields = {"hands": ["S6 S9", "H9", "S4 H4 D4 C4 S3 H3"], "field": "S5", "to_move": 2, "first_turn": [2]}
    deal = load("kakkuri", seats=3).position({**fields, "field_by": 1})
    assert told(deal, ["drop", "S6", "end", "end"]) == ["P2: dropped out", "P0: S6", "P1: nothing"]
    assert told(deal, ["return", "agree", "agree"]) == [
        "P2: asked to come back",
        "P0: agreed",
        "P1: agreed",
        "P2: back in the deal",
    ]


def test_the_first_card_and_who_is_forced_out_are_told() -> None:
    deal = load("kakkuri", seats=8, early_drop=False).deal(seed=3)
    said = told(deal, ["keep"] * 7)
    assert [line.partition(": ")[2].partition(",")[0] for line in said] == ["had C3", "the box raised"]


def test_guri_and_utazu_are_told() -> None:
    hands = ["SJ SK DK C5 H6 S7", "SA HA DA C9 S9 D4", ""]
    deal = load("kakkuri", seats=3).position({"hands": hands, "field": "DQ", "to_move": 0})
    said = told(deal, ["SJ", "SK", "DK", "C5", "H6", "S7", "utazu"])
    assert said[-2:] == ["P0: guri! All six cards in one turn", "P1: utazu! SA HA DA"]


def test_the_sheet_of_a_guri() -> None:
    hands = ["SJ SK DK C5 H6 S7", "C2 D3", "", "", "", ""]
    fields = {"hands": hands, "field": "DQ", "dropped": [2, 4], "to_move": 0}
    deal = load("kakkuri", seats=6).position(fields)
    for card in hands[0].split():
        deal.play(card)
    winner, active, dropped = sheet(deal)[:3]
    assert winner == ["guri: all six cards in one turn", "from the others in the deal: +6", "the pot: +2"]
    assert active == ["cards left: 2; pays P0: −2"]
    assert dropped == ["dropped; the counter in the pot is lost: −1"]


def test_the_sheet_of_an_utazu_with_a_player_forced_out_and_one_who_dropped() -> None:
    hands = ["SA HA DA C9 S9 D4", *[""] * 7]
    fields = {"hands": hands, "field": "S8", "forced_out": 7, "dropped": [2], "to_move": 0}
    deal = load("kakkuri", seats=8).position(fields)
    deal.play("utazu")
    told_to = sheet(deal)
    assert told_to[0] == ["utazu: SA, HA and DA", "3 counters from everybody: +21"]
    assert told_to[2] == ["dropped; the counter comes back, and 3 go to P0: −3"]
    assert told_to[7] == ["forced out by C3; pays P0: −3"]


def test_the_sheet_of_a_void_deal() -> None:
    fields = {"hands": ["S2", "S3", "S4"], "field": "S9", "field_by": 0, "to_move": 1}
    deal = load("kakkuri", seats=3, stalemate_turns=2).position(fields)
    assert told(deal, ["end", "end"])[-1] == "No card for too long: the deal is void"
    assert sheet(deal)[1] == ["no card for too long: the deal is void, nobody pays"]


def test_who_may_claim_utazu_before_c3_is_not_told_to_be_out() -> None:
    """KK-14, utazu_before_c3: they leave when they have answered."""
    hands = [
        "C3 S4 S5 S6 S7 S8", "SA S2 S3 S9 SQ SJ", "HA H2 H3 H4 H5 H6", "DA D2 D3 D4 D5 D6", "CA C2 C4 C5 C6 C7",
        "SK H7 H8 H9 HQ HJ", "HK D7 D8 D9 DQ DJ", "CK DK C8 C9 CQ CJ",
    ]  # fmt: skip
    deal = load("kakkuri", seats=8, utazu_before_c3=True).deal(hands=hands, fields={"dealer": 1})
    before_c3 = told(deal, ["keep"] * 7)
    assert not any("forced out" in line for line in before_c3)
    assert "out (C3)" not in drawn(deal)
    assert any("P0: had C3, forced out" in line for line in told(deal, ["pass"]))
    assert "out (C3)" in drawn(deal)
