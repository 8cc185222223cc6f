"""What scenario files cannot say of Luk Fu: dealing, secrecy, throws in steps, sessions, bad input."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tefuda.engine.kit.positions import PositionError
from tefuda.engine.notation import NotationError
from tefuda.engine.option import OptionError
from tefuda.engine.play import play_batch
from tefuda.games.luk_fu.plays import ACTIONS
from tefuda.games.luk_fu.state import Phase
from tefuda.table.deal import Deal
from tefuda.table.game import Game, Session, load, numbered_deals
from tefuda.table.reasons import IllegalPlay

Walk = Callable[..., Iterator[Deal]]

PACK = [suit + str(rank) for suit in "CSKT" for rank in range(1, 10)] + ["L"]


def hands_of(deal: Deal) -> list[list[str]]:
    return [deal.view(seat).to_dict()["hands"] for seat in range(deal.game.seats)]


# Dealing


def test_lf_3_the_first_dealer_is_drawn_and_can_be_anybody() -> None:
    """LF-3, LF-4: nothing but the lot decides."""
    game = load("luk-fu")
    assert {game.deal(seed).mover for seed in range(40)} == {0, 1, 2}


@pytest.mark.parametrize("seats", [3, 4])
def test_lf_5_lf_6_the_deck_is_dealt_one_card_at_a_time_from_eldest(seats: int) -> None:
    """LF-5, LF-6, LF-7, LF-8"""
    game = load("luk-fu", seats)
    deck = random.Random(1).sample(PACK, 37)
    for dealer in range(seats):
        deal = game.deal(deck=" ".join(deck), fields={"dealer": dealer})
        order = [dealer, dealer + 1, dealer + 2] if seats == 3 else [dealer + 2, dealer + 3, dealer + 1]
        order = [seat % seats for seat in order]
        assert deal.mover == order[0]
        for place, seat in enumerate(order):
            assert set(hands_of(deal)[seat]) == set(deck[place:36:3])
        if seats == 4:
            assert deal.view(dealer).to_dict()["sitter_card"] == [deck[36]]
            assert deal.why_not("play", dealer).rule == "LF-6"  # type: ignore[union-attr]


def test_the_pack_has_37_cards() -> None:
    """LF-5"""
    assert list(load("luk-fu").description.cards) == PACK
    assert ACTIONS == 247


# Secrecy


def test_lf_40_who_sees_what() -> None:
    """LF-40: thrown cards their owner, the dead card nobody, the sitter's card the sitter until it is turned up."""
    game = load("luk-fu", 4)
    deal = game.position(
        {"dealer": 0, "declarer": 2, "hands": ["", "C5", "S9 K2", "S2 S3"], "sitter_card": "K9",
         "trick": ["2:S8"], "tricks": [0, 0, 5, 0]}
    )  # fmt: skip
    deal.play("~S2")
    for viewer in range(-1, 4):
        view = deal.view(viewer).to_dict()
        assert view["held"] == [0, 1, 2, 1]
        assert view.get("thrown", [[]])[0] == (["S2"] if viewer == 3 else [])
        assert view.get("sitter_card", []) == (["K9"] if viewer == 0 else [])
        assert "dead" not in view
    deal.play("~C5")
    deal.play("stop")
    assert deal.view(-1).to_dict()["turned_up"] == ["K9"]


def test_lf_40_events_tell_thrown_cards_to_their_owner_only() -> None:
    """LF-40"""
    deal = load("luk-fu").position({"hands": ["C2", "S2 S3 C4", "K2 K3 K4"], "trick": ["0:T5+T6"[:4]]})
    before = [deal.view(seat).record for seat in range(-1, 3)]
    deal.play("~S3")
    deal.play("~K2")
    for viewer in range(-1, 3):
        lines = deal.game.description.display.events(before[viewer + 1], 2, "~K2", deal.view(viewer).record)
        told = " ".join(line.fields["plays"] for line in lines)
        assert ("S3" in told, "K2" in told) == (viewer == 1, viewer == 2)


# Throws in steps


def test_a_throw_is_made_card_by_card_ascending() -> None:
    """LF-29, LF-31"""
    deal = load("luk-fu").position({"hands": ["C2", "S2 S3 S4 K5 T1", "C3"], "trick": ["0:T5+T6+T7"]})
    words = deal.game.description.notation.words  # type: ignore[attr-defined]
    assert [words[action] for action in deal.legal_actions()] == ["~S2", "~S3", "~S4"]
    deal.act(deal.legal_actions()[1])
    assert deal.mover == 1
    assert deal.legal() == ["~2"]
    assert [words[action] for action in deal.legal_actions()] == ["~S4", "~K5"]
    deal.act(deal.legal_actions()[1])
    assert deal.legal() == ["~T1"]
    deal.play("~T1")
    assert deal.mover == 2
    assert set(hands_of(deal)[1]) == {"S2", "S4"}


def test_a_refused_throw_changes_nothing() -> None:
    """LF-29, LF-30"""
    deal = load("luk-fu").position({"hands": ["C2", "S2 S3 S4 K5", "C3"], "trick": ["0:T5+T6+T7"]})
    before = deal.state.tobytes()
    for word in ("~S2", "~S2+S3", "~S2+S3+T9", "S2+S3+S4", "~S2+S3+S4+K5"):
        with pytest.raises(IllegalPlay):
            deal.play(word)
    with pytest.raises(NotationError, match="name the cards"):
        deal.play("~3")
    assert deal.state.tobytes() == before
    deal.play("~k5+S3+s2")
    assert deal.history == [(1, "~K5+S2+S3")]


@pytest.mark.parametrize("word", ["T10", "T5+", "T5+T5", "", "~", "six", "~3x", "X"])
def test_words_that_are_no_play(word: str) -> None:
    with pytest.raises(NotationError):
        load("luk-fu").deal(1).play(word)


def test_a_copy_within_a_throw_goes_on_like_the_deal() -> None:
    """LF-31: the word of the whole throw is written in both."""
    deal = load("luk-fu").position({"hands": ["C2", "S2 S3 S4 K5", "C3"], "trick": ["0:T5+T6+T7"]})
    deal.act(deal.legal_actions()[0])
    copy = deal.copy()
    for each in (deal, copy):
        with pytest.raises(IllegalPlay):
            each.play("~S2+S4")
        each.play("~S4+K5")
        assert each.history == [(1, "~K5+S2+S4")]


# Invariants


def test_invariants_of_random_deals(table: Game, walk: Walk) -> None:
    """LF-28, LF-30, LF-38, LF-47: tricks, hands, payments; never both to beat and to throw."""
    chance = random.Random(3)
    for seed in range(25):
        for deal in walk(table.deal(seed), chance):
            state, legal = deal.state, deal.legal()
            active = [seat for seat in range(table.seats) if seat != state.sitter]
            if not state.stopped:
                assert sum(state.tricks) <= 12
            if not state.placed and not state.to_throw and state.phase != Phase.FOLLOWING:
                assert len({int(state.held[seat]) for seat in active} | set()) == 1 or state.stopped
            if not deal.over:
                assert legal
                assert len({word.startswith("~") for word in legal}) == 1
        assert sum(deal.payoff()) == 0
        if not any(deal.state.held) and not deal.state.stopped:
            assert sum(deal.state.tricks) == 12


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4])
def test_five_thousand_random_deals_pay_zero_sum(seats: int) -> None:
    """LF-52"""
    game = load("luk-fu", seats, red_bonus=True, red_scope="captured", tigers_lead=True)
    states, rngs = numbered_deals(game, 9, range(5000))
    payoffs = play_batch(states, np.zeros((5000, seats), np.int8), rngs)
    assert not payoffs.sum(axis=1).any()
    assert payoffs.any(axis=1).mean() > 0.5


def test_the_sheet_tells_how_it_arose() -> None:
    """LF-45, LF-46, LF-47, LF-50, LF-51"""
    told = _sheet_codes({"hands": ["T1 K1 S1 C1 L", "C2", "C3"]}, ["tigers"])
    assert told == [["tigers", "won", "shares", "total"], ["pays", "total"], ["pays", "total"]]
    told = _sheet_codes({"tricks": [7, 3, 2], "dealt": ["T2 T3 T4 T5", "", ""], "declarer": 1}, [])
    assert told == [["won", "one_share", "total"], ["pays_one", "total"], ["free", "total"]]
    assert _sheet_codes({"tricks": [5, 4, 3]}, []) == [["draw"]] * 3
    fields = {"dealer": 0, "declarer": 3, "won": ["", "", "T9 T7 K9 S9 C1 S3", ""], "sitter_card": "K7"}
    told = _sheet_codes(fields, [], 4)
    assert told == [["match"], ["free", "total"], ["won", "shares", "total"], ["pays_both", "pays_sitter", "total"]]


def test_lf_49_the_sheet_says_that_all_the_red_cards_double() -> None:
    """LF-49, all_reds_double: before the shares, which are of the doubled price."""
    won = ["T9 K9 S9 C9 T8 T1 C1 L K8 S8 C8 T7", "", ""]
    fields: dict[str, object] = {"hands": ["", "", ""], "won": won, "tricks": [12, 0, 0]}
    assert _sheet_codes(fields, [], red_bonus=True)[0] == ["won", "red", "shares", "total"]
    assert _sheet_codes(fields, [], red_bonus=True, all_reds_double=True)[0] == [
        "won", "red", "all_reds", "shares", "total",
    ]  # fmt: skip


def _sheet_codes(fields: dict[str, object], plays: list[str], seats: int = 3, **options: bool) -> list[list[str]]:
    deal = load("luk-fu", seats, **options).position(fields)
    for word in plays:
        deal.play(word)
    sheet = deal.game.description.display.sheet
    return [[line.code.removeprefix("sheet.") for line in sheet(deal.state, seat)] for seat in range(seats)]


# Sessions


def test_lf_53_to_56_a_session(walk: Walk) -> None:
    """LF-53, LF-54, LF-55, LF-56: totals add up, the dealer follows, twelve deals."""
    for seats in (3, 4):
        session, chance = Session(load("luk-fu", seats), seed=2), random.Random(2)
        totals = [0] * seats
        while not session.over:
            deal = session.next_deal()
            for _ in walk(deal, chance):
                pass
            totals = [a + b for a, b in zip(totals, deal.payoff(), strict=True)]
            assert session.totals == totals
            state, facts = deal.state, deal.facts()
            stays = state.last_to_six >= 0 and state.last_to_six == state.eldest
            assert facts["next_dealer"] == (state.dealer + (0 if stays else 1)) % seats
        assert len(session.deals) == 12


# Options and positions that will not do


@pytest.mark.parametrize(
    "options",
    [{"lead_exceptions": "declarer"}, {"lead_exceptions": "sixth_trick+never"}, {"tigers_value": 7}, {"seats": 5},
     {"session_deals": 0}, {"old_reading": "open"}, {"old": "x"}],
)  # fmt: skip
def test_options_that_will_not_do(options: dict[str, object]) -> None:
    if options == {"lead_exceptions": "declarer"}:
        assert load("luk-fu", **options).options["lead_exceptions"] == "declarer+only_old"  # type: ignore[arg-type]
        return
    with pytest.raises(OptionError):
        load("luk-fu", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value", ["sixth_trick", "declarer, only_old, sixth_trick", "sixth_trick+declarer", ["only_old", "sixth_trick"]]
)
def test_lf_19_exceptions_are_a_set(value: Any) -> None:
    """LF-19: in any order; the two that always hold may be left unsaid."""
    assert load("luk-fu", lead_exceptions=value).options["lead_exceptions"] == "declarer+only_old+sixth_trick"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"hands": ["T5", "T5", ""]}, "already somewhere else"),
        ({"hands": ["T10", "", ""]}, "not a card"),
        ({"hands": ["", "", "", ""]}, "one entry for each of the 3"),
        ({"holdings": []}, "no field"),
        ({"hands": ["T5", "", ""], "trick": ["0:T6+T7"]}, "no play here"),
        ({"hands": ["T5", "", ""], "trick": ["0:T6", "1:T4"]}, "does not beat"),
        ({"hands": ["T5", "", ""], "trick": ["0:T6", "2:~T4"]}, "out of turn"),
        ({"hands": ["T5", "", ""], "trick": ["0:T6", "1:~T4", "2:~T3"]}, "complete"),
        ({"hands": ["T5", "", ""], "trick": ["0:T6"], "to_move": 2}, "contradicts"),
        ({"hands": ["T5", "", ""], "decide": True}, "decide"),
        ({"hands": ["T5", "", ""], "opening": True, "to_move": 1}, "opening"),
        ({"hands": ["T5", "", ""], "opening": 1}, "neither true nor false"),
        ({"tricks": [6, 6, 0]}, "reached"),
        ({"tricks": [6, 6, 0], "reached": [0]}, "reached"),
        ({"tricks": [13, 0, 0]}, "from 0 to 12"),
        ({"bounds": {"1": {"X": 3}}}, "not one of the suits"),
        ({"bounds": {"1": {"K": 10}}}, "not a rank"),
        ({"bounds": {"x": {"K": 1}}}, "not a seat"),
        ({"bounds": 3}, "not a table"),
        ({"sitter_card": "T5"}, "nobody sits out"),
        ({"dealer": 1, "eldest": 0}, "has dealt"),
        ({"captured": ["T5"]}, "one entry"),
        ({"dealt": "T5"}, "one entry"),
    ],
)
def test_positions_that_will_not_do(fields: dict[str, object], message: str) -> None:
    with pytest.raises(PositionError, match=message):
        load("luk-fu").position(fields)


@pytest.mark.parametrize("field", ["hands", "won", "thrown", "dealt"])
def test_the_sitter_has_no_hand(field: str) -> None:
    """LF-6"""
    with pytest.raises(PositionError, match="sits out"):
        load("luk-fu", 4).position({"dealer": 0, field: ["T5", "", "", ""]})


def test_hands_that_are_not_dealt_so() -> None:
    """LF-5"""
    with pytest.raises(PositionError, match="11 cards instead of 12"):
        load("luk-fu").deal(hands=[" ".join(PACK[:11]), " ".join(PACK[12:24]), " ".join(PACK[24:36])])


def test_hands_given_for_a_later_deal_ignore_the_card_of_the_earlier_sitter() -> None:
    """LF-6, LF-53"""
    game = load("luk-fu", 4)
    hands = [" ".join(PACK[at : at + 12]) for at in (1, 13, 25)]
    first = game.deal(hands=["", *hands], fields={"dealer": 0})
    while first.mover >= 0:
        first.play("pass")
    hands = [" ".join(PACK[at : at + 12]) for at in (0, 12, 24)]
    second = game.deal(hands=["", *hands], before=first.following(), fields={"dealer": 0})
    assert second.view(0).to_dict()["sitter_card"] == ["L"]
