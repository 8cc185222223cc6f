"""What networks are told of a play in Kakkuri."""

from typing import Any

import numpy as np
import pytest

from tefuda.engine import verbs
from tefuda.engine.rng import below, generator
from tefuda.games.kakkuri.hints import FEATURES
from tefuda.table.deal import Deal
from tefuda.table.game import load

SIZE = sum(size for _, size in FEATURES)


def place(name: str) -> slice:
    """Where a feature stands."""
    start = 0
    for known, size in FEATURES:
        if known == name:
            return slice(start, start + size)
        start += size
    raise KeyError(name)


def told(deal: Deal, advised: str, play: str) -> dict[str, Any]:
    """What is told of a play, by name."""
    out = np.zeros(SIZE, np.int8)
    first, other = (deal.game.description.notation.actions(deal.array, word)[0] for word in (advised, play))
    assert verbs.features(deal.view(deal.mover).record, first, other, out)
    found = {name: out[place(name)].tolist() for name, _ in FEATURES}
    return {name: numbers[0] if len(numbers) == 1 else numbers for name, numbers in found.items()}


def test_goes_after_a_play_and_after_all_that_could_follow_it() -> None:
    hands = ["C6 D7 S8 HQ H2 D4", "", "", "", ""]
    deal = load("kakkuri").position({"hands": hands, "field": "C5", "to_move": 0})
    laid, ended = told(deal, "C6", "C6"), told(deal, "C6", "end")
    assert laid["play is advised"] == 1
    assert ended["play is advised"] == 0
    assert laid["advised: goes"] == laid["play: goes"] == ended["advised: goes"]
    assert laid["play: least"] < laid["play: goes"]
    assert ended["play: goes"] == ended["play: least"] == ended["goes"]
    assert ended["play less advised: goes, least"] == [
        ended["goes"] - laid["play: goes"],
        ended["goes"] - laid["play: least"],
    ]
    assert (laid["play: left"], ended["play: left"]) == (5, 6)
    assert laid["play: rank"].index(1) == 5  # a six
    assert sum(ended["play: rank"]) == 0
    assert laid["play: kind"].index(1) == 0
    assert ended["play: kind"].index(1) == 3


def test_a_hand_that_can_run_out_needs_no_goes() -> None:
    deal = load("kakkuri").position({"hands": ["C6 D7", "S2", "S3", "S4", "S6"], "field": "C5", "to_move": 0})
    found = told(deal, "C6", "C6")
    assert found["play: least"] == 0
    assert found["play: out"] == 0
    deal.play("C6")
    assert told(deal, "D7", "D7")["play: out"] == 1


def test_cards_seen_are_counted_by_rank() -> None:
    deal = load("kakkuri").position({"hands": ["C6 D7 CA", "S2", "S3", "S4", "S6"], "field": "C5", "to_move": 0})
    found = told(deal, "C6", "CA=6")
    assert found["unseen"] == [3, 4, 4, 4, 3, 3, 3, 4, 4, 4, 4, 4]
    assert found["hand"] == [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    assert (found["wilds"], found["advised: wilds"], found["play: wilds"]) == ([1, 0], 0, 1)
    assert found["play: unseen"] == 3
    assert found["play: followers"] == 4
    assert found["held"] == [3, 1, 1, 1, 1]


def test_where_others_stopped_and_which_wilds_may_come() -> None:
    hands = ["C6 D7 D2", "C7 S8", "S2", "S3", "S4"]
    deal = load("kakkuri").position({"hands": hands, "field": "C5", "to_move": 0})
    deal.play("C6")
    deal.play("end")
    deal.play("end")  # seat 1 might have laid a seven
    found = told(deal, "end", "end")  # by seat 2, which holds no wild
    assert found["unseen wilds"] == [1, 1]
    stopped = np.reshape(found["declined ranks"], (4, 12))
    assert np.argwhere(stopped).tolist() == [[2, 6], [3, 6]]  # seats 0 and 1, a seven
    assert found["declined"] == stopped.sum(1).tolist()


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_a_view_is_enough(seats: int) -> None:
    """At every moment of deals played at random: the same from the view as from the state; nothing in other phases."""
    game, rng, asked = load("kakkuri", seats), generator((5, seats)), 0
    for number in range(10):
        deal = game.deal(number)
        while not deal.over:
            legal = deal.legal_actions()
            advised = int(verbs.advise(deal.state, generator(0)))
            for action in legal:
                found = np.zeros((2, SIZE), np.int8)
                answers = [
                    verbs.features(record, advised, action, out)
                    for record, out in zip((deal.state, deal.view(deal.mover).record), found, strict=True)
                ]
                assert answers[0] == answers[1]
                assert answers[0] or not found.any()
                np.testing.assert_array_equal(*found)
                asked += answers[0]
            deal.act(legal[below(rng, len(legal))])
    assert asked > 50
