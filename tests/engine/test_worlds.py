"""``deal_unseen``: every allocation that agrees with what is known comes up, all about equally often."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tefuda.engine import bits, rng, worlds
from tefuda.engine.verbs import rule
from tests.engine.chance import distance_by_chance, distance_from_uniform, looks_uniform

DRAWS = 40_000
NOWHERE = -1


@dataclass(frozen=True)
class Position:
    """Cards 0, 1, … to deal.

    Attributes:
        cards: how many.
        room: of each hand.
        barred: the cards that each hand cannot hold.
    """

    cards: int
    room: tuple[int, ...]
    barred: tuple[tuple[int, ...], ...]

    def arrays(self) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
        """As ``deal_unseen`` takes them."""
        return (1 << self.cards) - 1, np.array(self.room), np.array([bits.of(barred) for barred in self.barred])

    def allocations(self) -> Iterator[tuple[int, ...]]:
        """Every allocation that is possible: the hand of each card, or NOWHERE."""
        places = [NOWHERE, *range(len(self.room))]
        for holders in product(places, repeat=self.cards):
            full = all(holders.count(hand) == room for hand, room in enumerate(self.room))
            if full and not any(card in self.barred[hand] for card, hand in enumerate(holders) if hand >= 0):
                yield holders


@rule
def sample(generator: Any, cards: int, room: Any, barred: Any, drawn: Any) -> None:
    """Deal anew into every row of ``drawn``."""
    for k in range(len(drawn)):
        worlds.deal_unseen(generator, cards, room, barred, drawn[k])


@rule
def dead_ends(generator: Any, order: Any, room: Any, barred: Any, tries: int) -> int:
    """How often giving out the cards in this order comes to nothing."""
    holder = np.empty(len(order), np.int8)
    dead = 0
    for _ in range(tries):
        if worlds.give_out(generator, order, room.copy(), barred, holder) == 0.0:
            dead += 1
    return dead


def counts(position: Position, draws: int = DRAWS) -> list[int]:
    """How often each possible allocation is dealt; one that is not possible is a ``KeyError``."""
    cards, room, barred = position.arrays()
    drawn = np.zeros((draws, len(room)), np.int64)
    sample(rng.generator(1), cards, room, barred, drawn)
    found = {hands_of(holders, len(room)): 0 for holders in position.allocations()}
    for hands in map(tuple, drawn.tolist()):
        found[hands] += 1
    return list(found.values())


def hands_of(holders: Sequence[int], hands: int) -> tuple[int, ...]:
    return tuple(bits.of(card for card, holder in enumerate(holders) if holder == hand) for hand in range(hands))


EXACT = {
    "nothing barred": Position(6, (2, 2, 2), ((), (), ())),
    "nothing barred, hands of different sizes": Position(6, (1, 2, 3), ((), (), ())),
    "cards left over": Position(6, (2, 2), ((), ())),
    "one hand, cards left over": Position(5, (2,), ((),)),
    "a hand without room": Position(6, (3, 0, 3), ((), (0, 1, 2, 3, 4, 5), ())),
    "only one allocation": Position(3, (1, 1, 1), ((1, 2), (0, 2), (0, 1))),
}

CLOSE = {
    "one bar": Position(6, (2, 2, 2), ((0,), (), ())),
    "one hand lacks half": Position(6, (2, 2, 2), ((0, 1, 2), (), ())),
    "two bars": Position(6, (2, 2, 2), ((0, 1, 2), (3, 4), ())),
    "three bars": Position(6, (2, 2, 2), ((0, 1), (2, 3), (4, 5))),
    "a cycle of three": Position(6, (2, 2, 2), ((0, 3), (1, 4), (2, 5))),
    "a cycle of three, one card each": Position(3, (1, 1, 1), ((0,), (1,), (2,))),
    "bars and cards left over": Position(7, (2, 2), ((0, 1, 2), (2, 3))),
    "cards that nobody may hold": Position(6, (2, 2), ((0, 1), (0, 2))),
    "hands of different sizes": Position(7, (1, 2, 4), ((0, 1, 2), (3, 4), ())),
    "a chain": Position(5, (1, 1, 1, 1, 1), ((2, 3, 4), (3, 4), (0, 4), (0, 1), (0, 1, 2))),
}

FAR = 0.01
"""Total-variation distance beyond what chance explains, from which dealing is not called uniform."""


@pytest.mark.parametrize("position", EXACT.values(), ids=EXACT)
def test_where_nothing_is_barred_every_allocation_is_as_likely(position: Position) -> None:
    found = counts(position)
    assert len(found) == 1 or looks_uniform(found)


@pytest.mark.parametrize("position", CLOSE.values(), ids=CLOSE)
def test_where_cards_are_barred_allocations_are_about_as_likely(position: Position) -> None:
    found = counts(position)
    assert min(found) > 0
    assert distance_from_uniform(found) < distance_by_chance(len(found), DRAWS) + FAR


def test_cards_in_hand_stay() -> None:
    hands = np.array([1 << 10, 0], np.int64)
    worlds.deal_unseen(rng.generator(0), 0b11, np.array([1, 1]), np.zeros(2, np.int64), hands)
    assert hands[0] >> 10 & 1
    assert bits.size(int(hands[0])) == 2
    assert bits.size(int(hands[1])) == 1


def test_no_room_at_all_changes_nothing() -> None:
    hands = np.array([5, 2], np.int64)
    worlds.deal_unseen(rng.generator(0), 0b11000, np.zeros(2, np.int64), np.zeros(2, np.int64), hands)
    assert hands.tolist() == [5, 2]
    worlds.deal_unseen(rng.generator(0), 0, np.zeros(2, np.int64), np.zeros(2, np.int64), hands)
    assert hands.tolist() == [5, 2]


IMPOSSIBLE = {
    "nobody may hold a card that somebody needs": Position(2, (1, 1), ((0,), (0,))),
    "two hands, one card for both": Position(4, (1, 1, 2), ((1, 2, 3), (1, 2, 3), ())),
    "one hand may hold too few": Position(5, (3, 2), ((0, 1, 2), ())),
    "fewer cards than room": Position(3, (2, 2), ((), ())),
    "no cards": Position(0, (1,), ((),)),
}


@pytest.mark.parametrize("position", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_is_impossible_is_refused(position: Position) -> None:
    assert not list(position.allocations())
    cards, room, barred = position.arrays()
    for seed in range(50):
        with pytest.raises(ValueError, match="no hands agree with what is known"):
            worlds.deal_unseen(rng.generator(seed), cards, room, barred, np.zeros(len(room), np.int64))


def ladder(length: int) -> Position:
    """Card k may go to hand k or k + 1, the last only to the last: one allocation, which chance hardly ever finds."""
    barred = tuple(tuple(card for card in range(length) if hand not in (card, card + 1)) for hand in range(length))
    return Position(length, (1,) * length, barred)


def test_where_chance_comes_to_dead_ends_the_repair_finds_the_way() -> None:
    cards, room, barred = ladder(24).arrays()
    tries = 2000
    dead = dead_ends(rng.generator(2), np.arange(24), room, barred, tries)
    assert dead > 0.999 * tries
    drawn = np.zeros((500, 24), np.int64)
    sample(rng.generator(3), cards, room, barred, drawn)
    assert (drawn == 1 << np.arange(24)).all()


@pytest.mark.slow
@pytest.mark.parametrize("position", [*EXACT.values(), *CLOSE.values(), ladder(6)], ids=[*EXACT, *CLOSE, "a ladder"])
def test_repair_alone_finds_an_allocation(position: Position) -> None:
    _, room, barred = position.arrays()
    holder = np.zeros(position.cards, np.int8)
    for seed in range(30):
        order = np.arange(position.cards)
        rng.shuffle(rng.generator(seed), order)
        assert worlds.repair(order, room.copy(), barred, holder) == 1.0
        holders = dict(zip(order.tolist(), holder.tolist(), strict=True))
        assert tuple(holders[card] for card in range(position.cards)) in set(position.allocations())


@pytest.mark.parametrize("seed", range(20))
def test_a_whole_pack_with_bars_at_random(seed: int) -> None:
    """Hidden hands of 13; each is barred from what a known possible deal says it lacks, up to half of it."""
    chance = np.random.default_rng(seed)
    truth = chance.permutation(np.repeat(np.arange(4), 13))
    barred = np.array([bits.of(card for card in range(52) if truth[card] != hand and chance.random() < seed / 20)
                       for hand in range(4)])  # fmt: skip
    drawn = np.zeros((200, 4), np.int64)
    sample(rng.generator(seed), (1 << 52) - 1, np.full(4, 13), barred, drawn)
    assert (np.bitwise_count(drawn) == 13).all()
    assert (np.bitwise_or.reduce(drawn, axis=1) == (1 << 52) - 1).all()
    assert not (drawn & barred).any()
