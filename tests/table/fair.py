"""Deals shuffled fairly, for tests."""

from tefuda import load
from tefuda.bots.players import bot, choose_play
from tefuda.table import shuffle
from tefuda.table.deal import Deal
from tefuda.table.record_lines import write_deals

HINTS = bot("hints")


def fair_deal(game_name: str = "gong-zhu", number: int = 1, plays: int = 12) -> Deal:
    """A deal from known secret and entropy, some plays made."""
    game = load(game_name)
    secret, entropy = bytes(range(32)), tuple(bytes([seat] * 16) for seat in range(game.seats))
    bound_to = shuffle.context(game, "t1", number)
    deck, chance = shuffle.shuffle(game.pack, bound_to, secret, entropy)
    proof = shuffle.Proof("t1", number, shuffle.commit(bound_to, secret), secret, entropy)
    deal = game.deal(0, deck=deck, chance=chance, proof=proof)
    for _ in range(plays):
        deal.play(deal.legal()[0])
    return deal


def fair_record(game_name: str = "gong-zhu", deals: int = 2) -> str:
    """The record of finished deals that follow each other, as a server writes it."""
    game, dealt = load(game_name), list[Deal]()
    for number in range(1, deals + 1):
        secret, entropy = bytes([number] * 32), tuple(bytes([seat] * 16) for seat in range(game.seats))
        bound_to = shuffle.context(game, "t1/1", number)
        deck, chance = shuffle.shuffle(game.pack, bound_to, secret, entropy)
        proof = shuffle.Proof("t1/1", number, shuffle.commit(bound_to, secret), secret, entropy)
        before = dealt[-1].following() if dealt else None
        deal = game.deal(0, deck=deck, chance=chance, before=before, proof=proof)
        while not deal.over:
            choose_play(HINTS, deal, number)
        dealt.append(deal)
    return write_deals(game, dealt, [f"player {seat}" for seat in range(game.seats)])
