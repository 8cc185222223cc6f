"""The one runner of duplicate deals: numbered decks, each played in every rotation of the bots over the seats.

Matches, datasets and experiments play through it. Where all bots are ``random`` or ``hints``, it plays whole
batches in compiled code; where a bot thinks in Python, it plays game by game (``python_game``). Decks, rotations and
random numbers are the same either way. What deals pay, an experiment may say itself (``ScoringFunction``)."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count, starmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.players import Bot, bot, warm_bot
from tefuda.engine import cache, verbs
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.play import ILLEGAL, MOST_ACTIONS, POLICIES, deal_each, play_batch
from tefuda.engine.record import Ints, States, duplicate
from tefuda.engine.recorder import COUNTED, watch_each
from tefuda.engine.rng import generators
from tefuda.lab.jobs import Stop
from tefuda.lab.play.python_game import LUCK, MODEL_USE, PLAY, CardLuck, DecisionPoints, PythonGame
from tefuda.table.deal import Deal
from tefuda.table.game import Game, numbered_deals

TASK = 64  #: games of a task where several threads share compiled play


def is_compiled(bots: Sequence[str]) -> bool:
    """True if all of these bots play in compiled code."""
    return all(each in POLICIES for each in bots)


def rotations(seats: int) -> NDArray[np.int64]:
    """Each bot's seat: int64 of shape (rotations, bots). Neighbours stay neighbours."""
    bots = np.arange(seats)
    return (bots[None, :] + bots[:, None]) % seats


def rotation_count(bots: Sequence[str]) -> int:
    """Number of rotations that seat every kind of bot everywhere: 1 where all are alike."""
    return next(k for k in range(1, len(bots) + 1) if [*bots[k:], *bots[:k]] == [*bots])


def warm_bots(game: Game, bots: Sequence[str]) -> None:
    """Let bots that think in Python compile or load what their first move would wait for."""
    deal = game.deal(0)
    for spec in set(bots).difference(POLICIES):
        warm_bot(bot(spec), deal.view(deal.mover))


def identity_of(game: Game, bots: Sequence[str], seed: int) -> dict[str, object]:
    """All that deals between these bots depend on, the sources included."""
    who = {"game": game.name, "seats": game.seats, "options": game.changed_options(), "bots": list(bots)}
    return {**who, "seed": seed, "sources": cache.key()}


@dataclass(frozen=True)
class ScoringFunction:
    """A function of a Python file, for one arm; its text runs in every process. ``TefudaError`` names arm and file."""

    arm: str
    spec: str  #: as the experiment says it, ``FILE.py:FUNCTION``
    source: str  #: the text of the file; empty in a report, which needs no more than the name

    def payoffs(self, game: Game, finals: States, deals: Iterable[int]) -> NDArray[Any]:
        """Each seat's payoff in finished deals of these numbers, float64 of shape (deals, seats), as the function says.
        It gets a ``Deal`` at its end, a position without the plays that led there, and counts as ``Deal.payoff``."""
        function, payoffs = self.function(), np.zeros((len(finals), game.seats))
        for k, deal in enumerate(deals):
            try:
                row = np.array(function(Deal(game, finals[k : k + 1].copy())), np.float64)
            except (Exception, SystemExit) as error:
                raise self._fault(f"deal {deal}: {type(error).__name__}: {error}") from error
            if row.shape != (game.seats,) or not (abs(row) < 1e15).all():  # reports square them
                raise self._fault(f"deal {deal}: {row.tolist()} is not a list of {game.seats} finite numbers < 1e15")
            payoffs[k] = row
        return payoffs

    def function(self) -> Callable[[Deal], object]:
        """The function itself."""
        file, _, name = self.spec.partition(":")
        try:
            found = _run(self.source, file)
        except (Exception, SystemExit) as error:
            raise self._fault(f"{type(error).__name__}: {error}") from error
        if name not in found:
            raise self._fault(f"there is no function {name!r}{nearest(name, found)}")
        return found[name]

    def _fault(self, message: str) -> TefudaError:
        return TefudaError(" ".join(f"arm {self.arm!r}: score: {self.spec}: {message}".split()))


@lru_cache
def _run(source: str, file: str) -> dict[str, Callable[[Deal], object]]:
    names: dict[str, Any] = {"__name__": file.removesuffix(".py")}
    exec(compile(source, file, "exec"), names)  # noqa: S102 - a file that the user's own experiment names
    return {name: each for name, each in names.items() if callable(each)}


@dataclass
class MatchBlock:
    """Some deals of a match, each in every rotation; by bot, not by seat."""

    points: NDArray[np.int64]
    """payoffs in the game's smallest unit, after losses by default; shape (deals, rotations, bots)"""
    counts: NDArray[np.int64]  #: MADE and ILLEGAL answers, shape (deals, rotations, bots, 2)
    seconds: NDArray[np.float64]  #: time that the bots took to answer, shape (bots,)
    faults: list[list[str]]  #: for each bot, what it did wrong, a line each
    records: list[str] = field(default_factory=list)  #: the games' records, deal by deal, rotation by rotation
    luck: NDArray[np.float64] | None = None
    """the part of the points that was luck of the cards, of their shape; None where it was not measured"""
    model_use: NDArray[np.int64] | None = None  #: of language models, shape (bots, MODEL_USE); None in compiled play


@dataclass
class GameBatch:
    """Some deals that were played; a row a game, deal by deal, rotation by rotation."""

    deals: NDArray[np.int64]  #: numbers, shape (games,)
    rotations: NDArray[np.int64]  #: numbers, shape (games,)
    sitting: NDArray[np.int64]  #: the bot of each seat, shape (games, seats)
    payoffs: NDArray[np.int64]  #: in the smallest unit, after losses by default; shape (games, seats); scored: float64
    counts: NDArray[np.int64]  #: as ``engine.recorder`` counts, shape (games, seats, COUNTED)
    firsts: NDArray[np.int8]  #: the seat that acted first, shape (games,)
    finals: States  #: each game's end, shape (games,)
    behind: NDArray[np.int64]
    """of whole games, the most by which a seat was behind the leader at the end of a deal that another deal followed,
    in the smallest unit; shape (games, seats)"""
    seconds: NDArray[np.float64]  #: time that bots took, shape (games, seats); 0 in compiled play
    faults: list[list[list[str]]] = field(default_factory=list)
    """of each game and seat, what the bot did wrong; empty in compiled play"""
    records: list[str] = field(default_factory=list)  #: the texts of the games' records, if they were kept
    decisions: list[DecisionPoints] = field(default_factory=list)  #: of each game, if they were kept
    luck: NDArray[np.float64] | None = None
    """the part of the payoffs that was luck, shape (games, seats); None if not measured"""
    model_use: NDArray[np.int64] | None = None  #: of language models, shape (games, seats, MODEL_USE)

    def by_bot(self) -> MatchBlock:
        """The results by bot, as matches keep them."""
        chairs = np.argsort(self.sitting, 1)
        shape = (-1, int(self.rotations.max()) + 1, chairs.shape[1])
        faults: list[list[str]] = [[] for _ in range(chairs.shape[1])]
        for game, seats in zip(self.faults, chairs, strict=False):
            for k, seat in enumerate(seats):
                faults[k] += game[seat]
        return MatchBlock(
            np.take_along_axis(self.payoffs, chairs, 1).reshape(shape),
            np.take_along_axis(self.counts[:, :, : ILLEGAL + 1], chairs[:, :, None], 1).reshape(*shape, 2),
            np.take_along_axis(self.seconds, chairs, 1).sum(0),
            faults,
            self.records,
            None if self.luck is None else np.take_along_axis(self.luck, chairs, 1).reshape(shape),
            None if self.model_use is None else np.take_along_axis(self.model_use, chairs[:, :, None], 1).sum(0),
        )


class DealRunner:
    """Plays numbered deals of the decks of a seed with the same bots, one for each seat.

    Args:
        every_rotation: play all rotations, even those that seat the same kinds of bots alike.
        recorded: note decisions, choices and first seats too; compiled play is faster without, and shared by threads.
        in_python: play even ``random`` and ``hints`` through the table.
        threads: games in Python, or tasks of compiled games, at a time; None for as many as there are cores.
        stop: an event; once set, games in Python end before their next action with an InterruptedError.
        whole_games: each number is a whole game, whose deal k is shuffled with the seeds (seed, number, k).
        score: says what deals pay instead of the game; not for whole games.
        luck: measures the luck of the cards in games in Python; None if nothing does.
        wrapped: what each thread makes of its bots before they play in Python.
    """

    def __init__(
        self,
        game: Game,
        bots: Sequence[str],
        seed: int,
        *,
        every_rotation: bool = False,
        recorded: bool = True,
        in_python: bool = False,
        threads: int | None = 1,
        stop: Stop | None = None,
        whole_games: bool = False,
        luck: CardLuck | None = None,
        score: ScoringFunction | None = None,
        wrapped: Callable[[Bot], Bot] = lambda player: player,
    ) -> None:
        self.game, self.bots, self.seed, self.whole_games = game, bots, seed, whole_games
        self.chairs = rotations(game.seats)[: None if every_rotation else rotation_count(bots)]
        self.compiled, self.recorded, self.threads = is_compiled(bots) and not in_python, recorded, threads
        self.luck, self.score, self._wrapped = luck, score, wrapped
        self._stop, self._ended = stop or threading.Event(), threading.Event()
        self._local = threading.local()

    def play(
        self, numbers: range, *, keep_decisions: bool = False, keep_records: bool = False, stream: int = PLAY
    ) -> GameBatch:
        """Play the decks of these numbers, in every rotation; keep every game's decision points, or its record in games
        in Python, if asked. With ``stream`` AGAIN the same cards are played with other random numbers than usual.
        ``InterruptedError`` if ``stop`` was set."""
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
            seconds=np.zeros((games, seats)),
        )
        if self.compiled:
            self._play_compiled(batch, numbers, keep_decisions, stream)
        else:
            self._play_in_python(batch, keep_decisions, keep_records, stream)
        if self.whole_games:
            self._play_following_deals(batch)
        if self.score:
            batch.payoffs = self.score.payoffs(self.game, batch.finals, batch.deals)
        return batch

    # Compiled play

    def _policies(self, sitting: NDArray[np.int64]) -> NDArray[np.int8]:
        policies: NDArray[np.int8] = np.array([POLICIES[each] for each in self.bots], np.int8)[sitting]
        return policies

    def _play_compiled(self, batch: GameBatch, numbers: range, keep_decisions: bool, stream: int) -> None:
        dealt, rngs = numbered_deals(self.game, self.seed, numbers)
        if stream != PLAY:
            rngs = np.concatenate([generators((self.seed, number, stream), 1) for number in numbers])
        batch.finals = np.repeat(dealt, len(self.chairs))
        rngs, policies = np.repeat(rngs, len(self.chairs), axis=0), self._policies(batch.sitting)
        if not self.recorded:
            batch.payoffs = play_batch(
                batch.finals, policies, rngs, tally=batch.counts, threads=self.threads, chunk=TASK
            )
            return
        states = np.zeros(MOST_ACTIONS if keep_decisions else 0, dealt.dtype)
        chosen = np.zeros(len(states), np.int64)
        size = 1 if keep_decisions else max(1, len(rngs))
        for start in range(0, len(rngs), size):
            part = slice(start, start + size)
            kept = watch_each(
                batch.finals[part], policies[part], rngs[part], batch.payoffs[part], batch.counts[part],
                batch.firsts[part], states, chosen,
            )  # fmt: skip
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

    def _following_deals(self, batch: GameBatch, running: Ints, k: int) -> tuple[States, NDArray[np.uint64]]:
        """The k-th deals of these games, dealt, and their generators."""
        rngs = np.concatenate([generators((self.seed, int(batch.deals[i]), k), 1) for i in running])
        states = np.zeros(len(running), batch.finals.dtype)
        for row, i in enumerate(running):
            before = np.zeros(1, batch.finals.dtype)
            verbs.next_deal(batch.finals[i], before[0])
            deal_each(states[row : row + 1], before, self.game.pack, rngs[row : row + 1])
        return states, rngs

    # Games in Python; every thread has its own bots

    def _play_in_python(self, batch: GameBatch, keep_decisions: bool, keep_records: bool, stream: int) -> None:
        batch.luck = np.zeros(batch.payoffs.shape) if self.luck else None
        batch.model_use = np.zeros((*batch.payoffs.shape, MODEL_USE), np.int64)

        def play(deal: int, rotation: int) -> PythonGame:
            game = PythonGame(self.game, self.seed, deal, self._bots(), self.chairs[rotation], stream, keep_decisions)
            game.play(lambda: self._stop.is_set() or self._ended.is_set())
            if self.luck and stream == PLAY:
                game.luck = self.luck.measure(game, (self.seed, deal, rotation, LUCK))
            return game

        for k, game in enumerate(self._games(play, batch)):
            batch.payoffs[k], batch.counts[k], batch.seconds[k] = game.points(), game.counts, game.seconds
            batch.firsts[k], batch.finals[k] = game.first, game.deal.state
            batch.faults.append(game.faults)
            batch.model_use[k] = game.model_use
            if batch.luck is not None and game.luck is not None:
                batch.luck[k] = game.luck
            if keep_records:
                batch.records.append(game.deal.record())
            if keep_decisions:
                batch.decisions.append(game.decision_points(k))

    def _games(self, play: Callable[[int, int], PythonGame], batch: GameBatch) -> Iterator[PythonGame]:
        places = zip(batch.deals.tolist(), batch.rotations.tolist(), strict=True)
        if self.threads == 1:
            yield from starmap(play, places)
            return
        self._ended.clear()
        pool = ThreadPoolExecutor(self.threads)
        try:
            yield from pool.map(lambda place: play(*place), places)
        finally:
            self._ended.set()
            pool.shutdown(wait=True, cancel_futures=True)

    def _bots(self) -> list[Bot]:
        if not hasattr(self._local, "bots"):
            self._local.bots = [self._wrapped(bot(spec)) for spec in self.bots]
        found: list[Bot] = self._local.bots
        return found


def legal_actions(states: NDArray[np.void], k: int) -> NDArray[np.int64]:
    """The mover's legal actions in the k-th of these states."""
    found = np.zeros(MOST_ACTIONS, np.int64)
    return found[: verbs.legal(states[k], found)].copy()
