"""One table, one compiled call for each action: make it, then say whose turn it is and what is legal.

Thousands of tables at once are stepped by ``tefuda.research.vector``."""

from tefuda.engine import verbs
from tefuda.engine.record import Ints, States
from tefuda.engine.verbs import rule


@rule
def write_turn(states: States, out: Ints) -> int:
    """Write the legal actions into ``out`` (MOST_ACTIONS), then the seat that acts, −1 for nobody; their number."""
    state = states[0]
    seat = verbs.mover(state)
    n = verbs.legal(state, out) if seat >= 0 else 0
    out[n] = seat
    return n


@rule
def deal(states: States, deck: Ints, out: Ints) -> int:
    """Deal ``states[0]`` from a deck, int64 card numbers; then ``write_turn``."""
    verbs.deal(states[0], deck)
    return write_turn(states, out)


@rule
def act(states: States, action: int, out: Ints) -> int:
    """Make a legal action in ``states[0]``; then ``write_turn``."""
    verbs.apply(states[0], action)
    return write_turn(states, out)


@rule
def is_open(states: States, action: int, actions: int) -> bool:
    """True if no other of the game's ``actions`` looks to the others like this one of the mover's."""
    state = states[0]
    shown = verbs.disguise(state, action)
    for other in range(actions):
        if other != action and verbs.disguise(state, other) == shown:
            return False
    return True
