"""One move at one table, or one move at each of thousands, in one call from Python."""

from typing import Any

from tefuda.engine import verbs
from tefuda.engine.playout import deal_at_random
from tefuda.engine.rng import below
from tefuda.engine.verbs import rule


@rule
def situation(states: Any, out: Any) -> int:
    """Write the mover's legal actions of ``states[0]`` into ``out``, then the mover; how many actions there are."""
    state = states[0]
    seat = verbs.mover(state)
    n = verbs.legal(state, out) if seat >= 0 else 0
    out[n] = seat
    return n


@rule
def begin(states: Any, deck: Any, out: Any) -> int:
    """Deal ``states[0]``, then ``situation``."""
    verbs.deal(states[0], deck)
    return situation(states, out)


@rule
def move(states: Any, action: int, out: Any) -> int:
    """Make the move, then ``situation``."""
    verbs.apply(states[0], action)
    return situation(states, out)


@rule
def is_open(states: Any, action: int, actions: int) -> bool:
    """Whether others see which action the mover of ``states[0]`` makes: none of the game's looks like it to them."""
    state = states[0]
    shown = verbs.disguise(state, action)
    for other in range(actions):
        if other != action and verbs.disguise(state, other) == shown:
            return False
    return True


@rule
def write_masks(states: Any, actions: Any, masks: Any, movers: Any) -> None:
    """The legal actions of every table as a row of booleans, and who is to act.

    Args:
        states: records of shape (n,).
        actions: int64 buffer.
        masks: bool of shape (n, actions of the game), written.
        movers: int8 of shape (n,), written; −1 where the deal is over.
    """
    for i in range(len(states)):
        write_mask(states[i], actions, masks[i])
        movers[i] = verbs.mover(states[i])


@rule
def write_mask(state: Any, actions: Any, mask: Any) -> None:
    """The mover's legal actions as booleans."""
    mask[:] = False
    if verbs.mover(state) >= 0:
        for k in range(verbs.legal(state, actions)):
            mask[actions[k]] = True


@rule
def step_all(
    states: Any, chosen: Any, template: Any, pack: Any, rng: Any, actions: Any, masks: Any, movers: Any, payoffs: Any,
    done: Any,
) -> None:  # fmt: skip
    """Make one action at every table; where that ends the deal, score it and deal the next from the template.

    Args:
        states: records of shape (n,), changed in place.
        chosen: int64 of shape (n,): a legal action for each.
        template: record array of shape (1,) with the options, from which deals begin.
        pack: int64 card numbers of the pack, shuffled in place.
        rng: generator of the deals.
        actions: int64 buffer.
        masks: bool of shape (n, actions of the game), written: legal actions now.
        movers: int8 of shape (n,), written: who is to act now.
        payoffs: int64 of shape (n, seats), written where a deal ended, 0 elsewhere.
        done: bool of shape (n,), written: whether the deal ended with this action.
    """
    for i in range(len(states)):
        verbs.apply(states[i], chosen[i])
        done[i] = verbs.mover(states[i]) < 0
        payoffs[i, :] = 0
        if done[i]:
            verbs.payoff(states[i], payoffs[i])
            deal_at_random(states, i, template, pack, rng)
        movers[i] = verbs.mover(states[i])
        write_mask(states[i], actions, masks[i])


@rule
def choose_all(masks: Any, generator: Any, chosen: Any) -> None:
    """A random legal action for every table, from its row of ``masks``."""
    for i in range(len(masks)):
        n = 0
        for action in range(masks.shape[1]):
            n += masks[i, action]
        n = below(generator, n)
        for action in range(masks.shape[1]):
            if masks[i, action]:
                if n == 0:
                    chosen[i] = action
                    break
                n -= 1
