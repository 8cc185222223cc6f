"""Kakkuri: a world that a viewer imagines, dealt anew: what the contract suite has to know of the game."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tefuda.engine.bits import members_of
from tefuda.engine.play import MOST_CHANCE
from tefuda.engine.rng import below
from tefuda.games.kakkuri.box import draw_luck
from tefuda.games.kakkuri.plays import CARDS, CARDS_OF, STEPS, SWAP
from tefuda.games.kakkuri.state import MOST_SEATS, Phase, Rebuild, State
from tefuda.table.deal import Deal
from tefuda.testing import Playout

WHERE_CARDS_ARE = ("hands", "unseen", "box", "table")


def redeal(played: Playout, moment: int, world: Any) -> Deal:
    """The deck that this world was dealt from."""
    assert played.deal.before is not None
    before = played.deal.before.copy()
    before["chance"], before["coming"] = int(world.chance), world.coming
    before["dealer"] = int(played.states[0]["due"])
    if played.states["gathered"][0].max() == 0:  # KK-14: without fuwaru the holder of C3 has left at once
        before["coming"] = shuffle_to(box_from(played, moment, world, 0))
    return Deal(played.game, before.copy(), first_deck(played, moment, world), before)


def first_deck(played: Playout, moment: int, world: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Hands as they were dealt and the first box, put together again."""
    if world.phase == Phase.CEDING:
        return np.array(box_of(world), np.int64)
    seats = played.game.seats
    hands = hands_dealt(played, moment, world)
    order = [(int(world.dealer) + 1 + k) % seats for k in range(seats)]
    dealt = [card for part in (slice(0, 3), slice(3, 6)) for seat in order for card in members_of(hands[seat])[part]]
    box = [] if seats == MOST_SEATS else box_from(played, moment, world, 0)
    return np.array([*dealt, *box], np.int64)


def box_of(state: Any) -> list[int]:
    """The cards of the box, the top card first."""
    return [int(card) for card in state.box[: state.box_size][::-1]]


def hands_dealt(played: Playout, moment: int, world: Any) -> list[int]:
    """Each seat's six cards in this world, before hands were exchanged."""
    seats, truth = range(played.game.seats), played.states[moment]
    if world.phase == Phase.SWAPPING:
        hands = [int(world.unseen[seat]) for seat in seats]
    else:
        hands = [int(world.hands[seat] | world.gave_up[seat]) | laid(played, moment, seat) for seat in seats]
    for seat in reversed(swaps(played, moment)):
        dealer = int(truth["dealer"])
        hands[seat], hands[dealer] = hands[dealer], hands[seat]
    return hands


def laid(played: Playout, moment: int, seat: int) -> int:
    """The cards that a seat has laid so far; everybody has seen them."""
    actions = played.actions[:moment][played.movers[:moment] == seat]
    return int(np.bitwise_or.reduce(CARDS_OF[actions[actions < STEPS]]))


def swaps(played: Playout, moment: int) -> list[int]:
    """The seats that have exchanged hands with the dealer, in their order."""
    return [int(seat) for seat in played.movers[:moment][played.actions[:moment] == SWAP]]


def box_from(played: Playout, moment: int, world: Any, number: int) -> list[int]:
    """The whole box of this number in this world, top first: what was raised from it, then what is left of it."""
    states = played.states[: moment + 1]
    turned = states["turned"][states["rebuilds"] == number]
    before = np.concatenate(([0], turned[:-1]))
    raised = [members_of(cards)[0] for cards in turned & ~before if cards]
    return raised + (box_of(world) if world.rebuilds == number else [])


def chance_in_play(played: Playout, moment: int, world: Any) -> dict[int, Mapping[str, Any]]:
    """KK-14, KK-44: before a box is shuffled or cut, chance is to put it in the order that it has in this world."""
    to_come = {"coming": world.coming, "chance": world.chance}
    decided: dict[int, Mapping[str, Any]] = {0: to_come, moment: to_come}
    states = played.states[: moment + 1]
    for made in np.flatnonzero(np.diff(states["rebuilds"])).tolist():
        decided[made] = {**to_come, **rebuilding(played, moment, world, made)}
        decided[made + 1] = to_come
    for made in np.flatnonzero(np.diff(states["gathered"].max(axis=1) >= 0)).tolist():
        if states["rebuilds"][made + 1] == 0:
            decided[made] = {**to_come, "coming": shuffle_to(box_from(played, moment, world, 0))}
            decided[made + 1] = to_come
    return decided


def shuffle_to(order: list[int]) -> list[int]:
    """The shuffle that puts these cards in this order."""
    return order + [card for card in range(CARDS) if card not in order]


def rebuilding(played: Playout, moment: int, world: Any, made: int) -> dict[str, Any]:
    """The shuffle, or the cut, that rebuilds the box with the next action."""
    order = box_from(played, moment, world, int(played.states["rebuilds"][made + 1]))
    if played.states["rebuild"][made] != Rebuild.CUT_ONLY:
        return {"coming": shuffle_to(order)}
    cut = -order.index(int(played.states["table"][made, 0])) % len(order)
    pile = order[len(order) - cut :] + order[: len(order) - cut]  # hands lie in it as they do in the box
    return {"coming": shuffle_to(pile), "chance": chance_for(cut, len(order))}


def chance_for(cut: int, cards: int) -> int:
    """A number with which so many cards are cut at this place."""
    state = np.zeros(1, State.RECORD)
    for chance in range(MOST_CHANCE):
        state["chance"] = chance
        if below(draw_luck(state[0]), cards) == cut:
            return chance
    raise AssertionError(f"no cut of {cards} cards at {cut}")
