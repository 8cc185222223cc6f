"""Gong Zhu: full states that agree with all that one seat knows."""

from tefuda.engine.kit import Rng, begin_world, below, bits, implements, redrawn_chance, rule, verbs
from tefuda.engine.kit.tricks import imagine_hands, unplayed
from tefuda.games.gong_zhu.cards import EXPOSABLE_CARDS, FULL_TABLE
from tefuda.games.gong_zhu.rules import asks_exposing, may_expose
from tefuda.games.gong_zhu.scoring import deck_in_use
from tefuda.games.gong_zhu.state import ALWAYS_OPEN, ExposeOrder, Phase, State


@implements(verbs.imagine, State)
def imagine(view: State, rng: Rng, state: State) -> None:
    """Deal the cards that the viewer has not seen to the other hands, and choose what others have chosen unseen."""
    begin_world(view, state)
    state.chance = redrawn_chance(view, rng, view.leads_first)
    imagine_hands(view, rng, state, bits.without(deck_in_use(view), known_aside(view)))
    state.aside = unplayed(view, deck_in_use(view))
    for seat in range(view.seats):
        state.aside = bits.without(state.aside, state.hands[seat])
    if view.phase == Phase.EXPOSING and view.expose_order == ExposeOrder.SIMULTANEOUS:
        imagine_pending(view, rng, state)


@rule
def known_aside(s: State) -> int:
    """Cards in no hand of the miniature: those always open (GZ-5) that are not, and with forced_fourth_exposure a
    fourth that did not open beside three others."""
    closed = bits.without(EXPOSABLE_CARDS, s.exposed)
    forced = s.seats < FULL_TABLE and s.forced_fourth_exposure and asks_exposing(s) and s.phase == Phase.PLAYING
    return closed if forced and bits.size(closed) == 1 else closed & ALWAYS_OPEN[s.always_open]


@rule
def imagine_pending(view: State, rng: Rng, state: State) -> None:
    """GZ-7: those who have already chosen, the viewer apart, chose any of what they may expose."""
    for k in range(view.answers):
        seat = (view.leads_first + k) % view.seats
        if seat != view.viewer:
            state.pending[seat] = bits.EMPTY
            cards = may_expose(state, seat)
            while cards != bits.EMPTY:
                if below(rng, 2) == 1:
                    state.pending[seat] |= bits.only(bits.lowest(cards))
                cards = bits.without_lowest(cards)
