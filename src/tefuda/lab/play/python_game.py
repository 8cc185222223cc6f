"""A deal in which a bot thinks in Python, and the luck of the cards in it (``engine/redeals.py`` says what that is).

A bot must answer with one of its legal actions, without an exception, and within ``TIME_LIMIT`` or its own
``time_limit``. A bot that does not loses the deal by default: a random legal action is made instead, and whatever the
cards bring, the bot gets the lowest payoff of any seat in that game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.play_estimates import ActionEstimate
from tefuda.bots.players import LEVELS, Bot, BotError, ask, level_spec
from tefuda.engine.play import ILLEGAL, MADE
from tefuda.engine.record import duplicate
from tefuda.engine.recorder import CHOICES, COUNTED, DECISIONS
from tefuda.engine.redeals import ADVISED, OPAQUE, STRAYS, UNIFORM, WORKPLACE, write_luck
from tefuda.engine.rng import below, generators
from tefuda.table.game import Game

TIME_LIMIT = 30.0  #: seconds after which an answer comes too late

MODEL_USE = 3  #: numbers of what a language model has used: tokens read, tokens written, answers refused

PLAY, LUCK, AGAIN = 1, 2, 3
"""The use of a seed's random numbers, its last number: for bots; for the deals with which luck is measured; for bots
where a deal is played once more."""

QUICK = ("random", "hints", "amateur", "net")  #: bots whose deals cost less than measuring the luck in them

_ORIGINS = {"random": UNIFORM, "hints": ADVISED}


@dataclass
class DecisionPoints:
    """The states (records of shape (n,)) of one game in which the mover had a choice, with the actions chosen (int64).

    ``game`` is the game's row in its batch; ``estimates`` are what a search found at each, if its bot keeps that."""

    game: int
    states: NDArray[np.void]
    chosen: NDArray[np.int64]
    estimates: list[Sequence[ActionEstimate]] = field(default_factory=list)


class PythonGame:
    """One deal in one rotation, by bots in the order of the match, whose seats are their ``chairs``."""

    def __init__(
        self,
        game: Game,
        seed: int,
        number: int,
        bots: Sequence[Bot],
        chairs: NDArray[np.int64],
        stream: int = PLAY,
        keep_decisions: bool = False,
    ) -> None:
        self.deal, self.number, self.chairs = game.deal((seed, number)), number, chairs
        self.bots = [bots[k] for k in np.argsort(chairs)]
        self.rng = generators((seed, number, stream), 1)[0]
        self.counts = np.zeros((game.seats, COUNTED), np.int64)  #: as ``engine.recorder`` counts
        self.seconds = np.zeros(game.seats)  #: time that the bots took
        self.model_use = np.zeros((game.seats, MODEL_USE), np.int64)  #: of language models: ``take_use`` of their bots
        self.faults: list[list[str]] = [[] for _ in range(game.seats)]  #: of each seat, what its bot did wrong
        self.first = self.deal.mover
        self.choices: list[tuple[int, int, int, int]] = []
        """of each action the seat, the action, and the table's generator before and after it was chosen"""
        self.luck: NDArray[np.float64] | None = None  #: of each seat's payoff the part that was luck, if measured
        self._keeps = keep_decisions
        self._decisions: list[tuple[np.void, int, Sequence[ActionEstimate]]] = []

    def play(self, stopped: Callable[[], bool]) -> None:
        """Play to the end of the deal; InterruptedError as soon as ``stopped`` says so."""
        while not self.deal.over:
            if stopped():
                raise InterruptedError
            seat, legal = self.deal.mover, self.deal.legal_actions()
            if not legal:
                return
            begun, before = perf_counter(), int(self.rng[0])
            action, fault = self._ask(seat, legal)
            passed = perf_counter() - begun
            if not fault and passed > getattr(self.bots[seat], "time_limit", TIME_LIMIT):
                fault = f"answered after {passed:.0f} s"
            if fault:
                self.faults[seat].append(f"deal {self.number}, {len(self.deal.history)} plays made: {fault}")
            self._count(seat, action, legal, bool(fault))
            self.choices.append((seat, action, before, int(self.rng[0])))
            self.seconds[seat] += passed
            if take_use := getattr(self.bots[seat], "take_use", None):
                self.model_use[seat] += take_use()
            self.deal.act(action)

    def _ask(self, seat: int, legal: Sequence[int]) -> tuple[int, str]:
        """A bot's action and an empty text; or a random legal action and what the bot did wrong."""
        try:
            view = self.deal.view(seat, told=getattr(self.bots[seat], "reads_told", False))
            return ask(self.bots[seat], view, legal, self.rng, ""), ""
        except BotError as error:
            return legal[below(self.rng, len(legal))], error.fault

    def _count(self, seat: int, action: int, legal: Sequence[int], fault: bool) -> None:
        self.counts[seat, MADE] += 1
        self.counts[seat, ILLEGAL] += fault
        if len(legal) > 1:
            self.counts[seat, DECISIONS] += 1
            self.counts[seat, CHOICES] += len(legal)
            if self._keeps:
                self._decisions.append((self.deal.state, action, getattr(self.bots[seat], "found", ())))

    def points(self) -> NDArray[np.int64]:
        """Every seat's payoff after losses by default; int64 of shape (seats,)."""
        payoffs = np.array(self.deal.payoff(), np.int64)
        lost = np.array([bool(faults) for faults in self.faults])
        return np.where(lost, payoffs.min(), payoffs)

    def decision_points(self, row: int) -> DecisionPoints:
        """The decisions that were kept; ``row`` is the game's in its batch."""
        return DecisionPoints(
            row,
            np.array([state for state, _, _ in self._decisions], self.deal.array.dtype),
            np.array([action for _, action, _ in self._decisions], np.int64),
            [found for _, _, found in self._decisions],
        )


class CardLuck:
    """Measures luck in the games of some bots."""

    def __init__(self, game: Game, specs: Sequence[str]) -> None:
        played = [played_as(game, spec) for spec in specs]
        self._origins = np.array([_ORIGINS.get(spec, OPAQUE) for spec in played], np.int64)
        self._strays = np.array([100 if spec == "random" else STRAYS for spec in played], np.int64)

    def measure(self, game: PythonGame, seed: Sequence[int]) -> NDArray[np.float64]:
        """The part of each seat's payoff that was luck, in the smallest unit, 0 on average; of shape (seats,). The game
        is over; ``seed`` is that of the deals that it is compared with."""
        deal, choices, sitting = game.deal, game.choices, np.argsort(game.chairs)
        assert deal.deck is not None
        assert deal.before is not None
        seats, actions = (np.array([choice[k] for choice in choices], np.int64) for k in range(2))
        rngs = np.array([choice[2:] for choice in choices], np.uint64).reshape(-1, 2)
        luck = np.zeros(len(sitting))
        write_luck(
            duplicate(deal.before), deal.deck, actions, self._origins[sitting[seats]], rngs, self._strays[sitting],
            generators(seed, 1)[0], np.zeros(2 * len(actions) + 1 + WORKPLACE, deal.before.dtype), luck,
        )  # fmt: skip
        return luck


def played_as(game: Game, spec: str) -> str:
    """The spec of the bot that plays: a level's is another in every game."""
    return level_spec(spec, game.description, game.template[0]) if spec in LEVELS else spec


def is_worthwhile(game: Game, specs: Sequence[str]) -> bool:
    """True if a bot thinks for so long that fewer deals are worth the time that measuring luck takes."""
    return any(played_as(game, spec).partition(":")[0] not in QUICK for spec in specs)
