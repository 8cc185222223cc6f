"""Imagined worlds of Sap Ng Wu: every deal of the unseen copies is as likely as another; nobody has to play (SN-17)."""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tefuda.engine import rng
from tefuda.engine.record import SPECTATOR
from tefuda.engine.views import observe_all
from tefuda.games.sap_ng_wu.plays import CARD_WORDS
from tefuda.table.deal import Deal
from tefuda.table.game import Game, load
from tefuda.testing.view_checks import imagine_each
from tests.engine.chance import looks_weighted

SUPREME = ["12", "24"]
LAID = ["12", "24"]
"""Before play, by seat 1."""

OWN = ["33", "66"]
HIDDEN = ["66", "66", "11", "45", "35", "12", "24"]
"""Three with seat 1, two with seat 2, the rest with neither."""

PLAYS = ("1:22", "2:pass", "0:33", "1:pass")
"""Others pass, willing or not; it tells nothing."""

DRAWS = 20_000


def deal_of(game: Game) -> Deal:
    """All cards but the hidden ones lie open; then PLAYS."""
    seen = Counter(dict.fromkeys(CARD_WORDS, 4)) - Counter([*HIDDEN, *LAID, *OWN, "22"])
    hands = [" ".join(OWN), " ".join(["22", *HIDDEN[:3]]), " ".join(HIDDEN[3:5])]
    won = [" ".join(seen.elements()), "", ""]
    fields: dict[str, Any] = {"hands": hands, "won": won, "supreme": ["", " ".join(LAID), ""], "declined": [5, 0, 0]}
    return game.position({**fields, "to_move": 1})


def ways_to_lie(all_laid: bool) -> Counter[tuple[tuple[int, ...], ...]]:
    """The cards of seats 1 and 2 by number, with how many ways the copies may lie so.

    Args:
        all_laid: seat 1 has kept no supreme card.
    """
    ways: Counter[tuple[tuple[int, ...], ...]] = Counter()
    places = range(len(HIDDEN))
    for first in combinations(places, 3):
        if all_laid and any(HIDDEN[k] in SUPREME for k in first):
            continue
        for second in combinations([k for k in places if k not in first], 2):
            ways[numbers(first), numbers(second)] += 1
    return ways


def numbers(places: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(CARD_WORDS.index(HIDDEN[k]) for k in places))


def imagined(deal: Deal, viewer: int, draws: int, seed: int) -> Any:
    """Hands of so many worlds, shape (draws, seats, faces)."""
    views = observe_all(np.repeat(deal.view(viewer).array, draws), np.full(draws, viewer))
    worlds = np.zeros(draws, views.dtype)
    imagine_each(views, rng.generator(seed), worlds)
    return worlds["hands"]


@pytest.mark.parametrize("supreme_partial", [True, False])
def test_every_possible_world_is_imagined_and_no_other(supreme_partial: bool) -> None:
    """SN-5, SN-17: counted against every way for the copies that seat 0 does not see."""
    deal = deal_of(load("sap-ng-wu", supreme_partial=supreme_partial))
    for play in PLAYS:
        deal.play(play[2:], int(play[0]))
    hands = imagined(deal, 0, DRAWS, 3)
    counts = Counter(tuple(tuple(np.repeat(np.arange(21), hand).tolist()) for hand in world[1:3]) for world in hands)
    ways = ways_to_lie(all_laid=not supreme_partial)
    assert set(counts) == set(ways)
    assert looks_weighted([counts[each] for each in ways], [ways[each] for each in ways])


def test_who_has_laid_all_supreme_cards_is_not_imagined_with_more() -> None:
    """SN-5 with supreme_partial = false, in whole deals."""
    game = load("sap-ng-wu", supreme_partial=False)
    for seed in range(40):
        deal = game.deal(seed)
        for _ in range(3):
            deal.play(deal.legal()[-1])
        laid = [seat for seat in range(3) if deal.state.laid[seat].any()]
        hands = imagined(deal, SPECTATOR, 20, seed)
        assert not hands[:, laid][:, :, [CARD_WORDS.index(card) for card in SUPREME]].any()
