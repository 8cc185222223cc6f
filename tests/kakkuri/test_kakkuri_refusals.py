"""What refusals of Kakkuri say, where their words depend on the moment."""

from typing import Any

import pytest

from tefuda.engine.kit.positions import PositionError
from tefuda.engine.texts import LANGUAGES
from tefuda.table.game import load

UTAZU_AT_TWO = {"hands": ["S5 H5", "S6", "SA HA DA C9 S9 D4", "", ""], "field": "S4", "to_move": 0}


def refused(position: dict[str, Any], word: str, seat: int = 0, **options: Any) -> tuple[str, str]:
    """The rule and the code of the reason."""
    why = load("kakkuri", seats=5, **options).position(position).why_not(word, seat)
    assert why is not None
    return why.rule, why.code


def test_who_may_still_have_utazu_is_told_when_it_will_be_asked() -> None:
    """KK-23, KK-55: out of turn it is not lost."""
    assert refused(UTAZU_AT_TWO, "utazu", seat=2) == ("KK-55", "utazu_later")
    assert refused(UTAZU_AT_TWO, "C9", seat=2) == ("KK-29", "not_your_turn")


def test_who_has_played_has_lost_utazu_out_of_turn_too() -> None:
    """KK-24."""
    assert refused(UTAZU_AT_TWO, "utazu", seat=1) == ("KK-24", "utazu_lost")


def test_a_wild_that_does_not_fit_is_told_what_it_may_stand_for() -> None:
    """KK-31, KK-40."""
    deal = load("kakkuri", seats=5).position({"hands": ["CA D2 S9", "", "", "", ""], "field": "D7", "to_move": 0})
    for word, wild in (("CA", "CA=8"), ("D2=K", "D2=8")):
        why = deal.why_not(word)
        assert why is not None
        assert why.rule == "KK-31"
        assert why.text.startswith(f"{word} does not fit")
        assert wild in why.text
        assert deal.why_not(wild) is None


def test_a_dead_king_belongs_to_nobody() -> None:
    """KK-37: k_upcard = dead, whoever turned it up."""
    position = {"hands": ["S5", "C4", "", "", ""], "field": "SK", "raised": True, "to_move": 0}
    for turner in (0, 1):
        dead = {**position, "field_by": turner}
        assert refused(dead, "S5", k_upcard="dead") == ("KK-37", "dead_king")
        assert refused(dead, "S5", k_upcard="dead", k_free="wrap_to_ace") == ("KK-37", "ace_on_dead_king")
    assert refused({**position, "field_by": 1}, "S5") == ("KK-37", "anothers_king")


def test_cards_laid_in_this_turn_lie_on_the_table() -> None:
    """They are nowhere else, and the field card may be one of them."""
    fields = {"hands": ["C5", "", "", "", ""], "turn_played": "SJ SK", "field": "SK", "to_move": 0}
    assert load("kakkuri", seats=5).position(fields).state.table_size == 2
    with pytest.raises(PositionError, match="C5"):
        load("kakkuri", seats=5).position({**fields, "turn_played": "SJ C5"})


@pytest.mark.parametrize("word", ["end", "pass"])
def test_the_holder_of_the_right_is_told_only_what_is_possible(word: str) -> None:
    """KK-43, KK-46: nobody is told to cede who may not."""
    hands = {"hands": ["C5 S9", "S6 H9", "C9 SQ", "", ""], "field": "S4"}
    assert refused({**hands, "right": 0}, word) == ("KK-43", "choose_first")
    assert refused({**hands, "right": 0, "right_first": 1}, word, ceded_may_continue=False) == (
        "KK-43",
        "raise_or_cede",
    )
    all_ceded = {**hands, "right": 0, "right_first": 0}
    assert refused(all_ceded, word) == ("KK-43", "cannot_cede")
    assert refused(all_ceded, "cede") == ("KK-46", "cannot_cede")
    alone = {**hands, "right": 0, "dropped": [1, 2, 3, 4]}
    for said in (word, "cede"):
        assert refused(alone, said, last_survivor="plays_on") == ("KK-43", "cede_to_nobody")


def test_q_and_j_are_told_with_their_numbers() -> None:
    """KK-30, KK-31: Q is the ten and J the eleven, in every language."""
    position = {"hands": ["CA SK S2", "", "", "", ""], "to_move": 0}
    for field, told in (("S9", "Q (10)"), ("SQ", "J (11)")):
        deal = load("kakkuri", seats=5).position({**position, "field": field})
        for language in LANGUAGES:
            for word in ("S2", "CA=3"):
                why = deal.why_not(word, 0, language)
                assert why is not None
                assert told in why.text
    assert deal.why_not("CA=J") is None
    assert "CA=J" in str(deal.why_not("CA=3"))


def test_who_has_dropped_is_told_when_they_will_be_asked_to_return() -> None:
    """KK-20, KK-57."""
    deal = load("kakkuri", seats=5, fuwaru=False, early_drop="round").deal(seed=3)
    dealer = deal.mover
    others = [(dealer + k) % 5 for k in range(1, 5)]
    for word in ("stay", "stay", "stay", "drop", "stay"):
        deal.play(word)
    why = deal.why_not("return", others[2])
    assert why is not None
    assert (why.rule, why.code) == ("KK-57", "return_later")
    for word in ("end", "end", "end", "stay"):
        deal.play(word)
    why = deal.why_not("return", others[2])
    assert why is not None
    assert (why.rule, why.code) == ("KK-57", "return_next_lap")
    never = {"hands": ["C5", "S6", "C9", "", ""], "field": "S4", "to_move": 0, "dropped": [1]}
    assert refused(never, "return", 1, return_consent="never") == ("KK-20", "never_return")


def test_out_of_turn_whoever_has_not_had_their_first_turn_drops_or_is_told_when_they_may() -> None:
    """KK-17, KK-56."""
    position = {"hands": ["C5", "S6", "C9", "", ""], "field": "S4", "to_move": 0, "first_turn": [2]}
    assert load("kakkuri", 5).position(position).why_not("drop", 2) is None
    assert refused(position, "drop", 2, early_drop="no") == ("KK-56", "drop_at_first_turn")
    assert refused(position, "drop", 1) == ("KK-29", "not_your_turn")
