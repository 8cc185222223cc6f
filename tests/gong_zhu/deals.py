"""What tests read of Gong Zhu deals that are played at random."""

import random
from collections.abc import Callable, Iterator

from tefuda.table.deal import Deal

Walk = Callable[..., Iterator[Deal]]

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
KEY_CARDS = ("SQ", "HA", "DJ", "C10")
POINT_CARDS = {"SQ", "DJ", "C10"} | {"H" + rank for rank in RANKS}


def hands_of(deal: Deal) -> list[set[str]]:
    """All hands, each from its owner's view."""
    return [set(deal.view(seat).to_dict()["hands"]) for seat in range(deal.game.seats)]


def captures_of(deal: Deal) -> list[set[str]]:
    return [set(cards) for cards in deal.view(-1).to_dict()["won"]]


def exposed_in(deal: Deal) -> set[str]:
    return set(deal.view(-1).to_dict()["exposed"])


def finish(deal: Deal, chance: random.Random, walk: Walk) -> Deal:
    for _ in walk(deal, chance):
        pass
    return deal
