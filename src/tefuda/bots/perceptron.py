"""A network's layers in compiled code: from what a seat sees to ratings of its actions, and the best of them."""

from typing import Any

import numpy as np

from tefuda.engine import verbs
from tefuda.engine.verbs import rule

NONE = -1
"""No action."""

TOGETHER = 4
"""Rows of a matrix that are added in one pass: the sums are then read and written less often."""


@rule
def layer(inputs: Any, matrix: Any, bias: Any, out: Any) -> None:
    """One layer without its non-linearity; inputs that are 0, as most are, are passed over."""
    for j in range(len(out)):  # a slice would bring the text of its errors along, seconds to compile
        out[j] = bias[j]
    places = np.empty(len(inputs), np.int64)
    n = 0
    for i in range(len(inputs)):  # without a branch, which processors would guess badly
        places[n] = i
        n += inputs[i] != 0
    whole = n - n % TOGETHER
    for k in range(0, whole, TOGETHER):
        i0, i1, i2, i3 = places[k], places[k + 1], places[k + 2], places[k + 3]
        x0, x1, x2, x3 = np.float32(inputs[i0]), np.float32(inputs[i1]), np.float32(inputs[i2]), np.float32(inputs[i3])
        row0, row1, row2, row3 = matrix[i0], matrix[i1], matrix[i2], matrix[i3]
        for j in range(len(out)):
            out[j] += x0 * row0[j] + x1 * row1[j] + x2 * row2[j] + x3 * row3[j]
    for k in range(whole, n):
        x, row = np.float32(inputs[places[k]]), matrix[places[k]]
        for j in range(len(out)):
            out[j] += x * row[j]


@rule
def rate(inputs: Any, advised: int, matrices: Any, biases: Any, layers: Any) -> None:
    """Write every layer; the last has the actions' ratings.

    Args:
        inputs: int8 of shape (inputs,).
        advised: the action that the rules of thumb advise, or NONE.
        matrices, biases: of the layers, float32; if the first matrix has more rows than there are inputs, the others
            stand for the advised action.
        layers: a float32 array for each, written.
    """
    layer(inputs, matrices[0], biases[0], layers[0])
    if advised >= 0 and len(matrices[0]) > len(inputs):
        row = matrices[0][len(inputs) + advised]
        for j in range(len(row)):
            layers[0][j] += row[j]
    for k in range(1, len(matrices)):
        before = layers[k - 1]
        for j in range(len(before)):
            before[j] = max(before[j], np.float32(0))
        layer(before, matrices[k], biases[k], layers[k])


@rule
def rate_plays(
    state: Any, legal: Any, advised: int, inputs: Any, matrices: Any, biases: Any, layers: Any, ratings: Any
) -> None:
    """Write the ratings of the legal actions, each rated by itself; all 0 where the advised one should be made.

    Args:
        state: or a view of the mover's.
        legal: int64, the mover's legal actions.
        advised: the action that the rules of thumb advise.
        inputs: int8 of the size of the game's features, written.
        matrices, biases, layers: as of ``rate``; the last layer has one number.
        ratings: float32 of shape (actions,), written at the legal actions.
    """
    for action in legal:
        told = verbs.features(state, advised, action, inputs)
        if told:
            rate(inputs, NONE, matrices, biases, layers)
        ratings[action] = layers[-1][0] if told else np.float32(0)


@rule
def best(ratings: Any, legal: Any, advised: int, trust: float) -> int:
    """The legal action rated highest, or the advised one unless its rating is lower by more than ``trust``."""
    found: int = legal[0]
    for action in legal:
        if ratings[action] > ratings[found]:
            found = action
    return advised if advised >= 0 and ratings[found] - ratings[advised] <= trust else found


@rule
def choose_each(inputs: Any, masks: Any, matrices: Any, biases: Any, layers: Any, trust: float, chosen: Any) -> None:
    """The best action at every table; arguments as of ``rate`` and ``best``. ``chosen``, int64, holds the advised
    actions or −1, and is written."""
    for i in range(len(inputs)):
        rate(inputs[i], chosen[i], matrices, biases, layers)
        chosen[i] = best(layers[-1], np.flatnonzero(masks[i]), chosen[i], trust)


@rule
def choose_each_play(
    views: Any, masks: Any, inputs: Any, matrices: Any, biases: Any, layers: Any, trust: float, chosen: Any
) -> None:
    """The best action at every table by a network that rates single plays; arguments as of ``rate_plays`` and ``best``.
    ``chosen``, int64, holds the advised actions, and is written."""
    ratings = np.zeros(masks.shape[1], np.float32)
    for i in range(len(views)):
        legal = np.flatnonzero(masks[i])
        rate_plays(views[i], legal, chosen[i], inputs, matrices, biases, layers, ratings)
        chosen[i] = best(ratings, legal, chosen[i], trust)
