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
