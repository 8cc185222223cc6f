"""Seats that no learner plays: who sits where, and how players answer for many tables at once.

RANDOM and HINTS play in compiled code (``kernels``). Any other player is asked in Python, once for all tables at which
it is on turn."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tefuda.bots.net import NetBot, Network
from tefuda.bots.players import Bot, ask, bot
from tefuda.engine.errors import TefudaError
from tefuda.engine.play import POLICIES, play_batch
from tefuda.engine.record import Ints, States
from tefuda.research.arguments import as_actions
from tefuda.research.buffers import FIRST_ASKED, LEARNER, NOTHING, UNSEEN, SeatedBots, Tables, allocate
from tefuda.research.kernels import advice_for_rows, first_illegal, step_all
from tefuda.table.game import Game
from tefuda.table.planes import Observation
from tefuda.table.view import View

Seating = Mapping[int, str | Network]  #: by seat ``random``, ``hints``, ``net``, ``net:FOLDER``, or a network

Policy = Callable[[NDArray[np.int8], NDArray[np.bool_]], ArrayLike]
"""A function of observations (tables, numbers) and masks (tables, actions) that gives an action for every table."""

Answer = Callable[[Tables, SeatedBots, NDArray[np.int64]], NDArray[np.int64]]
"""A function of tables, their bots and numbers of tables that gives an action for each; it changes only generators."""


def seat_bots(game: Game, tables: int, bots: Seating, rotate: bool) -> tuple[SeatedBots | None, list[Answer]]:
    """Seat bots, given by seat, at every table; where they ``rotate``, at table i everybody sits i seats further on.

    Returns who sits where, with generators still to be set, None if there are no bots; and the answers of networks in
    the order of their numbers. ``TefudaError`` if there is no such seat or bot, the bot cannot play many tables at
    once, a network does not know the table, or no seat is left."""
    if not isinstance(bots, Mapping):
        raise TefudaError(f"bots: {bots!r}; say who sits where, as in {{1: 'hints', 2: 'random'}}")
    if not bots:
        return None, []
    answers: dict[str | Network, Answer] = {}
    seats = np.full(game.seats, LEARNER, np.int8)
    for seat, who in bots.items():
        if type(seat) is not int or not 0 <= seat < game.seats:
            raise TefudaError(f"bots: there is no seat {seat!r}; seats are 0 to {game.seats - 1}")
        if isinstance(who, str) and who in POLICIES:
            seats[seat] = POLICIES[who]
            continue
        if who not in answers:
            answers[who] = partial(by_network, _network(who, game))
        seats[seat] = FIRST_ASKED + list(answers).index(who)
    if not (seats == LEARNER).any():
        raise TefudaError("bots: every seat has a bot; leave one to the learner")
    turned = (np.arange(game.seats) - np.arange(tables)[:, None] * rotate) % game.seats
    return SeatedBots(seats[turned], np.zeros((tables, 1), np.uint64)), list(answers.values())


def _network(who: str | Network, game: Game) -> Network:
    if isinstance(who, Network):
        return who
    if not isinstance(who, str):
        raise TefudaError(f"bots: {who!r} is neither the name of a bot nor a Network")
    found = bot(who)
    if not isinstance(found, NetBot):
        raise TefudaError(
            f"bots: {who!r} thinks table by table; VectorEnv seats random, hints, net and net:FOLDER, "
            "and tefuda.research.gymnasium any bot"
        )
    return network_of(found, game)


def network_of(player: NetBot, game: Game) -> Network:
    """The network by which a bot plays a game."""
    deal = game.deal(0)
    return player.network(deal.view(deal.mover))


# Answers, once the first arguments are given


def by_network(network: Network, tables: Tables, bots: SeatedBots, rows: Ints) -> Ints:
    """Let a network answer."""
    views, advised = np.zeros(len(rows), tables.states.dtype), np.zeros(len(rows), np.int64)
    advice_for_rows(tables, bots.rngs, rows, network.asks, views, advised)
    return network.answer_all(views, tables.masks[rows], advised if network.asks else None)


def by_policy(policy: Policy, observation: Observation, tables: Tables, bots: SeatedBots, rows: Ints) -> Ints:
    """Let a policy answer, for all tables in one call."""
    views = np.zeros(len(rows), tables.states.dtype)
    advice_for_rows(tables, bots.rngs, rows, False, views, rows)
    return as_actions(policy(observation.encode(views), tables.masks[rows]), len(rows), "the policy returned")


def by_bot(player: Bot, game: Game, tables: Tables, bots: SeatedBots, rows: Ints) -> Ints:
    """Let a bot answer, table by table."""
    chosen = []
    for row in rows:
        view = View(game.description, tables.states[row : row + 1], int(tables.seats[row]))
        legal = np.flatnonzero(tables.masks[row]).tolist()
        chosen.append(ask(player, view, legal, bots.rngs[row], f"seat {view.seat}"))
    return np.array(chosen, np.int64)


def asked_actions(tables: Tables, bots: SeatedBots, answers: Sequence[Answer]) -> NDArray[np.int64] | None:
    """Ask the players on turn for actions, NOTHING at other tables; None if none of them is on turn.

    The generators of ``bots`` are drawn from. ``answers`` are of the players, in the order of their numbers."""
    turn = np.where(tables.seats < 0, LEARNER, bots.seated[np.arange(len(tables.seats)), tables.seats])
    if not (turn >= FIRST_ASKED).any():
        return None
    chosen = np.full(len(turn), NOTHING, np.int64)
    for k, answer in enumerate(answers):
        rows = np.flatnonzero(turn == FIRST_ASKED + k)
        if len(rows):
            chosen[rows] = answer(tables, bots, rows)
    return chosen


def play_given(game: Game, states: States, bots: SeatedBots, answers: Sequence[Answer]) -> NDArray[np.int64]:
    """Play given deals, records of shape (deals,) that are dealt, side by side to their end: the payoffs, int64 of
    shape (deals, seats).

    ``bots`` says who sits in each seat: RANDOM, HINTS, or FIRST_ASKED + k; their generators are drawn from. ``answers``
    are of the players that are asked, in the order of their numbers. ``TefudaError`` if one of them chose an action
    that is not legal."""
    tables = allocate(Observation(game), len(states))._replace(template=game.template[:0])
    tables.states[:] = states
    chosen: NDArray[np.int64] | None = np.full(len(states), NOTHING, np.int64)
    while chosen is not None:
        wrong = int(first_illegal(tables.allowed, tables.masks.shape[1], chosen, chosen == NOTHING))
        if wrong >= 0:
            raise TefudaError(f"the policy chose action {chosen[wrong]}, which is not legal there")
        step_all(tables, bots, chosen, False, UNSEEN, True)
        chosen = asked_actions(tables, bots, answers)
    return play_batch(tables.states, np.zeros(bots.seated.shape, np.int8), bots.rngs)  # nothing is left but to score
