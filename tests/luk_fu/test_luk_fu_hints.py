"""Luk Fu: plays that the rules of thumb once made worse."""

import tefuda


def test_the_top_of_a_suit_is_not_thrown_if_it_takes_the_lead_back() -> None:
    """LF-31: the ones, L and the sequence of cash win only when they are led, and only T9 takes the lead back."""
    deal = tefuda.Session(tefuda.load("luk-fu"), seed=101).next_deal()
    for word in ("pass", "play", "K5+K6+K7", "~K3+S4+S8", "T2+T3+T4", "K9+S9+C9", "~T5+S3+C3"):
        deal.play(word)
    assert "T9" in deal.view(0).hand()
    assert "T9" not in tefuda.advice(deal)
