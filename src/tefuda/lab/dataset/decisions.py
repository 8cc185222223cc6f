"""Deals played for a dataset: every decision among several actions, as rows of numbers."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tefuda.bots.play_estimates import ActionEstimate
from tefuda.bots.players import Bot, bot
from tefuda.bots.search import SearchBot
from tefuda.engine import verbs
from tefuda.engine.objective import write_gains
from tefuda.engine.recorder import write_choices
from tefuda.engine.rng import Rng
from tefuda.engine.views import observe_all
from tefuda.lab.play.bot_games import BotGame
from tefuda.lab.play.player import DealPlayer
from tefuda.lab.play.rotations import is_compiled, rotation_count, rotations, warm_bots
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.planes import Observation
from tefuda.table.view import View

ESTIMATES = {"estimated": pl.List(pl.Int16), "worths": pl.List(pl.Float32), "visits": pl.List(pl.Int32)}
"""What a search found: actions, what each is worth to the mover, and in how many simulations."""


@dataclass
class PlayedGame:
    """One deal as it was played.

    Attributes:
        deal, rotation: numbers.
        sitting: int64 of shape (seats,): which of the bots sits there.
        states: records of shape (decisions,): full states in which the mover had a choice.
        chosen: int64 of shape (decisions,): the action made at each.
        final: record of shape (1,): how the deal ended.
        estimates: for each decision what a search found; empty where none was asked.
    """

    deal: int
    rotation: int
    sitting: NDArray[np.int64]
    states: NDArray[Any]
    chosen: NDArray[np.int64]
    final: NDArray[Any]
    estimates: list[Sequence[ActionEstimate]]


class RememberingBot:
    """A bot that remembers what its search found at each decision.

    Args:
        player: who decides; a bot that does not search finds nothing.
    """

    def __init__(self, player: Bot) -> None:
        self._player = player
        self.found: Sequence[ActionEstimate] = ()

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """What the bot chooses."""
        self.found = ()
        if not isinstance(self._player, SearchBot) or len(legal) == 1:
            return self._player.choose(view, legal, rng)
        self.found = self._player.think(view, rng)
        return self.found[0].action


class DecisionPlayer:
    """Plays numbered deals and keeps every decision.

    Args:
        game: with its seats and options.
        bots: one for each seat; they rotate, so that every kind of bot sits everywhere.
        seed: of the decks: deal k is ``game.deal((seed, k))``.
        threads: games played at a time where bots think in Python.
    """

    def __init__(self, game: Game, bots: Sequence[str], seed: int, threads: int | None = None) -> None:
        self.game, self.bots, self.seed, self.threads = game, list(bots), seed, threads
        self.chairs = rotations(game.seats)[: rotation_count(bots)]
        self._local = threading.local()
        self._stop = threading.Event()
        if not is_compiled(bots):
            warm_bots(game, bots)

    def play(self, numbers: range) -> list[PlayedGame]:
        """Play the deals of these numbers in every rotation that differs."""
        if is_compiled(self.bots):
            return self._play_compiled(numbers)
        self._stop.clear()
        pool = ThreadPoolExecutor(self.threads)
        try:
            return list(pool.map(self._play_one, product(numbers, range(len(self.chairs)))))
        finally:
            self._stop.set()
            pool.shutdown(wait=True, cancel_futures=True)

    def _play_compiled(self, numbers: range) -> list[PlayedGame]:
        batch = DealPlayer(self.game, self.bots, self.seed).play(numbers, keep_decisions=True)
        return [
            PlayedGame(
                deal=int(batch.deals[k]),
                rotation=int(batch.rotations[k]),
                sitting=batch.sitting[k],
                states=kept.states,
                chosen=kept.chosen,
                final=batch.finals[k : k + 1],
                estimates=[()] * len(kept.chosen),
            )
            for k, kept in enumerate(batch.decisions)
        ]

    def _play_one(self, place: tuple[int, int]) -> PlayedGame:
        number, rotation = place
        if not hasattr(self._local, "bots"):
            self._local.bots = [RememberingBot(bot(spec)) for spec in self.bots]
        played = _WatchedGame(self.game, self.seed, number, self._local.bots, self.chairs[rotation])
        played.play(self._stop)
        return PlayedGame(
            deal=number,
            rotation=rotation,
            sitting=np.argsort(self.chairs[rotation]),
            states=np.array([state for state, _ in played.decisions], self.game.template.dtype),
            chosen=np.array([action for _, action in played.decisions], np.int64),
            final=played.deal.array,
            estimates=played.estimates,
        )


class _WatchedGame(BotGame):
    """A game that keeps its decisions, and what searches found at them."""

    def __init__(
        self, game: Game, seed: int, number: int, bots: Sequence[RememberingBot], chairs: NDArray[np.int64]
    ) -> None:
        super().__init__(game, seed, number, bots, chairs)
        self.keep_decisions = True
        self.estimates: list[Sequence[ActionEstimate]] = []
        self._remembering = [bots[k] for k in np.argsort(chairs)]

    def _count(self, seat: int, action: int, legal: Sequence[int], fault: bool) -> None:
        super()._count(seat, action, legal, fault)
        if len(legal) > 1:
            self.estimates.append(self._remembering[seat].found)


def decision_table(game: Game, bots: Sequence[str], games: Sequence[PlayedGame], *, values: bool) -> pl.DataFrame:
    """A row for each decision, in the order in which they were made.

    Args:
        game: with its seats and options.
        bots: as the games' ``sitting`` numbers them.
        games: played.
        values: whether there are columns for what searches found.
    """
    observation, counts = Observation(game), [len(each.chosen) for each in games]
    states = np.concatenate([each.states for each in games])
    movers, masks = np.zeros(len(states), np.int64), np.zeros((len(states), game.description.actions), np.bool_)
    write_choices(states, movers, masks)
    gains = np.repeat([gains_of(each.final, game.seats) for each in games], counts, axis=0)
    sitting = np.repeat([each.sitting for each in games], counts, axis=0)
    rows = np.arange(len(states))
    columns = {
        "deal": np.repeat([each.deal for each in games], counts),
        "rotation": np.repeat([each.rotation for each in games], counts).astype(np.int8),
        "decision": np.concatenate([np.arange(count) for count in counts]).astype(np.int16),
        "seat": movers.astype(np.int8),
        "bot": np.array(bots)[sitting[rows, movers]],
        "observation": observation.encode(observe_all(states, movers)),
        "mask": masks,
        "action": np.concatenate([each.chosen for each in games]).astype(np.int16),
        "gain": gains[rows, movers].astype(np.float32),
    }
    table = pl.DataFrame(columns).with_columns(pl.col("bot").cast(pl.Categorical))
    return table.hstack(_estimates(games)) if values else table


def deal_table(
    game: Game, bots: Sequence[str], games: Sequence[PlayedGame], seed: int, *, records: bool
) -> pl.DataFrame:
    """A row for each game: who sat where, what each seat received, and the record if it is wanted."""
    table = pl.DataFrame(
        {
            "deal": [each.deal for each in games],
            "rotation": pl.Series([each.rotation for each in games], dtype=pl.Int8),
            "bots": [[bots[k] for k in each.sitting] for each in games],
            "payoffs": [payoffs_of(each.final, game.seats).tolist() for each in games],
        }
    )
    if not records:
        return table
    return table.with_columns(record=pl.Series([played_again(game, seed, each).record() for each in games]))


def played_again(game: Game, seed: int, played: PlayedGame) -> Deal:
    """The deal from its deck and the actions chosen; where there was one action only, it was made."""
    deal, chosen = game.deal((seed, played.deal)), iter(played.chosen.tolist())
    while not deal.over:
        legal = deal.legal_actions()
        deal.act(legal[0] if len(legal) == 1 else next(chosen))
    return deal


def payoffs_of(final: NDArray[Any], seats: int) -> NDArray[np.int64]:
    """What each seat receives, in the smallest unit."""
    payoffs = np.zeros(seats, np.int64)
    verbs.payoff(final[0], payoffs)
    return payoffs


def gains_of(final: NDArray[Any], seats: int) -> NDArray[np.float64]:
    """What each seat gains over the others (``engine/objective.py``), in the smallest unit."""
    gains = np.zeros(seats)
    write_gains(final[0], payoffs_of(final, seats), gains)
    return gains


def _estimates(games: Sequence[PlayedGame]) -> pl.DataFrame:
    found = [each for game in games for each in game.estimates]
    return pl.DataFrame(
        {
            "estimated": [[each.action for each in some] for some in found],
            "worths": [[each.worth for each in some] for some in found],
            "visits": [[each.visits for each in some] for some in found],
        },
        schema=ESTIMATES,
    )
