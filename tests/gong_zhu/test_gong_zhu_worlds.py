"""Imagined worlds of Gong Zhu: exactly those that the public history allows, each as likely as another."""

from collections import Counter
from itertools import combinations

import numpy as np

from tefuda.engine import rng
from tefuda.engine.views import observe_all
from tefuda.table.deal import Deal
from tefuda.table.game import load
from tefuda.table.reasons import IllegalPlay
from tefuda.testing.view_checks import imagine_each
from tests.engine.chance import looks_uniform

GAME = load("gong-zhu")
PACK = GAME.description.cards

HANDS = ["S9 C2 S2 C3 H2", "S5 C4 HA S8 C7", "SQ D4 H7 C9 D3", "H3 D9 D2 C5 H8"]
SEEN = " ".join(card for card in PACK if card not in " ".join(HANDS).split())
PLAYS = (
    ("1:S5", "2:SQ", "3:H3", "0:S9"),  # 2 follows with an exposed card: it has no other spade. 3 has none
    ("2:D4", "3:D9", "0:C2", "1:C4"),  # 0 and 1 have no diamond
)
SHOWN = "HA"
"""Exposed and still in the hand of seat 1."""

DRAWS_PER_WORLD = 150
"""How often each world is to come up."""

Hands = tuple[frozenset[str], ...]


def played(hands: list[str]) -> Deal | None:
    """The deal after PLAYS, or None if one of them would not have been legal."""
    deal = GAME.position({"hands": hands, "captured": [SEEN, "", "", ""], "exposed": "SQ HA", "to_move": 1})
    for play in (play for trick in PLAYS for play in trick):
        try:
            deal.play(play[2:], int(play[0]))
        except IllegalPlay:
            return None
    return deal


def ways_to_lie(cards: frozenset[str]) -> list[Hands]:
    """Every way for the unseen cards: two with seat 1 beside the one shown, three each with seats 2 and 3."""
    found: list[Hands] = []
    for first in combinations(sorted(cards), 2):
        rest = cards - set(first)
        for second in combinations(sorted(rest), 3):
            found.append((frozenset({SHOWN, *first}), frozenset(second), rest - set(second)))
    return found


def is_possible(hands: Hands) -> bool:
    """Whether the public plays would have been legal with these cards left over, tried by making them."""
    gone = [play for trick in PLAYS for play in trick]
    before = [" ".join([*hands[seat - 1], *(play[2:] for play in gone if int(play[0]) == seat)]) for seat in (1, 2, 3)]
    return played([HANDS[0], *before]) is not None


def test_every_possible_world_is_imagined_and_no_other() -> None:
    """GZ-5, GZ-8, GZ-12: counted against all that could be, played through one by one."""
    deal = played(HANDS)
    assert deal is not None
    left = frozenset(card for seat in (1, 2, 3) for card in deal.view(seat).to_dict()["hands"]) - {SHOWN}
    possible = [hands for hands in ways_to_lie(left) if is_possible(hands)]
    assert 1 < len(possible) < len(ways_to_lie(left))
    draws = DRAWS_PER_WORLD * len(possible)
    views = observe_all(np.repeat(deal.view(0).array, draws), np.zeros(draws, np.int64))
    worlds = np.zeros(draws, views.dtype)
    imagine_each(views, rng.generator(7), worlds)
    numbers = {hands: tuple(sum(1 << PACK.index(card) for card in hand) for hand in hands) for hands in possible}
    counts = Counter(map(tuple, worlds["hands"][:, 1:4].tolist()))
    assert set(counts) == set(numbers.values())
    assert looks_uniform([counts[each] for each in numbers.values()])
