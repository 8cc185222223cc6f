"""Imagined worlds of Luk Fu: exactly those that the rules allow, each as likely as another."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from tefuda.engine import rng, verbs, views
from tefuda.engine.bits import members_of
from tefuda.games.luk_fu.worlds import read_history
from tefuda.table.deal import Deal
from tefuda.table.game import Game, load
from tefuda.table.reasons import IllegalPlay
from tests.engine.chance import looks_uniform

PACK = load("luk-fu").description.cards
OWN = "T9 K7 S9 C2"
HIDDEN = "T8 T7 K9 K8 S6 S5 S4 C8 C7"
SEEN = " ".join(card for card in PACK if card not in f"{OWN} {HIDDEN}".split())
PLAYS = ("1:S5", "2:~", "0:S9", "0:K7", "1:K9", "2:~")
"""~ stands for a card that seat 0 does not see."""

DRAWS_PER_WORLD = 150
"""How often each world is to come up."""


def start(game: Game, first: str, second: str) -> Deal:
    """Seat 1 leads under restriction; all but nine cards lie face up."""
    fields: dict[str, Any] = {"hands": [OWN, first, second], "faceup": SEEN, "declarer": 0, "to_move": 1}
    if game.options["old_reading"] == "public":
        fields["dealt"] = [OWN, first, second]
    return game.position(fields)


def played(deal: Deal, thrown: Iterator[str]) -> Deal | None:
    """The deal after PLAYS, or None if one of them would not have been legal."""
    for play in PLAYS:
        seat, word = int(play[0]), play[2:]
        try:
            deal.play("~" + next(thrown) if word == "~" else word, seat)
        except IllegalPlay:
            return None
    return deal


def world_key(state: Any) -> tuple[int, ...]:
    return (*map(int, state.hands), *(int(cards) for cards in state.thrown[2][:2]))


def possible_worlds(game: Game) -> set[tuple[int, ...]]:
    """Every way to lie of the cards that seat 0 does not see, tried by playing it."""
    found = set()
    hidden = [card for card in HIDDEN.split() if card not in ("S5", "K9")]
    for first_throw, second_throw, _, *rest in permutations(hidden):
        if rest[0] < rest[1] and rest[2] < rest[3]:
            hands = (" ".join(["S5", "K9", *rest[:2]]), " ".join([*rest[2:], first_throw, second_throw]))
            deal = played(start(game, *hands), iter((first_throw, second_throw)))
            if deal is not None:
                found.add(world_key(deal.state))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{}, {"old_reading": "public"}, {"old_infer": False}], ids=["private", "public", "no inference"]
)
def test_every_possible_world_is_imagined_and_no_other(options: dict[str, Any]) -> None:
    """LF-18, LF-24, LF-25, LF-26, LF-30: counted against all that could be, played through one by one."""
    game = load("luk-fu", **options)
    deal = played(start(game, "S5 S4 K9 C8", "T8 T7 K8 C7"), iter(("C7", "T7")))
    assert deal is not None
    possible = possible_worlds(game)
    view = views.observe_all(np.array([deal.state]), np.array([0]))
    world, generator, counts = np.zeros(1, view.dtype), rng.generator(7), Counter[tuple[int, ...]]()
    for _ in range(DRAWS_PER_WORLD * len(possible)):
        verbs.imagine(view[0], generator, world[0])
        counts[world_key(world[0])] += 1
    assert set(counts) == possible
    assert looks_uniform(list(counts.values()))


def test_lf_25_the_history_bars_what_was_not_beaten() -> None:
    """LF-25"""
    deal = load("luk-fu").position({"hands": ["K7 S4", "C2 C3", "C5 C6"], "trick": ["0:K6"]})
    deal.play("~C2")
    deal.play("~C5")
    view = deal.view(0).record
    bars = read_history(view).bars
    assert [PACK[card] for card in members_of(bars[1, 0])] == ["K7", "K8", "K9"]
    assert view.bounds[1].tolist() == [9, 9, 6, 9]
