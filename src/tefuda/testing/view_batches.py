"""Looking at many states at once: verbs in compiled loops, what each seat sees, the worlds it imagines."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import rng, verbs, views
from tefuda.engine.playout import MOST_ACTIONS, is_among
from tefuda.engine.record import SPECTATOR
from tefuda.engine.verbs import rule
from tefuda.testing.playouts import Playout, States


@rule
def imagine_each(seen: Any, generator: Any, worlds: Any) -> None:
    """A world for every view."""
    for i in range(len(seen)):
        verbs.imagine(seen[i], generator, worlds[i])


@rule
def believe_each(seen: Any, generator: Any, worlds: Any) -> None:
    """For every view a world in which what others did makes sense."""
    for i in range(len(seen)):
        verbs.believe(seen[i], generator, worlds[i])


@rule
def advise_each(states: Any, generators: Any, chosen: Any) -> None:
    """The hint in every state, each with its own generator."""
    for i in range(len(states)):
        chosen[i] = verbs.advise(states[i], generators[i])


@rule
def legal_each(states: Any, buffer: Any, masks: Any) -> None:
    """The legal actions of every state as a row of booleans; none once the deal is over."""
    for i in range(len(states)):
        masks[i, :] = False
        if verbs.mover(states[i]) >= 0:
            for k in range(verbs.legal(states[i], buffer)):
                masks[i, buffer[k]] = True


@rule
def movers_each(states: Any, movers: Any) -> None:
    """Who acts in every state."""
    for i in range(len(states)):
        movers[i] = verbs.mover(states[i])


@rule
def payoffs_each(states: Any, payoffs: Any) -> None:
    """What every state would pay."""
    for i in range(len(states)):
        verbs.payoff(states[i], payoffs[i])


@rule
def follow(states: Any, actions: Any, buffer: Any) -> int:
    """Make the actions one after another, from ``states[0]``; which of them is the first illegal one, −1 if none."""
    for k in range(len(actions)):
        states[k + 1] = states[k]
        state = states[k + 1]
        n = verbs.legal(state, buffer) if verbs.mover(state) >= 0 else 0
        if n == 0 or not is_among(verbs.listed(state, actions[k]), buffer, n):
            return k
        verbs.apply(state, actions[k])
    return -1


@rule
def mark_allowed(states: Any, buffer: Any, allowed: Any) -> None:
    """Mark the actions that may be made in ``states[0]``: those listed as legal and what is equal to them."""
    state = states[0]
    n = verbs.legal(state, buffer) if verbs.mover(state) >= 0 else 0
    for action in range(len(allowed)):
        allowed[action] = n > 0 and is_among(verbs.listed(state, action), buffer, n)


def allowed_actions(states: States, actions: int) -> NDArray[np.bool_]:
    """The actions that may be made now, as booleans."""
    allowed = np.zeros(actions, np.bool_)
    mark_allowed(states, np.empty(MOST_ACTIONS, np.int64), allowed)
    return allowed


def legal_masks(states: States, actions: int) -> NDArray[np.bool_]:
    """The legal actions of each state, one row of booleans each."""
    masks = np.zeros((len(states), actions), np.bool_)
    legal_each(states, np.empty(MOST_ACTIONS, np.int64), masks)
    return masks


def movers_of(states: States) -> NDArray[np.int64]:
    """Who acts in each state."""
    movers = np.empty(len(states), np.int64)
    movers_each(states, movers)
    return movers


def hints_of(states: States, seed: tuple[int, ...]) -> NDArray[np.int64]:
    """The hint in each state; the same seed gives each state the same generator."""
    chosen = np.empty(len(states), np.int64)
    if len(states):
        advise_each(states, rng.generators(seed, len(states)), chosen)
    return chosen


@dataclass(frozen=True)
class ViewBatch:
    """What every seat and a spectator see at every moment of a played, and a world that each may imagine.

    Attributes:
        moments, viewers: int64 of shape (n,): which moment, who looks.
        states, views, worlds: shape (n,): the truth, what is seen of it, a world drawn from that.
    """

    moments: NDArray[np.int64]
    viewers: NDArray[np.int64]
    states: States
    views: States
    worlds: States


def look_around(played: Playout) -> ViewBatch:
    """Every view of a played, with a world drawn from each."""
    seats = np.arange(SPECTATOR, played.game.seats)
    moments = np.repeat(np.arange(len(played.states)), len(seats))
    viewers = np.tile(seats, len(played.states))
    states = played.states[moments]
    seen = views.observe_all(states, viewers)
    return ViewBatch(moments, viewers, states, seen, imagined(played, seen))


def imagined(played: Playout, seen: States) -> States:
    """A world for each of these views; of two in a row one is believed, and has to agree with all that is known too."""
    worlds = np.zeros(len(seen), seen.dtype)
    try:
        imagine_each(seen[::2], rng.generator((*played.seed, 2)), worlds[::2])
        believe_each(seen[1::2], rng.generator((*played.seed, 3)), worlds[1::2])
    except ValueError as error:
        raise AssertionError(f"{played}: there is a view from which nothing can be imagined: {error}") from error
    return worlds


def rows_of_bytes(states: States) -> NDArray[np.uint8]:
    """The bytes of records, a row each."""
    return np.ascontiguousarray(states).view(np.uint8).reshape(len(states), states.dtype.itemsize)


def assert_same(played: Playout, what: str, left: States, right: States, where: Callable[[int], str]) -> None:
    """Records must be equal byte for byte.

    Args:
        what: is said to differ.
        where: says which row it is.
    """
    different = (rows_of_bytes(left) != rows_of_bytes(right)).any(axis=1)
    if different.any():
        row = int(np.argmax(different))
        assert left.dtype.names is not None
        names = [name for name in left.dtype.names if not np.array_equal(left[name][row], right[name][row])]
        found = "; ".join(f"{name}: {left[name][row]} and {right[name][row]}" for name in names)
        raise AssertionError(f"{played}, {where(row)}: {what}: {found or 'bytes between the fields'}")
