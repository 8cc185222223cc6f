"""What plays of several cards are called, and what a card's note says: in every game, option and language."""

import pytest

from tefuda.engine.description import Value
from tefuda.engine.texts import LANGUAGES, catalogue
from tefuda.games import description, names
from tefuda.table.reasons import say_line


@pytest.mark.parametrize("game", names())
def test_every_card_has_a_note_in_every_language(game: str) -> None:
    described = description(game)
    template = described.template()[0]
    for word in described.cards:
        lines = described.display.card_lines(template, word)
        assert lines
        for language in LANGUAGES:
            assert all("{" not in say_line(described, line, language) for line in lines)


@pytest.mark.parametrize("game", names())
def test_what_plays_are_called_stands_in_the_catalogues(game: str) -> None:
    described = description(game)
    called = set(map(described.display.combination, getattr(described.notation, "words", ()))) - {""}
    assert all(text in catalogue(described.files.texts, language) for text in called for language in LANGUAGES)


@pytest.mark.parametrize(
    ("game", "word", "called"),
    [
        ("luk-fu", "K1+K2+K3", "three in a row"),
        ("luk-fu", "C2+C3+C4+C5", "four in a row"),
        ("luk-fu", "T9+K9+S9", "three of a kind"),
        ("luk-fu", "T1+K1+L", "three of a kind"),
        ("luk-fu", "T1+K1+S1+C1+L", "the five tigers"),
        ("sap-ng-wu", "44+34+25+25", "man-seven 人七"),
        ("sap-ng-wu", "56+56", "a pair"),
        ("sap-ng-wu", "12+24+24", "supreme 至尊"),
        ("kakkuri", "S5+H5+CA=5", "sanbon (three of a rank)"),
        ("kakkuri", "S4+H4", "a pair"),
    ],
)
def test_a_play_of_several_cards_has_a_name(game: str, word: str, called: str) -> None:
    described = description(game)
    assert catalogue(described.files.texts, "en")(described.display.combination(word)) == called


@pytest.mark.parametrize(
    ("game", "word"),
    [
        ("luk-fu", "T5"), ("luk-fu", "L"), ("luk-fu", "~T5+K2+C3"), ("luk-fu", "~3"), ("luk-fu", "tigers"),
        ("sap-ng-wu", "56"), ("sap-ng-wu", "supreme:12+24"), ("sap-ng-wu", "pass"),
        ("kakkuri", "CA=8"), ("kakkuri", "C5+H6+D7"), ("kakkuri", "end"),
        ("gong-zhu", "expose:SQ+HA"), ("ma-diao", "~S8"),
    ],
)  # fmt: skip
def test_other_plays_have_none(game: str, word: str) -> None:
    assert description(game).display.combination(word) == ""


@pytest.mark.parametrize(
    ("game", "options", "word", "said"),
    [
        ("gong-zhu", {}, "SQ", "−100 for whoever takes it"),
        ("gong-zhu", {"heart_values": "pips"}, "H3", "−3 for whoever takes it"),
        ("luk-fu", {}, "L", "one of the five tigers"),
        ("luk-fu", {"red_bonus": True}, "T9", "red: brings the winner a chip more in each share"),
        ("kakkuri", {}, "H2", "may be followed by 2 3"),
        ("ma-diao", {}, "TQ", "counts as a top in its place if TM is the face card"),
        ("sap-ng-wu", {}, "45", "belongs to heaven-nine 天九: 66 45 36"),
    ],
)
def test_a_note_says_what_a_card_counts(game: str, options: dict[str, Value], word: str, said: str) -> None:
    described = description(game)
    lines = described.display.card_lines(described.template(None, options)[0], word)
    assert said in [say_line(described, line, "en") for line in lines]
