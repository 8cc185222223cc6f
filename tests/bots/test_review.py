"""Reviews: judged from the view alone, in parts that add up; the stronger give less away."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tefuda
from tefuda.bots.advice import completed, find_advice, listed, weigh
from tefuda.bots.explanations import DistinguishingOutcome, KeyCard
from tefuda.bots.players import bot, choose_play
from tefuda.bots.review import MOST_KEPT, ChoicePoint, DealReview, Decision, KeptReviews, Reviewer, choices, say_moment
from tefuda.bots.search import BY_HINTS, Budget, SearchBot
from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import generator
from tefuda.engine.views import observe_all
from tefuda.table.deal import Deal
from tests.cli.command import run
from tests.searched import every_game

GAME = "gong-zhu"


def played(name: str, bots: list[str], seed: int) -> Deal:
    deal = tefuda.load(name).deal(seed)
    players = [bot(spec) for spec in bots]
    while not deal.over:
        choose_play(players[deal.mover], deal, seed)
    return deal


@pytest.mark.parametrize("name", every_game())
def test_the_parts_add_up_to_what_the_deal_brought(name: str) -> None:
    deal = played(name, ["random"] * tefuda.load(name).seats, 3)
    review = Reviewer(simulations=20, worlds=20).review(deal, 1)
    others = [points for seat, points in enumerate(deal.payoff()) if seat != 1]
    assert review.gain == pytest.approx((deal.payoff()[1] - np.mean(others)) / deal.game.description.rules.unit)
    assert review.luck + review.own + review.others == pytest.approx(review.gain)
    assert review.own == -sum(each.given_away for each in review.decisions) <= 0
    assert len(review.worths) == len(deal.history) + 1
    assert len(review.decisions) == len(list(choices(deal, 1)))
    assert [each.plays for each in review.decisions] == sorted(each.plays for each in review.decisions)


def test_a_decision_is_judged_the_same_in_every_world_that_the_seat_thinks_possible() -> None:
    deal, reviewer, world = played(GAME, ["random"] * 4, 8), Reviewer(simulations=50, worlds=50), None
    for plays in range(10, 40, 6):
        moment = deal.at(plays)
        view, world = observe_all(moment.array, np.array([moment.mover])), np.zeros(1, moment.array.dtype)
        verbs.imagine(view[0], generator(plays), world[0])
        elsewhere = Deal(deal.game, world)
        elsewhere.history = list(moment.history)
        assert elsewhere.array.tobytes() != moment.array.tobytes()
        action = moment.legal_actions()[-1]
        word = moment.word(action)
        assert reviewer.judge(ChoicePoint(elsewhere, word, action)) == reviewer.judge(ChoicePoint(moment, word, action))


def test_a_throw_of_several_cards_is_compared_with_the_cards_to_throw() -> None:
    deal = tefuda.load("luk-fu").deal(2)
    chance = np.random.default_rng(2)
    while not (deal.legal()[0][0] == "~" and deal.legal()[0][1:].isdecimal() and int(deal.legal()[0][1:]) > 1):
        deal.act(int(chance.choice(deal.legal_actions())))
        assert not deal.over
    best = completed(deal, deal.legal_actions()[0])
    assert best not in deal.legal(), "the cards are named"
    again = deal.copy()
    again.play(best)
    assert len(again.history) == len(deal.history) + 1


def test_of_a_play_that_was_several_decisions_the_dearest_counts() -> None:
    decisions = [Decision(3, 0, "a", "b", 1.0), Decision(3, 0, "a", "c", 2.0), Decision(5, 0, "d", "d")]
    review = DealReview(0, decisions, [0.0], 0.0, -3.0, 0.0, -3.0)
    assert review.moments == [decisions[1]]


@pytest.mark.slow
@pytest.mark.parametrize("name", every_game())
def test_a_review_says_what_a_hint_would_have_said(name: str) -> None:
    """What is advised has never given anything away; what has is worse than that by every judge."""
    deal, thinker = played(name, ["random"] * tefuda.load(name).seats, 9), SearchBot(settings=BY_HINTS)
    reviewer = Reviewer(simulations=100, worlds=100, search=thinker)
    faults = 0
    for choice in list(choices(deal, 0))[:12]:
        moment, decision = choice.moment, reviewer.judge(choice)
        found = weigh(moment, thinker, 0, 100, listed(moment, choice.action))
        hint, best = find_advice(moment, thinker, 0, 100), found.best
        assert hint.play in (found.plays[best], hint.usual)
        if decision.given_away:
            faults += 1
            assert decision.best == found.plays[best]
            made = found.actions.index(choice.action)
            judges = [*(each.of(best, made) for each in found.trial.rollouts), found.nested(best, made)]
            assert all(each.more[0] > 0 for each in judges)
        advised = ChoicePoint(moment, found.plays[best], found.actions[best])
        assert reviewer.judge(advised).given_away == 0
    assert faults


def test_at_a_table_that_no_net_knows_a_review_has_no_figures() -> None:
    """One judge alone may be wrong."""
    game = tefuda.load("gong-zhu", seats=5)
    deal, chance = game.deal(3), np.random.default_rng(3)
    while not deal.over:
        deal.act(int(chance.choice(deal.legal_actions())))
    review = Reviewer(simulations=100, worlds=100).review(deal, 0)
    assert review.own == 0
    assert review.moments, "a player at random does not play like the rules of thumb"
    for each in review.moments:
        assert each.given_away == 0
        said = say_moment(each, 1, "en")
        assert said.endswith(f"{each.best} may be better if everybody plays by simple heuristics.")
    hints = [
        find_advice(choice.moment, SearchBot(Budget(iterations=100), settings=BY_HINTS)) for choice in choices(deal, 0)
    ]
    assert all(each.play == each.usual and not each.plays and "gain" not in each.fields for each in hints)


@pytest.mark.slow
def test_who_plays_at_random_gives_away_more_than_who_searches() -> None:
    given = {
        spec: sum(
            Reviewer(simulations=200, worlds=100).review(played(GAME, [spec, "hints", "hints", "hints"], seed), 0).own
            for seed in range(2)
        )
        for spec in ("random", "search:200it")
    }
    assert given["random"] < 3 * given["search:200it"] <= 0


@pytest.mark.parametrize(
    ("luck", "own", "others", "shown"),
    [
        (1.25, -1.25, -0.04, {"luck": 1.25, "own": -1.25, "others": -0.04, "gain": -0.04}),
        (10.26, -1.26, 2.26, {"luck": 10.3, "own": -1.3, "others": 2.3, "gain": 11.3}),
        (33.333, -0.0, 33.333, {"luck": 33.4, "own": 0.0, "others": 33.3, "gain": 66.7}),
    ],
)
def test_the_parts_add_up_as_they_are_shown(luck: float, own: float, others: float, shown: dict[str, float]) -> None:
    review = DealReview(0, [], [0.0, luck + own + others], luck, own, others, luck + own + others)
    assert str(review.rounded_parts()) == str(shown)  # no −0


def test_a_review_is_kept_until_it_is_damaged_or_too_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deal, kept = played(GAME, ["random"] * 4, 3), KeptReviews(tmp_path / "reviews")
    review = Reviewer(simulations=20, worlds=20).review(deal, 1)
    assert kept.read(deal, 1) is None
    kept.keep(deal, review)
    assert kept.read(deal, 1) == review
    assert kept.read(deal, 2) is None
    assert kept.read(played(GAME, ["random"] * 4, 4), 1) is None
    (file,) = (tmp_path / "reviews").iterdir()
    file.write_text('{"seat": 1')
    assert kept.read(deal, 1) is None
    monkeypatch.setattr("tefuda.bots.review.MOST_KEPT", 2)
    assert MOST_KEPT > 2
    for seat in range(4):
        kept.keep(deal, DealReview(**{**vars(review), "seat": seat}))
    assert len(list((tmp_path / "reviews").iterdir())) == 2


def test_what_told_two_plays_apart_is_kept_too(tmp_path: Path) -> None:
    deal, kept = played(GAME, ["random"] * 4, 3), KeptReviews(tmp_path)
    contrast, holding = (
        DistinguishingOutcome("pig", "H9", "HQ", 0.38, 0.61),
        KeyCard(2, "SK", 1, 0.4, "H9", "HQ", "pig", 0.8, 0.1),
    )
    decision = Decision(3, 1, "HQ", "H9", 12.0, 6.0, 31.0, contrast, holding)
    review = DealReview(1, [decision], [0.0], 0.0, -12.0, 0.0, -12.0)
    kept.keep(deal, review)
    assert kept.read(deal, 1) == review


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    deal, kept = played(GAME, ["random"] * 4, 3), KeptReviews(tmp_path / "file" / "reviews")
    kept.keep(deal, DealReview(1, [], [0.0], 0.0, 0.0, 0.0, 0.0))
    assert kept.read(deal, 1) is None


def test_a_deal_that_is_not_over_is_not_reviewed() -> None:
    with pytest.raises(TefudaError, match="the deal is not over"):
        Reviewer().review(tefuda.load(GAME).deal(1), 0)
    with pytest.raises(TefudaError, match="there is no seat 4"):
        Reviewer().review(played(GAME, ["hints"] * 4, 1), 4)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.tfd"
    path.write_text(played(GAME, ["random"] * 4, 5).record(), "utf-8")
    return path


@pytest.mark.slow
def test_the_command_shows_the_parts_and_the_dearest_moments(record: Path, home: dict[str, str]) -> None:
    shown, (told,) = run(home, "review", str(record)), json.loads(run(home, "review", str(record), "--json").stdout)
    assert shown.returncode == 0, shown.stderr
    assert "Your mistakes" in shown.stdout
    dearest = max(told["decisions"], key=lambda each: each["given_away"])
    told_first = " ".join(shown.stdout.partition("Play ")[2].split())
    assert told_first.startswith(f"{dearest['plays'] + 1}: you played ")
    assert f"brings {dearest['given_away']:.1f} more on average ({dearest['low']:.1f} to " in told_first
    assert told["luck"] + told["own"] + told["others"] == pytest.approx(told["gain"])


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--seat", "7"], "--seat 7: seats are 0 to 3"),
        (["--deal", "2"], "--deal 2: the finished deals are 1"),
        (["--lang", "xx"], "--lang: there are no texts in 'xx'"),
    ],
)
def test_bad_input_is_one_line(record: Path, home: dict[str, str], words: list[str], complaint: str) -> None:
    told = run(home, "review", str(record), *words)
    assert (told.returncode, told.stderr.count("\n")) == (2, 1)
    assert complaint in told.stderr


def test_what_is_no_record_or_not_finished_is_said(tmp_path: Path, home: dict[str, str]) -> None:
    deal = tefuda.load(GAME).deal(5)
    (tmp_path / "begun.tfd").write_text(deal.record(), "utf-8")
    (tmp_path / "letter.tfd").write_text("Dear all", "utf-8")
    assert "no deal was played to its end" in run(home, "review", str(tmp_path / "begun.tfd")).stderr
    for name in ("letter.tfd", "nothing.tfd"):
        told = run(home, "review", str(tmp_path / name))
        assert (told.returncode, told.stderr.count("\n")) == (2, 1)


def changed(text: str, line: int, **entries: object) -> bytes:
    """The text of a record with other entries in one of its lines."""
    lines = text.splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **entries})
    return "\n".join(lines).encode()


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda text: changed(text, 0, rules=99), "it follows version 99 of the rules of gong-zhu"),
        (lambda text: changed(text, 0, options={"no_such": 1}), "gong-zhu has no option 'no_such'"),
        (lambda text: changed(text, -1, payoff=[1, 2, 3, 4]), "deal 1: recorded payoff [1, 2, 3, 4], by the rules "),
        (lambda text: changed(text, 2, play="2:SQ"), "deal 1: play 1 (2:SQ): "),
        (lambda text: b"", "empty, not a record"),
        (lambda text: bytes(range(256)), "not a text file"),
        (lambda text: bytes(64 * 2**20 + 1), "longer than 64 MiB"),
    ],
)
def test_a_record_that_cannot_be_reviewed_says_why_in_a_line(
    record: Path, home: dict[str, str], damage: Callable[[str], bytes], complaint: str
) -> None:
    damaged = damage(record.read_text("utf-8"))
    record.write_bytes(damaged)
    told = run(home, "review", str(record))
    assert (told.returncode, told.stderr.count("\n"), told.stdout) == (2, 1, "")
    assert complaint in told.stderr
    assert record.read_bytes() == damaged
