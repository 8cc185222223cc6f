"""Ma Diao: full states that agree with all that one seat knows, and those in which others' throws make sense.

The unseen cards lie in slots (``engine/worlds.py``): other hands, each card that others threw, the stock.
Two options make plays tell of whole hands: silence (extraordinary_mandatory) and throws on a led suit (must_follow).

Nobody has to beat a card. But who can win a trick seldom throws a card face down instead, the less often, the fewer
tricks are left: among networks that have learned the game 39 of 100 in the first two tricks, 10 in the next two, hardly
anybody later (150 deals)."""

import numpy as np

from tefuda.engine.kit import Ints, Rng, below, bits, chance, implements, rule, verbs
from tefuda.engine.kit.session import NOBODY, begin_world, next_seat, redrawn_chance
from tefuda.engine.raw import overwrite
from tefuda.engine.worlds import Slots, add_slot, cards_by_time, could_deal_unseen, draw, empty_slots, first_slots
from tefuda.games.ma_diao.cards import FEMALE_STRIKERS, HUNDRED_CARD, PACK, is_extraordinary, suit_cards
from tefuda.games.ma_diao.rules import cards_seen, open_cards
from tefuda.games.ma_diao.state import HAND, SEATS, Answer, Phase, Side, State

KEPT_SILENT, THREW = range(2)
"""Kinds of knowledge of a hand: it is not extraordinary; the card thrown is of the led suit, or no card is."""

IN_HAND = HAND  # when a card is played that is still in hand: after every trick

MOST_SLOTS = SEATS * (HAND + 1) + 1
MOST_EVENTS = SEATS * (HAND + 1)

KIND, WHO, WHEN, SUIT, SEEN = range(5)
"""Columns of an event, what another player did that not every hand would have allowed: its kind; the player; the trick,
from 0; the cards of the led suit; cards that everybody has seen of that player, all (KEPT_SILENT) or those played later
(THREW)."""


@implements(verbs.imagine, State)
def imagine(view: State, rng: Rng, state: State) -> None:
    """A world drawn at random from those that agree with the public history and what the viewer holds."""
    begin_world(view, state)
    state.chance = redrawn_chance(view, rng, view.dealer)
    unseen = unseen_cards(view)
    slots = open_slots(view, unseen)
    draw(view, rng, unseen, slots, events_of(view))
    lay_out(view, rng, slots, state)


@rule
def unseen_cards(view: State) -> int:
    """The cards that the viewer cannot place."""
    known = open_cards(view)
    for seat in range(SEATS):
        known |= view.dealt[seat]  # what is not the viewer's is blank
    return bits.without(PACK, known)


@rule
def lay_out(view: State, rng: Rng, slots: Slots, state: State) -> None:
    """The world with these cards in the slots, and what follows from them."""
    for seat in range(SEATS):
        state.hands[seat] |= view.laid_open[seat]
    for k in range(len(slots.who)):
        if slots.who[k] == NOBODY:
            state.stock = slots.cards[k]
        elif slots.when[k] == IN_HAND:
            state.hands[slots.who[k]] |= slots.cards[k]
        else:
            state.thrown[slots.who[k], slots.when[k]] = slots.cards[k]
    if view.accuser_card == NOBODY and state.stock != bits.EMPTY:
        state.accuser_down = bits.only(bits.nth(state.stock, below(rng, bits.size(state.stock))))
        state.stock = bits.without(state.stock, state.accuser_down)
    for seat in range(SEATS):
        if seat != view.viewer:
            complete(view, rng, state, seat)


@rule
def open_slots(view: State, unseen: int) -> Slots:
    """Every place of unseen cards, how many lie there, and what cannot."""
    slots = empty_slots(MOST_SLOTS)
    n, left = 0, bits.size(unseen)
    for seat in range(SEATS):
        if seat == view.viewer:
            continue
        barred = barred_at_end(view, seat)
        for k in range(HAND):
            if is_hidden(view, seat, k):
                n = add_slot(slots, n, seat, k, 1, barred | barred_from_throw(view, seat, k))
                left -= 1
        hidden = bits.wide(view.held[seat]) - bits.size(view.laid_open[seat])
        n = add_slot(slots, n, seat, IN_HAND, hidden, barred | barred_since_throw(view, seat, HAND))
        left -= hidden
    n = add_slot(slots, n, NOBODY, IN_HAND, left, bits.EMPTY)
    return first_slots(slots, n)


@rule
def is_hidden(view: State, seat: int, k: int) -> bool:
    """True if this player threw a card in this trick that has not been turned up."""
    return view.orientation[seat, k] == Side.FACE_DOWN and view.rows[seat, k] == NOBODY


@rule
def barred_at_end(view: State, seat: int) -> int:
    """Cards that a player would have shown at the end to be paid (``rules.claims``), so that it is not theirs."""
    if view.phase != Phase.OVER or view.refuser != NOBODY:
        return bits.EMPTY
    barred = bits.wide(HUNDRED_CARD)
    return barred | FEMALE_STRIKERS if view.won[seat] == HUNDRED_CARD and view.declared == 0 else barred


@rule
def led_suit(view: State, k: int) -> int:
    """All cards of the suit that was led to this trick."""
    return suit_cards(view.rows[view.leaders[k], k])


@rule
def seen_since(view: State, seat: int, k: int) -> int:
    """The cards of this player that everybody has seen and that were in hand after trick ``k``."""
    cards = bits.wide(view.laid_open[seat])
    for later in range(k + 1, HAND):
        if view.rows[seat, later] != NOBODY:
            cards |= bits.only(view.rows[seat, later])
    return cards


@rule
def barred_from_throw(view: State, seat: int, k: int) -> int:
    """MD-26: who still had a card of the led suit threw one of them; and ``barred_since_throw``."""
    if not view.must_follow:
        return bits.EMPTY
    barred = barred_since_throw(view, seat, k)
    suit = led_suit(view, k)
    return barred | ~suit & PACK if seen_since(view, seat, k) & suit else barred


@rule
def barred_since_throw(view: State, seat: int, k: int) -> int:
    """MD-26: who threw another suit that has since been turned up had none of the led suit left before trick ``k``."""
    barred = bits.EMPTY
    if view.must_follow:
        for earlier in range(k):
            if view.orientation[seat, earlier] == Side.FACE_DOWN and view.rows[seat, earlier] != NOBODY:
                suit = led_suit(view, earlier)
                if not bits.has(suit, view.rows[seat, earlier]):
                    barred |= suit
    return barred


@rule
def events_of(view: State) -> Ints:
    """All that other players did and that bars no single cards."""
    events = np.zeros((MOST_EVENTS, 5), np.int64)
    all_silent = view.extraordinary_mandatory and view.phase != Phase.DECLARING  # MD-16: who have not declared
    n = 0
    for seat in range(SEATS):
        if seat == view.viewer:
            continue
        if all_silent and not bits.has(view.declared, seat):
            events[n, KIND], events[n, WHO], events[n, SEEN] = KEPT_SILENT, seat, cards_seen(view, seat)
            n += 1
        for k in range(HAND if view.must_follow else 0):
            if is_hidden(view, seat, k):
                events[n, KIND], events[n, WHO], events[n, WHEN] = THREW, seat, k
                events[n, SUIT], events[n, SEEN] = led_suit(view, k), seen_since(view, seat, k)
                n += 1
    return events[:n]


@implements(verbs.contradictions, State)
def contradictions(view: State, slots: Slots, events: Ints) -> int:
    """Number of events that could not have happened with these cards."""
    wrong = 0
    for k in range(len(events)):
        before, thrown, later = cards_by_time(slots, events[k, WHO], events[k, WHEN])
        rest = events[k, SEEN] | later
        if events[k, KIND] == KEPT_SILENT:
            wrong += 1 if is_extraordinary(view, before | thrown | rest) else 0
        elif thrown & events[k, SUIT] == bits.EMPTY and rest & events[k, SUIT] != bits.EMPTY:
            wrong += 1
    return wrong


@rule
def complete(view: State, rng: Rng, state: State, seat: int) -> None:
    """Set what another player was dealt, and has answered, if answers are not yet shown (MD-16)."""
    state.dealt[seat] = state.hands[seat] | cards_seen(state, seat)
    for k in range(HAND):
        state.dealt[seat] |= state.thrown[seat, k]
    if view.phase == Phase.DECLARING and (seat - view.dealer) % SEATS < view.answers:
        state.pending[seat] = Answer.SILENT
        if is_extraordinary(state, state.dealt[seat]) and (view.extraordinary_mandatory or below(rng, 2) == 1):
            state.pending[seat] = Answer.DECLARE


# Worlds in which what the others threw makes sense
TELLS_NOTHING = (50, 50, 20, 20, 5, 5, 5, 5)
"""Percentage of the worlds in which who threw in this trick may have had a card that beats."""

DRAWS = 4  # tried for a world in which the throws make sense; after that any is taken that agrees with the view


@implements(verbs.believe, State)
def believe(view: State, rng: Rng, state: State) -> None:
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
def bar_what_beats(view: State, rng: Rng, slots: Slots) -> None:
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
                    for slot in range(len(slots.who)):  # those filled in this trick or later
                        if slots.who[slot] == player and slots.when[slot] >= k:
                            slots.barred[slot] |= higher
            player = next_seat(view, player)
