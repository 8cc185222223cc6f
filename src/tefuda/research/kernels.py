"""The compiled part of ``vector``: make a move at each of many tables, write what the next seat sees and may do.

Every function takes ``Tables`` and runs without the GIL, so that each thread can take a share of them. The work is done
in passes over a block of tables that fits into the processor's caches. To pass all the arrays of a ``Tables`` costs
more than a move, so no function is called for a single table with them, unless it is ``inlined``."""

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits, verbs
from tefuda.engine.objective import write_worths
from tefuda.engine.play import HINTS, MOST_CHANCE, RANDOM, legal_or_random
from tefuda.engine.raw import borrowed, overwrite
from tefuda.engine.record import Ints, Rng, StateRecord, States
from tefuda.engine.rng import below, shuffle
from tefuda.engine.verbs import inlined, rule
from tefuda.engine.views import observe
from tefuda.research.buffers import BLOCK, MEMBERS, NOTHING, UNSEEN, SeatedBots, Tables
from tefuda.table.plane_kernels import Numbers, mark, seat_before, write_all


@rule
def deal_all(tables: Tables) -> None:
    """Deal at every table."""
    tables = borrowed(tables)
    for i in range(len(tables.states)):
        deal_next(tables, i)


@rule
def step_all(
    tables: Tables, bots: SeatedBots | None, chosen: Ints, skip_forced: bool, largest: int, again: bool
) -> None:
    """Make a legal action at every table, and go on to the next decision.

    Args:
        tables: changed in place.
        bots: RANDOM and HINTS make their actions; the turn of a player that is asked is a decision.
        chosen: shape (tables,); NOTHING to leave a table as it is, or to go on where cards are just dealt.
        skip_forced: make an action to which there is no other at once.
        largest: number that an observation takes, 0 for no limit; UNSEEN to write no observations.
        again: more of the same step: deals that have ended stay reported.
    """
    tables, bots, chosen = borrowed(tables), borrowed(bots), borrowed(chosen)
    for first in range(0, len(chosen), BLOCK):
        block = (first, min(first + BLOCK, len(chosen)))
        if not again:
            tables.ends[block[0] : block[1]] = False
            tables.rewards[block[0] : block[1], :] = 0
        apply_all(tables, block, chosen)
        advance(tables, block, bots, skip_forced)
        if largest != UNSEEN:
            write_views(tables, block, largest)


@rule
def show_all(tables: Tables, largest: int) -> None:
    """Write the observations and histories of the seats to act; ``largest`` as of ``step_all``."""
    tables = borrowed(tables)
    for first in range(0, len(tables.states), BLOCK):
        write_views(tables, (first, min(first + BLOCK, len(tables.states))), largest)


@rule
def first_illegal(allowed: Ints, actions: int, chosen: Ints, waiting: NDArray[np.bool_]) -> int:
    """The first table at which the action chosen is not legal by ``Tables.allowed``; −1 if there is none.

    ``chosen`` is of shape (tables,), as is ``waiting``, the tables that are not asked about; of shape (0,) if all are.
    """
    allowed, chosen, waiting = borrowed(allowed), borrowed(chosen), borrowed(waiting)
    for i in range(len(chosen)):
        if len(waiting) > 0 and waiting[i]:
            continue
        if not 0 <= chosen[i] < actions or not is_allowed(allowed[i], chosen[i]):
            return i
    return -1


@rule
def choose_all(allowed: Ints, counts: NDArray[np.int16], rng: Rng, out: Ints) -> None:
    """Write a random legal action for every table, uniformly; ``allowed`` and ``counts`` as of ``Tables``."""
    allowed, counts, rng = borrowed(allowed), borrowed(counts), borrowed(rng)
    for i in range(len(out)):
        out[i] = action_at(allowed[i], below(rng, counts[i]))


@rule
def action_at(allowed: Ints, n: int) -> int:
    """The n-th of the actions in these sets (a row of ``Tables.allowed``), counted from 0; NOTHING if it has fewer."""
    for k in range(len(allowed)):
        count = bits.size(allowed[k])
        if n < count:
            return MEMBERS * k + bits.nth(allowed[k], n)
        n -= count
    return NOTHING


@rule
def is_allowed(allowed: Ints, action: int) -> bool:
    """True if an action is in these sets (a row of ``Tables.allowed``)."""
    return bits.has(allowed[action // MEMBERS], action % MEMBERS)


@rule
def advise_all(tables: Tables, rng: Rng, out: Ints) -> None:
    """Write the advised action of every table; a random legal action where that is not legal."""
    for i in range(len(out)):
        observe(tables.states[i], tables.seats[i], tables.seen[0])
        advised = int(verbs.advise(tables.seen[0], rng))
        n = int(verbs.legal(tables.states[i], tables.actions))
        out[i] = legal_or_random(advised, rng, tables.actions, n)


@rule
def apply_all(tables: Tables, block: tuple[int, int], chosen: Ints) -> None:
    """Make the chosen actions of a block."""
    remembering, naming = tables.made.shape[1] > 0, tables.makers.shape[1] > 0
    for i in range(*block):
        if chosen[i] == NOTHING:
            continue
        state = tables.states[i]
        if remembering:
            remember(tables.made[i], tables.lengths, i, state, chosen[i])
        if naming:
            tables.makers[i, verbs.disguise(state, chosen[i])] = verbs.mover(state)
        verbs.apply(state, chosen[i])
        tables.counts[i] = 0


@rule
def remember(ring: Ints, lengths: Ints, i: int, state: StateRecord, action: int) -> None:
    """Write down an action that is about to be made."""
    ring[lengths[i] % len(ring)] = verbs.mover(state) | action << 16 | bits.wide(verbs.disguise(state, action)) << 32
    lengths[i] += 1


@rule
def advance(tables: Tables, block: tuple[int, int], bots: SeatedBots | None, skip_forced: bool) -> None:
    """Go on to the next decision: let bots play, score and deal where a deal has ended, list the legal actions."""
    remembering, naming = tables.made.shape[1] > 0, tables.makers.shape[1] > 0
    for i in range(*block):
        n = tables.counts[i]
        if n > 0:
            continue
        state = tables.states[i]
        seat, members = verbs.mover(state), bits.EMPTY
        while n == 0:
            if seat < 0:
                score(tables, i)
                if len(tables.template) == 0:  # deals that were given: no other follows
                    break
                deal_next(tables, i)
            else:
                members = verbs.legal_set(state)
                n = list_legal(state, members, bots is not None, tables.actions)
                action = automatic_action(bots, i, state, seat, tables.actions, n, skip_forced, tables.seen)
                if action != NOTHING:
                    if remembering:
                        remember(tables.made[i], tables.lengths, i, state, action)
                    if naming:
                        tables.makers[i, verbs.disguise(state, action)] = seat
                    verbs.apply(state, action)
                    n = 0
            seat = verbs.mover(state)
        tables.seats[i], tables.counts[i] = seat, n
        allow(members, tables.actions, n, tables.masks[i], tables.allowed[i])


@inlined
def list_legal(state: StateRecord, members: int, whole: bool, out: Ints) -> int:
    """The number of legal actions.

    If ``whole``, all are written into ``out`` even if they are a set, ``members``; the first always stands there."""
    if members == bits.EMPTY:
        return int(verbs.legal(state, out))
    if whole:
        return bits.list_into(members, out)
    out[0] = bits.lowest(members)
    return bits.size(members)


@inlined
def allow(members: int, legal: Ints, n: int, mask: NDArray[np.bool_], allowed: Ints) -> None:
    """Write the legal actions of a table, given as a set or the first ``n`` of an array, as its mask and its sets."""
    allowed[:] = bits.EMPTY
    if members != bits.EMPTY:
        allowed[0] = members
        mark(members, mask, 0, min(MEMBERS, len(mask)))
        mask[MEMBERS:] = False
        return
    mask[:] = False
    for k in range(n):
        mask[legal[k]] = True
        allowed[legal[k] // MEMBERS] |= bits.only(legal[k] % MEMBERS)


@rule
def automatic_action(
    bots: SeatedBots | None, i: int, state: StateRecord, seat: int, legal: Ints, n: int, skip_forced: bool, seen: States
) -> int:
    """The action at table i without asking: a forced one, that of RANDOM or HINTS; else NOTHING.

    ``legal`` has ``n`` actions; ``seen`` is a buffer for a view."""
    if skip_forced and n == 1:
        return int(legal[0])
    if bots is not None:
        who = bots.seated[i, seat]
        if who == RANDOM:
            return int(legal[below(bots.rngs[i], n)])
        if who == HINTS:
            observe(state, seat, seen[0])
            return legal_or_random(int(verbs.advise(seen[0], bots.rngs[i])), bots.rngs[i], legal, n)
    return NOTHING


@rule
def advice_for_rows(tables: Tables, rngs: Rng, rows: Ints, asked: bool, views: States, out: Ints) -> None:
    """Write the views of the seats to act at some tables, and if ``asked`` what the rules of thumb advise them.

    A forced action is not asked about. Advice may draw from ``rngs``, the generators of all tables."""
    for k in range(len(rows)):
        i = rows[k]
        observe(tables.states[i], tables.seats[i], views[k])
        if asked:
            forced = tables.counts[i] == 1
            out[k] = action_at(tables.allowed[i], 0) if forced else int(verbs.advise(views[k], rngs[i]))


@rule
def score(tables: Tables, i: int) -> None:
    """Write what each seat receives for the deal in which the step's action was made.

    If the next deal ends in the same step, because nobody had anything to decide in it, its payoff is not reported."""
    if not tables.ends[i]:
        verbs.payoff(tables.states[i], tables.payoffs)
        write_worths(tables.states[i], tables.relative, tables.payoffs, tables.worths)
        overwrite(tables.rewards[i], tables.worths)
        tables.ends[i] = True
        if len(tables.finished) > 0:
            tables.finished[i] = tables.states[i]
            overwrite(tables.paid[i], tables.payoffs)


@rule
def deal_next(tables: Tables, i: int) -> None:
    """A new deal, which depends on nothing but the table's generator."""
    overwrite(tables.deck, tables.pack)
    shuffle(tables.rngs[i], tables.deck)
    tables.states[i] = tables.template[0]
    tables.states[i].chance = below(tables.rngs[i], MOST_CHANCE)
    verbs.deal(tables.states[i], tables.deck)
    tables.lengths[i] = tables.counts[i] = 0
    if tables.makers.shape[1] > 0:
        tables.makers[i, :] = NOTHING


@rule
def write_views(tables: Tables, block: tuple[int, int], largest: int) -> None:
    """Write the observations and histories of the seats to act."""
    if tables.observations.shape[1] > 0:
        for i in range(*block):
            observe(tables.states[i], tables.seats[i], tables.seen[i - block[0]])
        words, out = tables.seen_words[: block[1] - block[0]], tables.observations[block[0] : block[1]]
        write_all(words, tables.layout, tables.rewards.shape[1], largest, out)
    if tables.made.shape[1] > 0:
        history = tables.history.reshape(-1).view(np.int32).reshape(tables.made.shape)
        for i in range(*block):
            write_history(tables.made[i], tables.lengths[i], tables.seats[i], tables.rewards.shape[1], history[i])
    if tables.makers.shape[1] > 0:
        for i in range(*block):
            count_seats(tables.makers[i], tables.seats[i], tables.rewards.shape[1], tables.made_by[i])


@rule
def show_finished(tables: Tables, rows: Ints, viewers: NDArray[np.int8], largest: int, observations: Numbers) -> None:
    """Write what a seat sees of a deal that has ended at each of these tables.

    ``rows`` are numbers of tables, which have ``finished``; ``viewers`` the seat at every table; ``largest`` is as of
    ``step_all``; ``observations`` are of shape (len(rows), numbers)."""
    for first in range(0, len(rows), BLOCK):
        last = min(first + BLOCK, len(rows))
        for k in range(first, last):
            observe(tables.finished[rows[k]], viewers[rows[k]], tables.seen[k - first])
        words = tables.seen_words[: last - first]
        write_all(words, tables.layout, tables.rewards.shape[1], largest, observations[first:last])


@rule
def count_seats(makers: NDArray[np.int8], viewer: int, seats: int, out: NDArray[np.int8]) -> None:
    """Seats counted from the viewer; nobody stays nobody."""
    for k in range(len(makers)):
        out[k] = seat_before(makers[k], viewer, seats)


@rule
def write_history(ring: Ints, length: int, viewer: int, seats: int, out: NDArray[np.int32]) -> None:
    """The latest actions, the oldest first: who made each, counted from the viewer, and what the viewer saw of it in
    the upper 16 bits."""
    shown = min(length, len(ring))
    first = (length - shown) % len(ring)
    ahead = min(shown, len(ring) - first)
    show_entries(ring[first : first + ahead], viewer, seats, out)
    show_entries(ring[: shown - ahead], viewer, seats, out[ahead:])
    for k in range(shown, len(out)):
        out[k] = NOTHING


@rule
def show_entries(made: Ints, viewer: int, seats: int, out: NDArray[np.int32]) -> None:
    """Write entries of a ring that stand side by side."""
    for k in range(len(made)):
        by = made[k] & 0xFFFF
        action = made[k] >> 16 & 0xFFFF if by == viewer else made[k] >> 32
        out[k] = seat_before(by, viewer, seats) | action << 16
