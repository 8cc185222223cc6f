"""Imagined worlds of Gong Zhu: exactly those that the public history allows, each as likely as another."""

from collections import Counter
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest

from tefuda.engine import rng
from tefuda.engine.views import observe_all
from tefuda.table.deal import Deal
from tefuda.table.game import load
from tefuda.table.reasons import IllegalPlay
from tefuda.testing.view_checks import imagine_each
from tests.engine.chance import looks_uniform

PACK = load("gong-zhu").description.cards

DRAWS_PER_WORLD = 150
"""How often each world is to come up."""

Hands = tuple[frozenset[str], ...]


class History(NamedTuple):
    """Two tricks of public plays, as seat 0 sees them."""

    hands: list[str]
    plays: tuple[tuple[str, ...], ...]
    shown: dict[int, str]  # exposed and still in the hand of that seat
    exposed: str
    options: dict[str, bool]


FIRST_ROUNDS = History(
    ["S9 C2 S2 C3 H2", "S5 C4 HA S8 C7", "SQ D4 H7 C9 D3", "H3 D9 D2 C5 H8"],
    (
        ("1:S5", "2:SQ", "3:H3", "0:S9"),  # 2 follows with an exposed card: it has no other spade. 3 has none
        ("2:D4", "3:D9", "0:C2", "1:C4"),  # 0 and 1 have no diamond
    ),
    {1: "HA"},
    "SQ HA",
    {},
)
HEARTS_BROKEN = History(
    ["H2 H3 HQ S9 C2", "H4 HK HJ C4 D3", "SQ H7 H8 H9 H10", "H5 H6 HA D9 D2"],
    (
        ("2:H7", "3:H5", "0:H2", "1:H4"),  # 2 has nothing but hearts, and SQ, which may not be led
        ("2:H8", "3:H6", "0:H3", "1:HJ"),
    ),
    {2: "SQ"},
    "SQ",
    {"hearts_broken": True},
)


def played(history: History, hands: list[str]) -> Deal | None:
    """The deal after the plays, or None if one of them would not have been legal."""
    dealt = " ".join(history.hands).split()
    seen = " ".join(card for card in PACK if card not in dealt)
    first = int(history.plays[0][0][0])
    deal = load("gong-zhu", **history.options).position(
        {"hands": hands, "captured": [seen, "", "", ""], "exposed": history.exposed, "to_move": first}
    )
    for play in (play for trick in history.plays for play in trick):
        try:
            deal.play(play[2:], int(play[0]))
        except IllegalPlay:
            return None
    return deal


def ways_to_lie(history: History, cards: frozenset[str]) -> list[Hands]:
    """Every way for the unseen cards: three cards with each of the others, one of them shown with one."""
    found: list[Hands] = []
    shown = [frozenset(history.shown.get(seat, "").split()) for seat in (1, 2, 3)]
    for first in combinations(sorted(cards), 3 - len(shown[0])):
        rest = cards - set(first)
        for second in combinations(sorted(rest), 3 - len(shown[1])):
            left = rest - set(second)
            found.append((shown[0] | set(first), shown[1] | set(second), shown[2] | left))
    return found


def is_possible(history: History, hands: Hands) -> bool:
    """Whether the public plays would have been legal with these cards left over, tried by making them."""
    gone = [play for trick in history.plays for play in trick]
    before = [" ".join([*hands[seat - 1], *(play[2:] for play in gone if int(play[0]) == seat)]) for seat in (1, 2, 3)]
    return played(history, [history.hands[0], *before]) is not None


@pytest.mark.parametrize("history", [FIRST_ROUNDS, HEARTS_BROKEN], ids=["first rounds", "hearts broken"])
def test_every_possible_world_is_imagined_and_no_other(history: History) -> None:
    """GZ-5, GZ-8, GZ-12, GZ-13: counted against all that could be, played through one by one."""
    deal = played(history, history.hands)
    assert deal is not None
    shown = set(history.shown.values())
    left = frozenset(card for seat in (1, 2, 3) for card in deal.view(seat).to_dict()["hands"]) - shown
    possible = [hands for hands in ways_to_lie(history, left) if is_possible(history, hands)]
    assert 1 < len(possible) < len(ways_to_lie(history, left))
    draws = DRAWS_PER_WORLD * len(possible)
    views = observe_all(np.repeat(deal.view(0).array, draws), np.zeros(draws, np.int64))
    worlds = np.zeros(draws, views.dtype)
    imagine_each(views, rng.generator(7), worlds)
    numbers = {hands: tuple(sum(1 << PACK.index(card) for card in hand) for hand in hands) for hands in possible}
    counts = Counter(map(tuple, worlds["hands"][:, 1:4].tolist()))
    assert set(counts) == set(numbers.values())
    assert looks_uniform([counts[each] for each in numbers.values()])
