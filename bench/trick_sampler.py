"""A player of Gong Zhu that looks one trick ahead, to measure others against.

It deals the cards that it has not seen at random many times. In each deal every card that it may play is played, the
others complete the trick by simple rules, and what lies in the trick counts for the side that takes it. The card with
the best mean is played. It exposes nothing.

    T=bench.trick_sampler:TrickSampler
    uv run tefuda match gong-zhu net $T net $T --set partnership=true --set exposing=false --set pig_flips=all_scoring
    uv run tefuda match gong-zhu search:100ms ${T}10 search:100ms ${T}10 …    # ten times as many deals
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.kit.french import CARDS, HEARTS, RANKS, rank_of, suit_of
from tefuda.engine.raw import copy
from tefuda.engine.rng import Rng
from tefuda.engine.verbs import rule
from tefuda.games.gong_zhu.cards import PIG, SHEEP, TRANSFORMER
from tefuda.games.gong_zhu.scoring import team
from tefuda.games.gong_zhu.state import EXPOSE, State
from tefuda.table.view import View

WORTH = np.zeros(CARDS)
"""Of each card to the side that takes it: its points; for the transformer what it costs on average."""
WORTH[[PIG, SHEEP, TRANSFORMER]] = -100, 100, -25
WORTH[HEARTS * RANKS : (HEARTS + 1) * RANKS] = 0, 0, 0, -10, -10, -10, -10, -10, -10, -20, -30, -40, -50

HEIGHT = 0.5
"""What it is worth to be rid of a card, a rank: high cards take tricks later."""


class TrickSampler:
    """Plays the card with the best mean in as many random deals as ``deals`` says."""

    deals = 1000

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """The best card of the present trick; exposes nothing."""
        if len(legal) == 1 or legal[0] >= EXPOSE:
            return legal[0]
        sums, workplace = np.zeros(len(legal)), np.zeros(2, view.array.dtype)
        try_cards(view.array, rng, self.deals, np.array(legal), workplace, np.zeros(CARDS, np.int64), sums)
        return legal[int(np.argmax(sums))]


class TrickSampler10(TrickSampler):
    """The same with ten times the deals."""

    deals = 10_000


@rule
def try_cards(views: Any, rng: Any, deals: int, tried: Any, worlds: Any, legal: Any, sums: Any) -> None:
    """Add up what each of the cards tried brings in random deals; ``worlds`` and ``legal`` are a workplace."""
    for _ in range(deals):
        verbs.imagine(views[0], rng, worlds[0])
        for k in range(len(tried)):
            copy(worlds[0], worlds[1])
            sums[k] += trick_worth(worlds[1], tried[k], legal) + HEIGHT * rank_of(tried[k])


@rule
def trick_worth(s: State, card: int, legal: Any) -> float:
    """What the trick brings the mover's side if the mover plays this card and the others go by simple rules."""
    me, number = s.turn, s.tricks
    worth = 0.0
    for k in range(s.trick_size):
        worth += float(WORTH[s.trick[k]])
    worth += float(WORTH[card])
    verbs.apply(s, card)
    while s.tricks == number:
        n = verbs.legal(s, legal)
        answer = simple_card(s, worth, legal[:n])
        worth += float(WORTH[answer])
        verbs.apply(s, answer)
    return worth if team(s, bits.wide(s.turn)) == team(s, bits.wide(me)) else -worth


@rule
def simple_card(s: State, worth: float, legal: Any) -> int:
    """Who follows ducks as high as may be, last on a harmless trick takes it as high as may be; who cannot follow
    throws what costs most."""
    best: int
    best, most = legal[0], -np.inf
    last = s.trick_size == s.seats - 1
    for card in legal:
        if suit_of(card) != suit_of(s.best_card):
            liking = -WORTH[card] + rank_of(card)
        elif card < s.best_card:
            liking = 100.0 + rank_of(card) - WORTH[card]
        elif last and worth + WORTH[card] >= 0.0:
            liking = 200.0 + rank_of(card) + WORTH[card]
        else:
            liking = -rank_of(card) + WORTH[card]
        if liking > most:
            best, most = card, liking
    return best
