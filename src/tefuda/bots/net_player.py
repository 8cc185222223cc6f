"""A network that plays within compiled code: every seat of a playout, each from its own view."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.net import Network, Weights
from tefuda.bots.perceptron import NONE, Layers, best, rate_plays, rate_view
from tefuda.engine import verbs
from tefuda.engine.play import MOST_ACTIONS, NO_ACTION, UNWATCHED, decide, play_on
from tefuda.engine.record import Ints, Rng, StateRecord, States
from tefuda.engine.verbs import implements, rule
from tefuda.engine.views import observe
from tefuda.table.planes import words_of

LAYERS = 3  #: layers of the networks that come with games; compiled code of one is that of all


class CompiledNet(NamedTuple):
    """A network, and the workplace of its choices."""

    views: States  #: a view of the seat that acts
    words: NDArray[np.int64]  #: the same memory as ``views``
    layout: NDArray[np.int64]
    features: NDArray[np.int8]  #: of a single play, if it reads them
    places: NDArray[np.int64]  #: of the inputs that are not 0, if it reads planes, and of the advised action
    numbers: NDArray[np.float32]  #: those inputs
    layers: Layers
    asks: bool  #: whether it must be told what the rules of thumb advise
    trust: float
    rates_plays: bool  #: whether it reads features of single plays; else planes
    ratings: NDArray[np.float32]  #: of all actions: the last layer, where it reads planes


def new_net_player(record: np.dtype[np.void], network: Network | None) -> CompiledNet:
    """Make a player with a workplace of its own; without a network, one of the same types that must not be asked."""
    views = np.zeros(1, record)
    if network is None:
        weights = Weights([np.zeros((1, 1))] * LAYERS, [np.zeros(1)] * LAYERS)
        layout, asks, trust, rates_plays = np.zeros((0, 8), np.int64), False, 0.0, False
        features, places, numbers = np.zeros(0, np.int8), np.zeros(0, np.int64), np.zeros(0, np.float32)
    else:
        weights, layout, rates_plays = network.weights, network.observation.layout, network.rates_plays
        features, places, numbers = map(np.zeros_like, (network.features, network.places, network.numbers))
        asks, trust = network.asks, float(network.card.trust)
    layers = weights.layers()
    ratings = np.zeros_like(network.rated) if network is not None and rates_plays else layers.outputs[-1]
    words = words_of(views)
    return CompiledNet(views, words, layout, features, places, numbers, layers, asks, trust, rates_plays, ratings)


@rule
def choose_by_net(player: CompiledNet, state: StateRecord, seat: int, legal: Ints, rng: Rng) -> int:
    """Choose by the network in the place of this seat; ``legal`` are its legal actions."""
    advised = int(verbs.advise(state, rng)) if player.asks else NONE
    if player.rates_plays:
        rate_plays(state, legal, advised, player.features, player.layers, player.ratings)
    else:
        observe(state, seat, player.views[0])
        places, numbers = player.places, player.numbers
        rate_view(player.words[0], player.layout, state.seats, advised, places, numbers, legal, player.layers)
    return best(player.ratings, legal, advised, player.trust)


@implements(decide, CompiledNet, inlined=True)
def decide_by_net(player: CompiledNet, state: StateRecord, seat: int, rng: Rng, legal: Ints) -> tuple[int, int]:
    """Choose what the network rates highest; at once if there is only one action."""
    n = int(verbs.legal(state, legal))
    if n < 2:
        return (int(legal[0]) if n == 1 else NO_ACTION), n
    return choose_by_net(player, state, seat, legal[:n], rng), n


@rule
def play_each_by_net(
    player: CompiledNet, states: States, first: Ints, rngs: Rng, seat: int, payoffs: Ints, incidents: Ints
) -> None:
    """Play every deal to its end, in place; the network makes every choice but the first, ``first`` of each deal or
    NONE.

    ``rngs`` is of shape (deals, 1). ``payoffs`` of shape (deals, seats) is filled, and for this seat ``incidents`` of
    shape (deals, MOST_INCIDENTS), all 0 before."""
    actions = np.empty(MOST_ACTIONS, np.int64)
    for i in range(len(states)):
        if first[i] != NONE:
            verbs.apply(states[i], first[i])
        play_on(player, UNWATCHED, states[i], rngs[i], actions)
        verbs.payoff(states[i], payoffs[i])
        if len(incidents) > 0:
            verbs.incidents(states[i], seat, incidents[i])
