"""Log loss of what seats believe, for a dataset with ``--worlds``: who may hold the hidden cards?

    uv run --extra lab tefuda data make ma-diao --deals 100 --worlds 16 -o md
    uv run --extra lab python examples/worlds.py md
    uv run --extra lab --with torch python examples/worlds.py md --net 5    # minutes

Of each decision the dataset has ``hands``, what the others really held, and ``worlds``, deals that the seat finds
likely by what the others did (``believe``). As many are drawn here from all that fit what the seat has seen
(``imagine``).

It prints the log loss of both, in nats a card: −ln p, where p is the share of worlds in which the card is where it is
(with that other seat, or with none of them), one world being added for each place. Cards count that may be in another's
hand. The ± spans 95%; the deals are independent.

With ``--net`` a network learns from the first four fifths of the deals to say where each card is, from the observation
alone, and all three are compared in the others."""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import tefuda
from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import generator

try:
    import polars as pl
except ModuleNotFoundError:
    sys.exit("polars is not installed: uv run --extra lab python examples/worlds.py …")

from tefuda.lab.dataset import draw_worlds, others_hands

LEARNS, FEWEST = 0.8, 20  # with --net: the part of the deals that is learned from, and how many there are at least
HIDDEN, BATCH, RATE, STEPS = 256, 512, 1e-3, 50  # of the network: steps between two looks at what it has learned


class Losses(NamedTuple):
    """Log losses by card, float64 of shape (decisions, cards), by who tells, and which of them count."""

    counted: NDArray[np.bool_]
    found: dict[str, NDArray[np.float64]]


def moments(game: tefuda.Game, seed: tuple[int, int], chosen: Sequence[int]) -> Iterator[NDArray[np.void]]:
    """Yield the state, an array of shape (1,), at each decision of a deal, from the actions that were chosen."""
    deal, choices = game.deal(seed), iter(chosen)
    while not deal.over:
        legal = deal.legal_actions()
        if len(legal) > 1:
            yield deal.array
        deal.act(legal[0] if len(legal) == 1 else next(choices))


def log_losses(hands: NDArray[np.int8], drawn: Mapping[str, NDArray[np.int8]], seats: int) -> Losses:
    """Return the log loss of each card, in nats, for each way in which worlds were drawn."""
    truth = hands.reshape(len(hands), 1, seats - 1, -1)
    worlds = {how: each.reshape(*each.shape[:2], *truth.shape[2:]) for how, each in drawn.items()}
    counted: NDArray[np.bool_] = np.any(truth > 0, axis=(1, 2))
    for each in worlds.values():
        counted |= np.any(each > 0, axis=(1, 2))
    found = {how: (each == truth).all(2).sum(1) for how, each in worlds.items()}
    return Losses(counted, {how: -np.log((each + 1) / (worlds[how].shape[1] + seats)) for how, each in found.items()})


def of_deals(losses: Losses, deals: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
    """Return the mean log loss of each deal that has cards to count, by who tells."""
    parts = [(deals == k)[:, None] & losses.counted for k in np.unique(deals)]
    return {who: np.array([each[part].mean() for part in parts if part.any()]) for who, each in losses.found.items()}


def net_losses(
    seen: NDArray[np.int8], hands: NDArray[np.int8], learns: NDArray[np.int64], seats: int, seed: int, minutes: float
) -> NDArray[np.float64]:
    """Return the log loss of each card, of shape (decisions, cards), by a network that learns from observations.

    Args:
        seen: int8 of shape (decisions, numbers), and the hands as the dataset has them.
        learns: 0 for decisions that it learns from, 1 for those by which it is told when to stop, 2 for all others.
    """
    try:
        import torch
        from torch import nn
    except ModuleNotFoundError as error:
        raise TefudaError("--net: PyTorch is not installed: uv run --extra lab --with torch python …") from error
    torch.manual_seed(seed)
    places, answers = all_places(hands, seats)
    inputs, targets = torch.from_numpy(seen), torch.from_numpy(answers)
    cards = answers.shape[1]
    net = nn.Sequential(
        nn.Linear(seen.shape[1], HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(),
        nn.Linear(HIDDEN, cards * places), nn.Unflatten(1, (cards, places)),
    )  # fmt: skip
    optimizer = torch.optim.Adam(net.parameters(), RATE)

    def losses(rows: torch.Tensor) -> torch.Tensor:
        return nn.functional.cross_entropy(net(inputs[rows].float()).movedim(2, 1), targets[rows], reduction="none")

    def all_losses(rows: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            return torch.cat([losses(part) for part in rows.split(BATCH)])

    own, judging = (torch.from_numpy(np.flatnonzero(learns == part)) for part in (0, 1))
    ends, best, kept = time.monotonic() + 60 * minutes, np.inf, net.state_dict()
    while best == np.inf or time.monotonic() < ends:
        for _ in range(STEPS):
            optimizer.zero_grad()
            losses(own[torch.randint(len(own), (BATCH,))]).mean().backward()
            optimizer.step()
        if (now := float(all_losses(judging).mean())) < best:
            best, kept = now, {name: each.clone() for name, each in net.state_dict().items()}
    net.load_state_dict(kept)
    found: NDArray[np.float64] = all_losses(torch.arange(len(seen))).double().numpy()
    return found


def all_places(hands: NDArray[np.int8], seats: int) -> tuple[int, NDArray[np.int64]]:
    """Count the ways in which the copies of a card can be divided among others, and return which way each card is."""
    divided = np.moveaxis(hands.reshape(len(hands), seats - 1, -1), 1, 2)
    copies = int(divided.sum(2).max())
    ways = [way for way in product(range(copies + 1), repeat=seats - 1) if sum(way) <= copies]
    base = (copies + 1) ** np.arange(seats - 1)
    number = np.zeros((copies + 1) ** (seats - 1), np.int64)
    number[[int(base @ way) for way in ways]] = np.arange(len(ways))
    return len(ways), number[divided @ base]


def mean_and_half(numbers: NDArray[np.float64]) -> str:
    """Write the mean with its 95% interval, which one number alone has not."""
    half = 1.96 * numbers.std(ddof=1) / len(numbers) ** 0.5 if len(numbers) > 1 else np.nan
    return f"{numbers.mean():.4f} ± {half:.4f}".replace("-", "−")


def compare(folder: Path, minutes: float = 0) -> None:
    """Print the log losses of a dataset with worlds; ``TefudaError`` if it is none."""
    try:
        head = json.loads((folder / "dataset.json").read_text("utf-8"))
        game, seed = tefuda.load(head["game"], head["seats"], **head["options"]), head["seed"]
    except (OSError, ValueError, KeyError) as error:
        raise TefudaError(f"{folder}: no dataset of tefuda data make ({error})") from error
    if head["rules_version"] != game.description.rules_version:
        raise TefudaError(f"{folder}: made under version {head['rules_version']} of the rules; make it anew")
    if not (count := head.get("worlds", 0)):
        raise TefudaError(f"{folder}: it has no worlds; make it with --worlds 16")
    parts, columns = [], ["deal", "rotation", "seat", "action", "hands", "worlds", *["observation"] * (minutes > 0)]
    for number, part in enumerate(sorted(folder.glob("decisions-*.parquet"))):
        table = pl.read_parquet(part, columns=columns)
        rows = table.select("deal", "rotation", "action").iter_rows()
        each = ((deal, [row[2] for row in some]) for (deal, _), some in groupby(rows, key=lambda row: row[:2]))
        states = np.concatenate([state for deal, chosen in each for state in moments(game, (seed, deal), chosen)])
        movers, deals, hands = (table[name].to_numpy() for name in ("seat", "deal", "hands"))
        fitting = draw_worlds(states, movers.astype(np.int64), count, generator((seed, number, 17)), verbs.imagine)
        drawn = {"believe": table["worlds"].to_numpy(), "imagine": others_hands(game, fitting, movers.repeat(count))}
        worlds = {name: each.reshape(len(hands), count, -1) for name, each in drawn.items()}
        print(f"{part.name}: {len(hands):,} decisions", file=sys.stderr)
        seen = table["observation"].to_numpy() if minutes else np.zeros((len(hands), 0), np.int8)
        parts.append((deals, hands, seen, *log_losses(hands, worlds, game.seats)))
    deals, hands, seen, counted = (np.concatenate([part[k] for part in parts]) for k in range(4))
    found = {name: np.concatenate([part[4][name] for part in parts]) for name in ("believe", "imagine")}
    judged = np.full(len(deals), True)
    if minutes:
        numbers = np.unique(deals)
        if len(numbers) < FEWEST:
            raise TefudaError(f"--net: {folder} has {len(numbers)} deals; a network needs {FEWEST} or more")
        first, last = (numbers[int(part * len(numbers))] for part in (LEARNS - 0.1, LEARNS))
        learns = (deals >= first).astype(np.int64) + (deals >= last)
        found["net"], judged = net_losses(seen, hands, learns, game.seats, seed, minutes), deals >= last
    tell(of_deals(Losses(counted[judged], {who: each[judged] for who, each in found.items()}), deals[judged]), count)


def tell(losses: Mapping[str, NDArray[np.float64]], count: int) -> None:
    """Print the mean log losses of deals, and what all others gain on worlds drawn from all that fit."""
    imagined = losses["imagine"]
    words = [f"{who} {mean_and_half(each)}" for who, each in losses.items()]
    words += [f"{who} less by {mean_and_half(imagined - each)}" for who, each in losses.items() if who != "imagine"]
    print(f"{', '.join(words)} in {len(imagined)} deals, {count} worlds")


def main(words: Sequence[str] | None = None) -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Say how well seats know where the hidden cards are.")
    parser.add_argument("folder", type=Path, help="a dataset of tefuda data make --worlds")
    parser.add_argument("--net", type=float, default=0, metavar="MINUTES", help="train a network to compare with")
    given = parser.parse_args(words)
    if not 0 <= given.net < np.inf:
        parser.error(f"--net {given.net}: write minutes, 0 or more")
    try:
        compare(given.folder, given.net)
    except TefudaError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
