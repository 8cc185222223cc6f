"""Views in words, rules as one text, and plays read from sentences."""

from collections.abc import Sequence

import pytest

import tefuda
from tefuda.bots.players import choose_play
from tefuda.engine.description import Description
from tefuda.engine.texts import LANGUAGES
from tefuda.table import play_reading
from tefuda.table.deal import Deal
from tefuda.table.play_reading import LONG
from tefuda.table.typed_play import understood
from tefuda.table.view_text import play_name

POSITION = {"hands": ["SQ H2 C10", "SK H3 C3", "SA H4 C4", "SJ H5 C5"]}


def position() -> Deal:
    return tefuda.load("gong-zhu").position(POSITION)


@pytest.mark.parametrize("game", tefuda.list_games())
def test_a_text_tells_what_its_seat_knows_and_may_play(game: str) -> None:
    deal, hints = tefuda.load(game).deal(seed=3), tefuda.bot("hints")
    while not deal.over:
        view = deal.view(deal.mover, told=True)
        assert view.legal() == deal.legal()
        for language in LANGUAGES:
            text = tefuda.view_text(view, language)
            assert all(f"- {play_name(view.game, play, language)}" in text.splitlines() for play in deal.legal())
            assert all(card in text for card in view.hand())
        choose_play(hints, deal, 3)
    assert deal.view(0).legal() == deal.view(-1).legal() == []


@pytest.mark.parametrize("game", tefuda.list_games())
def test_a_text_depends_on_the_view_alone(game: str) -> None:
    """What a seat is told follows from what it has seen; another seat's hidden cards change nothing."""
    deal, hints = tefuda.load(game).deal(seed=5), tefuda.bot("hints")
    for _ in range(12):
        if not deal.over:
            choose_play(hints, deal, 5)
    view = deal.view(0)
    again = tefuda.View(view.game, view.array, 0)
    assert tefuda.view_text(view) == tefuda.view_text(again)


def test_the_play_so_far_is_told_as_each_seat_saw_it() -> None:
    deal = tefuda.load("ma-diao").deal(seed=3)
    while not deal.history or not deal.history[-1][1].startswith("~"):
        choose_play(tefuda.bot("hints"), deal, 1)
    thrower, word = deal.history[-1]
    while deal.view(thrower).scene.number == 1:
        choose_play(tefuda.bot("hints"), deal, 1)
    own, other = (tefuda.view_text(deal.view(seat, told=True)) for seat in (thrower, (thrower + 1) % 4))
    assert "The play so far" in own
    assert word in own
    assert word not in other


def test_the_text_of_a_position() -> None:
    deal = position()
    deal.play("H2")
    assert tefuda.view_text(deal.view(1)).splitlines() == [
        "Gong Zhu: 4 players, in seats 0 to 3. You are in seat 1.",
        "Playing tricks · trick 1 of 3",
        "",
        "On the table",
        "- in this trick: H2",
        "- seat 0: 2 in hand · in play: H2",
        "- You: 3 in hand",
        "- seat 2: 3 in hand",
        "- seat 3: 3 in hand",
        "",
        "Your hand",
        "- ♠ spades: SK (king of spades)",
        "- ♥ hearts: H3 (three of hearts)",
        "- ♣ clubs: C3 (three of clubs)",
        "",
        "You may play",
        "- H3 (three of hearts)",
        "",
        "Play one of these. End your answer with a line such as PLAY: H3",
    ]
    assert tefuda.view_text(deal.view(0)).endswith("seat 1 is to play.")
    assert tefuda.view_text(deal.view(-1), "ja").endswith("席1の番です。")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_as_one_text_have_every_rule(language: str) -> None:
    for game in tefuda.list_games():
        text = tefuda.rules_text(game, language)
        prefix = tefuda.load(game).description.rules.prefix
        assert f"\n{prefix}-1: " in text
        assert "`" not in text


def test_the_rules_name_the_options_that_a_table_has_changed() -> None:
    assert "Options changed: partnership = True" in tefuda.rules_text(tefuda.load("gong-zhu", partnership=True))
    with pytest.raises(tefuda.UnknownGameError):
        tefuda.rules_text("gong-zu")


@pytest.mark.parametrize(
    "answer",
    [
        "SQ", "sq", "QS", "♠Q", "♠️Q", "♠SQ", "ＳＱ", " SQ.", "Queen of spades", "queen-of-spades", "Q of Spades",
        "I play the queen of spades.", "スペードのQを出します", "我出黑桃Q。", "I will play [SQ]", "PLAY: SQ",
        "**Play:** `SQ`", '{"play": "SQ"}', "H2 is safe, but:\nPLAY: SQ",
        "I could lead H2, which is low. Or C10. " + "Hm. " * LONG + "So I lead the queen of spades.",
    ],
)  # fmt: skip
def test_an_answer_is_understood(answer: str) -> None:
    reading = tefuda.parse_play(position().view(0), answer)
    assert (reading.play, reading.reason) == ("SQ", None)


@pytest.mark.parametrize(
    ("answer", "code", "rule"),
    [
        ("", "silent", ""),
        ("  \n", "silent", ""),
        ("SQ, H2", "two_plays", ""),
        ("SQ\nH2", "two_plays", ""),
        ("PLAY: SQ\nPLAY: H2", "two_plays", ""),
        ("I fold.", "no_play", ""),
        ("x" * 100_000, "no_play", ""),
        ("SA", "lead_not_held", "GZ-13"),
        ("I think the ace of spades wins", "lead_not_held", "GZ-13"),
    ],
)
def test_an_answer_without_one_legal_play_has_a_reason(answer: str, code: str, rule: str) -> None:
    reading = tefuda.parse_play(position().view(0), answer)
    assert reading.play is None
    assert reading.reason is not None
    assert (reading.reason.rule, reading.reason.code in (code, reading.reason.code if rule else code)) == (rule, True)


@pytest.mark.parametrize(
    ("answer", "play"),
    [
        ("expose nothing", "expose:none"), ("Expose none.", "expose:none"), ("何も公開しない", "expose:none"),
        ("亮SQ", "expose:SQ"), ("SQとDJを公開する", "expose:SQ+DJ"),
        ("I expose DJ and the queen of spades", "expose:SQ+DJ"),
        ("I expose the queen of spades and the ace of hearts", None), ("SQ", None),
    ],
)  # fmt: skip
def test_a_declaration_is_understood_with_all_its_cards(answer: str, play: str | None) -> None:
    deal = tefuda.load("gong-zhu").deal(seed=24)
    assert deal.legal() == ["expose:none", "expose:SQ", "expose:DJ", "expose:SQ+DJ"]
    assert tefuda.parse_play(deal.view(deal.mover), answer).play == play


@pytest.mark.parametrize("game", tefuda.list_games())
def test_every_legal_play_is_understood_as_it_is_named_in_every_language(game: str) -> None:
    deal, random = tefuda.load(game).deal(seed=2), tefuda.bot("random")
    while not deal.over:
        view = deal.view(deal.mover)
        for play in [play for play in deal.legal() if play[1:] not in ("2", "3", "4")]:  # of throws any cards do
            for named in {play, f"PLAY: {play}", *(play_name(view.game, play, each) for each in LANGUAGES)}:
                found = tefuda.parse_play(view, named).play
                assert found is not None, named
                assert deal.listed(found) == play
        choose_play(random, deal, 2)


def test_who_is_not_asked_may_play_nothing() -> None:
    reading = tefuda.parse_play(position().view(1), "SK")
    assert reading.play is None
    assert reading.reason is not None


@pytest.mark.parametrize("essay", ["essay " * 300, "札" * 1000, "We wish well when winter winds whistle. " * 40])
def test_an_essay_without_plays_is_looked_through_word_by_word(essay: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []

    def counted(game: Description, legal: Sequence[str] | None, text: str) -> str | None:
        looked.append(text)
        return understood(game, legal, text)

    monkeypatch.setattr(play_reading, "understood", counted)
    assert tefuda.parse_play(position().view(0), essay).play is None
    assert len(looked) < 10 * len(essay.split() if essay.isascii() else essay)  # it was 16 words from each, and thrice


def test_an_answer_full_of_cards_is_refused_in_a_line() -> None:
    reading = tefuda.parse_play(position().view(0), "豬" * 4000)
    assert reading.play is None
    assert len(str(reading.reason)) < 200
