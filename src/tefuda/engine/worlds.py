"""Dealing unseen cards at random to hands that are known not to hold some of them.

Every consistent allocation should be equally likely. Where every card can go anywhere, they are shuffled and dealt.
Where some are barred, cards are given out one by one, those that fewest hands may hold first, each to a hand with room
chosen in proportion to its room. That is not quite uniform: an allocation comes up with probability inversely
proportional to the product of the rooms that each card had to choose from. So several are drawn, and each replaces the
one kept with the Metropolis probability that makes the chain's stationary distribution uniform.

Other knowledge is about whole hands: what a player did was possible with this hand only. There unseen cards lie in
*slots* (a hand, a card thrown face down), and a game says how many such *events* a world contradicts (the verb
``contradictions``). A few worlds are drawn and the first that agrees is taken: that is exactly uniform. If none does,
one is mended by swapping cards until it agrees, and then stirred by swaps that keep it so: a Markov chain whose
stationary distribution is uniform over all worlds that agree."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits, verbs
from tefuda.engine.raw import overwrite
from tefuda.engine.record import Ints, Rng, StateRecord
from tefuda.engine.rng import below, bits32, chance, shuffle
from tefuda.engine.verbs import rule

ROUNDS = 8  #: allocations drawn where cards are barred; measured in the tests to be close to uniform
DRAWS = 6  #: worlds drawn before one is mended
MENDING = 4000  #: swaps tried to mend one; after that another is drawn
ATTEMPTS = 50  #: worlds that mending is tried on
STIRRING = 20  #: swaps tried, for each unseen card, when a mended world is stirred
BOLD = 4  #: percentage of the swaps that make a world worse but are kept while mending

IMPOSSIBLE = "no hands agree with what is known"

_MOST_CARDS = 64
_TWO_TO_32 = 4294967296.0


@rule
def deal_unseen(rng: Rng, cards: int, room: Ints, barred: Ints, hands: Ints) -> None:
    """Add ``cards`` at random to the hands that have room; those left over when all hands are full go nowhere.

    Args:
        rng: a generator.
        cards: set of the unseen cards.
        room, barred: by hand, how many cards it takes, and the set of those it cannot hold.
        hands: sets of cards, added to.

    Raises:
        ValueError: no allocation is possible.
    """
    if not could_deal_unseen(rng, cards, room, barred, hands):
        raise ValueError(IMPOSSIBLE)


@rule
def could_deal_unseen(rng: Rng, cards: int, room: Ints, barred: Ints, hands: Ints) -> bool:
    """``deal_unseen``, or, if no allocation is possible, nothing: whether there was one."""
    order = np.empty(_MOST_CARDS, np.int64)
    if not anything_barred(cards, room, barred):
        return deal_out(rng, cards, room, order, hands)
    n = most_barred_first(rng, cards, room, barred, order)
    holder = np.empty(n, np.int8)
    left = room.copy()
    weight = give_out(rng, order[:n], left, barred, holder)
    drawn = np.empty(n, np.int8)
    for _ in range(ROUNDS):
        overwrite(left, room)
        other = give_out(rng, order[:n], left, barred, drawn)
        if bits32(rng) * weight < other * _TWO_TO_32:
            weight = other
            overwrite(holder, drawn)
    if weight == 0.0:
        overwrite(left, room)
        weight = repair(order[:n], left, barred, holder)
        if weight == 0.0:
            return False
    for k in range(n):
        if holder[k] >= 0:
            hands[holder[k]] |= bits.only(order[k])
    return True


@rule
def deal_out(rng: Rng, cards: int, room: Ints, order: Ints, hands: Ints) -> bool:
    """Shuffle and deal, where any card can go anywhere and there are enough."""
    n = bits.list_into(cards, order)
    if room.sum() > n:
        return False
    shuffle(rng, order[:n])
    k = 0
    for hand in range(len(room)):
        for _ in range(room[hand]):
            hands[hand] |= bits.only(order[k])
            k += 1
    return True


@rule
def anything_barred(cards: int, room: Ints, barred: Ints) -> bool:
    """True if a hand with room cannot hold one of these cards."""
    for hand in range(len(room)):
        if room[hand] > 0 and cards & barred[hand]:
            return True
    return False


@rule
def most_barred_first(rng: Rng, cards: int, room: Ints, barred: Ints, order: Ints) -> int:
    """Write the cards, shuffled, those with the least room in hands that may hold them first; how many there are."""
    n = bits.list_into(cards, order)
    shuffle(rng, order[:n])
    choice = np.empty(n, np.int64)
    for k in range(n):
        choice[k] = room_for(order[k], room, barred)
    for k in range(1, n):  # insertion sort: keeps the shuffled order among equals
        card, size = order[k], choice[k]
        j = k
        while j > 0 and choice[j - 1] > size:
            order[j], choice[j] = order[j - 1], choice[j - 1]
            j -= 1
        order[j], choice[j] = card, size
    return n


@rule
def room_for(card: int, left: Ints, barred: Ints) -> int:
    """The room there is for this card."""
    total = 0
    for hand in range(len(left)):
        if not bits.has(barred[hand], card):
            total += left[hand]
    return total


@rule
def give_out(rng: Rng, order: Ints, left: Ints, barred: Ints, holder: NDArray[np.int8]) -> float:
    """One allocation: ``holder[k]`` becomes the hand of ``order[k]``, −1 for nowhere. Its weight (1 / probability up to
    a constant) is 0 if it came to a dead end: a hand was left short."""
    spare = len(order)
    for hand in range(len(left)):
        spare -= left[hand]
    weight = 1.0 if spare >= 0 else 0.0
    for k in range(len(order)):
        choice = room_for(order[k], left, barred)
        if choice + spare <= 0:
            return 0.0
        ticket = below(rng, choice + spare)
        weight *= (choice + spare) / len(order)
        holder[k] = -1
        for hand in range(len(left)):
            if not bits.has(barred[hand], order[k]):
                if ticket < left[hand]:
                    holder[k] = hand
                    left[hand] -= 1
                    break
                ticket -= left[hand]
        if holder[k] < 0:
            spare -= 1
    return weight


@rule
def repair(order: Ints, left: Ints, barred: Ints, holder: NDArray[np.int8]) -> float:
    """An allocation without chance, where chance found none: fill each place along a path of moves; 0 if impossible."""
    holder[:] = -1
    for hand in range(len(left)):
        while left[hand] > 0:
            if not find_card(hand, order, barred, holder):
                return 0.0
            left[hand] -= 1
    return 1.0


@rule
def find_card(needy: int, order: Ints, barred: Ints, holder: NDArray[np.int8]) -> bool:
    """Give one more card to a hand, from nowhere or along a chain of hands that each pass one on (breadth first)."""
    hands = len(barred)
    passed = np.full(hands, -1, np.int64)  # the card that a hand passes on
    receiver = np.full(hands, -1, np.int64)
    queue = np.empty(hands, np.int64)
    queue[0] = needy
    reached, size = bits.only(needy), 1
    for place in range(hands):
        if place >= size:
            return False
        taker = queue[place]
        for k in range(len(order)):
            if bits.has(barred[taker], order[k]):
                continue
            if holder[k] < 0:
                holder[k] = taker
                while taker != needy:
                    holder[passed[taker]] = receiver[taker]
                    taker = receiver[taker]
                return True
            giver = holder[k]
            if not bits.has(reached, giver):
                reached |= bits.only(giver)
                passed[giver], receiver[giver] = k, taker
                queue[size] = giver
                size += 1
    return False


# Worlds in which what players did makes sense


class Slots(NamedTuple):
    """Places of unseen cards; int64 arrays with one entry for each slot."""

    who: Ints  #: seat; −1 for a place that belongs to nobody
    when: Ints  #: what the game says of it, such as the trick in which the cards were thrown
    room: Ints  #: how many cards lie there
    barred: Ints  #: set of cards that cannot lie there
    cards: Ints  #: set of cards drawn


@rule
def empty_slots(most: int) -> Slots:
    """Room for so many slots; ``first_slots`` cuts it to those that there are."""
    numbers = np.zeros((5, most), np.int64)
    return Slots(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])


@rule
def add_slot(slots: Slots, n: int, who: int, when: int, room: int, barred: int) -> int:
    """One more slot, if any cards lie there; how many there are then."""
    if room == 0:
        return n
    slots.who[n], slots.when[n], slots.room[n], slots.barred[n] = who, when, room, barred
    return n + 1


@rule
def first_slots(slots: Slots, n: int) -> Slots:
    """The first ``n`` slots."""
    return Slots(slots.who[:n], slots.when[:n], slots.room[:n], slots.barred[:n], slots.cards[:n])


@rule
def cards_by_time(slots: Slots, who: int, when: int) -> tuple[int, int, int]:
    """The cards of one player's slots, as three sets: those of an earlier ``when``, of this one, of a later one."""
    before = then = later = bits.EMPTY
    for k in range(len(slots.who)):
        if slots.who[k] == who:
            if slots.when[k] < when:
                before |= slots.cards[k]
            elif slots.when[k] == when:
                then |= slots.cards[k]
            else:
                later |= slots.cards[k]
    return before, then, later


@rule
def draw(view: StateRecord, rng: Rng, unseen: int, slots: Slots, events: Ints) -> None:
    """Fill the slots with cards that agree with every event.

    Args:
        view: its game tells ``contradictions``.
        rng: a generator.
        unseen: set of the unseen cards, at least as many as there is room.
        slots: their ``cards`` are written.
        events: shape (events, columns), handed on to ``contradictions``. (Not a type of the game's own: compiled code
            is kept under the types of its arguments; finding it again would load the games they are of.)

    Raises:
        ValueError: no such cards have been found.
    """
    for attempt in range(DRAWS + ATTEMPTS):
        slots.cards[:] = bits.EMPTY
        deal_unseen(rng, unseen, slots.room, slots.barred, slots.cards)
        wrong = verbs.contradictions(view, slots, events)
        if wrong == 0 and attempt < DRAWS:
            return
        if attempt >= DRAWS and swap_cards(view, rng, slots, events, wrong, MENDING) == 0:
            swap_cards(view, rng, slots, events, 0, STIRRING * bits.size(unseen))
            return
    raise ValueError(IMPOSSIBLE)


@rule
def swap_cards(view: StateRecord, rng: Rng, slots: Slots, events: Ints, wrong: int, swaps: int) -> int:
    """Try to swap two cards of different slots so often; how many events contradict the outcome.

    With contradictions, stops at none; without, keeps to worlds that have none."""
    mending = wrong > 0
    for _ in range(swaps):
        a, b = below(rng, len(slots.who)), below(rng, len(slots.who))
        first = bits.nth(slots.cards[a], below(rng, slots.room[a]))
        second = bits.nth(slots.cards[b], below(rng, slots.room[b]))
        if a == b or bits.has(slots.barred[a], second) or bits.has(slots.barred[b], first):
            continue
        exchange(slots.cards, a, first, b, second)
        now = verbs.contradictions(view, slots, events)
        if now <= wrong or (mending and chance(rng, BOLD)):
            wrong = now
        else:
            exchange(slots.cards, a, second, b, first)
        if mending and wrong == 0:
            return 0
    return wrong


@rule
def exchange(cards: Ints, a: int, first: int, b: int, second: int) -> None:
    """Card ``first`` goes from slot a to slot b, ``second`` the other way."""
    cards[a] = bits.without(cards[a], bits.only(first)) | bits.only(second)
    cards[b] = bits.without(cards[b], bits.only(second)) | bits.only(first)
