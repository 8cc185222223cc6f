"""Ma Diao: worlds in which what the others threw makes sense."""

import numpy as np
import pytest

from tefuda.engine import bits, rng, verbs
from tefuda.games.ma_diao.cards import suit_cards
from tefuda.table.deal import Deal
from tefuda.table.game import load

WORLDS = 60
DEALS = 8


def after_throws(seed: int, tricks: int) -> Deal:
    """Rules of thumb have played so many tricks; somebody leads."""
    deal, hints = load("ma-diao").deal(seed), rng.generator(seed)
    while deal.state.number < tricks or deal.state.placed > 0:
        deal.act(int(verbs.advise(deal.view(deal.mover).record, hints)))
    return deal


def share_that_could_beat(deal: Deal, draw: verbs.AnyVerb) -> float:
    """Of the throws by others, in worlds drawn from what the leader sees, those of players who could have beaten."""
    view, generator, world = deal.view(deal.mover).array, rng.generator(5), np.zeros(1, deal.state.dtype)
    could = throws = 0
    for _ in range(WORLDS):
        draw(view[0], generator, world[0])
        for k in range(int(world[0].number)):
            best, player = -1, int(world[0].leaders[k])
            for _ in range(4):
                if world[0].orientation[player, k] == 1:
                    best = int(world[0].rows[player, k])
                elif player != deal.mover:
                    held = int(world[0].hands[player]) | int(world[0].thrown[player, k])
                    could += bits.above(held & suit_cards(best), best) != 0
                    throws += 1
                player = (player + 1) % 4
    return could / throws


@pytest.mark.slow
def test_who_threw_could_seldom_have_won_the_trick() -> None:
    """MD-25: they need not win it; of the worlds that merely agree with the view, more are like that."""
    deals = [after_throws(seed, 5) for seed in range(DEALS)]
    believed, any_world = (
        sum(share_that_could_beat(deal, draw) for deal in deals) for draw in (verbs.believe, verbs.imagine)
    )
    assert believed < 0.4 * any_world


def test_where_no_hands_make_sense_any_world_will_do() -> None:
    """Worlds agree with the view after every trick, whoever looks."""
    for tricks in range(8):
        deal, world = after_throws(tricks, tricks), np.zeros(1, load("ma-diao").template.dtype)
        for seat in range(4):
            seen = deal.view(seat)
            verbs.believe(seen.array[0], rng.generator(tricks), world[0])
            assert Deal(deal.game, world.copy(), None, None).view(seat).array.tobytes() == seen.array.tobytes()
