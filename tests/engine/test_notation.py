"""Plays in the ways people type them: after the screen, with an input method on, in the other order."""

import pytest

from tefuda import games
from tefuda.engine.notation import NotationError
from tefuda.engine.texts import unbroken


@pytest.mark.parametrize(
    ("game", "typed", "play"),
    [
        ("gong-zhu", "ＳＱ", "SQ"),
        ("gong-zhu", "ｓｑ", "SQ"),
        ("gong-zhu", "♠SQ", "SQ"),
        ("gong-zhu", "♠Q", "SQ"),
        ("gong-zhu", "8♠", "S8"),
        ("gong-zhu", "♠️8", "S8"),
        ("gong-zhu", "qs", "SQ"),
        ("gong-zhu", "10c", "C10"),
        ("gong-zhu", "expose:QS＋ha", "expose:SQ+HA"),
        ("luk-fu", "Ｔ５", "T5"),
        ("luk-fu", "十T5", "T5"),
        ("luk-fu", "9t+9K", "T9+K9"),
        ("luk-fu", "～Ｔ５", "~T5"),
        ("luk-fu", "〜５Ｔ", "~T5"),
        ("luk-fu", "ｐｌａｙ", "play"),
        ("ma-diao", "～Ｓ８", "~S8"),
        ("ma-diao", "~8s", "~S8"),
        ("sap-ng-wu", "３４", "34"),
        ("sap-ng-wu", "43+43", "34+34"),
        ("kakkuri", "ＣＡ＝９", "CA=9"),
        ("kakkuri", "9h", "H9"),
    ],
)
def test_a_play_is_read_as_it_was_meant(game: str, typed: str, play: str) -> None:
    assert games.description(game).notation.normal(typed) == play


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("typed", ["", "?", "Q", "♠", "Z9", "9Z", "SQSQ"])
def test_what_names_no_play_is_still_none(game: str, typed: str) -> None:
    with pytest.raises(NotationError):
        games.description(game).notation.normal(typed)


def test_a_number_stays_with_its_margin_and_its_per_cent() -> None:
    assert "65 ± 14" in list(unbroken("about 65 ± 14 points"))
    assert "42 %," in list(unbroken("in 42 %, or in 0 %."))
