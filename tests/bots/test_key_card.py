"""Whose holding which card decides: named where it explains much, else not, and from the mover's view only."""

import re
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from tefuda import load
from tefuda.bots.advice import first_actions
from tefuda.bots.explanations import (
    LEAST_DIFFERENCE,
    LEAST_LIKELY,
    LEAST_PART,
    DistinguishingOutcome,
    KeyCard,
    find_key_card,
    find_outcome,
)
from tefuda.bots.play_estimates import WORLDS, Rollouts, roll_out, try_actions
from tefuda.engine import bits, verbs
from tefuda.engine.rng import generator
from tefuda.engine.texts import LANGUAGES
from tefuda.games import description, names
from tefuda.table.deal import Deal
from tests.bots.test_distinguishing_outcome import PIG, elsewhere
from tests.searched import every_game, solved

GONG_ZHU, SAP_NG_WU = description("gong-zhu"), description("sap-ng-wu")
PIG_TOLD = DistinguishingOutcome("pig", "H9", "HQ", 0.4, 0.6)
"""Which incident is looked at; its shares play no part."""

MOST_COPIES = 4

SAID_IN = {"gong-zhu": "DJ", "kakkuri": "S4", "luk-fu": "T6", "ma-diao": "W8", "sap-ng-wu": "45"}
"""A card on which a shipped problem of the game depends."""


# A moment whose shares can be told without counting


def last_spades(**changed: object) -> Deal:
    """Seat 3 has led S5, and all hearts are out. Seat 0 has SK and S2; seats 1 and 2 have two cards each, seat 3 one:
    SQ, two diamonds, two clubs."""
    hearts = " ".join(word for word in GONG_ZHU.cards if word.startswith("H"))
    held = {"SK", "S2", "D3", "D4", "C3", "C4", "SQ", "S5"}
    taken = " ".join(word for word in GONG_ZHU.cards if word not in held and word not in hearts.split())
    fields = {
        "hands": ["SK S2", "D3 D4", "C3 C4", "SQ"],
        "captured": ["", f"{taken} {hearts}", "", ""],
        "led": "SHDC",
        "trick": ["3:S5"],
    }
    return load("gong-zhu").position({**fields, **changed})


def compared(deal: Deal, play: str, other: str) -> tuple[Rollouts, KeyCard | None]:
    """What came of two plays, and on whose holding it depends."""
    game, actions = deal.game.description, first_actions(deal, [play, other])
    tried = roll_out(deal.array, deal.mover, generator(5), actions, WORLDS)
    return tried, find_key_card(game, tried, find_outcome(game, [tried], play, other), play, other)


def test_it_says_who_must_hold_the_pig() -> None:
    """After S2 seat 3 leads the pig to SK if it has it; if not, whoever has it has to win this trick with it."""
    tried, found = compared(last_spades(), "S2", "SK")
    pig = np.array([bits.has(int(world["hands"][3]), GONG_ZHU.cards.index("SQ")) for world in tried.worlds])
    assert 0.14 < pig.mean() < 0.26  # one of five cards
    assert found == KeyCard(3, "SQ", 1, float(pig.mean()), "S2", "SK", "pig", 1.0, 0.0)
    said = found.say(GONG_ZHU, "en", ["you", "Ann", "Bob", "Cid"])
    assert said == (
        f"Much depends on whether Cid holds SQ. If so (in about {100 * pig.mean():.0f}% of the deals that fit), "
        "with S2 you take the pig in 100%; if not, in 0%."
    )


def test_of_a_pig_that_all_have_seen_it_says_nothing() -> None:
    deal = last_spades(hands=["SK S2", "SQ D4", "C3 C4", "D3"], exposed="SQ")
    tried, found = compared(deal, "S2", "SK")
    contrast = find_outcome(GONG_ZHU, [tried], "S2", "SK")
    assert contrast is not None
    assert (contrast.incident, contrast.number, contrast.other_number) == ("pig", 0.0, 1.0)
    assert found is None


# In worlds made up for it


def made_up(held: NDArray[np.bool_], pigs: NDArray[np.bool_], gains: NDArray[np.float64] | None = None) -> Rollouts:
    """Worlds in which seat 2 holds SK or not, what the pig does after two plays, and what they bring."""
    worlds = np.zeros(len(held), GONG_ZHU.record)
    worlds["hands"][:, 2] = np.where(held, np.int64(1) << GONG_ZHU.cards.index("SK"), 0)
    incidents = np.zeros((len(held), 2, verbs.MOST_INCIDENTS), np.int64)
    incidents[:, :, PIG] = pigs
    return Rollouts(np.zeros((len(held), 2)) if gains is None else gains, incidents, worlds)


def some(share: float, shape: int | tuple[int, ...] = WORLDS, seed: int = 1) -> NDArray[np.bool_]:
    """True in about this share."""
    return np.random.default_rng(seed).random(shape) < share


def test_the_play_that_depends_on_it_most_is_the_one_that_is_spoken_of() -> None:
    held = some(0.4)
    pigs = np.stack([some(0.5, seed=2), np.where(held, some(0.9, seed=3), some(0.1, seed=4))], 1)
    found = find_key_card(GONG_ZHU, made_up(held, pigs), PIG_TOLD, "H9", "HQ")
    assert found is not None
    assert (found.seat, found.card, found.play, found.other) == (2, "SK", "HQ", "H9")
    shares = held.mean(), pigs[held, 1].mean(), pigs[~held, 1].mean()
    assert (found.share, found.number, found.other_number) == pytest.approx(shares)


def test_where_one_of_two_must_hold_it_the_rarer_holding_is_named() -> None:
    held = some(0.7)
    tried = made_up(held, np.stack([held, held], 1))
    tried.worlds["hands"][:, 3] = np.where(held, 0, np.int64(1) << GONG_ZHU.cards.index("SK"))
    found = find_key_card(GONG_ZHU, tried, PIG_TOLD, "H9", "HQ")
    assert found is not None
    assert found.seat == 3
    assert (found.share, found.number, found.other_number) == pytest.approx(((~held).mean(), 0, 1))


@pytest.mark.parametrize(
    ("share", "with_it", "without"),
    [
        (0.5, 0.5, 0.5),  # nothing depends on it
        (0.5, 0.6, 0.4),  # little does
        (0.04, 1.0, 0.0),  # it is rare
        (0.96, 1.0, 0.0),  # it is nearly sure
        (0.12, 0.6, 0.3),  # much else decides too
    ],
)
def test_else_nothing_is_said(share: float, with_it: float, without: float) -> None:
    held = some(share)
    pigs = np.where(held[:, None], some(with_it, (WORLDS, 2), 2), some(without, (WORLDS, 2), 3))
    assert find_key_card(GONG_ZHU, made_up(held, pigs), PIG_TOLD, "H9", "HQ") is None


def test_chance_alone_is_not_named() -> None:
    chance, named = np.random.default_rng(4), 0
    for _ in range(100):
        tried = made_up(some(0.5), chance.random((WORLDS, 2)) < 0.5)
        tried.worlds["hands"][:, 1:4] = chance.integers(0, 1 << 52, (WORLDS, 3))
        named += find_key_card(GONG_ZHU, tried, PIG_TOLD, "H9", "HQ") is not None
    assert named == 0


@pytest.mark.parametrize(
    ("with_it", "without", "said"), [(40.0, -20.0, True), (45.0, 35.0, False), (-30.0, 5.0, False)]
)
def test_without_an_incident_it_says_when_the_better_play_brings_more(
    with_it: float, without: float, said: bool
) -> None:
    """Not where both figures are about the same, nor where the play is not the better one at all."""
    held = some(0.5)
    gains = np.stack([np.where(held, with_it, without), np.zeros(WORLDS)], 1)
    found = find_key_card(GONG_ZHU, made_up(held, np.zeros((WORLDS, 2), np.bool_), gains), None, "H9", "HQ")
    assert (found is not None) == said
    if found is not None:
        assert (found.incident, found.number, found.other_number) == ("", with_it, without)
        assert found.say(GONG_ZHU, "en").endswith(
            "H9 brings +40 points on average compared with HQ; if not, −20 points."
        )


def test_of_equal_cards_it_says_how_many() -> None:
    copies = np.random.default_rng(1).integers(0, 4, WORLDS)
    worlds = np.zeros(WORLDS, SAP_NG_WU.record)
    worlds["hands"][:, 1, 3] = copies
    incidents = np.zeros((WORLDS, 2, verbs.MOST_INCIDENTS), np.int64)
    incidents[:, 0, 0] = copies >= 2
    tried = Rollouts(np.zeros((WORLDS, 2)), incidents, worlds)
    found = find_key_card(SAP_NG_WU, tried, DistinguishingOutcome("stops", "11", "pass", 0.5, 0.0), "11", "pass")
    assert found is not None
    assert (found.seat, found.card, found.copies, found.play) == (1, "13", 2, "11")
    assert (found.share, found.number, found.other_number) == pytest.approx(((copies >= 2).mean(), 1, 0))
    assert "holds at least 2 copies of 13." in found.say(SAP_NG_WU, "en")


# In real moments of every game


def counted_again(deal: Deal, tried: Rollouts, incident: int) -> dict[tuple[int, str, int, int], tuple[float, ...]]:
    """For every seat, card, number of copies and play: share, incident's shares with and without; from what each seat
    sees of its hand in each world, one by one."""
    hands = [
        [Deal(deal.game, tried.worlds[w : w + 1]).view(seat).hand() for seat in range(deal.game.seats)]
        for w in range(len(tried.worlds))
    ]
    found = {}
    for seat in range(deal.game.seats):
        for card, copies in product(deal.game.description.cards, range(1, MOST_COPIES + 1)):
            held = np.array([hand[seat].count(card) >= copies for hand in hands])
            if LEAST_LIKELY <= held.mean() <= 1 - LEAST_LIKELY:
                for play in range(2):
                    happened = tried.incidents[:, play, incident]
                    figures = (held.mean(), happened[held].mean(), happened[~held].mean())
                    found[seat, card, copies, play] = tuple(map(float, figures))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", every_game())
def test_some_shipped_problems_depend_on_a_card(name: str) -> None:
    cards = {verdict.holding.card for _, _, verdict in solved(name) if verdict.holding is not None}
    assert SAID_IN[name] in cards


@pytest.mark.slow
@pytest.mark.parametrize("name", every_game())
@pytest.mark.parametrize("said", [True, False])
def test_what_is_said_of_a_shipped_problem_is_what_one_counts(name: str, said: bool) -> None:
    """In the first that depends on a holding, and in the first that does not."""
    incidents = {each.name: k for k, each in enumerate(load(name).description.display.incidents) if not each.amount}
    for problem, deal, verdict in solved(name):
        if verdict.contrast is None or verdict.contrast.incident not in incidents or said != bool(verdict.holding):
            continue
        assert problem.solution(elsewhere(deal, 3)) == verdict  # wherever the hidden cards lie
        other = verdict.fields["other"] if verdict.play == verdict.usual else verdict.usual
        game, actions = deal.game.description, first_actions(deal, [verdict.play, other])
        tried = try_actions(game, deal.array, deal.mover, actions, (problem.seed, len(deal.history))).rollouts[-1]
        place = incidents[verdict.contrast.incident]
        counted = counted_again(deal, tried, place)
        parts = {key: explained(tried.incidents[:, key[3], place], *figures) for key, figures in counted.items()}
        if verdict.holding is None:
            assert all(part < LEAST_PART for part in parts.values())
        else:
            told = verdict.holding
            key = told.seat, told.card, told.copies, int(told.play != verdict.play)
            assert (told.share, told.number, told.other_number) == pytest.approx(counted[key])
            assert parts[key] == pytest.approx(max(parts.values()))
        return
    assert (name, said) == ("kakkuri", True)


def explained(happened: NDArray[np.int64], share: float, number: float, other_number: float) -> float:
    """The part of the variance that a holding explains; 0 where it makes no great difference."""
    if abs(number - other_number) < LEAST_DIFFERENCE:
        return 0.0
    return share * (1 - share) * (number - other_number) ** 2 / float(happened.var())


# In words


@pytest.mark.parametrize("name", names())
def test_every_holding_makes_sentences_in_every_language(name: str) -> None:
    game = description(name)
    for incident in ("", *(each.name for each in game.display.incidents)):
        for copies in (1, 3):
            holding = KeyCard(2, game.cards[0], copies, 0.41, "PLAY", "OTHER", incident, 0.88, 0.09)
            for language in LANGUAGES:
                for frame in ("hint", "review"):
                    for seat in (None, 1):
                        said = holding.say(game, language, ["Ann", "Bob", "Cid"], seat=seat, frame=frame)
                        assert not re.search(r"[{}`#@]", said)
                        assert all(part in said for part in ("Cid", game.cards[0], "41", "PLAY"))
                        assert ("3" in said) >= (copies == 3)
                        assert ("OTHER" in said) == (not incident)
                        assert ("88" in said and "9" in said) or ("0.9" in said and "0.1" in said)
