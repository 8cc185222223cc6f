"""Every hint has its reason, in every language; what a reason says is true of the moment."""

import re

import pytest

from tefuda import Session, View, advice, load
from tefuda.bots.advice import advice_reason
from tefuda.engine import verbs
from tefuda.engine.rng import generator
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.games import names
from tefuda.table.deal import Deal

DEALS = 4


def moments(name: str, seats: int | None = None) -> list[tuple[Deal, str]]:
    """Every decision of some deals, with what the rules of thumb play."""
    found = []
    for seed in range(DEALS):
        deal = Session(load(name, seats), seed).next_deal()
        while not deal.over:
            play = advice(deal, seed)
            found.append((deal.copy(), play))
            deal.play(play)
    return found


@pytest.mark.parametrize("name", names())
def test_every_hint_has_a_reason_in_every_language(name: str) -> None:
    texts = load(name).description.files.texts
    for deal, play in moments(name):
        for language in LANGUAGES:
            said = advice_reason(deal, play, language)
            assert said
            assert not re.search(r"[{}`#@]", said), said
            rules = re.findall(r"[A-Z]{2}-[0-9]+", said)
            assert set(rules) <= set(catalogue(texts, language).under("rules"))


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_reason_depends_on_what_the_mover_sees_alone(name: str) -> None:
    """The others' cards are drawn again, and the reason stays."""
    game = load(name).description
    assert game.display.why_advised is not None
    for deal, play in moments(name)[::7]:
        view, world = deal.view(deal.mover), game.template(deal.game.seats)
        verbs.imagine(view.record, generator(1), world[0])
        action = game.notation.actions(deal.array, play)[0]
        why = game.display.why_advised
        assert why(View(game, world, deal.mover).record, action, play) == why(view.record, action, play)


def test_where_there_is_no_choice_the_reason_says_so() -> None:
    """Of gong-zhu."""
    deal = load("gong-zhu").position({"hands": ["SA", "SK", "SQ", "SJ"]})
    assert advice_reason(deal, "SA") == catalogue(TEXTS, "en")("only_play")


def test_a_sure_trick_and_one_that_cannot_be_won() -> None:
    """Of gong-zhu."""
    deal = load("gong-zhu").position({"hands": ["S2 H3", "SK SA", "SQ S3", "SJ H6"], "to_move": 1})
    assert advice_reason(deal, "SA").startswith("Nobody can beat it")
    deal.play("SA")
    assert advice_reason(deal, "S3").startswith("It stays below seat 1's SA")


def test_an_eldest_who_passes_a_long_combination_is_warned() -> None:
    """Of luk-fu; LF-51."""
    hand = "C1 S1 K2 T2 C3 S3 K3 T3 C5 S6 K6 C7"
    rest = [card for card in load("luk-fu").description.cards if card not in hand.split()]
    hands = [hand, " ".join(rest[:12]), " ".join(rest[12:24])]
    deal = load("luk-fu").deal(hands=hands, fields={"dealer": 0})
    assert deal.mover == 0
    said = advice_reason(deal, "pass")
    assert "LF-51" in said
    assert "LF-51" not in advice_reason(deal, "play")


@pytest.mark.parametrize(
    ("hand", "play", "said"),
    [
        ("T9 T8 S2 K1", "~S2", "keep T8 T9: nobody else can hold a higher card"),
        ("T8 S2 K1", "~S2", "least likely to win later"),  # T9 is in another hand
        ("T9 C1 S2 K1", "~C1", "C1 can go: such cards win only when led"),
    ],
)
def test_a_throw_names_the_cards_that_are_kept_or_why_a_card_that_wins_when_led_may_go(
    hand: str, play: str, said: str
) -> None:
    """Of luk-fu: one sentence for all throws called C1 the card that is least likely to win; LF-32, LF-33."""
    deal = load("luk-fu", 3).position({"hands": ["C2 C3", hand, "C5 K5 S5"], "trick": ["0:C9"]})
    assert said in advice_reason(deal, play)


def test_a_throw_of_several_cards_is_explained_when_some_of_them_lie_already() -> None:
    """Of luk-fu: the first action of such a play is none any more, and was taken for a card that beats."""
    deal = load("luk-fu", 3).position({"hands": ["C2", "T9 S2 S4 K1", "C5 K5 S5 T2"], "trick": ["0:C7+C8+C9"]})
    deal.act(deal.game.description.notation.actions(deal.array, "~K1+S2+S4")[0])
    assert "keep T9" in advice_reason(deal, "~K1+S2+S4")


@pytest.mark.parametrize(
    ("hand", "said"),
    [("T9 C2 C3 C4 C5 C6", "a lead that nobody can beat"), ("C2 C3 C4 C5 C6", "Nobody else can reach six")],
)
def test_going_on_is_safe_for_one_reason(hand: str, said: str) -> None:
    """Of luk-fu: it said "or" of two reasons; LF-41, LF-42."""
    others = ["K1 K2 K3 S1 S2 S3"[: len(hand)], "T2 T3 T4 S4 S5 S6"[: len(hand)]]
    won = ["S7 S8 S9 K7 K8 K9", "", ""]
    deal = load("luk-fu", 3).position({"hands": [hand, *others], "won": won, "decide": True})
    reason = advice_reason(deal, "on")
    assert said in reason
    assert " or " not in reason


def test_a_declaration_names_the_cards_that_win_and_counts_nothing() -> None:
    """Of luk-fu: it said "about 3.9 tricks"; LF-9, LF-20."""
    hand = "C4 C5 C6 S1 S7 K5 K7 K8 K9 T1 T2 L"
    rest = [card for card in load("luk-fu").description.cards if card not in hand.split()]
    deal = load("luk-fu", 3).deal(hands=[hand, " ".join(rest[:12]), " ".join(rest[12:24])], fields={"dealer": 0})
    for play in ("play", "pass"):
        assert "T1 K7 K8 K9 L" in advice_reason(deal, play)
        assert not re.search(r"\d\.\d", advice_reason(deal, play))


def test_who_beats_is_told_who_may_beat_in_turn() -> None:
    """Of luk-fu; LF-30."""
    deal = load("luk-fu", 3).position({"hands": ["C2 C3", "S8 S5 K1", "C5 K5 S9"], "trick": ["0:S4"]})
    assert "seat 2" in advice_reason(deal, "S5")


@pytest.mark.parametrize(
    ("field", "hand", "said"),
    [
        ("H5", "S6 D7 C8 D9 HJ S2", "Lay S6 D7 C8 D9 in this turn and keep S2 HJ"),
        ("H5", "S6 D7", "Lay S6 D7 in this turn and you are out"),
        ("DQ", "SJ SK DK C5 H6 S7", "guri"),
    ],
)
def test_a_card_is_laid_for_all_that_follows_it_in_the_turn(field: str, hand: str, said: str) -> None:
    """Of kakkuri: one sentence, without cards, stood for every card laid, even for the last; KK-48, KK-51."""
    others = ["C3 C4 H9 H8", "S3 S4 D5 D6"]
    deal = load("kakkuri", 3).position({"hands": [hand, *others], "field": field, "to_move": 0})
    assert said in advice_reason(deal, advice(deal))


SET_OF_THREE = {
    "hands": ["66 66 66 56 56 56", "55 55 55 46 15 16", "46 46 22 22 16 15"],
    "won": ["11 11 11 44 44 44 13 13 13 12 12 12", "", ""],
    "contest": ["0:33+33+33"],
}


def test_beating_somebody_who_could_stop_is_told_as_such() -> None:
    """Of sap-ng-wu: with the contest seat 0 would have 15 fu; SN-27."""
    deal = load("sap-ng-wu", 3).position(SET_OF_THREE)
    assert "seat 0, who could stop" in advice_reason(deal, "55+55+55")
    deal = load("sap-ng-wu", 3).position(SET_OF_THREE | {"won": ["", "", ""]})
    assert "stop" not in advice_reason(deal, "55+55+55")


def test_a_pass_says_what_it_keeps_or_that_nothing_would_win() -> None:
    """Of sap-ng-wu: one sentence stood for both; SN-17."""
    hands = ["23 23", "35 35 35 11 11 26 26 26", "46 46 22 22 16 15"]
    deal = load("sap-ng-wu", 3).position({"hands": hands, "contest": ["0:23"]})
    assert "35 would" in advice_reason(deal, "pass")
    hands = ["15 15", "46 22 16", "66 66 66 66 11 11 11 11 44 44 44 44 13 13 13 13"]
    deal = load("sap-ng-wu", 3).position({"hands": hands, "contest": ["0:15"]})
    assert "somebody would probably beat it" in advice_reason(deal, "pass")


def test_more_often_is_said_once() -> None:
    """In English: "you win with eight tricks or more more often"."""
    for name in names():
        for text in catalogue(load(name).description.files.texts, "en").under("incidents").values():
            assert not text.endswith(" more")
