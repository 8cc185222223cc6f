"""What scenario files cannot say of a deal of Ma Diao: dealing, secrecy, what every deal has in common, bad input."""

import random
from typing import Any

import numpy as np
import pytest

from tefuda.engine import verbs
from tefuda.engine.kit.positions import PositionError
from tefuda.engine.notation import NotationError
from tefuda.engine.option import OptionError
from tefuda.engine.play import play_batch
from tefuda.engine.texts import LANGUAGES
from tefuda.table.game import Game, load, numbered_deals
from tests.ma_diao.constructed import (
    RARE,
    REFUSAL,
    TOPS_AGAINST_HUNDRED,
    TWO_EXTRAORDINARY,
    answer,
    play,
    play_whole_table,
)

PACK = list(load("ma-diao").description.cards)
SEATS = range(4)


def deck_with_bottom(bottom: str, seed: int = 0) -> list[str]:
    """A shuffled pack with this card at the bottom."""
    others = [card for card in PACK if card != bottom]
    random.Random(seed).shuffle(others)
    return [*others, bottom]


# Dealing


def test_the_pack() -> None:
    """The 40 cards of section 1.1: each suit from its weakest card; cash runs backwards."""
    assert len(set(PACK)) == 40
    assert PACK[:11] == ["T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "TB", "TQ", "TM"]
    assert PACK[29:] == ["C9", "C8", "C7", "C6", "C5", "C4", "C3", "C2", "C1", "CH", "C0"]


def test_md_4_the_first_dealer_is_drawn_and_can_be_anybody() -> None:
    """MD-3, MD-4: seats are fixed by who sits down; nothing but the lot makes the first dealer."""
    game = load("ma-diao")
    assert {game.deal(seed).mover for seed in range(40)} == set(SEATS)


@pytest.mark.parametrize(
    ("dealer", "bottoms", "first"),
    [(0, "W5 C9 S1 TM TQ TB CH C0 S9", 2), (0, "S2 T6 W6", 3), (0, "C7 T3", 0), (0, "W4 T8", 1), (3, "S2", 2),
     (3, "W4", 0)],
)  # fmt: skip
def test_me_1_the_bottom_card_says_who_is_dealt_to_first(dealer: int, bottoms: str, first: int) -> None:
    """MD-7"""
    for bottom in bottoms.split():
        deal = load("ma-diao").deal(deck=" ".join(deck_with_bottom(bottom)), fields={"dealer": dealer})
        assert deal.view(-1).to_dict()["first_dealt"] == first
        assert answer(deal).mover == first


def test_me_2_packets_of_four_twice_round() -> None:
    """MD-6, MD-8, MD-9"""
    deck = deck_with_bottom("C7")
    state = load("ma-diao").deal(deck=" ".join(deck), fields={"dealer": 0}).state
    numbers = [PACK.index(card) for card in deck]
    for seat in SEATS:
        cards = numbers[4 * seat : 4 * seat + 4] + numbers[16 + 4 * seat : 20 + 4 * seat]
        assert state.hands[seat] == state.dealt[seat] == sum(1 << card for card in cards)
    assert (state.face, state.accuser_down) == (numbers[39], 1 << numbers[38])
    assert state.stock == sum(1 << card for card in numbers[32:38])


def test_md_9_the_top_of_the_rest_as_face_card() -> None:
    """MD-9: the bottom card, seen at the cut, stays public; six cards are hidden."""
    deck = deck_with_bottom("C7")
    state = load("ma-diao", face_card="top_of_rest").deal(deck=" ".join(deck), fields={"dealer": 0}).state
    numbers = [PACK.index(card) for card in deck]
    assert (state.face, state.bottom, state.accuser_down) == (numbers[32], numbers[39], 1 << numbers[33])
    assert state.stock == sum(1 << card for card in numbers[34:39])


@pytest.mark.parametrize(("bottom", "leaders"), [("C7", (0, 0)), ("W5", (2, 0))])
def test_me_2_first_leader(bottom: str, leaders: tuple[int, int]) -> None:
    """MD-21"""
    for first_leader, leader in zip(("first_dealt", "dealer"), leaders, strict=True):
        game = load("ma-diao", first_leader=first_leader)
        assert answer(game.deal(deck=" ".join(deck_with_bottom(bottom)), fields={"dealer": 0})).mover == leader


def test_hands_of_a_file_are_dealt_with_the_stock_that_is_given() -> None:
    """MD-7, MD-9: a leader that is given leads even where the face card says another."""
    game = load("ma-diao")
    fields: dict[str, Any] = {"dealer": 1, "face": "C0", "accuser": "S4"}
    hands = ["T2 T3 T4 T5 W1 W2 W3 W4", "T6 T7 T8 T9 W5 W6 W7 W8", "S1 S2 S3 C9 C8 C7 C6 C5", "TM TQ TB S5 S6 S7 S8 S9"]
    deal = game.deal(hands=hands, fields=fields)
    assert [deal.view(seat).to_dict()["hands"] for seat in (0, 3)] == [
        ["T2", "T3", "T4", "T5", "W1", "W2", "W3", "W4"],
        ["TB", "TQ", "TM", "S5", "S6", "S7", "S8", "S9"],
    ]
    assert PACK[deal.state.face] == "C0"
    assert deal.state.accuser_down == 1 << PACK.index("S4")
    assert answer(deal).mover == 3
    led = answer(game.deal(hands=hands, fields={**fields, "leader": 2}))
    assert led.mover == 2
    play(led, random.Random(1))
    assert led.following()["leads_first"][0] == -1


# Secrecy


def test_md_16_no_answer_is_shown_before_all_four_are_in() -> None:
    """MD-16: the views of three answers are the same whatever they are."""
    seen: list[list[Any]] = []
    for answers in (["declare", "declare", "silent"], ["silent", "silent", "silent"]):
        deal = load("ma-diao").deal(hands=TWO_EXTRAORDINARY, fields={"dealer": 0})
        for word in answers:
            deal.play(word)
        assert deal.mover == 3
        seen.append([deal.view(viewer).array.tobytes() for viewer in (-1, 2, 3)])
        assert deal.view(0).to_dict()["pending"] == ("declare" if answers[0] == "declare" else "silent")
        deal.play("silent")
        assert deal.view(-1).to_dict()["declared"] == ([0, 1] if answers[0] == "declare" else [])
    assert seen[0] == seen[1]


def test_md_24_thrown_cards_are_their_owners_alone() -> None:
    """MD-24, MD-28: the row shows a face-down card; who threw it sees which."""
    deal = load("ma-diao").position({"hands": ["S6", "S8 S3", "S7", "C3"], "trick": ["0:S5", "1:~S2"]})
    for viewer in range(-1, 4):
        view = deal.view(viewer).to_dict()
        assert view["rows"][1][0] is None
        assert view["orientation"][1][0] == "face_down"
        assert view.get("thrown", [[]])[0] == (["S2"] if viewer == 1 else [])


@pytest.mark.parametrize("reveal", [True, False])
def test_md_28_thrown_cards_are_turned_up_after_the_settlement(reveal: bool) -> None:
    """MD-28, MD-33: without reveal_after only what a score depends on is shown, the Hundred here."""
    deal = load("ma-diao", reveal_after=reveal).position(
        {"hands": ["S9", "TB", "S7", "C3"], "won": ["S1 S2", "S3 S4", "S5", ""], "leader": 0}
    )
    for word in ("S9", "~TB", "~S7", "~C3"):
        deal.play(word)
    view = deal.view(-1).to_dict()
    assert [row[5] for row in view["rows"]] == ["S9", "TB", "S7" if reveal else None, "C3" if reveal else None]
    assert [row[5] for row in view["orientation"]] == ["face_up", *["face_down"] * 3]
    assert deal.view(3).to_dict()["thrown"][5] == ([] if reveal else ["C3"])


@pytest.mark.parametrize(("stacking", "shown"), [("per_card", ["W5", "W8", None]), ("once", ["W5", "W8", None])])
def test_md_34_strikers_beside_a_dead_hundred_are_shown(stacking: str, shown: list[str | None]) -> None:
    """MD-34 without reveal_after: the Hundred is on the table, two strikers were thrown."""
    fields = {
        "hands": ["S9 S7 S6", "W5 W8 C1", "C2 C3 C4", "C5 C6 C7"],
        "won": ["S1 S2 S3", "TB", "S4", ""],
        "leader": 0,
    }
    deal = load("ma-diao", reveal_after=False, strike_stacking=stacking).position(fields)
    for plays in ("S9 ~W5 ~C2 ~C5", "S7 ~W8 ~C3 ~C6", "S6 ~C1 ~C4 ~C7"):
        for word in plays.split():
            deal.play(word)
    assert deal.view(-1).to_dict()["rows"][1][5:] == shown
    assert deal.facts()["value"][1] == (-1 + 1 + 4 if stacking == "per_card" else -1 + 1 + 2)


def test_the_payment_follows_from_what_everybody_sees_at_the_end(table: Game) -> None:
    """MD-12, MD-18, MD-33 to MD-35: a spectator's view of a finished deal pays the same."""
    chance, paid = random.Random(4), np.zeros(4, np.int64)
    deals = [table.deal(seed) for seed in range(30)]
    deals += [table.deal(hands=hands, fields={"dealer": dealer}) for hands in RARE for dealer in SEATS]
    for deal in deals:
        play(deal, chance)
        for viewer in range(-1, 4):
            verbs.payoff(deal.view(viewer).record, paid)
            assert paid.tolist() == deal.payoff(), deal.history


def test_declared_hands_and_a_hundred_that_saves_are_laid_open() -> None:
    """MD-10, MD-12"""
    deal = play(load("ma-diao").deal(hands=TOPS_AGAINST_HUNDRED, fields={"dealer": 2}), random.Random(1))
    view = deal.view(-1).to_dict()
    assert [len(cards) for cards in view["laid_open"]] == [8, 1, 0, 0]
    assert view["laid_open"][1] == ["TB"]
    assert view["accuser_card"] is None
    deal = play(load("ma-diao").deal(hands=REFUSAL, fields={"dealer": 2}), random.Random(1))
    assert [len(cards) for cards in deal.view(-1).to_dict()["laid_open"]] == [8, 0, 0, 0]


def test_md_45_the_accuser_is_shown_after_play_only() -> None:
    """MD-9, MD-45"""
    for shown in (True, False):
        deal = answer(load("ma-diao", accuser=shown).deal(5))
        assert deal.view(-1).to_dict()["accuser_card"] is None
        play(deal, random.Random(1))
        assert (deal.view(-1).to_dict()["accuser_card"] is not None) == shown


# Every deal


def test_invariants_of_random_deals(table: Game) -> None:
    """MD-1, MD-2, MD-22, MD-27: eight tricks, zero sum, a face-up card beats the earlier ones, W is part of H."""
    chance = random.Random(3)
    for seed in range(60):
        deal = play(table.deal(seed), chance)
        state, facts = deal.state, deal.facts()
        assert sum(deal.payoff()) == 0
        if state.declared or state.refuser >= 0:
            assert "value" not in facts
            assert facts["tricks"] == [0, 0, 0, 0]
            continue
        assert sum(facts["tricks"]) == 8
        assert sum(bool(int(state.dealt[seat]) >> PACK.index("TB") & 1) for seat in SEATS) <= 1
        halves = [value % 1 != 0 for value in facts["value"]]
        assert any(halves) == (sorted(facts["tricks"]) == [0, 2, 3, 3])
        for seat in SEATS:
            assert int(state.won[seat]) & ~int(state.dealt[seat]) == 0
        for number in range(8):
            _face_up_cards_rise(state, number)


def _face_up_cards_rise(state: Any, number: int) -> None:
    leader = int(state.leaders[number])
    seats = [(leader + k) % 4 for k in SEATS]
    up = [int(state.rows[seat, number]) for seat in seats if state.orientation[seat, number] == 1]
    assert up == sorted(up)
    assert len({PACK[card][0] for card in up}) == 1
    winner = next(seat for seat in seats if state.rows[seat, number] == up[-1])
    assert int(state.won[winner]) >> up[-1] & 1


@pytest.mark.slow
def test_ten_thousand_random_deals_pay_zero_sum(table: Game) -> None:
    """MD-44"""
    states, rngs = numbered_deals(table, 9, range(10_000))
    payoffs = play_batch(states, np.zeros((10_000, 4), np.int8), rngs)
    assert not payoffs.sum(axis=1).any()
    assert payoffs.any(axis=1).mean() > 0.8  # level values, and refusals that are not paid, are the rest


def test_me_14_whole_table() -> None:
    """MD-41: seven tricks by the dealer; the eighth is played, or granted, and then nobody else plays a card."""
    played = play_whole_table(load("ma-diao"))
    assert not played.over
    assert played.facts()["tricks"] == [7, 0, 0, 0]
    granted = play_whole_table(load("ma-diao", stop_after_seven=True))
    assert granted.over
    assert granted.facts()["tricks"] == [8, 0, 0, 0]
    assert granted.view(-1).to_dict()["held"] == [0, 1, 1, 1]
    assert granted.view(-1).to_dict()["laid_open"][1] == ["TB"]


# What will not do


@pytest.mark.parametrize("word", ["T1", "T10", "S0", "W0", "~", "~~S3", "", "pass", "~silent", "~3"])
def test_words_that_are_no_play(word: str) -> None:
    with pytest.raises(NotationError):
        load("ma-diao").deal(1).play(word)


def test_several_cards_are_refused_by_a_rule() -> None:
    """MD-16 before play, MD-23 for who leads, MD-24 for who follows."""
    assert str(load("ma-diao").deal(1).why_not("S3+S4")).endswith("[MD-16]")
    fields = {"hands": ["S3 S4", "S5 S6", "", ""]}
    deal = load("ma-diao").position(fields)
    assert str(deal.why_not("S3+S4")) == "You play one card at a time. [MD-23]"
    deal.play("S3")
    assert str(deal.why_not("S5+S6")) == "You play one card at a time. [MD-24]"


def test_cards_may_be_typed_as_they_are_shown() -> None:
    """Tables and hints show 錢C9 and ~錢C9, or as the reader's language writes it."""
    description = load("ma-diao").description
    for word, face in description.display.faces.items():
        for text in (face.written(language).text for language in LANGUAGES):
            assert description.notation.normal(text) == word
            assert description.notation.normal("~" + text) == "~" + word


@pytest.mark.parametrize(
    "options",
    [{"refusal_hands": "tens"}, {"refusal_hands": 2}, {"face_card": "top"}, {"seats": 3}, {"session_deals": 0},
     {"red_set": "ten"}, {"must_folow": True}, {"knock": "maybe"}],
)  # fmt: skip
def test_options_that_will_not_do(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        load("ma-diao", **options)


@pytest.mark.parametrize("value", ["tens_heavy", "tens_heavy+four_lowest", ["four_lowest", "tens_heavy"]])
def test_md_17_refusal_hands_are_a_set(value: Any) -> None:
    """MD-17: in any order; the four lowest may be left unsaid."""
    assert load("ma-diao", refusal_hands=value).options["refusal_hands"] == "four_lowest+tens_heavy"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"hands": ["S5", "S5", "", ""]}, "already somewhere else"),
        ({"hands": ["S5", "", "", ""], "won": ["S5", "", "", ""]}, "already somewhere else"),
        ({"hands": ["S5", "", "", ""], "face": "S5"}, "already somewhere else"),
        ({"face": "S5", "accuser": "S5"}, "already somewhere else"),
        ({"face": "S5 S6"}, "not one card"),
        ({"hands": ["S10", "", "", ""]}, "not a card"),
        ({"hands": ["", "", ""]}, "one entry for each of the 4"),
        ({"hand": []}, "no field"),
        ({"dealt": ["TB", "TB", "", ""]}, "already somewhere else"),
        ({"dealt": ["TB", "", "", ""], "hands": ["", "TB", "", ""]}, "already somewhere else"),
        ({"dealt": ["TB", "", "", ""], "face": "TB"}, "already somewhere else"),
        ({"dealt": ["T2 T3 T4 T5 T6 T7 T8 T9", "", "", ""], "won": ["S1", "", "", ""]}, "more than 8"),
        ({"hands": ["T2 T3 T4 T5 T6", "", "", ""], "won": ["S1 S2", "S3 S4", "", ""]}, "more than 8"),
        ({"hands": ["S5", "", "", ""], "trick": ["0:~S6"]}, "face up"),
        ({"hands": ["S5", "", "", ""], "trick": ["0:S6", "1:S4"]}, "does not beat"),
        ({"hands": ["S5", "", "", ""], "trick": ["0:S6", "1:W7"]}, "does not beat"),
        ({"hands": ["S5", "", "", ""], "trick": ["0:S6", "2:~S4"]}, "out of turn"),
        ({"hands": ["S5", "", "", ""], "trick": ["0:S6", "1:~S4", "2:~S3", "3:~S2"]}, "complete"),
        ({"hands": ["S5", "", "", ""], "trick": ["0:S6"], "to_move": 2}, "contradicts"),
        ({"hands": ["S5", "", "", ""], "trick": ["0:S6"], "leader": 1}, "leader"),
        ({"hands": ["S5", "", "", ""], "to_move": 2, "leader": 1}, "leader"),
        ({"hands": ["S5", "", "", ""], "phase": "discard"}, "phase"),
        ({"hands": ["S5", "", "", ""], "phase": "declare", "trick": ["0:S6"]}, "phase"),
        ({"won": ["S1 S2", "", "", ""], "first_seven": 0}, "first_seven"),
        ({"dealer": 4}, "no seat 4"),
        ({"leader": "0"}, "not a whole number"),
    ],
)
def test_positions_that_will_not_do(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError, match=message):
        load("ma-diao").position(fields)


@pytest.mark.parametrize("must_follow", [False, True])
def test_md_24_a_reason_advises_only_what_may_be_thrown(must_follow: bool) -> None:
    """MD-24, MD-26: a card of another suit may be thrown instead, unless must_follow forbids that too."""
    deal = load("ma-diao", must_follow=must_follow).position({"hands": ["", "S5 W9", "", ""], "trick": ["0:S6"]})
    for language in LANGUAGES:
        reason = deal.why_not("W9", language=language)
        assert reason is not None
        assert reason.rule == "MD-24"
        assert ("~W9" in reason.text) == ("~W9" in deal.legal()) == (not must_follow)
        assert ("~S5" in reason.text) == must_follow
        assert " S5" not in reason.text


def test_md_26_a_reason_names_the_plays_that_are_left() -> None:
    """MD-26: as they are typed, so that the first one tried is not refused again."""
    fields = {"hands": ["", "S9 S5 W9", "", ""], "trick": ["0:S6"]}
    deal = load("ma-diao", must_follow=True).position(fields)
    for word in ("W9", "~W9"):
        reason = deal.why_not(word)
        assert reason is not None
        assert reason.text.endswith("S9, ~S5 or ~S9.")
        assert reason.plays == ("S9", "~S5", "~S9")


def test_md_26_a_throw_of_a_position_follows_suit() -> None:
    """MD-26"""
    fields = {"hands": ["", "S5", "", ""], "trick": ["0:S6", "1:~W4"]}
    assert load("ma-diao").position(fields).mover == 2
    with pytest.raises(PositionError, match="MD-26"):
        load("ma-diao", must_follow=True).position(fields)


@pytest.mark.parametrize(
    ("hands", "fields", "message"),
    [
        (None, {"face": "S5"}, "give it with the hands"),
        (None, {"leader": 1}, "give it with the hands"),
        (REFUSAL, {"face": "T2"}, "already somewhere else"),
        (REFUSAL, {"dealer": 5}, "no seat 5"),
        (REFUSAL, {"bottom": "T2"}, "no field"),
        (("T2 T3", "", "", ""), {}, "2 cards instead of 8"),
    ],
)
def test_deals_that_will_not_do(hands: Any, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError, match=message):
        load("ma-diao").deal(1, hands=hands, fields=fields)
