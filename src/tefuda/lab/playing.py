"""Playing the deals of an arm, compiled where its bots allow it, and writing down what every game brought."""

from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import recorder, verbs
from tefuda.engine.playout import MOST_ACTIONS, deal_each
from tefuda.engine.record import duplicate
from tefuda.engine.recorder import COUNTED, watch_each
from tefuda.engine.rng import generators
from tefuda.lab.bouts import Bouts
from tefuda.lab.dealing import deals_of
from tefuda.lab.experiment import Arm
from tefuda.lab.match import POLICIES, seating, warm_bots


@dataclass
class Moments:
    """The moments of one game in which the mover had a choice, in their order.

    Attributes:
        game: its row in ``Played``.
        states: records of shape (n,).
        chosen: int64 of shape (n,): the action made at each.
    """

    game: int
    states: NDArray[Any]
    chosen: NDArray[np.int64]


@dataclass
class Played:
    """Some deals of an arm; a row a game, deal by deal, rotation by rotation.

    Attributes:
        deals, rotations: int64 of shape (games,): numbers.
        sitting: int64 of shape (games, seats): which of the arm's bots sits there.
        payoffs: int64 of shape (games, seats), in the smallest unit.
        counts: int64 of shape (games, seats, COUNTED), as ``engine.measuring`` counts.
        firsts: int8 of shape (games,): the seat that acted first.
        finals: records of shape (games,): how each ended.
        behind: int64 of shape (games, seats), in the smallest unit: of whole games, the most by which a seat was behind
            whoever led, at the end of a deal that another followed.
        moments: of each game, if they were kept.
        thinking: seconds that bots took, in all threads together; 0 in compiled play.
    """

    deals: NDArray[np.int64]
    rotations: NDArray[np.int64]
    sitting: NDArray[np.int64]
    payoffs: NDArray[np.int64]
    counts: NDArray[np.int64]
    firsts: NDArray[np.int8]
    finals: NDArray[Any]
    behind: NDArray[np.int64]
    moments: list[Moments]
    thinking: float = 0.0


class Player:
    """Plays the deals of one arm, in whatever thread calls it.

    Args:
        arm: what is played.
        seed: of the decks.
        whole_games: whether each number is a whole game, whose deal k is shuffled with the seeds (seed, number, k).
        stopping: once set, games in which a bot thinks end before their next action with an InterruptedError.
    """

    def __init__(self, arm: Arm, seed: int, stopping: Any = None, whole_games: bool = False) -> None:
        self.arm, self.seed, self.whole_games = arm, seed, whole_games
        self.chairs = seating(arm.game.seats)[: arm.rotations]
        self._bouts = None if arm.compiled else Bouts(arm.game, arm.bots, self.chairs)
        if self._bouts:
            warm_bots(arm.game, arm.bots)  # else the first answer might come too late
            self._bouts.stopping = stopping or self._bouts.stopping

    def play(self, numbers: range, moments: bool = False) -> Played:
        """The decks of these numbers, in every rotation that differs.

        Args:
            numbers: of the decks.
            moments: whether every game's moments are kept.
        """
        games, seats = len(numbers) * len(self.chairs), self.arm.game.seats
        played = Played(
            deals=np.repeat(np.array(numbers, np.int64), len(self.chairs)),
            rotations=np.tile(np.arange(len(self.chairs)), len(numbers)),
            sitting=np.tile(np.argsort(self.chairs, 1), (len(numbers), 1)),
            payoffs=np.zeros((games, seats), np.int64),
            counts=np.zeros((games, seats, COUNTED), np.int64),
            firsts=np.zeros(games, np.int8),
            finals=np.zeros(games, self.arm.game.template.dtype),
            behind=np.zeros((games, seats), np.int64),
            moments=[],
        )
        if self._bouts:
            self._by_hand(self._bouts, played, moments)
        else:
            self._compiled(played, numbers, moments)
        if self.whole_games:
            self._go_on(played)
        return played

    def _compiled(self, played: Played, numbers: range, moments: bool) -> None:
        dealt, rngs = deals_of(self.arm.game, self.seed, numbers)
        played.finals[:] = np.repeat(dealt, len(self.chairs))
        own = np.repeat(rngs, len(self.chairs), axis=0)
        policies = np.array([POLICIES[each] for each in self.arm.bots], np.int8)[played.sitting]
        states = np.zeros(MOST_ACTIONS if moments else 0, dealt.dtype)
        chosen = np.zeros(len(states), np.int64)
        size = 1 if moments else max(1, len(own))
        for start in range(0, len(own), size):
            part = slice(start, start + size)
            kept = watch_each(
                played.finals[part],
                policies[part],
                own[part],
                played.payoffs[part],
                played.counts[part],
                played.firsts[part],
                states,
                chosen,
            )
            if moments:
                played.moments.append(Moments(start, duplicate(states[:kept]), chosen[:kept].copy()))

    def _go_on(self, played: Played) -> None:
        """Play the deals that follow until every game is over: payoffs and counts are those of the game."""
        game, actions = self.arm.game, (np.zeros(0, played.finals.dtype), np.zeros(0, np.int64))
        going = np.arange(len(played.finals))
        for k in count(1):
            over = [game.description.setup.facts(state)["over"] for state in played.finals[going]]
            going = going[~np.array(over, np.bool_)]
            if not len(going):
                return
            now = played.payoffs[going]
            played.behind[going] = np.maximum(played.behind[going], now.max(1, keepdims=True) - now)
            rngs = np.concatenate([generators((self.seed, int(played.deals[i]), k), 1) for i in going])
            states = np.zeros(len(going), played.finals.dtype)
            for row, i in enumerate(going):
                before = np.zeros(1, played.finals.dtype)
                verbs.next_deal(played.finals[i], before[0])
                deal_each(states[row : row + 1], before, game.pack, rngs[row : row + 1])
            policies = np.array([POLICIES[each] for each in self.arm.bots], np.int8)[played.sitting[going]]
            payoffs, counts = np.zeros_like(played.payoffs[going]), np.zeros_like(played.counts[going])
            watch_each(states, policies, rngs, payoffs, counts, np.zeros(len(going), np.int8), *actions)
            played.finals[going] = states
            played.payoffs[going] += payoffs
            played.counts[going] += counts

    def _by_hand(self, bouts: Bouts, played: Played, moments: bool) -> None:
        for k, (number, rotation) in enumerate(zip(played.deals, played.rotations, strict=True)):
            game = bouts.game_of(self.seed, int(number), int(rotation), moments)
            played.payoffs[k], played.counts[k] = game.points(), game.counts
            played.firsts[k], played.finals[k] = game.first, game.deal.state
            played.thinking += float(game.seconds.sum())
            if moments:
                states = np.array([state for state, _ in game.moments], played.finals.dtype)
                played.moments.append(Moments(k, states, np.array([action for _, action in game.moments], np.int64)))


def legal_actions(states: NDArray[Any], k: int, room: NDArray[np.int64]) -> NDArray[np.int64]:
    """The mover's actions at the k-th of these states; ``room`` is int64 of shape (MOST_ACTIONS,)."""
    return room[: recorder.list_legal(states, k, room)].copy()
