"""Ma Diao: plays that the rules of thumb once made worse."""

import tefuda
from tefuda.engine import rng
from tests.golden.regenerate import hint


def test_a_sure_trick_is_not_left_for_the_sake_of_a_guard() -> None:
    """MD-24: the dealer plays last to the third trick, and TQ beats T9."""
    deal = tefuda.Session(tefuda.load("ma-diao"), seed=42).next_deal()
    generator = rng.generator((1, 1))
    while not (deal.state.number == 2 and deal.state.placed == 3):
        deal.play(hint(deal, generator))
    assert deal.mover == 0
    assert tefuda.advice(deal) == "TQ"
