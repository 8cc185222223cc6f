"""One verdict: what the rules of thumb advise stands unless a search is sure of something better; nothing contradicts
it."""

import re

import pytest

from tefuda import Session, load
from tefuda.bots.estimates import PlayEstimate
from tefuda.bots.rollouts import roll_out_plays
from tefuda.bots.search import Budget, SearchBot
from tefuda.bots.verdict import MOST_PLAYS, Verdict, find_verdict, is_better, weigh
from tefuda.engine.rng import generator
from tefuda.engine.texts import LANGUAGES
from tests.searched import every_game


def play(word: str, visits: int, mean: float, spread: float = 2.0) -> PlayEstimate:
    return PlayEstimate(word, visits, mean, spread, worth=mean, doubt=spread**2 / visits)


@pytest.mark.parametrize(
    ("found", "code", "first"),
    [
        ([play("T5", 9000, 1.0)], "agrees", "T5"),
        ([play("T5", 9000, 1.0), play("K1", 900, 0.5)], "agrees_by", "T5"),
        ([play("K1", 900, 1.05), play("T5", 800, 1.0)], "even", "T5"),
        ([play("K1", 9000, 1.5), play("T5", 800, 0.5)], "better", "K1"),
        ([play("K1", 9000, 0.5), play("T5", 800, 0.1), play("K2", 800, 1.5)], "better", "K2"),
        ([play("K1", 70_000, 0.0), play("T5", 2, -4.0)], "gave_up", "K1"),
        ([play("K1", 70_000, 0.0), play("T5", 40, -4.0)], "gave_up", "K1"),
        ([play("K1", 70_000, 0.0)], "gave_up", "K1"),
        ([play("K1", 3, 2.0), play("T5", 2, -4.0)], "", "T5"),
        ([play("K1", 39, 2.0), *(play(f"K{k}", 24, 0.0) for k in range(2, 6)), play("T5", 22, -4.0)], "", "T5"),
        ([play("K1", 172, 2.0), play("T5", 28, -4.0)], "gave_up", "K1"),
    ],
)
def test_what_is_advised_stands_unless_something_is_surely_better(
    found: list[PlayEstimate], code: str, first: str
) -> None:
    verdict = weigh("T5", found)
    assert (verdict.play, verdict.code, verdict.usual) == (first, code, "T5")
    assert verdict.plays[0].play == first


@pytest.mark.parametrize(
    ("ahead", "said"),
    [
        ({"SA": 0.9, "HA": 0.4}, "You end above the others' average more often: in about 90 %"),
        ({"SA": 0.4, "HA": 0.9}, "HA would leave you above the others' average more often (in about 90 %"),
        ({"SA": 0.5, "HA": 0.55}, "what differs is how much you gain or lose."),
    ],
)
def test_a_search_that_changes_the_verdict_says_what_both_plays_lead_to(ahead: dict[str, float], said: str) -> None:
    deal = load("gong-zhu").deal(1)
    verdict = Verdict("SA", "HA", "better", {"other": "HA", "gain": "8.0"}, ahead=ahead)
    reason, search = verdict.sentences(deal, "en")[1:]
    assert said in reason
    assert "brings 8.0 points less" in search


def test_only_plays_that_say_which_cards_are_played_on() -> None:
    deal = load("gong-zhu").deal(1)
    rng = generator(1)
    tried = roll_out_plays(deal, deal.legal()[:2], rng, 50)
    assert tried is not None
    assert all(0 <= share <= 1 for share in tried.ahead)
    assert roll_out_plays(deal, deal.legal()[:1] * 2, rng, 50) is None
    assert roll_out_plays(deal, [deal.legal()[0], "~3"], rng, 50) is None


def test_the_best_come_first_and_the_list_is_short() -> None:
    found = [play(f"K{k}", 1000 - k, 1.0 - k / 10) for k in range(1, 20)] + [play("T5", 400, -9.0)]
    verdict = weigh("T5", found)
    assert [each.play for each in verdict.plays] == [f"K{k}" for k in range(1, MOST_PLAYS + 1)]
    assert verdict.fields == {"other": "T5", "gain": "9.9"}


def test_plays_that_were_hardly_tried_have_no_figures() -> None:
    assert weigh("T5", [play("T5", 70_000, 1.0), play("K1", 40, 5.0), play("K2", 2, 9.0)]).judged == {"T5"}


@pytest.mark.parametrize("name", every_game())
def test_sentences_agree_with_the_figures_in_every_language(name: str) -> None:
    deal, bot = Session(load(name), 4).next_deal(), SearchBot(Budget(iterations=300))
    for number in range(12):
        if deal.over:
            break
        verdict = find_verdict(deal, bot, number)
        assert verdict.play in deal.legal() or deal.why_not(verdict.play) is None
        judged = [each for each in verdict.plays if each.play in verdict.judged]
        assert not any(is_better(each, judged[0]) for each in judged)
        for language in LANGUAGES:
            sentences = verdict.sentences(deal, language)
            assert verdict.play in sentences[0]
            assert not any(re.search(r"[{}`#@]", sentence) for sentence in sentences)
        deal.play(verdict.usual)
