"""All deals of a small pack: its orders one after the other, dealt in compiled code."""

from collections import Counter
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.raw import copy
from tefuda.engine.record import records
from tefuda.engine.verbs import rule
from tefuda.table.game import Game

MOST_ORDERS = factorial(9)
"""Orders of a pack, equal cards not told apart, of which every one is gone through."""

BLOCK = 4096
"""Orders dealt in one call."""


def count_orders(game: Game) -> int:
    """In how many orders the pack may lie; equal cards are not told apart.

    Raises:
        TefudaError: more than ``MOST_ORDERS``.
    """
    orders = factorial(len(game.pack)) // prod(map(factorial, Counter(game.pack.tolist()).values()))
    if orders > MOST_ORDERS:
        raise TefudaError(f"{game.name} has {len(game.pack)} cards, too many to go through all deals")
    return orders


def all_deals(game: Game) -> tuple[NDArray[Any], list[int]]:
    """All deals that differ, and how many orders of the pack bring each. The random number is 0 in all.

    Returns:
        records of shape (deals,), dealt, and a count for each.

    Raises:
        TefudaError: the pack has more than ``MOST_ORDERS`` orders.
    """
    orders, deck = count_orders(game), np.sort(game.pack)
    states, counts = np.repeat(game.template, min(BLOCK, orders)), Counter[bytes]()
    for first in range(0, orders, BLOCK):
        dealt = states[: orders - first]
        deal_orders(game.template, deck, dealt)
        counts.update(map(bytes, dealt.view(np.uint8).reshape(len(dealt), -1)))
    raw = np.frombuffer(b"".join(counts), np.uint8).copy()
    return records(raw, game.template.dtype, (len(counts),)), list(counts.values())


@rule
def deal_orders(template: Any, deck: Any, states: Any) -> None:
    """Deal this order of the deck, and those after it.

    Args:
        template: of shape (1,), nothing dealt.
        deck: int64 card numbers; the next order afterwards.
        states: of shape (orders,), written.
    """
    for k in range(len(states)):
        copy(template[0], states[k])
        verbs.deal(states[k], deck)
        step_order(deck)


@rule
def step_order(deck: Any) -> None:
    """The next order in the dictionary's sense; after the last one the first."""
    pivot = len(deck) - 2
    while pivot >= 0 and deck[pivot] >= deck[pivot + 1]:
        pivot -= 1
    if pivot >= 0:
        larger = len(deck) - 1
        while deck[larger] <= deck[pivot]:
            larger -= 1
        deck[pivot], deck[larger] = deck[larger], deck[pivot]
    deck[pivot + 1 :] = deck[pivot + 1 :][::-1].copy()
