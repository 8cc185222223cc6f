"""Deals that a seat thinks possible, for a dataset of ``tefuda data make``: who may hold the hidden cards.

    uv run --extra lab tefuda data make ma-diao --deals 100 -o md
    uv run --extra lab python examples/worlds.py md --worlds 16

Beside each ``decisions-*.parquet`` it writes a ``worlds-*.parquet`` with a row for each decision: ``hands``, what the
others really held, and ``worlds``, that many deals that agree with all that the seat knew. ``hands`` has a number for
each card and each other seat, the next to play first: how many copies of the card that seat holds. ``worlds`` has the
same numbers world after world. ``believe`` draws them, so that what the others did makes sense; with ``--imagine`` they
are drawn from all that fit.

It prints the log loss of both, in nats a card: −ln p, where p is the share of worlds in which the card is where it is
(with that other seat, or with none of them), one world being added for each place. Cards count that may be in another's
hand. The ± spans 95 %; the deals are independent."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tefuda
from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import generator
from tefuda.engine.views import observe_all
from tefuda.table.planes import Observation
from tefuda.testing.view_checks import imagine_each

try:
    import polars as pl
except ModuleNotFoundError:
    sys.exit("polars is not installed: uv run --extra lab python examples/worlds.py …")

DRAWN = {"believe": verbs.believe, "imagine": verbs.imagine}
MOST_STATES = 50_000  # worlds that are held at a time


def moments(game: tefuda.Game, seed: tuple[int, int], chosen: Sequence[int]) -> Iterator[NDArray[np.void]]:
    """Yield the state, an array of shape (1,), at each decision of a deal, from the actions that were chosen."""
    deal, choices = game.deal(seed), iter(chosen)
    while not deal.over:
        legal = deal.legal_actions()
        if len(legal) > 1:
            yield deal.array
        deal.act(legal[0] if len(legal) == 1 else next(choices))


class Beliefs:
    """What seats believe of hidden hands in one game."""

    def __init__(self, game: tefuda.Game, seed: int) -> None:
        self.game, self.rng = game, generator((seed, 16))
        self.observation = Observation(game)

    def hands(self, states: NDArray[np.void], movers: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return what the others hold: int8 of shape (states, other seats × cards)."""
        cards = self.observation["hands"]
        seats = [(movers + k) % self.game.seats for k in range(1, self.game.seats)]
        return np.concatenate([self.observation.encode(observe_all(states, each))[:, cards] for each in seats], axis=1)

    def worlds(self, states: NDArray[np.void], movers: NDArray[np.int64], count: int, how: str) -> NDArray[np.int8]:
        """Draw so many worlds for each state: int8 of shape (states, count, other seats × cards)."""
        parts, step = [], max(1, MOST_STATES // count)
        for k in range(0, len(states), step):
            seats = np.repeat(movers[k : k + step], count)
            views = observe_all(np.repeat(states[k : k + step], count), seats)
            drawn = np.zeros_like(views)
            imagine_each(views, self.rng, drawn, DRAWN[how])
            parts.append(self.hands(drawn, seats).reshape(-1, count, self.hands(drawn[:1], seats[:1]).shape[1]))
        return np.concatenate(parts)


def log_losses(
    hands: NDArray[np.int8], drawn: Mapping[str, NDArray[np.int8]], deals: NDArray[np.int64], seats: int
) -> dict[str, NDArray[np.float64]]:
    """Return the mean log loss of each deal, in nats a card, for each way in which worlds were drawn."""
    truth = hands.reshape(len(hands), 1, seats - 1, -1)
    worlds = {how: each.reshape(*each.shape[:2], *truth.shape[2:]) for how, each in drawn.items()}
    counted: NDArray[np.bool_] = np.any(truth > 0, axis=(1, 2))
    for each in worlds.values():
        counted |= np.any(each > 0, axis=(1, 2))
    found = {how: (each == truth).all(2).sum(1) for how, each in worlds.items()}
    losses = {how: -np.log((each + 1) / (worlds[how].shape[1] + seats)) for how, each in found.items()}
    parts = [deals == k for k in np.unique(deals) if counted[deals == k].any()]
    return {how: np.array([each[part][counted[part]].mean() for part in parts]) for how, each in losses.items()}


def mean_and_half(numbers: NDArray[np.float64]) -> str:
    """Write the mean with its 95 % interval, which one number alone has not."""
    half = 1.96 * numbers.std(ddof=1) / len(numbers) ** 0.5 if len(numbers) > 1 else np.nan
    return f"{numbers.mean():.4f} ± {half:.4f}"


def add_worlds(folder: Path, count: int, how: str) -> None:
    """Write the worlds of each part of a dataset, and print the log losses of all; ``TefudaError`` if it is none."""
    try:
        head = json.loads((folder / "dataset.json").read_text("utf-8"))
        game, seed = tefuda.load(head["game"], head["seats"], **head["options"]), head["seed"]
    except (OSError, ValueError, KeyError) as error:
        raise TefudaError(f"{folder}: no dataset of tefuda data make ({error})") from error
    if head["rules_version"] != game.description.rules_version:
        raise TefudaError(f"{folder}: made under version {head['rules_version']} of the rules; make it anew")
    beliefs, losses = Beliefs(game, seed), {name: list[NDArray[np.float64]]() for name in DRAWN}
    for part in sorted(folder.glob("decisions-*.parquet")):
        table = pl.read_parquet(part, columns=["deal", "rotation", "seat", "action"])
        rows = table.select("deal", "rotation", "action").iter_rows()
        each = ((deal, [row[2] for row in some]) for (deal, _), some in groupby(rows, key=lambda row: row[:2]))
        states = np.concatenate([state for deal, chosen in each for state in moments(game, (seed, deal), chosen)])
        movers, deals = table["seat"].to_numpy().astype(np.int64), table["deal"].to_numpy()
        hands = beliefs.hands(states, movers)
        worlds = {name: beliefs.worlds(states, movers, count, name) for name in DRAWN}
        for name, found in log_losses(hands, worlds, deals, game.seats).items():
            losses[name].append(found)
        columns = {"hands": hands, "worlds": worlds[how].reshape(len(hands), -1)}
        pl.DataFrame(columns).write_parquet(folder / part.name.replace("decisions-", "worlds-"), compression="zstd")
        print(f"{part.name}: {len(hands):,} decisions", file=sys.stderr)
    imagined, believed = (np.concatenate(losses[name]) for name in ("imagine", "believe"))
    print(f"imagine {mean_and_half(imagined)}, believe {mean_and_half(believed)}, "
          f"difference {mean_and_half(imagined - believed)} in {len(imagined)} deals, {count} worlds")  # fmt: skip


def main(words: Sequence[str] | None = None) -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Add deals that a seat thinks possible to a dataset.")
    parser.add_argument("folder", type=Path, help="a dataset of tefuda data make")
    parser.add_argument("--worlds", type=int, default=16, help="for each decision (default: 16)")
    parser.add_argument("--imagine", dest="how", action="store_const", const="imagine", default="believe")
    given = parser.parse_args(words)
    if given.worlds < 1:
        parser.error(f"--worlds {given.worlds}: a decision has 1 world or more")
    try:
        add_worlds(given.folder, given.worlds, given.how)
    except TefudaError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
