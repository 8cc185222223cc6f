"""Duplicate matches: the same decks for every bot in every seat, so that the deal's luck cancels.

Each deal is played once in every rotation of the bots over the seats (who sits next to whom stays the same). The
generator that shuffled a deal goes on to make its choices, the same in every rotation: bots that play alike end exactly
level, and chance only tells where bots differ. Deals are independent, the rotations of one deal are not, so intervals
are of deals.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.description import Value, nearest
from tefuda.engine.errors import TefudaError
from tefuda.engine.playout import HINTS, ILLEGAL, MADE, RANDOM, play_batch
from tefuda.lab.dealing import deals_of
from tefuda.lab.speed import policy_time
from tefuda.lab.statistics import Estimate, Sums
from tefuda.table.game import Game

POLICIES = {"random": RANDOM, "hints": HINTS}
"""The bots that a match knows."""

BLOCK = 256
"""Deals that are in memory at a time; their rotations are shared out to all cores in tasks of ``TASK`` games."""

TASK = 64

TIMING = 0.1
"""Seconds for which each kind of bot is timed."""


@dataclass(frozen=True)
class Entry:
    """How one bot did.

    Attributes:
        name: unique in the match, such as ``random (2)``.
        bot: what plays.
        points: per deal, as people count them (a team's in partnership games): the mean of the deal's rotations.
        gain: points less the mean of the other bots' points.
        first_places: share of games won; those who tie share the place.
        decisions: actions asked of the bot in the match.
        illegal: how many answers were not legal; a random legal action was made instead.
        microseconds: per action, on one core, measured apart: deals in which every seat is this bot. What the table
            does for an action (legal actions, making it) is included.
    """

    name: str
    bot: str
    points: Estimate
    gain: Estimate
    first_places: float
    decisions: int
    illegal: int
    microseconds: float


@dataclass(frozen=True)
class MatchResult:
    """A match.

    Attributes:
        options: of the rules, those that differ from the defaults.
        deals: played; ``asked`` were asked for.
        rotations: games a deal.
        seconds: that the playing took, on all cores.
        interrupted: stopped by Ctrl-C; only whole deals count.
    """

    game: str
    rules_version: int
    options: dict[str, Value]
    seed: int
    asked: int
    deals: int
    rotations: int
    seconds: float
    interrupted: bool
    entries: tuple[Entry, ...]

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON."""
        return asdict(self)


def policies_of(game: Game, bots: Sequence[str]) -> NDArray[np.int8]:
    """The policy of each bot, int8 of shape (seats,).

    Raises:
        TefudaError: a bot that is not known, or not one for each seat.
    """
    for bot in bots:
        if bot not in POLICIES:
            known = ", ".join(POLICIES)
            raise TefudaError(f"there is no bot {bot!r}{nearest(bot, POLICIES)}; there are: {known}")
    if len(bots) != game.seats:
        raise TefudaError(f"{game.name}: {len(bots)} bots for {game.seats} seats; name one for each seat")
    return np.array([POLICIES[bot] for bot in bots], np.int8)


def play_match(
    game: Game,
    bots: Sequence[str],
    deals: int,
    seed: int,
    progress: Callable[[int], None] = lambda deals: None,
    *,
    block: int = BLOCK,
    threads: int | None = None,
) -> MatchResult:
    """Play a duplicate match on all cores; Ctrl-C ends it after the deals played so far.

    Args:
        game: with its seats and options; every deal begins from its start.
        bots: ``random`` or ``hints`` for each seat.
        deals: how many decks, each played in every rotation.
        seed: deck k is that of ``game.deal((seed, k))``.
        progress: called with the number of deals that each finished block has.
        block, threads: deals in memory at a time, and threads; they do not change the result.

    Raises:
        TefudaError: a bot that is not known, or not one for each seat.
        KeyboardInterrupt: before the first block was finished.
    """
    policies = policies_of(game, bots)
    times = {bot: policy_time(game, policy, TIMING) for bot, policy in POLICIES.items() if bot in bots}
    tally = Tally(game.seats, game.description.unit)
    interrupted = False
    begun = time.perf_counter()
    try:
        for start in range(0, deals, block):
            numbers = range(start, min(start + block, deals))
            following = deepcopy(tally)  # Ctrl-C may come at any moment: a block counts wholly or not at all
            following.add(*play_block(game, policies, seed, numbers, threads))
            tally = following
            progress(len(numbers))
    except KeyboardInterrupt:
        if tally.deals == 0:
            raise
        interrupted = True
    return MatchResult(
        game=game.name,
        rules_version=game.description.rules_version,
        options=game.changed_options(),
        seed=seed,
        asked=deals,
        deals=tally.deals,
        rotations=game.seats,
        seconds=time.perf_counter() - begun,
        interrupted=interrupted,
        entries=tuple(tally.entry(k, name, bots[k], times[bots[k]]) for k, name in enumerate(entry_names(bots))),
    )


def compile_for(game: Game) -> None:
    """Compile what a match needs, by playing one deal; at once if that has been done before."""
    play_block(game, np.full(game.seats, HINTS, np.int8), 0, range(1))


def play_block(
    game: Game, policies: NDArray[np.int8], seed: int, numbers: range, threads: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Play the decks of these numbers in every rotation.

    Returns:
        Both by bot, not by seat: points, int64 of shape (deals, rotations, bots), and counts MADE and ILLEGAL, int64 of
        shape (deals, rotations, bots, 2).
    """
    seats = game.seats
    chairs = seating(seats)
    dealt, rngs = deals_of(game, seed, numbers)
    seated = np.empty((seats, seats), np.int8)
    np.put_along_axis(seated, chairs, np.broadcast_to(policies, (seats, seats)), 1)
    shape = (len(dealt), seats, seats)
    counts = np.zeros((len(dealt) * seats, seats, 2), np.int64)
    payoffs = play_batch(
        np.repeat(dealt, seats),
        np.tile(seated, (len(dealt), 1)),
        np.repeat(rngs, seats, axis=0),
        tally=counts,
        threads=threads,
        chunk=TASK,
    )
    points = np.take_along_axis(payoffs.reshape(shape), chairs[None], 2)
    return points, np.take_along_axis(counts.reshape(*shape, 2), chairs[None, :, :, None], 2)


def seating(seats: int) -> NDArray[np.int64]:
    """Where each bot sits: int64 of shape (rotations, bots)."""
    bots = np.arange(seats)
    return (bots[None, :] + bots[:, None]) % seats


class Tally:
    """What has been counted so far, in whole numbers, so that it does not depend on the size of blocks.

    Args:
        seats: bots at the table.
        unit: how many of the smallest unit make one of what people count.
    """

    def __init__(self, seats: int, unit: int) -> None:
        self.seats = seats
        self.shares = lcm(*range(1, seats + 1))  # a first place, divisible among those who tie
        self.points = Sums(seats, unit=seats * unit)
        self.gains = Sums(seats, unit=seats * (seats - 1) * unit)
        self.firsts = Sums(seats, unit=seats * self.shares)
        self.counts = np.zeros((seats, 2), np.int64)

    @property
    def deals(self) -> int:
        return self.firsts.count

    def add(self, points: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        """Add a block as ``play_block`` returns it."""
        totals = points.sum(1)
        first = points == points.max(2, keepdims=True)
        shares = first * (self.shares // first.sum(2, keepdims=True))
        self.counts += counts.sum((0, 1))
        self.points.add(totals)
        self.gains.add(self.seats * totals - totals.sum(1, keepdims=True))
        self.firsts.add(shares.sum(1))

    def entry(self, k: int, name: str, bot: str, seconds: float) -> Entry:
        """The k-th bot's result."""
        return Entry(
            name=name,
            bot=bot,
            points=self.points.estimate(k),
            gain=self.gains.estimate(k),
            first_places=self.firsts.mean(k),
            decisions=int(self.counts[k, MADE]),
            illegal=int(self.counts[k, ILLEGAL]),
            microseconds=seconds * 1e6,
        )


def entry_names(bots: Sequence[str]) -> list[str]:
    """A name for each bot: the second of a kind is ``random (2)``."""
    seen: Counter[str] = Counter()
    names = []
    for bot in bots:
        seen[bot] += 1
        names.append(bot if seen[bot] == 1 else f"{bot} ({seen[bot]})")
    return names
