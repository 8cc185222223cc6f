"""Kakkuri: the box. How it is filled, raised and rebuilt, and what everybody knows of the cards in it.

Chance during the deal lies in two hidden fields: ``coming``, the order in which the next shuffle puts the cards of the
pack, and ``chance``, from which a cut and then the next ``coming`` are drawn."""

import numpy as np

from tefuda.engine.kit import NOBODY, Ints, Rng, bits, next_seat, rule
from tefuda.engine.play import MOST_CHANCE
from tefuda.engine.rng import below, bits32, shuffle
from tefuda.games.kakkuri.plays import CARDS, NO_CARD, SUITS, rank_of
from tefuda.games.kakkuri.state import HAND, Rebuild, State

_SPREAD = np.uint64(0x19E3779B1)  # odd, and times MOST_CHANCE still below 2**63


@rule
def draw_luck(s: State) -> Rng:
    """A generator for what chance decides now. With chance 0 all that it draws is 0."""
    generator = np.empty(1, np.uint64)
    generator[0] = np.uint64(s.chance) * _SPREAD
    for _ in range(2):
        bits32(generator)
    return generator


@rule
def shuffle_coming(s: State, generator: Rng) -> None:
    """Decide the shuffle to come."""
    for card in range(CARDS):
        s.coming[card] = card
    shuffle(generator, s.coming)


@rule
def draw_coming(s: State, generator: Rng) -> None:
    """Decide the shuffle to come, and leave a number for what chance decides after it."""
    shuffle_coming(s, generator)
    s.chance = below(generator, MOST_CHANCE)


@rule
def draw_dealer(s: State, generator: Rng) -> int:
    """KK-3 to KK-5: each draws a card from the pack, again and again until they name a dealer."""
    pack, draws = np.empty(CARDS, np.int64), np.empty(s.seats, np.int64)
    while True:
        for k in range(CARDS):
            pack[k] = CARDS - 1 - k
        for seat in range(s.seats):
            chosen = below(generator, CARDS - seat)
            draws[seat] = pack[chosen] // SUITS
            pack[chosen] = pack[CARDS - 1 - seat]
        dealer = dealer_by_draws(draws)
        if dealer != NOBODY:
            return dealer


@rule
def dealer_by_draws(ranks: Ints) -> int:
    """KK-3: who has drawn the highest rank; KK-4: if several, who has the lowest; KK-5: if several again, nobody."""
    highest, lowest = ranks.max(), ranks.min()
    at_top, at_bottom, top, bottom = 0, 0, NOBODY, NOBODY
    for seat in range(len(ranks)):
        if ranks[seat] == highest:
            at_top, top = at_top + 1, seat
        if ranks[seat] == lowest:
            at_bottom, bottom = at_bottom + 1, seat
    if at_top == 1:
        return top
    return bottom if at_bottom == 1 else NOBODY


@rule
def take_top(s: State) -> int:
    """Take the top card of the box."""
    s.box_size -= 1
    card = bits.wide(s.box[s.box_size])
    s.box[s.box_size] = NO_CARD
    return card


@rule
def put_on_table(s: State, card: int, seat: int) -> None:
    """Lay a card face up on the table."""
    s.table[s.table_size] = card
    s.table_by[s.table_size] = seat
    s.table_size += 1


@rule
def face_up(s: State) -> int:
    """The cards on the table."""
    cards = bits.EMPTY
    for k in range(s.table_size):
        cards |= bits.only(s.table[k])
    return cards


@rule
def raise_box(s: State, seat: int) -> None:
    """KK-16, KK-42 to KK-44: turn the top card of the box, rebuilt if it is empty; a wild has its printed rank."""
    if s.box_size == 0:
        rebuild_box(s)
    card = take_top(s)
    note_raised(s, card)
    put_on_table(s, card, seat)
    s.turned |= bits.only(card)
    s.rank = rank_of(card)
    s.field_by = s.lap_by = seat
    s.field_raised = True
    s.asked = 0


@rule
def note_raised(s: State, card: int) -> None:
    """Note what the card tells: it was known to be in the box, or it comes from a hand that went into this box."""
    if bits.has(s.in_box, card):
        s.in_box = bits.without(s.in_box, bits.only(card))
        return
    for seat in range(s.seats):
        if s.gathered[seat] == s.rebuilds:
            s.surfaced[seat] |= bits.only(card)


@rule
def shuffle_into_box(s: State, cards: int) -> None:
    """These cards, in the order of the shuffle, are the box; the top card is the first in the order."""
    s.box_size = bits.size(cards)
    place = bits.wide(s.box_size)
    for k in range(CARDS):
        if bits.has(cards, s.coming[k]):
            place -= 1
            s.box[place] = s.coming[k]


@rule
def give_up_hand(s: State, seat: int, number: int) -> int:
    """A hand goes into the box of this number; its cards."""
    cards = s.hands[seat]
    s.gave_up[seat] = cards
    s.gathered[seat] = number
    s.hands[seat] = s.surfaced[seat] = bits.EMPTY
    s.held[seat] = 0
    return cards


@rule
def rebuild_box(s: State) -> None:
    """KK-44: all face-up cards and the hands of dropped players; shuffled, or only cut by the right-hand neighbour."""
    if s.rebuild == Rebuild.CUT_ONLY:
        for seat in range(s.seats):  # every card has been raised, and their order shows whose each was
            if s.rebuilds > 0 and s.gathered[seat] == s.rebuilds:
                s.surfaced[seat] = s.gave_up[seat]
    s.rebuilds += 1
    s.in_box = face_up(s)
    generator = draw_luck(s)
    if s.rebuild == Rebuild.CUT_ONLY:
        cut_into_box(s, generator)
    else:
        cards = bits.wide(s.in_box)
        for seat in range(s.seats):
            if is_to_gather(s, seat):
                cards |= give_up_hand(s, seat, s.rebuilds)
        shuffle_into_box(s, cards)
    draw_coming(s, generator)
    s.table[:] = NO_CARD
    s.table_by[:] = s.table_size = 0
    s.turned = bits.EMPTY


@rule
def has_left(s: State) -> bool:
    """KK-14: whether somebody has been forced out; with utazu_before_c3 they are asked for utazu before."""
    return s.forced_out != NOBODY and s.gathered[s.forced_out] != NOBODY


@rule
def is_to_gather(s: State, seat: int) -> bool:
    """KK-44: whether a dropped player's hand still lies on the table."""
    return bits.has(s.dropped, seat) and s.gathered[seat] == NOBODY


@rule
def cut_into_box(s: State, generator: Rng) -> None:
    """KK-58: face-up cards in the order in which they came, then dropped hands by seat; every cut is equally likely."""
    pile = np.empty(CARDS, np.int64)
    for k in range(CARDS):
        pile[k] = s.order[k] = s.table[k]
    n = bits.wide(s.table_size)
    for seat in range(s.seats):
        if is_to_gather(s, seat):
            n = add_hand(s, give_up_hand(s, seat, s.rebuilds), pile, n)
    s.order_size = s.box_size = n
    cut = below(generator, n)
    for k in range(n):
        s.box[n - 1 - k] = pile[(cut + k) % n]


@rule
def add_hand(s: State, cards: int, pile: Ints, n: int) -> int:
    """A dropped hand onto the pile, its cards in an order that nobody knows; how many lie there then."""
    for k in range(CARDS):
        if bits.has(cards, s.coming[k]):
            pile[n] = s.coming[k]
            n += 1
    return n


@rule
def deal_out(s: State) -> None:
    """KK-9, KK-10: from the dealer's right on three cards each, then three more; the rest is the box."""
    seat = bits.wide(s.dealer)
    for _ in range(2 * s.seats):
        seat = next_seat(s, seat)
        s.held[seat] = HAND
        for _ in range(HAND // 2):
            s.unseen[seat] |= bits.only(take_top(s))
