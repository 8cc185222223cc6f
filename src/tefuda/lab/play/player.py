"""Plays numbered deals, compiled where the bots allow it, and records what every game brought."""

from collections.abc import Sequence
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
from tefuda.lab.play.bot_games import PLAY, BotGames
from tefuda.lab.play.card_luck import CardLuck, is_worthwhile
from tefuda.lab.play.rotations import POLICIES, is_compiled, rotation_count, rotations, warm_bots
from tefuda.table.game import Game, numbered_deals


@dataclass
class DecisionPoints:
    """The states of one game in which the mover had a choice, in their order.

    Attributes:
        game: the game's row in ``GameBatch``.
        states: records of shape (n,).
        chosen: int64 of shape (n,): the action made at each.
    """

    game: int
    states: NDArray[Any]
    chosen: NDArray[np.int64]


@dataclass
class GameBatch:
    """Some deals that were played; a row a game, deal by deal, rotation by rotation.

    Attributes:
        deals, rotations: int64 of shape (games,): numbers.
        sitting: int64 of shape (games, seats): which of the bots sits there.
        payoffs: int64 of shape (games, seats), in the smallest unit.
        counts: int64 of shape (games, seats, COUNTED), as ``engine.recorder`` counts.
        firsts: int8 of shape (games,): the seat that acted first.
        finals: records of shape (games,): how each game ended.
        behind: int64 of shape (games, seats), in the smallest unit: of whole games, the most by which a seat was behind
            the leader at the end of a deal that another deal followed.
        decisions: of each game, if they were kept.
        thinking: seconds that bots took, in all threads together; 0 in compiled play.
        luck: float64 of shape (games, seats): what of the payoffs was luck (``card_luck``); None if not measured.
    """

    deals: NDArray[np.int64]
    rotations: NDArray[np.int64]
    sitting: NDArray[np.int64]
    payoffs: NDArray[np.int64]
    counts: NDArray[np.int64]
    firsts: NDArray[np.int8]
    finals: NDArray[Any]
    behind: NDArray[np.int64]
    decisions: list[DecisionPoints]
    thinking: float = 0.0
    luck: NDArray[np.float64] | None = None


class DealPlayer:
    """Plays numbered deals with the same bots, in whatever thread calls it.

    Args:
        game: with its seats and options.
        bots: one for each seat.
        seed: of the decks.
        stop: an event; once set, games in which a bot thinks end before their next action with an InterruptedError.
        whole_games: whether each number is a whole game, whose deal k is shuffled with the seeds (seed, number, k).
        luck: whether the luck of the cards is measured where a bot thinks for long (``card_luck``).
    """

    def __init__(
        self,
        game: Game,
        bots: Sequence[str],
        seed: int,
        stop: Any = None,
        whole_games: bool = False,
        luck: bool = False,
    ) -> None:
        self.game, self.bots, self.seed, self.whole_games = game, bots, seed, whole_games
        self.chairs = rotations(game.seats)[: rotation_count(bots)]
        measure = CardLuck(game, bots) if luck and is_worthwhile(game, bots) else None
        self._bot_games = None if is_compiled(bots) else BotGames(game, bots, self.chairs, measure)
        if self._bot_games:
            warm_bots(game, bots)  # else the first answer might come too late
            self._bot_games.stop = stop or self._bot_games.stop

    def play(self, numbers: range, keep_decisions: bool = False, stream: int = PLAY) -> GameBatch:
        """Play the decks of these numbers, in every rotation that differs.

        Args:
            numbers: of the decks.
            keep_decisions: whether every game's decision points are kept.
            stream: AGAIN for the same cards with other random numbers than usual.
        """
        games, seats = len(numbers) * len(self.chairs), self.game.seats
        batch = GameBatch(
            deals=np.repeat(np.array(numbers, np.int64), len(self.chairs)),
            rotations=np.tile(np.arange(len(self.chairs)), len(numbers)),
            sitting=np.tile(np.argsort(self.chairs, 1), (len(numbers), 1)),
            payoffs=np.zeros((games, seats), np.int64),
            counts=np.zeros((games, seats, COUNTED), np.int64),
            firsts=np.zeros(games, np.int8),
            finals=np.zeros(games, self.game.template.dtype),
            behind=np.zeros((games, seats), np.int64),
            decisions=[],
        )
        if self._bot_games:
            self._play_in_python(self._bot_games, batch, keep_decisions, stream)
        else:
            self._play_compiled(batch, numbers, keep_decisions, stream)
        if self.whole_games:
            self._play_following_deals(batch)
        return batch

    def _policies(self, sitting: NDArray[np.int64]) -> NDArray[np.int8]:
        policies: NDArray[np.int8] = np.array([POLICIES[each] for each in self.bots], np.int8)[sitting]
        return policies

    def _play_compiled(self, batch: GameBatch, numbers: range, keep_decisions: bool, stream: int) -> None:
        dealt, rngs = numbered_deals(self.game, self.seed, numbers)
        if stream != PLAY:
            rngs = np.concatenate([generators((self.seed, number, stream), 1) for number in numbers])
        batch.finals[:] = np.repeat(dealt, len(self.chairs))
        rngs = np.repeat(rngs, len(self.chairs), axis=0)
        policies = self._policies(batch.sitting)
        states = np.zeros(MOST_ACTIONS if keep_decisions else 0, dealt.dtype)
        chosen = np.zeros(len(states), np.int64)
        size = 1 if keep_decisions else max(1, len(rngs))
        for start in range(0, len(rngs), size):
            part = slice(start, start + size)
            kept = watch_each(
                batch.finals[part],
                policies[part],
                rngs[part],
                batch.payoffs[part],
                batch.counts[part],
                batch.firsts[part],
                states,
                chosen,
            )
            if keep_decisions:
                batch.decisions.append(DecisionPoints(start, duplicate(states[:kept]), chosen[:kept].copy()))

    def _play_following_deals(self, batch: GameBatch) -> None:
        """Play deals until every game is over: payoffs and counts become those of the whole game."""
        nothing_kept = np.zeros(0, batch.finals.dtype), np.zeros(0, np.int64)
        running = np.arange(len(batch.finals))
        for k in count(1):
            over = [self.game.description.setup.facts(state)["over"] for state in batch.finals[running]]
            running = running[~np.array(over, np.bool_)]
            if not len(running):
                return
            now = batch.payoffs[running]
            batch.behind[running] = np.maximum(batch.behind[running], now.max(1, keepdims=True) - now)
            states, rngs = self._following_deals(batch, running, k)
            payoffs, counts = np.zeros_like(now), np.zeros_like(batch.counts[running])
            policies, firsts = self._policies(batch.sitting[running]), np.zeros(len(running), np.int8)
            watch_each(states, policies, rngs, payoffs, counts, firsts, *nothing_kept)
            batch.finals[running] = states
            batch.payoffs[running] += payoffs
            batch.counts[running] += counts

    def _following_deals(
        self, batch: GameBatch, running: NDArray[np.int64], k: int
    ) -> tuple[NDArray[Any], NDArray[np.uint64]]:
        """The k-th deals of these games, dealt, and their generators."""
        rngs = np.concatenate([generators((self.seed, int(batch.deals[i]), k), 1) for i in running])
        states = np.zeros(len(running), batch.finals.dtype)
        for row, i in enumerate(running):
            before = np.zeros(1, batch.finals.dtype)
            verbs.next_deal(batch.finals[i], before[0])
            deal_each(states[row : row + 1], before, self.game.pack, rngs[row : row + 1])
        return states, rngs

    def _play_in_python(self, bot_games: BotGames, batch: GameBatch, keep_decisions: bool, stream: int) -> None:
        batch.luck = np.zeros(batch.payoffs.shape) if bot_games.luck else None
        for k, (number, rotation) in enumerate(zip(batch.deals, batch.rotations, strict=True)):
            game = bot_games.play_game(self.seed, int(number), int(rotation), keep_decisions, stream)
            batch.payoffs[k], batch.counts[k] = game.points(), game.counts
            batch.firsts[k], batch.finals[k] = game.first, game.deal.state
            batch.thinking += float(game.seconds.sum())
            if batch.luck is not None and game.luck is not None:
                batch.luck[k] = game.luck
            if keep_decisions:
                states = np.array([state for state, _ in game.decisions], batch.finals.dtype)
                actions = np.array([action for _, action in game.decisions], np.int64)
                batch.decisions.append(DecisionPoints(k, states, actions))


def legal_actions(states: NDArray[Any], k: int) -> NDArray[np.int64]:
    """The mover's legal actions in the k-th of these states."""
    found = np.zeros(MOST_ACTIONS, np.int64)
    return found[: recorder.list_legal(states, k, found)].copy()
