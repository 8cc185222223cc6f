"""Dealing unseen cards at random to hands that are known not to hold some of them.

Every consistent allocation should be equally likely. Where every card can go anywhere, they are shuffled and dealt.
Where some are barred, cards are given out one by one, those that fewest hands may hold first, each to a hand with room
chosen in proportion to its room. That is not quite uniform: an allocation comes up with probability inversely
proportional to the product of the rooms that each card had to choose from. So several are drawn, and each replaces the
one kept with the Metropolis probability that makes the chain's stationary distribution uniform.
"""

from typing import Any

import numpy as np

from tefuda.engine import bits
from tefuda.engine.arrays import overwrite
from tefuda.engine.rng import below, bits32, shuffle
from tefuda.engine.verbs import rule

ROUNDS = 8
"""Allocations drawn where cards are barred; measured in the tests to be close to uniform."""

IMPOSSIBLE = "no hands agree with what is known"

_MOST_CARDS = 64
_TWO_TO_32 = 4294967296.0


@rule
def deal_unseen(rng: Any, cards: int, room: Any, barred: Any, hands: Any) -> None:
    """Add ``cards`` at random to the hands that have room.

    Args:
        rng: a generator.
        cards: set of the unseen cards; those left over when all hands are full go nowhere.
        room: int64 of shape (hands,): how many each takes.
        barred: int64 of shape (hands,): sets of cards that each cannot hold.
        hands: int64 of shape (hands,): sets of cards, added to.

    Raises:
        ValueError: no allocation is possible.
    """
    if not could_deal_unseen(rng, cards, room, barred, hands):
        raise ValueError(IMPOSSIBLE)


@rule
def could_deal_unseen(rng: Any, cards: int, room: Any, barred: Any, hands: Any) -> bool:
    """``deal_unseen``, or, if no allocation is possible, nothing: whether there was one."""
    order = np.empty(_MOST_CARDS, np.int64)
    if not anything_barred(cards, room, barred):
        return deal_out(rng, cards, room, order, hands)
    n = most_barred_first(rng, cards, room, barred, order)
    holder = np.empty(n, np.int8)
    left = room.copy()
    weight = give_out(rng, order[:n], left, barred, holder)
    drawn = np.empty(n, np.int8)
    for _ in range(ROUNDS):
        overwrite(left, room)
        other = give_out(rng, order[:n], left, barred, drawn)
        if bits32(rng) * weight < other * _TWO_TO_32:
            weight = other
            overwrite(holder, drawn)
    if weight == 0.0:
        overwrite(left, room)
        weight = repair(order[:n], left, barred, holder)
        if weight == 0.0:
            return False
    for k in range(n):
        if holder[k] >= 0:
            hands[holder[k]] |= bits.only(order[k])
    return True


@rule
def deal_out(rng: Any, cards: int, room: Any, order: Any, hands: Any) -> bool:
    """Where any card can go anywhere: shuffle, and deal, if there are enough."""
    n = bits.list_into(cards, order)
    if room.sum() > n:
        return False
    shuffle(rng, order[:n])
    k = 0
    for hand in range(len(room)):
        for _ in range(room[hand]):
            hands[hand] |= bits.only(order[k])
            k += 1
    return True


@rule
def anything_barred(cards: int, room: Any, barred: Any) -> bool:
    """Whether a hand with room cannot hold one of these cards."""
    for hand in range(len(room)):
        if room[hand] > 0 and cards & barred[hand]:
            return True
    return False


@rule
def most_barred_first(rng: Any, cards: int, room: Any, barred: Any, order: Any) -> int:
    """Write the cards, shuffled, those with the least room in hands that may hold them first; how many there are."""
    n = bits.list_into(cards, order)
    shuffle(rng, order[:n])
    choice = np.empty(n, np.int64)
    for k in range(n):
        choice[k] = room_for(order[k], room, barred)
    for k in range(1, n):  # insertion sort: keeps the shuffled order among equals
        card, size = order[k], choice[k]
        j = k
        while j > 0 and choice[j - 1] > size:
            order[j], choice[j] = order[j - 1], choice[j - 1]
            j -= 1
        order[j], choice[j] = card, size
    return n


@rule
def room_for(card: int, left: Any, barred: Any) -> int:
    """How much room there is for this card."""
    total = 0
    for hand in range(len(left)):
        if not bits.has(barred[hand], card):
            total += left[hand]
    return total


@rule
def give_out(rng: Any, order: Any, left: Any, barred: Any, holder: Any) -> float:
    """One allocation: ``holder[k]`` becomes the hand of ``order[k]``, −1 for nowhere.

    Returns:
        Its weight (1 / probability up to a constant), 0 if it came to a dead end: a hand was left short.
    """
    spare = len(order)
    for hand in range(len(left)):
        spare -= left[hand]
    weight = 1.0 if spare >= 0 else 0.0
    for k in range(len(order)):
        choice = room_for(order[k], left, barred)
        if choice + spare <= 0:
            return 0.0
        ticket = below(rng, choice + spare)
        weight *= (choice + spare) / len(order)
        holder[k] = -1
        for hand in range(len(left)):
            if not bits.has(barred[hand], order[k]):
                if ticket < left[hand]:
                    holder[k] = hand
                    left[hand] -= 1
                    break
                ticket -= left[hand]
        if holder[k] < 0:
            spare -= 1
    return weight


@rule
def repair(order: Any, left: Any, barred: Any, holder: Any) -> float:
    """An allocation without chance, where chance found none: fill each place along a path of moves; 0 if impossible."""
    holder[:] = -1
    for hand in range(len(left)):
        while left[hand] > 0:
            if not find_card(hand, order, barred, holder):
                return 0.0
            left[hand] -= 1
    return 1.0


@rule
def find_card(needy: int, order: Any, barred: Any, holder: Any) -> bool:
    """Give one more card to a hand, from nowhere or along a chain of hands that each pass one on (breadth first)."""
    hands = len(barred)
    passed = np.full(hands, -1, np.int64)  # the card that a hand passes on
    receiver = np.full(hands, -1, np.int64)
    queue = np.empty(hands, np.int64)
    queue[0] = needy
    reached, size = bits.only(needy), 1
    for place in range(hands):
        if place >= size:
            return False
        taker = queue[place]
        for k in range(len(order)):
            if bits.has(barred[taker], order[k]):
                continue
            if holder[k] < 0:
                holder[k] = taker
                while taker != needy:
                    holder[passed[taker]] = receiver[taker]
                    taker = receiver[taker]
                return True
            giver = holder[k]
            if not bits.has(reached, giver):
                reached |= bits.only(giver)
                passed[giver], receiver[giver] = k, taker
                queue[size] = giver
                size += 1
    return False
