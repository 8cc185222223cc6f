"""What tells two plays apart: named where it is clear and explains much, else never, and from the mover's view only."""

import re

import numpy as np
import pytest

from tefuda import Session, load
from tefuda.bots.advice import find_advice, first_actions, weigh_actions
from tefuda.bots.explanations import DistinguishingOutcome, find_outcome
from tefuda.bots.play_estimates import WORLDS, Rollouts, try_actions
from tefuda.bots.players import advice
from tefuda.bots.search import BY_HINTS, Budget, SearchBot
from tefuda.engine import verbs
from tefuda.engine.rng import generator
from tefuda.engine.texts import LANGUAGES
from tefuda.games import description, names
from tefuda.table.deal import Deal
from tests.searched import every_game

PIG, SHEEP = 0, 1
"""Places among the incidents of gong-zhu."""

NO_WORLDS = np.empty(0, np.void)
"""An incident is found without them."""


def rollouts(happened: dict[int, tuple[float, float]], worth: dict[int, float], noise: float = 0.0) -> Rollouts:
    """Of two plays, after which incidents happen in these shares of the worlds and are worth so much."""
    chance = np.random.default_rng(3)
    incidents = np.zeros((WORLDS, 2, verbs.MOST_INCIDENTS), np.int64)
    for k, shares in happened.items():
        incidents[:, :, k] = chance.random((WORLDS, 1)) < np.array(shares)
    gains = noise * chance.normal(size=(WORLDS, 2))
    for k, points in worth.items():
        gains += points * incidents[:, :, k]
    return Rollouts(gains, incidents, NO_WORLDS)


def test_the_incident_that_explains_most_is_named() -> None:
    tried = rollouts({PIG: (0.3, 0.6), SHEEP: (0.35, 0.3)}, {PIG: -100, SHEEP: 100}, noise=20)
    found = find_outcome(description("gong-zhu"), [tried], "H9", "HQ")
    assert found is not None
    assert (found.incident, found.play, found.other) == ("pig", "H9", "HQ")
    assert (found.number, found.other_number) == tuple(tried.incidents[:, :, PIG].mean(0))


@pytest.mark.parametrize(
    ("happened", "worth"),
    [
        ({PIG: (0.5, 0.5)}, {PIG: -100}),  # no difference
        ({PIG: (0.6, 0.3)}, {PIG: -100}),  # the play is the worse one
        ({PIG: (0.5, 0.51)}, {PIG: -100}),  # hardly a difference
        ({PIG: (0.6, 0.2), SHEEP: (0.9, 0.4)}, {}),  # nothing hangs on it
        ({PIG: (0.6, 0.3)}, {PIG: 100}),  # it helps, but nobody wants it
    ],
)
def test_else_nothing_is_said(happened: dict[int, tuple[float, float]], worth: dict[int, float]) -> None:
    tried = rollouts(happened, worth)
    assert find_outcome(description("gong-zhu"), [tried], "H9", "HQ") is None


def test_an_incident_is_not_named_if_another_judge_sees_it_the_other_way_round() -> None:
    strong, weak = (rollouts({PIG: shares}, {PIG: -100}) for shares in ((0.3, 0.6), (0.6, 0.3)))
    assert find_outcome(description("gong-zhu"), [strong, strong], "H9", "HQ") is not None
    assert find_outcome(description("gong-zhu"), [weak, strong], "H9", "HQ") is None


def test_what_differs_is_not_named_where_something_else_decides() -> None:
    tried = rollouts({PIG: (0.2, 0.6), SHEEP: (0.4, 0.2)}, {SHEEP: 100})
    found = find_outcome(description("gong-zhu"), [tried], "H9", "HQ")
    assert found is not None
    assert found.incident == "sheep"


@pytest.mark.parametrize("opposite", [False, True])
def test_of_incidents_that_always_come_together_or_never_the_first_is_named(opposite: bool) -> None:
    tried = rollouts({PIG: (0.2, 0.6)}, {PIG: -100})
    pig = tried.incidents[:, :, PIG]
    tried.incidents[:, :, SHEEP] = 1 - pig if opposite else pig
    found = find_outcome(description("gong-zhu"), [tried], "H9", "HQ")
    assert found is not None
    assert found.incident == "pig"


def test_chance_alone_is_not_named() -> None:
    chance = np.random.default_rng(1)
    named = 0
    for _ in range(100):
        incidents = np.zeros((WORLDS, 2, verbs.MOST_INCIDENTS), np.int64)
        incidents[:, :, : SHEEP + 1] = chance.random((WORLDS, 2, SHEEP + 1)) < 0.5
        tried = Rollouts(100.0 * incidents[:, :, SHEEP] - 100.0 * incidents[:, :, PIG], incidents, NO_WORLDS)
        named += find_outcome(description("gong-zhu"), [tried], "H9", "HQ") is not None
    assert named <= 2


@pytest.mark.parametrize("name", names())
def test_every_incident_makes_sentences_in_every_language(name: str) -> None:
    game = description(name)
    for incident in game.display.incidents:
        contrast = DistinguishingOutcome(incident.name, "PLAY", "OTHER", 0.38, 0.61)
        for language in LANGUAGES:
            for frame in ("hint", "review"):
                own = contrast.say(game, language, frame=frame)
                of = contrast.say(game, language, ["Ann", "Bob", "Cid"], seat=1, frame=frame)
                for said in (own, of):
                    assert not re.search(r"[{}`#@]", said)
                    assert incident.rule in said
                    assert said.index("PLAY") < said.index("OTHER")
                    assert ("0.4" in said) if incident.amount else ("38" in said and "61" in said)


def test_an_amount_is_said_in_what_people_count() -> None:
    game = description("gong-zhu")
    said = DistinguishingOutcome("hearts", "H9", "HQ", 12.34, 40.0).say(game, "en")
    assert said == (
        "With H9 your hearts cost you 12.3 points on average in the deals that fit what you know, "
        "with HQ 40.0 points (GZ-17)."
    )


def elsewhere(deal: Deal, seed: int) -> Deal:
    """The same moment in another world that the mover thinks possible."""
    view, world = deal.view(deal.mover), deal.game.template.copy()
    verbs.imagine(view.record, generator(seed), world[0])
    other = Deal(deal.game, world)
    other.history = list(deal.history)
    return other


@pytest.mark.slow
@pytest.mark.parametrize("name", every_game())
def test_two_worlds_that_look_alike_have_the_same_sentences(name: str) -> None:
    deal, named = Session(load(name), 9).next_deal(), 0
    while not deal.over:
        usual = advice(deal, 1)
        if len(deal.legal_actions()) > 1:
            other = elsewhere(deal, len(deal.history))
            actions = list(dict.fromkeys([*first_actions(deal, [usual]), *deal.legal_actions()]))[:2]
            here, there = (weigh_actions(each, actions, 7, 100, 2).advice() for each in (deal, other))
            assert here == there
            named += here.contrast is not None
            assert here.sentence(deal, "en") == there.sentence(other, "en")
            assert here.figures(deal, "en") == there.figures(other, "en")
        deal.play(usual)
    assert named


@pytest.mark.slow
@pytest.mark.parametrize("name", every_game())
def test_what_is_said_agrees_with_the_rollouts(name: str) -> None:
    """The play that is advised gains more there, and the shares are those of the strongest judge."""
    deal, bot = Session(load(name), 2).next_deal(), SearchBot(Budget(iterations=300), settings=BY_HINTS)
    while not deal.over:
        verdict = find_advice(deal, bot, 5, 100)
        if verdict.contrast is not None:
            assert verdict.contrast.play == verdict.play
            assert verdict.contrast.other == verdict.fields["other"]
            game, actions = deal.game.description, first_actions(deal, [verdict.play, verdict.fields["other"]])
            tried = try_actions(game, deal.array, deal.mover, actions, (5, len(deal.history)), 100).rollouts
            assert all(each.more[0] > 0 for each in tried)
            place = [each.name for each in game.display.incidents].index(verdict.contrast.incident)
            shares = tried[-1].incidents[:, :, place].mean(0).tolist()
            assert [verdict.contrast.number, verdict.contrast.other_number] == shares
        deal.play(verdict.usual)
