"""Examples for a network: positions of real deals, with what the deal brought after each of several plays.

The rules of thumb play deals, or a network that has learned before, with the rules of thumb in some seats: a network
that meets only its like forgets how others play. At about half of the choices several plays are
tried in the very deal, with the hidden cards as they lie and the same random numbers, and the same players play on.
What a play gains over another in one deal is mostly luck; over all deals that look the same to the mover, the luck
averages out. Now and then a seat makes any legal play, so that the network also meets positions that the players avoid.
Deals vary the options that the network is to know. For a best response the network has one team's seats, which alone
are learned from, and a player that stays as it is the others."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.net import Network, several
from tefuda.bots.net_player import CompiledNet, choose_by_net, new_net_player
from tefuda.engine import verbs
from tefuda.engine.objective import teams_of, write_gains
from tefuda.engine.option import OptionError, Value
from tefuda.engine.play import HINTS, MOST_ACTIONS, NO_ACTION, RANDOM, UNWATCHED, deal_at_random, decide, play_on
from tefuda.engine.raw import copy
from tefuda.engine.record import Ints, Rng, StateRecord, States
from tefuda.engine.recorder import try_in_world
from tefuda.engine.rng import below, chance
from tefuda.engine.verbs import MOST_INCIDENTS, implements, rule
from tefuda.engine.views import observe
from tefuda.table.game import Game
from tefuda.table.planes import Observation

SITTING = 10  #: deals in a row with the same options
MOST_POSITIONS = 256 * SITTING  #: kept of a sitting; what comes after is played, but not kept

MOST_COMPARED = 8
"""Plays of a position that are tried: the advised one, that of the player, and others drawn at random where there are
more."""

COMPARED = 50  #: percentage of the choices at which plays are tried
OTHERS = 25  #: percentage of the seats that the rules of thumb take where a network plays the deals
STRAY = 5  #: percentage of the choices that are made at random, and not by the players

NET, FROZEN = range(HINTS + 1, HINTS + 3)  #: players beside RANDOM and HINTS: the network, and one that stays as it is


class Examples(NamedTuple):
    """Positions with a choice; axis 0 is the position, but for the last two arrays."""

    inputs: NDArray[np.int8]
    """shape (positions, inputs), as ``Observation`` encodes them; where the game names features of plays, what it tells
    of each, shape (actions tried, inputs)"""
    counts: NDArray[np.int32]  #: actions tried; the arrays below have one entry for each, position by position
    actions: NDArray[np.int16]  #: the advised one first
    gains: NDArray[np.float32]  #: what the deal brought the mover after the action (``engine/objective.py``)


class League(NamedTuple):
    """A network in some seats, the rules of thumb or other players in the others."""

    net: CompiledNet
    frozen: CompiledNet
    seated: NDArray[np.int8]  #: of each seat: RANDOM, HINTS, NET or FROZEN


@implements(decide, League)
def decide_in_league(player: League, state: StateRecord, seat: int, rng: Rng, legal: Ints) -> tuple[int, int]:
    """Choose as the player of this seat does; at once if there is only one action."""
    n = int(verbs.legal(state, legal))
    if n < 2:
        return (int(legal[0]) if n == 1 else NO_ACTION), n
    return choose_in_league(player, state, seat, legal[:n], rng), n


@rule
def choose_in_league(player: League, state: StateRecord, seat: int, legal: Ints, rng: Rng) -> int:
    """Choose one of the ``legal`` actions as the player of this seat does."""
    who = player.seated[seat]
    if who == NET:
        return choose_by_net(player.net, state, seat, legal, rng)
    if who == FROZEN:
        return choose_by_net(player.frozen, state, seat, legal, rng)
    return int(legal[below(rng, len(legal))]) if who == RANDOM else int(verbs.advise(state, rng))


class Workplace(NamedTuple):
    """The player that tries plays on the way, and the memory in which it does."""

    states: States  #: the deal
    worlds: States  #: the deal as it stands, and as it is played on
    views: States  #: of each position
    counts: NDArray[np.int32]
    actions: NDArray[np.int16]
    gains: NDArray[np.float32]
    legal: NDArray[np.int64]
    inputs: NDArray[np.int8]  #: features of each tried action, if the game names any
    payoffs: NDArray[np.int64]  #: after each tried action, for each seat
    seat_gains: NDArray[np.float64]
    found: NDArray[np.int64]  #: how many positions are kept, and actions tried, shape (2,)
    league: League  #: plays the deals
    percentage: int  #: of the seats that its network takes, if there are no seatings
    seatings: NDArray[np.int8]  #: of a best response, as ``League.seated``, one of which each deal draws; else none


def new_workplace(game: Game, network: Network | None) -> Workplace:
    """Empty; the network plays the deals, if there is one."""
    record, features = game.description.record, sum(size for _, size in game.description.features)
    return Workplace(
        states=np.zeros(1, record),
        worlds=np.zeros(2, record),
        views=np.zeros(MOST_POSITIONS, record),
        counts=np.zeros(MOST_POSITIONS, np.int32),
        actions=np.zeros(MOST_POSITIONS * MOST_COMPARED, np.int16),
        gains=np.zeros(MOST_POSITIONS * MOST_COMPARED, np.float32),
        legal=np.zeros(MOST_ACTIONS, np.int64),
        inputs=np.zeros((MOST_POSITIONS * MOST_COMPARED, features), np.int8),
        payoffs=np.zeros((MOST_COMPARED, game.seats), np.int64),
        seat_gains=np.zeros(game.seats),
        found=np.zeros(2, np.int64),
        league=League(new_net_player(record, network), new_net_player(record, None), np.zeros(game.seats, np.int8)),
        percentage=0 if network is None else 100 - OTHERS,
        seatings=np.zeros((0, game.seats), np.int8),
    )


class Teacher:
    """Plays deals, with all values of the ``options`` that vary, and tries plays in them; one for each thread.

    The network plays the deals, and its planes are read. Without, the rules of thumb play, and the planes of the game
    are read but for those that tell nothing."""

    def __init__(self, game: Game, options: Mapping[str, Sequence[Value]], network: Network | None = None) -> None:
        self.game, self.options = game, options
        if network is None or network.rates_plays:
            self.observation = Observation(game, several(options)).without(game.description.unread)
        else:
            self.observation = network.observation
        self._work = new_workplace(game, network)

    def respond(self, network: Network, against: int, frozen: Network | None) -> None:
        """From now on let the network play a team of each deal, and teach what that does; RANDOM, HINTS or FROZEN, the
        ``frozen`` network, play ``against`` it."""
        record, teams = self.game.description.record, np.array(teams_of(self.game.template[0]))
        seatings = np.where(teams == np.unique(teams)[:, None], NET, against).astype(np.int8)
        league = League(new_net_player(record, network), new_net_player(record, frozen), self._work.league.seated)
        self._work = self._work._replace(league=league, seatings=seatings)

    @property
    def reads(self) -> Sequence[tuple[str, int]]:
        """Names and sizes of a network's inputs: the features of plays that the game names, else planes."""
        return self.game.description.features or [(plane.name, plane.size) for plane in self.observation.planes]

    def play(self, rng: Rng, deals: int) -> Examples:
        """Deals, a sitting after the other, each with options of its own."""
        parts = [self._sit(rng, min(SITTING, deals - done)) for done in range(0, deals, SITTING)]
        return Examples(*map(np.concatenate, zip(*parts, strict=True)))

    def _sit(self, rng: Rng, deals: int) -> Examples:
        work, template = self._work, self._template(rng)
        play_trying(work, template, self.game.description.rules.pack(template[0]), rng, deals)
        positions, tried = work.found.tolist()
        tells = bool(self.game.description.features)
        return Examples(
            work.inputs[:tried].copy() if tells else self.observation.encode(work.views[:positions]),
            work.counts[:positions].copy(),
            work.actions[:tried].copy(),
            work.gains[:tried].copy(),
        )

    def _template(self, rng: Rng) -> States:
        """Options for a sitting: each has its first value in half of them, in the others any; again if they clash."""
        while True:
            drawn = {
                name: values[0] if chance(rng, 50) else values[below(rng, len(values))]
                for name, values in self.options.items()
            }
            with suppress(OptionError):
                return self.game.description.template(self.game.seats, drawn)


@rule
def play_trying(work: Workplace, template: States, pack: Ints, rng: Rng, deals: int) -> None:
    """Play deals to their end, trying plays at some choices; ``work.found`` says how many were kept."""
    work.found[:] = 0
    for _ in range(deals):
        seat_players(work, rng)
        deal_at_random(work.states, 0, template, pack, rng)
        play_on(work, UNWATCHED, work.states[0], rng, work.legal)


@rule
def seat_players(work: Workplace, rng: Rng) -> None:
    """Say who plays the next deal: a seating that is drawn, or the network in about its percentage of the seats."""
    drawn = below(rng, len(work.seatings)) if len(work.seatings) > 0 else -1
    for seat in range(len(work.league.seated)):
        by_chance = NET if chance(rng, work.percentage) else HINTS
        work.league.seated[seat] = work.seatings[drawn, seat] if drawn >= 0 else by_chance


@implements(decide, Workplace)
def decide_trying(player: Workplace, state: StateRecord, seat: int, rng: Rng, legal: Ints) -> tuple[int, int]:
    """Choose as the rules of thumb or the network do, or now and then at random; try other plays at some choices."""
    n = int(verbs.legal(state, legal))
    if n == 0:
        return NO_ACTION, 0
    advised = int(verbs.advise(state, rng))
    chosen = advised
    who = player.league.seated[seat]
    if who != HINTS and n > 1:
        chosen = choose_in_league(player.league, state, seat, legal[:n], rng)
    learns = n > 1 and (len(player.seatings) == 0 or who == NET)
    has_room = player.found[0] < MOST_POSITIONS
    if learns and has_room and is_told(player, state, advised) and chance(rng, COMPARED):
        count = draw_compared(legal, n, advised, chosen, rng)
        keep_position(player, state, seat, count, rng)
    straying = learns and chance(rng, STRAY)
    return (int(legal[below(rng, n)]) if straying else chosen), n


@rule
def is_told(work: Workplace, state: StateRecord, advised: int) -> bool:
    """True if a network has anything to learn here: everywhere but where a game with features has none to tell."""
    return len(work.inputs[0]) == 0 or verbs.features(state, advised, advised, work.inputs[-1])


@rule
def draw_compared(legal: Ints, n: int, advised: int, chosen: int, rng: Rng) -> int:
    """Put the actions to try first in ``legal``: the advised one, the chosen one, others drawn at random; how many."""
    count = min(n, MOST_COMPARED)
    for k in range(n):
        if legal[k] == advised:
            legal[0], legal[k] = legal[k], legal[0]
    first = 1
    if chosen != advised:
        first = 2
        for k in range(1, n):
            if legal[k] == chosen:
                legal[1], legal[k] = legal[k], legal[1]
    if n > count:
        for k in range(first, count):
            other = k + below(rng, n - k)
            legal[k], legal[other] = legal[other], legal[k]
    return count


@rule
def keep_position(work: Workplace, state: StateRecord, seat: int, count: int, rng: Rng) -> None:
    """Keep a position, and what the deal brings the mover after each of the first ``count`` of ``legal``."""
    position, first = work.found[0], work.found[1]
    observe(state, seat, work.views[position])
    copy(state, work.worlds[0])
    tried, unasked = work.legal[:count], np.zeros((0, MOST_INCIDENTS), np.int64)
    try_in_world(work.league, work.worlds, rng, tried, work.payoffs, seat, unasked)
    below(rng, 2)
    for a in range(count):
        write_gains(work.worlds[0], work.payoffs[a], work.seat_gains)
        if len(work.inputs[0]) > 0:
            verbs.features(work.worlds[0], work.legal[0], work.legal[a], work.inputs[first + a])
        work.actions[first + a], work.gains[first + a] = work.legal[a], work.seat_gains[seat]
    work.counts[position] = count
    work.found[0] += 1
    work.found[1] += count
