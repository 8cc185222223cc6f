"""Duplicate matches: the same decks for every bot in every seat, so that the deal's luck cancels.

Each deal is played once in every rotation of the bots over the seats (who sits next to whom stays the same). The
generator that shuffled a deal goes on to make its choices, the same in every rotation: bots that play alike end exactly
level, and chance only tells where bots differ. Deals are independent, the rotations of one deal are not, so intervals
are of deals. Matches of ``random`` and ``hints`` alone run compiled; where others play, ``bouts`` plays them.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from math import lcm
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.players import bot
from tefuda.engine import cache
from tefuda.engine.description import Value
from tefuda.engine.errors import TefudaError
from tefuda.engine.playout import HINTS, ILLEGAL, MADE, RANDOM, play_batch
from tefuda.lab import sequences
from tefuda.lab.bouts import Block, Bouts
from tefuda.lab.dealing import deals_of
from tefuda.lab.folder import MatchFolder
from tefuda.lab.speed import policy_time
from tefuda.lab.statistics import Estimate, Sums
from tefuda.table.game import Game

POLICIES = {"random": RANDOM, "hints": HINTS}
"""The bots that play in compiled code."""

BLOCK = 256
"""Deals that are in memory at a time; their rotations are shared out to all cores in tasks of ``TASK`` games."""

TASK = 64

TIMING = 0.1
"""Seconds for which each kind of bot is timed, where it plays in compiled code."""


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
        illegal: how many answers were not legal, late, or exceptions; a random legal action was made instead.
        microseconds: per action. In compiled matches measured apart, on one core, in deals in which every seat is this
            bot, and what the table does for an action is included; else what the bot took in the match.
        faults: what the bot did wrong, a line each, in matches played by ``bouts``; each lost it the deal.
    """

    name: str
    bot: str
    points: Estimate
    gain: Estimate
    first_places: float
    decisions: int
    illegal: int
    microseconds: float
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class MatchResult:
    """A match.

    Attributes:
        options: of the rules, those that differ from the defaults.
        deals: played; ``asked`` were asked for.
        rotations: games a deal.
        seconds: that the playing took, on all cores.
        interrupted: stopped by Ctrl-C; only whole deals count.
        decided: stopped early, because the first bot's gain was clear.
        earlier: deals taken over from an earlier run.
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
    decided: bool = False
    earlier: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON."""
        return asdict(self)


def check_bots(game: Game, bots: Sequence[str]) -> None:
    """See that every bot can be made, and that there is one for each seat.

    Raises:
        TefudaError: a bot that is not known, or not one for each seat.
    """
    for each in bots:
        bot(each)
    if len(bots) != game.seats:
        raise TefudaError(f"{game.name}: {len(bots)} bots for {game.seats} seats; name one for each seat")


def is_compiled(bots: Sequence[str]) -> bool:
    """Whether all of them play in compiled code."""
    return all(each in POLICIES for each in bots)


def settings_of(game: Game, bots: Sequence[str], seed: int) -> dict[str, Any]:
    """What a match depends on, the sources included: only where it is equal do deals of an earlier run count."""
    return {
        "game": game.name,
        "seats": game.seats,
        "options": game.changed_options(),
        "bots": list(bots),
        "seed": seed,
        "sources": cache.key(),
    }


def play_match(
    game: Game,
    bots: Sequence[str],
    deals: int,
    seed: int,
    progress: Callable[[int], None] = lambda deals: None,
    *,
    block: int | None = None,
    threads: int | None = None,
    until_decided: bool = False,
    folder: Path | None = None,
) -> MatchResult:
    """Play a duplicate match on all cores; Ctrl-C ends it after the deals played so far.

    Example:
        >>> import tefuda
        >>> bots = ["hints", "random", "random", "random"]
        >>> result = tefuda.play_match(tefuda.load("gong-zhu"), bots, deals=50, seed=1)
        >>> str(result.entries[0].gain)  # points a deal more than the others, and the 95 % interval
        '+189.2 ± 29.3'

    Args:
        game: with its seats and options; every deal begins from its start.
        bots: a bot for each seat, as ``bots.players.bot`` takes them.
        deals: how many decks, each played in every rotation.
        seed: deck k is that of ``game.deal((seed, k))``.
        progress: called with the number of deals that each finished block has.
        block, threads: deals in memory at a time, and threads; they do not change the result.
        until_decided: stop as soon as it is clear whether the first bot gains or loses.
        folder: keep every deal and the record of every game there, and go on from those that are there already. Every
            bot then plays through the table, which is slower for ``random`` and ``hints``.

    Raises:
        TefudaError: a bot that is not known, or not one for each seat; a folder that holds another match.
        KeyboardInterrupt: before the first block was finished.
    """
    check_bots(game, bots)
    compiled = is_compiled(bots) and folder is None
    if not compiled:
        warm_bots(game, bots)  # else who is compiled at his first move would seem to have stalled
    kept = MatchFolder(folder, settings_of(game, bots, seed)) if folder is not None else None
    play: Callable[[range], Block] = (
        partial(play_compiled, game, bots, seed, threads=threads)
        if compiled
        else partial(Bouts(game, bots, seating(game.seats)).play, seed, threads=threads)
    )
    tally = Tally(game.seats, game.description.rules.unit)
    if kept:
        for each in islice(kept.kept(), deals):
            tally.add(each)
            progress(1)
    earlier = tally.deals
    block = block or (BLOCK if compiled else 1)
    interrupted = decided = False
    begun = time.perf_counter()
    try:
        for start in range(earlier, deals, block):
            numbers = range(start, min(start + block, deals))
            following = deepcopy(tally)  # Ctrl-C may come at any moment: a block counts wholly or not at all
            played = play(numbers)
            following.add(played)
            if kept:
                kept.add(start, played)
            tally = following
            progress(len(numbers))
            decided = until_decided and tally.is_decided()
            if decided:
                break
    except KeyboardInterrupt:
        if tally.deals == 0:
            raise
        interrupted = True
    seconds = time.perf_counter() - begun
    times = [policy_time(game, POLICIES[each], TIMING) if compiled else None for each in bots]
    return MatchResult(
        game=game.name,
        rules_version=game.description.rules_version,
        options=game.changed_options(),
        seed=seed,
        asked=deals,
        deals=tally.deals,
        rotations=game.seats,
        seconds=seconds,
        interrupted=interrupted,
        entries=tuple(tally.entry(k, name, bots[k], times[k]) for k, name in enumerate(entry_names(bots))),
        decided=decided,
        earlier=earlier,
    )


def compile_for(game: Game, bots: Sequence[str]) -> None:
    """Compile what a match needs, by playing one deal; at once if that has been done before."""
    play_compiled(game, ["hints"] * game.seats, 0, range(1))
    warm_bots(game, bots)


def warm_bots(game: Game, bots: Sequence[str]) -> None:
    """Let those who think in Python compile or load what their first move would wait for."""
    deal = game.deal(0)
    for spec in set(bots).difference(POLICIES):
        warm = getattr(bot(spec), "warm", None)
        if warm is not None:
            warm(deal.view(deal.mover))


def play_compiled(game: Game, bots: Sequence[str], seed: int, numbers: range, threads: int | None = None) -> Block:
    """Play the decks of these numbers in every rotation, in compiled code."""
    seats = game.seats
    chairs = seating(seats)
    dealt, rngs = deals_of(game, seed, numbers)
    policies = np.array([POLICIES[each] for each in bots], np.int8)
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
    counts = np.take_along_axis(counts.reshape(*shape, 2), chairs[None, :, :, None], 2)
    return Block(points, counts, np.zeros(seats), [[] for _ in bots])


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
        self.seconds = np.zeros(seats)
        self.faults: list[list[str]] = [[] for _ in range(seats)]

    @property
    def deals(self) -> int:
        return self.firsts.count

    def add(self, block: Block) -> None:
        """Add some more deals."""
        points = block.points
        totals = points.sum(1)
        first = points == points.max(2, keepdims=True)
        shares = first * (self.shares // first.sum(2, keepdims=True))
        self.counts += block.counts.sum((0, 1))
        self.seconds += block.seconds
        self.faults = [before + more for before, more in zip(self.faults, block.faults, strict=True)]
        self.points.add(totals)
        self.gains.add(self.seats * totals - totals.sum(1, keepdims=True))
        self.firsts.add(shares.sum(1))

    def is_decided(self) -> bool:
        """Whether it is clear that the first bot gains, or loses, however often one has looked."""
        gain, deals = self.gains.mean(0), self.deals
        return deals > 1 and abs(gain) > sequences.margin(deals, self.gains.deviation(0))

    def entry(self, k: int, name: str, bot: str, seconds: float | None) -> Entry:
        """The k-th bot's result; ``seconds`` an action if they were measured apart."""
        if seconds is None:
            seconds = self.seconds[k] / max(1, self.counts[k, MADE])
        return Entry(
            name=name,
            bot=bot,
            points=self.points.estimate(k),
            gain=self.gains.estimate(k),
            first_places=self.firsts.mean(k),
            decisions=int(self.counts[k, MADE]),
            illegal=int(self.counts[k, ILLEGAL]),
            microseconds=float(seconds * 1e6),
            faults=tuple(self.faults[k]),
        )


def entry_names(bots: Sequence[str]) -> list[str]:
    """A name for each bot: the second of a kind is ``random (2)``."""
    seen: Counter[str] = Counter()
    names = []
    for each in bots:
        seen[each] += 1
        names.append(each if seen[each] == 1 else f"{each} ({seen[each]})")
    return names
