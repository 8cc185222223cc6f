"""What refusals of Kakkuri say, where their words depend on the moment."""

from typing import Any

import pytest

from tefuda.engine.kit.positions import PositionError
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
