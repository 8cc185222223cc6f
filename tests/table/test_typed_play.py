"""Plays as people type them, understood by what is legal now; and what is answered to a word that is no play."""

import pytest

from tefuda import games, load
from tefuda.bots.players import RandomBot, choose_play
from tefuda.table.typed_play import near, understood

TRICK = ("SQ", "S9", "H9", "HA", "C10")
EXPOSING = ("expose:none", "expose:SQ", "expose:HA", "expose:SQ+HA")
CONTEST = ("34", "35", "34+34", "66", "66+45", "pass")
LEAD = ("T5", "S8", "T9+K9+S9", "K1+K2+K3")


@pytest.mark.parametrize(
    "typed", ["豬", "猪", "豚", "ぶた", "pig", "the Pig", "黑桃Q", "スペードのQ", "queen of spades", "♠ Q", "Q♠"]
)
def test_a_card_is_found_by_any_name_that_is_printed(typed: str) -> None:
    assert understood(games.description("gong-zhu"), TRICK, typed) == "SQ"


@pytest.mark.parametrize(
    ("game", "legal", "typed", "play"),
    [
        ("gong-zhu", TRICK, "q", "SQ"),  # the only queen that may be played
        ("gong-zhu", TRICK, "9", None),  # either of two
        ("gong-zhu", TRICK, "K", None),
        ("gong-zhu", EXPOSING, "expose SQ HA", "expose:SQ+HA"),
        ("gong-zhu", EXPOSING, "亮 豬、♥A", "expose:SQ+HA"),
        ("gong-zhu", EXPOSING, "公開：HA", "expose:HA"),
        ("gong-zhu", EXPOSING, "不亮", "expose:none"),
        ("gong-zhu", EXPOSING, "Expose nothing", "expose:none"),
        ("gong-zhu", EXPOSING, "SQ", None),  # nobody exposes a pig by mistake
        ("gong-zhu", EXPOSING, "expose", None),
        ("sap-ng-wu", CONTEST, "43", "34"),
        ("sap-ng-wu", CONTEST, "[4:3]", "34"),
        ("sap-ng-wu", CONTEST, "34,43", "34+34"),
        ("sap-ng-wu", CONTEST, "34×2", "34+34"),
        ("sap-ng-wu", CONTEST, "3434", "34+34"),
        ("sap-ng-wu", CONTEST, "天", "66"),
        ("sap-ng-wu", CONTEST, "天九", "66+45"),
        ("sap-ng-wu", CONTEST, "heaven-nine", "66+45"),
        ("sap-ng-wu", CONTEST, "過", "pass"),
        ("sap-ng-wu", CONTEST, "七", "34"),  # of the two sevens only this one may be played
        ("luk-fu", LEAD, "9T 9K 9S", "T9+K9+S9"),
        ("luk-fu", LEAD, "1貫、2貫、3貫", "K1+K2+K3"),
        ("luk-fu", LEAD, "八索", "S8"),
        ("gong-zhu", TRICK, "q of spades", "SQ"),
        ("gong-zhu", TRICK, "10 of clubs", "C10"),
        ("gong-zhu", TRICK, "スペードQ", "SQ"),
        ("gong-zhu", TRICK, "spade 9", "S9"),
        ("gong-zhu", TRICK, "hearts 9", "H9"),
        ("luk-fu", ("~2",), "5 strings, 4 kwan", "~K4+S5"),
        ("luk-fu", LEAD, "9 tens 9 kwan 9 strings", "T9+K9+S9"),
        ("kakkuri", ("HQ", "SQ", "end"), "コツ10", "HQ"),
        ("kakkuri", ("HQ", "SQ", "end"), "10 of swords", "SQ"),
        ("luk-fu", ("~3",), "t3 k2 c5", "~T3+K2+C5"),
        ("luk-fu", ("~3",), "t3", None),
        ("luk-fu", ("play", "pass"), "打", "play"),
        ("ma-diao", ("~S2", "~W3"), "二索", "~S2"),  # nothing may be laid face up
        ("ma-diao", ("S3", "~S2"), "S2", None),
        ("kakkuri", ("H9", "CA=8", "end"), "9", "H9"),
        ("kakkuri", ("H9", "CA=8", "end"), "ca8", "CA=8"),
        ("kakkuri", ("drop", "stay"), "降り", "drop"),
        ("kakkuri", ("utazu", "pass"), "ウタズ", "utazu"),
    ],
)
def test_a_text_means_the_only_legal_play_that_fits_it(
    game: str, legal: tuple[str, ...], typed: str, play: str | None
) -> None:
    assert understood(games.description(game), legal, typed) == play


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("seed", range(3))
def test_every_legal_play_means_itself_in_the_notation_and_by_its_cards_with_blanks(name: str, seed: int) -> None:
    deal = load(name).deal(seed)
    while not deal.over:
        legal = deal.legal()
        for word in legal:
            assert "~" in word or understood(deal.game.description, legal, word.replace("+", " ").upper()) == word
        choose_play(RandomBot(), deal, seed)


def test_what_may_not_be_played_is_still_read() -> None:
    game = games.description("gong-zhu")
    assert [understood(game, None, typed) for typed in ("豬", "q", "horse")] == ["SQ", None, None]
    assert near(game, TRICK, "9") == ["S9", "H9"]


def test_a_word_that_is_no_play_is_answered_from_the_moment() -> None:
    deal = load("luk-fu").deal(seed=7)
    assert deal.legal() == ["play", "pass"]
    assert str(deal.why_not("paly")) == "paly is not a play here. Did you mean play?"
    assert str(deal.why_not("horse")) == "horse is not a play here. You may play play or pass."
    assert str(deal.why_not("horse", language="ja")) == "horseという手はありません。今出せるのはplayかpassです。"
    assert str(deal.why_not("paly", language="zh-Hant")) == "paly 不是一種出法。是指 play 嗎？"
    assert str(deal.why_not("horse", language="zh-Hans")) == "horse 不是一种出法。现在可以出 play或pass。"


def test_whoever_is_not_to_move_learns_nothing_of_what_the_mover_may_play() -> None:
    deal = load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
    assert "SA" in str(deal.why_not("ZZ"))
    assert not {"SA", "H2"} & set(str(deal.why_not("ZZ", 1)).replace(",", " ").split())
