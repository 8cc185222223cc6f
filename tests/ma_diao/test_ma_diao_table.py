"""What players are shown: the table, what is told of plays, the score sheet, the advice."""

import random
from collections.abc import Iterator

import pytest

from tefuda.bots.players import advice
from tefuda.engine.scene import UNSEEN
from tefuda.engine.sentence import Sentence
from tefuda.engine.texts import LANGUAGES, catalogue
from tefuda.lab.play.match import Match
from tefuda.table.deal import Deal
from tefuda.table.game import Game, load
from tefuda.table.reasons import say_line
from tests.ma_diao.constructed import RARE, play

DEALS = 20
TRICK_LINES = ("hanging", "hanging_half", "level", "dead_one", "dead_none")
WHAT_IT_IS_FOR = (*TRICK_LINES, "bonus.", "hand.", "all_tricks", "value", "total")
"""Lines of amounts that nobody pays as they stand."""


def moments(game: Game, seed: int) -> Iterator[Deal]:
    """A deal from its beginning to its end, after every play."""
    deal, chance = game.deal(seed=seed), random.Random(seed)
    while True:
        yield deal
        if deal.over:
            return
        deal.play(chance.choice(deal.legal()))


def finished(game: Game) -> Iterator[Deal]:
    """Deals by chance, and those that chance would hardly ever bring."""
    yield from (play(game.deal(seed=seed), random.Random(seed)) for seed in range(DEALS))
    for number, hands in enumerate(RARE):
        yield play(game.deal(hands=hands, fields={"dealer": number % 4}), random.Random(number))


def code_of(line: Sentence) -> str:
    return line.code.removeprefix("sheet.")


def in_stakes(line: Sentence) -> float:
    return float(line.fields["points"].replace("−", "-"))


def lines_of(deal: Deal, seat: int, *codes: str) -> list[float]:
    """The amounts of the lines of a seat's sheet whose codes begin so."""
    lines = deal.game.description.display.sheet(deal.state, seat)
    return [in_stakes(line) for line in lines if code_of(line).startswith(codes)]


# The score sheet


def test_what_passes_between_pairs_adds_up_to_what_is_paid(table: Game) -> None:
    for deal in finished(table):
        received = [0] * 4
        for payer, receiver, amount in table.description.display.settlement(deal.state):
            assert amount > 0
            received[payer] -= amount
            received[receiver] += amount
        assert received == deal.payoff()


def test_what_is_paid_adds_up_to_the_total(table: Game) -> None:
    for deal in finished(table):
        for seat in range(4):
            lines = [line for line in table.description.display.sheet(deal.state, seat) if "points" in line.fields]
            paid = [
                in_stakes(line) for line in lines if not line.code.removeprefix("sheet.").startswith(WHAT_IT_IS_FOR)
            ]
            refused = deal.state.refuser == seat
            total = deal.game.description.rules.counted(int(deal.payoff()[seat]))
            assert lines_of(deal, seat, "total") == [total]
            assert sum(paid) == (0 if refused else total)


def test_tricks_and_bonuses_add_up_to_the_value(table: Game) -> None:
    for deal in finished(table):
        for seat in range(4):
            if not deal.state.declared and deal.state.refuser < 0:
                assert [sum(lines_of(deal, seat, *TRICK_LINES, "bonus."))] == lines_of(deal, seat, "value")


def test_the_sheet_names_one_next_dealer_unless_the_session_ends(table: Game) -> None:
    for deal in finished(table):
        codes = [line.code for seat in range(4) for line in table.description.display.sheet(deal.state, seat)]
        assert sum(code.startswith("sheet.deals_") for code in codes) == 1
    last = play(load("ma-diao", session_deals=1).deal(seed=1), random.Random(1))
    assert not any(
        ".deals_" in line.code for seat in range(4) for line in last.game.description.display.sheet(last.state, seat)
    )


# The table and what is told


def test_everything_shown_has_a_text(table: Game) -> None:
    keys, lines = everything_shown(table)
    for language in LANGUAGES:
        words = catalogue(table.description.files.texts, language)
        assert all(words(key) for key in keys)
        assert all(say_line(table.description, line, language) for line in lines)


def everything_shown(table: Game) -> tuple[set[str], list[Sentence]]:
    """The keys and the lines that some deals show and tell, each once."""
    display, keys, lines = table.description.display, set[str](), dict[str, Sentence]()
    for seed in range(DEALS):
        before = None
        for deal in moments(table, seed):
            told = []
            for viewer in (-1, deal.mover, 0):
                scene = deal.view(viewer).scene
                keys |= {scene.phase, *(group.label for group in (*scene.hand, *scene.reference))}
                keys |= {pile.label for place in scene.seats for pile in place.piles}
                told += [Sentence(*note) for place in scene.seats for note in place.notes]
            if before is not None:
                told += display.events(before.record, *deal.history[-1], deal.view(0).record)
            before = deal.view(0)
            lines |= {repr(line): line for line in told}
        for seat in range(4):
            lines |= {repr(line): line for line in display.sheet(deal.state, seat)}
    return keys, list(lines.values())


THROWN = {
    "hands": ["T2 S2", "S9 T3", "C9 T4", "W1 T5"],
    "trick": ["0:S6", "1:~T6"],
    "won": ["TM W9", "S8", "TQ TB", ""],
    "dealer": 3,
}


def test_a_thrown_card_shows_its_back_to_others() -> None:
    deal = load("ma-diao").position(THROWN)
    own, others = (deal.view(seat).scene for seat in (1, 2))
    assert own.seats[1].played == "~T6"
    assert others.seats[1].played == UNSEEN


def test_a_finished_trick_is_told_without_what_lies_face_down() -> None:
    deal = load("ma-diao").position(THROWN)
    deal.play("~C9")
    before = deal.view(0)
    deal.play("~T5")
    told = deal.game.description.display.events(before.record, 3, "~T5", deal.view(0).record)
    assert [line.code for line in told] == ["events.trick"]
    assert told[0].fields["plays"] == f"#0 S6, #1 {UNSEEN}, #2 {UNSEEN}, #3 {UNSEEN}"
    assert told[0].fields["seat"] == "#0"


def test_the_table_says_what_counts_and_what_is_missing() -> None:
    deal = load("ma-diao").position(THROWN)
    notes = [[code for code, _ in seat.notes] for seat in deal.view(0).scene.seats]
    assert notes[0] == ["scene.home", "bonus.tops"]
    assert notes[1] == ["scene.one_trick"]
    assert notes[2] == ["scene.home", "bonus.great_live"]
    assert notes[3] == ["scene.dealer", "scene.no_tricks"]


def test_three_opened_is_on_the_way_as_long_as_the_last_card_may_come() -> None:
    fields = {"hands": ["T2", "S9", "C9", "W1"], "won": ["", "TM TQ", "", ""], "to_move": 0}
    shown = load("ma-diao").position(fields)
    gone = load("ma-diao").position({**fields, "face": "TB"})
    for deal, expected in ((shown, True), (gone, False)):
        notes = deal.view(0).scene.seats[1].notes
        assert ("scene.three_opened_left" in [code for code, _ in notes]) == expected


def test_the_cards_that_beat_are_marked() -> None:
    deal = load("ma-diao").position({"hands": ["T2", "S9 S3 W9", "C9", "W1"], "trick": ["0:S6"]})
    hand = deal.view(1).scene.hand
    assert [card for group in hand for card in group.marked] == ["S9"]


# Hints


@pytest.mark.slow
def test_hints_gain_on_random_players() -> None:
    entry = Match(load("ma-diao"), ["hints", "random", "random", "random"], 300, 1).play().entries[0]
    assert entry.gain.margin is not None
    assert entry.gain.mean - entry.gain.margin > 0
    assert entry.illegal == 0


@pytest.mark.parametrize(
    ("fields", "best"),
    [
        # who cannot beat throws the card that guards nothing
        ({"hands": ["", "TQ T2", "", ""], "trick": ["3:S5", "0:~S2"], "won": ["", "S9", "", ""]}, "~T2"),
        # a top card, where nobody plays after and the trick brings its player home
        ({"hands": ["", "W9 C9", "", ""], "trick": ["2:W5", "3:~S1", "0:~S2"], "won": ["", "S9", "", ""]}, "W9"),
        # as cheaply as is safe
        ({"hands": ["T2 C3", "S5 S7 S8", "C1 C2", "T4 T5"], "trick": ["2:S3", "3:~W1", "0:~W2"]}, "S5"),
    ],
)
def test_what_a_hint_plays(fields: dict[str, list[str]], best: str) -> None:
    deal = load("ma-diao").position(fields)
    assert advice(deal) == best


@pytest.mark.parametrize(
    ("led", "won", "stake"),
    [
        ("S6", "", []),
        ("S6", "T2", [("scene.stake_home", {"seat": "#0"})]),
        ("S9", "", [("scene.stake_top", {"card": "S9"})]),
        ("S6", "T2 T3", []),
    ],
    ids=["nothing", "home", "a top", "home before"],
)
def test_a_trick_that_decides_something_says_so(led: str, won: str, stake: list[tuple[str, dict[str, str]]]) -> None:
    """MD-29, MD-31: the second trick brings its player home; a top counts for whoever wins a trick with it."""
    hands = ["S1", "S7 S8", "C3 C4", "C5 C6"]
    deal = load("ma-diao").position({"hands": hands, "trick": [f"0:{led}"], "won": [won, "", "", ""]})
    scene = deal.view(1).scene
    assert list(scene.stake) == stake
