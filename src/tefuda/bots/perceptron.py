"""A network's layers in compiled code: from what a seat sees to ratings of its actions, and the best of them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import verbs
from tefuda.engine.record import Ints, StateRecord, States
from tefuda.engine.verbs import rule
from tefuda.table.plane_kernels import list_all, list_number
from tefuda.table.planes import MOST_INT8

Floats = NDArray[np.float32]

NONE = -1  #: no action
ONLY = np.zeros(1, np.int64)  #: the place of the rating, where there is one
TOGETHER = 4  #: rows of a matrix that are added in one pass: the sums are then read and written less often


class Layers(NamedTuple):
    """A network's layers, an array for each."""

    matrices: tuple[Floats, ...]
    biases: tuple[Floats, ...]
    outputs: tuple[Floats, ...]  #: what each gives, before its non-linearity: written


@rule
def rate(inputs: NDArray[np.int8], advised: int, wanted: Ints, layers: Layers) -> None:
    """Write what the layers give; the last has the ratings of the ``wanted`` actions.

    If the first matrix has more rows than there are inputs, the others stand for the advised action (NONE: for none).
    """
    places, numbers = np.empty(len(inputs) + 1, np.int64), np.empty(len(inputs) + 1, np.float32)
    n = 0
    for i in range(len(inputs)):  # without a branch, which processors would guess badly
        places[n] = i
        n += inputs[i] != 0
    for k in range(n):
        numbers[k] = inputs[places[k]]
    rate_listed(places, numbers, n, advised, wanted, layers)


@rule
def rate_view(
    view: Ints, layout: Ints, seats: int, advised: int, places: Ints, numbers: Floats, wanted: Ints, layers: Layers
) -> None:
    """Rate actions from a view, as ``rate`` does.

    ``view``, ``layout`` and ``seats`` are as of ``list_all``. ``places`` and ``numbers``, one more than there are
    inputs, are written."""
    n = list_all(view, layout, seats, MOST_INT8, places, numbers)
    rate_listed(places, numbers, n, advised, wanted, layers)


@rule
def rate_listed(places: Ints, numbers: Floats, n: int, advised: int, wanted: Ints, layers: Layers) -> None:
    """Rate actions, as ``rate`` does, from a list of the ``n`` inputs that are not 0.

    ``places`` and ``numbers`` are one longer than there are inputs, for the advised action."""
    matrices, biases, outputs = layers.matrices, layers.biases, layers.outputs
    inputs = len(places) - 1
    if advised >= 0 and len(matrices[0]) > inputs:
        n = list_number(1, inputs + advised, n, places, numbers)
    layer(places, numbers, n, matrices[0], biases[0], outputs[0])
    widest = 0
    for bias in biases:
        widest = max(widest, len(bias))
    places, numbers = np.empty(widest, np.int64), np.empty(widest, np.float32)
    for k in range(1, len(matrices)):
        before, n = outputs[k - 1], 0
        for i in range(len(before)):
            places[n], numbers[n] = i, before[i]
            n += before[i] > 0
        if k < len(matrices) - 1:
            layer(places, numbers, n, matrices[k], biases[k], outputs[k])
        else:
            last_layer(places, numbers, n, wanted, matrices[k], biases[k], outputs[k])


@rule
def layer(places: Ints, numbers: Floats, n: int, matrix: Floats, bias: Floats, out: Floats) -> None:
    """One layer without its non-linearity, from a list of the ``n`` inputs that are not 0, as most are."""
    for j in range(len(out)):  # a slice would bring the text of its errors along, seconds to compile
        out[j] = bias[j]
    whole = n - n % TOGETHER
    for k in range(0, whole, TOGETHER):
        x0, x1, x2, x3 = numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]
        row0, row1, row2, row3 = matrix[places[k]], matrix[places[k + 1]], matrix[places[k + 2]], matrix[places[k + 3]]
        for j in range(len(out)):
            out[j] += x0 * row0[j] + x1 * row1[j] + x2 * row2[j] + x3 * row3[j]
    for k in range(whole, n):
        x, row = numbers[k], matrix[places[k]]
        for j in range(len(out)):
            out[j] += x * row[j]


@rule
def last_layer(places: Ints, numbers: Floats, n: int, wanted: Ints, matrix: Floats, bias: Floats, out: Floats) -> None:
    """Compute only the wanted numbers of a layer: of many actions few are legal."""
    for action in wanted:
        out[action] = bias[action]
    for k in range(n):
        x, row = numbers[k], matrix[places[k]]
        for action in wanted:
            out[action] += x * row[action]


@rule
def rate_plays(
    state: StateRecord, legal: Ints, advised: int, inputs: NDArray[np.int8], layers: Layers, ratings: Floats
) -> None:
    """Write the ratings of the legal actions, each rated by itself; all 0 where the advised one should be made.

    ``inputs``, of the size of the game's features, is written too. The last layer has one number."""
    for action in legal:
        told = verbs.features(state, advised, action, inputs)
        if told:
            rate(inputs, NONE, ONLY, layers)
        ratings[action] = layers.outputs[-1][0] if told else np.float32(0)


@rule
def best(ratings: Floats, legal: Ints, advised: int, trust: float) -> int:
    """The legal action rated highest, or the advised one unless its rating is lower by more than ``trust``."""
    found: int = legal[0]
    for action in legal:
        if ratings[action] > ratings[found]:
            found = action
    return advised if advised >= 0 and ratings[found] - ratings[advised] <= trust else found


@rule
def choose_each(inputs: NDArray[np.int8], masks: NDArray[np.bool_], layers: Layers, trust: float, chosen: Ints) -> None:
    """The best action at every table; arguments as of ``rate`` and ``best``. ``chosen``, int64, holds the advised
    actions or −1, and is written."""
    for i in range(len(inputs)):
        legal = np.flatnonzero(masks[i])
        rate(inputs[i], chosen[i], legal, layers)
        chosen[i] = best(layers.outputs[-1], legal, chosen[i], trust)


@rule
def choose_each_play(
    views: States, masks: NDArray[np.bool_], inputs: NDArray[np.int8], layers: Layers, trust: float, chosen: Ints
) -> None:
    """The best action at every table by a network that rates single plays; arguments as of ``rate_plays`` and ``best``.
    ``chosen``, int64, holds the advised actions, and is written."""
    ratings = np.zeros(masks.shape[1], np.float32)
    for i in range(len(views)):
        legal = np.flatnonzero(masks[i])
        rate_plays(views[i], legal, chosen[i], inputs, layers, ratings)
        chosen[i] = best(ratings, legal, chosen[i], trust)
