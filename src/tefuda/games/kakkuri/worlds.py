"""Kakkuri: full states that agree with all that one seat knows.

Nobody has to do what they could (KK-38, KK-55), so what others have done tells nothing of their cards. What is known:
one's own cards; the cards face up; how many each holds and how many lie in the box; of a rebuilt box that the cards
which lay face up are in it until they are raised again; a seat that gave up its hand knows that those six went into the
box (KK-14, KK-44). A box that was only cut holds the gathered cards in their order, from a place that the cards raised
since show or narrow down. In a hand are known C3 before its holder leaves, and the aces of a seat that has claimed
utazu.

Unseen cards are dealt at random to the hands and to the unknown part of the box; every world is equally likely."""

import numpy as np

from tefuda.engine.kit import NOBODY, Ints, Rng, begin_world, below, bits, implements, rule, shuffle, verbs
from tefuda.engine.play import MOST_CHANCE
from tefuda.engine.worlds import could_deal_unseen, deal_unseen
from tefuda.games.kakkuri.box import face_up, has_left, shuffle_coming
from tefuda.games.kakkuri.plays import CARDS, CLUB_THREE, NO_CARD, PACK, RANKS, SUITS, UTAZU_CARDS, WILDS
from tefuda.games.kakkuri.state import HAND, MOST_SEATS, Ending, Phase, Rebuild, State

BOX = MOST_SEATS  # place of the box after those of the hands


@implements(verbs.imagine, State)
def imagine(view: State, rng: Rng, state: State) -> None:
    """Deal what the viewer has not seen; decide anew what chance will decide."""
    draw_world(view, rng, state, np.zeros(MOST_SEATS + 1, np.int64))


@implements(verbs.believe, State)
def believe(view: State, rng: Rng, state: State) -> None:
    """A seat that stopped had no natural card to lay, as a rule: laying rarely hurts."""
    barred = np.zeros(MOST_SEATS + 1, np.int64)
    for seat in range(view.seats):
        for rank in range(RANKS):
            if bits.has(view.declined[seat], rank):
                barred[seat] |= bits.without(bits.span(SUITS * rank, SUITS), WILDS)
    draw_world(view, rng, state, barred)


@rule
def draw_world(view: State, rng: Rng, state: State, barred: Ints) -> None:
    """A world in which hands do not hold the cards barred, unless there is none."""
    begin_world(view, state)
    state.chance = below(rng, MOST_CHANCE)
    shuffle_coming(state, rng)
    places = np.zeros(MOST_SEATS + 1, np.int64)
    known_box = known_in_box(view)
    deal_places(view, rng, known_box, barred, places)
    for seat in range(view.seats):
        if view.phase == Phase.SWAPPING:
            state.unseen[seat] = places[seat]
        else:
            state.hands[seat] |= places[seat]
    imagine_box(view, rng, state, known_box | places[BOX])


@rule
def known_in_box(view: State) -> int:
    """The cards that the viewer knows to be in the box: as everybody does, and what the viewer gave up."""
    cards = bits.wide(view.in_box)
    viewer = view.viewer
    if viewer >= 0 and view.gathered[viewer] == view.rebuilds:
        cards |= bits.without(view.gave_up[viewer], view.surfaced[viewer])
    return cards


@rule
def known_in_hand(view: State, seat: int) -> int:
    """The cards that everybody knows in a hand: C3 before its holder leaves (KK-14), a shown utazu (KK-22)."""
    cards = bits.EMPTY
    if seat == view.forced_out and not has_left(view):
        cards |= bits.only(CLUB_THREE)
    if view.phase == Phase.OVER and view.result == Ending.UTAZU and seat == view.winner:
        cards |= UTAZU_CARDS
    return cards


@rule
def deal_places(view: State, rng: Rng, known_box: int, barred: Ints, places: Ints) -> None:
    """Deal the unseen cards to other hands and to the unknown part of the box."""
    room = np.zeros(MOST_SEATS + 1, np.int64)
    unseen = bits.without(PACK, face_up(view) | known_box)
    for seat in range(view.seats):
        if seat == view.viewer and view.phase != Phase.SWAPPING:
            unseen = bits.without(unseen, view.hands[seat])
            continue
        places[seat] = known_in_hand(view, seat)
        unseen = bits.without(unseen, places[seat])
        room[seat] = view.held[seat] - bits.size(places[seat])
    room[BOX] = view.box_size - bits.size(known_box)
    if not could_deal_unseen(rng, unseen, room, barred, places):
        barred[:] = bits.EMPTY
        deal_unseen(rng, unseen, room, barred, places)


@rule
def shuffled(cards: int, rng: Rng) -> Ints:
    """The cards of a set in random order."""
    order = np.empty(CARDS, np.int64)
    order = order[: bits.list_into(cards, order)]
    shuffle(rng, order)
    return order


@rule
def imagine_box(view: State, rng: Rng, state: State, cards: int) -> None:
    """Put these cards into the box in an order that may be, and say which hands they came from."""
    state.box[:] = NO_CARD
    if view.rebuild == Rebuild.CUT_ONLY and view.rebuilds > 0:
        imagine_cut_box(view, rng, state, cards)
    else:
        order = shuffled(cards, rng)
        state.box[: len(order)] = order
        share_out(view, rng, state, bits.wide(view.rebuilds), bits.without(cards, view.in_box))
    for number in range(view.rebuilds):
        share_out(view, rng, state, number, bits.EMPTY)


@rule
def share_out(view: State, rng: Rng, state: State, number: int, hidden: int) -> None:
    """Say which of the hands that went into this box held the cards of them that have come up or are hidden."""
    cards = hidden
    for seat in range(view.seats):
        if view.gathered[seat] == number:
            cards |= view.surfaced[seat]
    for seat in range(view.seats):  # hands that are known: the viewer's, and with cut_only all of an earlier box
        if view.gathered[seat] == number and is_known(view, seat, number):
            state.gave_up[seat] = view.gave_up[seat] if seat == view.viewer else view.surfaced[seat]
            cards = bits.without(cards, state.gave_up[seat])
    order, k = shuffled(cards, rng), 0
    for seat in range(view.seats):
        if view.gathered[seat] == number and not is_known(view, seat, number):
            state.gave_up[seat] = bits.EMPTY
            for _ in range(min(HAND, len(order) - k)):
                state.gave_up[seat] |= bits.only(order[k])
                k += 1


@rule
def is_known(view: State, seat: int, number: int) -> bool:
    """True if the viewer knows what hand went into that box."""
    return seat == view.viewer or (view.rebuild == Rebuild.CUT_ONLY and 0 < number < view.rebuilds)


@rule
def imagine_cut_box(view: State, rng: Rng, state: State, cards: int) -> None:
    """Every place of the cut that agrees with the cards raised since is equally likely, and so is every hidden card."""
    owners, raised = np.empty(CARDS, np.int64), np.empty(CARDS, np.int64)
    list_owners(view, owners)
    gone = list_raised(view, raised)
    cut = place_of_cut(view, rng, owners, raised[:gone])
    size = bits.wide(view.order_size)
    pile = np.full(CARDS, NO_CARD, np.int64)
    for k in range(gone):
        pile[(cut + k) % size] = raised[k]
    hidden = bits.without(cards, view.in_box)
    own = bits.EMPTY
    if view.viewer >= 0:
        own = hidden & view.gave_up[view.viewer]
    put_at_random(view, rng, owners, pile, own, True)
    put_at_random(view, rng, owners, pile, bits.without(hidden, own), False)
    for seat in range(view.seats):
        if view.gathered[seat] == view.rebuilds and seat != view.viewer:
            state.gave_up[seat] = bits.EMPTY
    for place in range(size):
        seat = owners[place]
        if seat == NOBODY:
            pile[place] = view.order[place]
        elif seat != view.viewer:
            state.gave_up[seat] |= bits.only(pile[place])
    for k in range(view.box_size):
        state.box[k] = pile[(cut + size - 1 - k) % size]


@rule
def list_owners(view: State, owners: Ints) -> None:
    """The owner of the hand that each place of the gathered pile comes from; NOBODY for cards that lay face up."""
    place = 0
    while place < view.order_size and view.order[place] != NO_CARD:
        owners[place] = NOBODY
        place += 1
    for seat in range(view.seats):
        if view.gathered[seat] == view.rebuilds:
            for _ in range(HAND):
                owners[place] = seat
                place += 1


@rule
def list_raised(view: State, raised: Ints) -> int:
    """The cards raised since the box was rebuilt, in their order; how many."""
    n = 0
    for k in range(view.table_size):
        if bits.has(view.turned, view.table[k]):
            raised[n] = view.table[k]
            n += 1
    return n


@rule
def place_of_cut(view: State, rng: Rng, owners: Ints, raised: Ints) -> int:
    """The place of the pile that came to the top: one of those that may be."""
    chosen, possible = 0, 0
    for cut in range(view.order_size):
        if may_be_cut_at(view, owners, raised, cut):
            possible += 1
            if below(rng, possible) == 0:
                chosen = cut
    if possible == 0:
        raise ValueError("no box agrees with what is known")
    return chosen


@rule
def may_be_cut_at(view: State, owners: Ints, raised: Ints, cut: int) -> bool:
    """True if the cards raised since lie there: known ones in their places, others in hands, one's own in one's own."""
    for k in range(len(raised)):
        place = (cut + k) % view.order_size
        if owners[place] == NOBODY:
            if view.order[place] != raised[k]:
                return False
            continue
        for known in range(view.order_size):
            if view.order[known] == raised[k]:
                return False
        in_it = view.viewer >= 0 and view.gathered[view.viewer] == view.rebuilds
        if in_it and bits.has(view.gave_up[view.viewer], raised[k]) != (owners[place] == view.viewer):
            return False
    return True


@rule
def put_at_random(view: State, rng: Rng, owners: Ints, pile: Ints, cards: int, own: bool) -> None:
    """Put cards on the free places of the viewer's hand, or of other hands."""
    order, k = shuffled(cards, rng), 0
    for place in range(view.order_size):
        seat = owners[place]
        if k < len(order) and seat != NOBODY and pile[place] == NO_CARD and (seat == view.viewer) == own:
            pile[place] = order[k]
            k += 1
