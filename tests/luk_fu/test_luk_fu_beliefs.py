"""Luk Fu: worlds in which the others' declarations make sense."""

import numpy as np

from tefuda.engine import bits, rng, verbs
from tefuda.games.luk_fu.cards import PACK
from tefuda.games.luk_fu.hints import Holding, declares
from tefuda.games.luk_fu.state import Phase
from tefuda.table.deal import Deal
from tefuda.table.game import load

WORLDS = 300


def sensible(start: Deal, deal: Deal, draw: verbs.AnyVerb) -> int:
    """In how many worlds, of those drawn from what the leader sees, both others would have declared as they have."""
    view, generator, world = deal.view(deal.mover).array, rng.generator(5), np.zeros(1, deal.state.dtype)
    count = 0
    for _ in range(WORLDS):
        draw(view[0], generator, world[0])
        count += all(
            declares(start.state, Holding(seat, int(world[0].dealt[seat]), everything_but(int(world[0].dealt[seat]))))
            == (seat == deal.state.declarer)
            for seat in range(3)
            if seat != deal.mover and (seat - deal.state.eldest) % 3 < deal.state.answers
        )
    return count


def everything_but(cards: int) -> int:
    return int(bits.without(PACK, cards))


def test_who_said_play_has_a_hand_for_it_and_who_passed_has_none() -> None:
    """LF-9: by what a beginner is taught; eldest holds much, so not every world of the view is like that."""
    start, deal = load("luk-fu").deal(103), load("luk-fu").deal(103)
    deal.play("pass")
    deal.play("play")
    assert deal.state.phase != Phase.DECLARING
    assert sensible(start, deal, verbs.believe) > 0.9 * WORLDS
    assert sensible(start, deal, verbs.imagine) < 0.9 * WORLDS


def test_where_nothing_makes_sense_any_world_will_do() -> None:
    """Three players cannot all hold poor hands beside mine: those who passed are believed no more."""
    deal = load("luk-fu").deal(3)
    deal.play("pass")
    deal.play("pass")
    world = np.zeros(1, deal.state.dtype)
    verbs.believe(deal.view(deal.mover).array[0], rng.generator(1), world[0])
    assert bits.size(int(world[0].hands[0]) | int(world[0].hands[1]) | int(world[0].hands[2])) == 36
