"""The seats of ``VectorEnv`` that bots play: who sits where, and how networks answer for many tables at once."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.net import NetBot, Network
from tefuda.bots.players import bot
from tefuda.engine.errors import TefudaError
from tefuda.engine.playout import HINTS, RANDOM
from tefuda.research.buffers import FIRST_NETWORK, LEARNER, NOTHING, SeatedBots, Tables
from tefuda.research.kernels import advise_rows
from tefuda.table.game import Game

COMPILED = {"random": RANDOM, "hints": HINTS}
"""The bots that play in compiled code."""

Seating = Mapping[int, str | Network]
"""Who plays a seat: ``random``, ``hints``, ``net``, ``net:FOLDER``, or a network."""


def seat_bots(game: Game, tables: int, bots: Seating, rotate: bool) -> tuple[SeatedBots | None, list[Network]]:
    """Seat bots at every table; None if there are none.

    Args:
        game: with its seats and options.
        tables: how many.
        bots: by seat.
        rotate: at table i everybody sits i seats further on.

    Returns:
        who sits where, with generators still to be set, and the networks in the order of their numbers.

    Raises:
        TefudaError: there is no such seat or bot, the bot cannot play many tables at once, a network does not know the
            table, or no seat is left.
    """
    if not isinstance(bots, Mapping):
        raise TefudaError(f"bots: {bots!r}; say who sits where, as in {{1: 'hints', 2: 'random'}}")
    if not bots:
        return None, []
    networks: dict[str | Network, Network] = {}
    seats = np.full(game.seats, LEARNER, np.int8)
    for seat, who in bots.items():
        if type(seat) is not int or not 0 <= seat < game.seats:
            raise TefudaError(f"bots: there is no seat {seat!r}; seats are 0 to {game.seats - 1}")
        if isinstance(who, str) and who in COMPILED:
            seats[seat] = COMPILED[who]
            continue
        if who not in networks:
            networks[who] = _network(who, game)
        seats[seat] = FIRST_NETWORK + list(networks).index(who)
    if not (seats == LEARNER).any():
        raise TefudaError("bots: every seat has a bot; leave one to the learner")
    turned = (np.arange(game.seats) - np.arange(tables)[:, None] * rotate) % game.seats
    return SeatedBots(seats[turned], np.zeros((tables, 1), np.uint64)), list(networks.values())


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
    deal = game.deal(0)
    return found.network(deal.view(deal.mover))


def network_actions(tables: Tables, bots: SeatedBots, networks: Sequence[Network]) -> NDArray[np.int64] | None:
    """What the networks on turn do, NOTHING at other tables; None if no network is on turn.

    Args:
        tables: not changed.
        bots: who sits where; their generators are drawn from.
        networks: in the order of their numbers.
    """
    turn = bots.seated[np.arange(len(tables.seats)), tables.seats]
    if not (turn >= FIRST_NETWORK).any():
        return None
    chosen = np.full(len(turn), NOTHING, np.int64)
    for k, network in enumerate(networks):
        rows = np.flatnonzero(turn == FIRST_NETWORK + k)
        if not len(rows):
            continue
        views, advised = np.zeros(len(rows), tables.states.dtype), np.zeros(len(rows), np.int64)
        advise_rows(tables, bots.rngs, rows, network.asks, views, advised)
        chosen[rows] = network.answer_all(views, tables.masks[rows], advised if network.asks else None)
    return chosen
