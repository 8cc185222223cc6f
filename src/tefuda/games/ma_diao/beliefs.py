"""Ma Diao: worlds in which what the others threw makes sense.

Nobody has to beat a card. But who can win a trick seldom throws a card face down instead, the less often, the fewer
tricks are left: among networks that have learned the game 39 of 100 in the first two tricks, 10 in the next two, hardly
anybody later (150 deals).
"""

from typing import Any

from tefuda.engine import bits, verbs
from tefuda.engine.constrained_worlds import draw
from tefuda.engine.kit.session import NOBODY, begin_world, next_seat, redrawn_chance
from tefuda.engine.raw import overwrite
from tefuda.engine.rng import chance
from tefuda.engine.verbs import implements, rule
from tefuda.engine.worlds import could_deal_unseen
from tefuda.games.ma_diao.cards import suit_cards
from tefuda.games.ma_diao.state import HAND, Side, State
from tefuda.games.ma_diao.worlds import events_of, lay_out, open_slots, seen_since, unseen_cards

TELLS_NOTHING = (50, 50, 20, 20, 5, 5, 5, 5)
"""Percentage of the worlds in which who threw in this trick may have had a card that beats."""

DRAWS = 4
"""Tried for a world in which the throws make sense; after that any is taken that agrees with the view."""


@implements(verbs.believe, State)
def believe(view: State, rng: Any, state: State) -> None:
    """A world in which most who threw a card could not have won the trick."""
    begin_world(view, state)
    state.chance = redrawn_chance(view, rng, view.dealer)
    unseen, events = unseen_cards(view), events_of(view)
    slots = open_slots(view, unseen)
    barred = slots.barred.copy()
    for _ in range(DRAWS):
        overwrite(slots.barred, barred)
        bar_what_beats(view, rng, slots)
        slots.cards[:] = bits.EMPTY
        if (
            could_deal_unseen(rng, unseen, slots.room, slots.barred, slots.cards)
            and verbs.contradictions(view, slots, events) == 0
        ):
            lay_out(view, rng, slots, state)
            return
    overwrite(slots.barred, barred)
    draw(view, rng, unseen, slots, events)
    lay_out(view, rng, slots, state)


@rule
def bar_what_beats(view: State, rng: Any, slots: Any) -> None:
    """Bar from the slots of those who threw what would have beaten, in most worlds."""
    for k in range(min(HAND, view.number + 1)):
        leader = view.leaders[k]
        if leader == NOBODY:
            continue
        best, player = bits.wide(view.rows[leader, k]), next_seat(view, leader)
        while player != leader:
            if view.orientation[player, k] == Side.FACE_UP:
                best = bits.wide(view.rows[player, k])
            elif view.orientation[player, k] == Side.FACE_DOWN and player != view.viewer:
                higher = bits.above(suit_cards(best), best)
                held_back = seen_since(view, player, k) & higher != bits.EMPTY
                if not held_back and not chance(rng, TELLS_NOTHING[k]):
                    bar_since(slots, player, k, higher)
            player = next_seat(view, player)


@rule
def bar_since(slots: Any, player: int, k: int, cards: int) -> None:
    """These cards are in no slot of the player's that was filled in trick ``k`` or later."""
    for slot in range(len(slots.who)):
        if slots.who[slot] == player and slots.when[slot] >= k:
            slots.barred[slot] |= cards
