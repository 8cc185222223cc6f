"""Kakkuri: a world that a viewer imagines, dealt anew: what the contract suite has to know of the game."""

from typing import Any

import numpy as np

from tefuda.engine.bits import members_of
from tefuda.engine.playout import MOST_CHANCE
from tefuda.engine.rng import below
from tefuda.games.kakkuri.box import luck
from tefuda.games.kakkuri.state import CARDS, CEDING, CUT_ONLY, MOST_SEATS, SWAPPING
from tefuda.table.deal import Deal
from tefuda.testing import Trail

WHERE_CARDS_ARE = ("hands", "unseen", "box", "table")


def redeal(trail: Trail, moment: int, world: Any) -> Deal:
    """The deck that this world was dealt from."""
    assert trail.deal.before is not None
    before = trail.deal.before.copy()
    before["chance"], before["coming"] = int(world.chance), world.coming
    before["dealer"] = int(trail.states[0]["due"])
    return Deal(trail.game, before.copy(), first_deck(trail, moment, world), before)


def first_deck(trail: Trail, moment: int, world: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Hands as they were dealt and the first box, put together again."""
    if world.phase == CEDING:
        return np.array(box_of(world), np.int64)
    seats = trail.game.seats
    hands = hands_dealt(trail, moment, world)
    order = [(int(world.dealer) + 1 + k) % seats for k in range(seats)]
    dealt = [card for part in (slice(0, 3), slice(3, 6)) for seat in order for card in members_of(hands[seat])[part]]
    box = [] if seats == MOST_SEATS else box_from(trail, moment, world, 0)
    return np.array([*dealt, *box], np.int64)


def box_of(state: Any) -> list[int]:
    """The cards of the box, the top card first."""
    return [int(card) for card in state.box[: state.box_size][::-1]]


def hands_dealt(trail: Trail, moment: int, world: Any) -> list[int]:
    """Each seat's six cards in this world, before hands were exchanged."""
    seats, truth = range(trail.game.seats), trail.states[moment]
    if world.phase == SWAPPING:
        hands = [int(world.unseen[seat]) for seat in seats]
    else:
        hands = [int(world.hands[seat] | world.gave_up[seat]) | laid(trail, moment, seat) for seat in seats]
    for seat in reversed(swaps(trail, moment)):
        dealer = int(truth["dealer"])
        hands[seat], hands[dealer] = hands[dealer], hands[seat]
    return hands


def laid(trail: Trail, moment: int, seat: int) -> int:
    """The cards that a seat has laid so far; everybody has seen them."""
    cards = 0
    for k in range(moment):
        now, then = (trail.states[n] for n in (k, k + 1))
        if trail.movers[k] == seat and then["held"][seat] < now["held"][seat] and then["played"] >> seat & 1:
            cards |= int(now["hands"][seat] & ~then["hands"][seat])
    return cards


def swaps(trail: Trail, moment: int) -> list[int]:
    """The seats that have exchanged hands with the dealer, in their order."""
    sets = [int(state["swapped"]) for state in trail.states[: moment + 1]]
    return [members_of(after & ~before)[0] for before, after in zip(sets, sets[1:], strict=False) if after != before]


def box_from(trail: Trail, moment: int, world: Any, number: int) -> list[int]:
    """The whole box of this number in this world, top first: what was raised from it, then what is left of it."""
    raised = []
    for k in range(moment + 1):
        state, before = trail.states[k], trail.states[k - 1] if k else None
        new = before is None or state["rebuilds"] != before["rebuilds"]
        known = 0 if before is None or new else int(before["turned"])
        if state["rebuilds"] == number:
            cards = [int(card) for card in state["table"][: state["table_size"]]]
            raised += [card for card in cards if int(state["turned"]) >> card & 1 and not known >> card & 1]
    return raised + (box_of(world) if world.rebuilds == number else [])


def chance_in_play(trail: Trail, moment: int, world: Any, states: Any, made: int) -> None:
    """KK-14, KK-44: before a box is shuffled or cut, chance is to put it in the order that it has in this world."""
    states["coming"], states["chance"] = world.coming, world.chance
    if made == moment:
        return
    now, then = trail.states[made], trail.states[made + 1]
    if then["rebuilds"] > now["rebuilds"]:
        order = box_from(trail, moment, world, int(then["rebuilds"]))
        if now["rebuild"] == CUT_ONLY:
            arrange_cut(states, order)
        else:
            arrange_shuffle(states, order)
    elif (now["forced_out"] < 0 or now["gathered"].max() < 0) and then["gathered"].max() == 0:
        arrange_shuffle(states, box_from(trail, moment, world, 0))


def arrange_shuffle(states: Any, order: list[int]) -> None:
    """The next shuffle puts these cards in this order."""
    states["coming"][0] = order + [card for card in range(CARDS) if card not in order]


def arrange_cut(states: Any, order: list[int]) -> None:
    """The next cut gives this order; hands lie in the pile as they do in it."""
    first = int(states["table"][0][0])
    cut = (len(order) - order.index(first)) % len(order)
    pile = order[len(order) - cut :] + order[: len(order) - cut]
    arrange_shuffle(states, pile)
    for chance in range(MOST_CHANCE):
        states["chance"] = chance
        if below(luck(states[0]), len(order)) == cut:
            return
