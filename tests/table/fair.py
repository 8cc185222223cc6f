"""Deals shuffled fairly, for tests."""

from tefuda import load
from tefuda.table import shuffle
from tefuda.table.deal import Deal


def fair_deal(game_name: str = "gong-zhu", number: int = 1, plays: int = 12) -> Deal:
    """A deal from known secret and entropy, some plays made."""
    game = load(game_name)
    secret, entropy = bytes(range(32)), tuple(bytes([seat] * 16) for seat in range(game.seats))
    bound_to = shuffle.context(game, "t1", number)
    deck, chance = shuffle.shuffle(game.pack, bound_to, secret, entropy)
    deal = game.deal(0, deck=deck, chance=chance)
    deal.proof = shuffle.Proof("t1", number, shuffle.commit(bound_to, secret), secret, entropy)
    for _ in range(plays):
        deal.play(deal.legal()[0])
    return deal
