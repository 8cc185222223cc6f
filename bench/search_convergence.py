"""How soon the search finds what it can find: its choices after N simulations, valued by two independent long runs.

Positions come from deals that the network plays (the rules of thumb, where a game has none). A long run tries every
action in the same worlds, equally often. What a choice loses is how much better, by one of the two runs, the action is
that the other run finds best: so no choice is judged by the luck that made it look good, and a choice that is as good
as the long runs' own loses nothing on average. What the runs lose against each other says how sure they are.
In the long runs the rules of thumb play deals out; with ``--net`` the network does, and what it would choose by itself
is judged too.

    uv run --extra lab python bench/search_convergence.py                          # all games, and draw docs/search/
    uv run --extra lab python bench/search_convergence.py --net --games gong-zhu luk-fu ma-diao
    uv run --extra lab python bench/search_convergence.py --games kakkuri --positions 20 --plots /tmp
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import tefuda
from tefuda.bots.players import Bot, bot
from tefuda.bots.search import IN_HASTE, SearchBot
from tefuda.engine.kit.folder import BY_NET
from tefuda.engine.rng import below, generator
from tefuda.games import description, names
from tefuda.lab.play.runner import warm_bots
from tefuda.lab.report.plots import ARMS, FAINT, STYLE, to_svg
from tefuda.table.deal import Deal

DOCS = Path(__file__).parents[1] / "docs" / "search"


class Measurement(NamedTuple):
    """What is measured: ways to search by their names, the settings of the long runs, and the picture's name."""

    ways: dict[str, str]
    judge: str
    picture: str


def written(settings: Mapping[str, float]) -> str:
    """Settings as the name of a bot has them."""
    return ",".join(f"{name}={value}" for name, value in settings.items())


VALUED_BY_HINTS = Measurement(
    {"each action in worlds of its own": "net=0,race=0,prior=0", "a race in the same worlds": "net=0,race=2,prior=0"},
    "net=0,race=1000000,trust=0,prior=0",
    "convergence",
)

VALUED_BY_NET = Measurement(
    {
        "the net plays deals out": written(BY_NET),
        "rules of thumb do, the net's ratings first": written(IN_HASTE),
        "rules of thumb alone": "net=0,race=0,prior=0",
    },
    "net=1,race=1000000,trust=0,prior=0,depth=1",
    "convergence-net",
)

A_DEAL = 2
"""Positions of each deal."""


class Found(NamedTuple):
    """What choices lose, each of shape (ways, budgets, positions), in what people count; what the long runs' own lose,
    and the network's, of shape (positions,); the processor's milliseconds for a choice, of shape (ways, budgets)."""

    losses: NDArray[np.float64]
    floor: NDArray[np.float64]
    network: NDArray[np.float64]
    milliseconds: NDArray[np.float64]


def main() -> None:
    """Measure and draw."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", nargs="+", default=names(), choices=names(), metavar="GAME")
    asked.add_argument("--positions", type=int, default=120)
    asked.add_argument("--simulations", type=int, nargs="+", default=[30, 100, 300, 1000, 3000])
    asked.add_argument("--long", type=int, default=6000, help="simulations of a long run (default 6000)")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--net", action="store_true", help="long runs in which the network plays deals out")
    asked.add_argument("--plots", type=Path, default=DOCS, help="folder for the pictures (default docs/search)")
    given = asked.parse_args()
    given.plots.mkdir(parents=True, exist_ok=True)
    measured = VALUED_BY_NET if given.net else VALUED_BY_HINTS
    for game in given.games:
        found = measure(game, measured, given.simulations, given.positions, given.long, given.seed)
        tell(game, measured, given.simulations, found)
        draw(game, measured, given.simulations, found, given.plots / f"{measured.picture}-{game}.svg")


def measure(game: str, measured: Measurement, budgets: Sequence[int], count: int, long: int, seed: int) -> Found:
    """Let every way of searching choose in every position."""
    judge, ways = SearchBot.read(f"{long}it,{measured.judge}"), measured.ways.values()
    players, network = [[bot(spec(settings, budget)) for budget in budgets] for settings in ways], player(game)
    warm_bots(tefuda.load(game), [spec(settings, 1) for settings in ways])
    losses = np.zeros((len(ways), len(budgets), count))
    floor, alone, spent = np.zeros(count), np.zeros(count), np.zeros((len(ways), len(budgets)))
    for k, deal in zip(range(count), positions(game, seed), strict=False):
        view, legal = deal.view(deal.mover), deal.legal_actions()
        runs = [{each.action: each.worth for each in judge.think(view, generator((seed, k, run)))} for run in (0, 1)]
        floor[k] = (loss(runs, best(runs[0])) + loss(runs, best(runs[1]))) / 2
        alone[k] = loss(runs, network.choose(view, legal, generator((seed, k, 2))))
        for way, at in np.ndindex(spent.shape):
            begun = process_time()
            chosen = players[way][at].choose(view, legal, generator((seed, k, 2)))
            spent[way, at] += process_time() - begun
            losses[way, at, k] = loss(runs, chosen)
    unit = description(game).rules.unit
    return Found(losses / unit, floor / unit, alone / unit, spent * 1000 / count)


def spec(settings: str, budget: int) -> str:
    """The name of a search."""
    return f"search:{budget}it,{settings}"


def player(game: str) -> Bot:
    """The network, or the rules of thumb where a game has none."""
    return bot("net" if description(game).files.net else "hints")


def positions(game: str, seed: int) -> Iterator[Deal]:
    """Moments of deals at which somebody has a choice."""
    table, mover, number = tefuda.load(game), player(game), 0
    while True:
        rng, deal, choices = generator((seed, number)), table.deal((seed, number)), []
        while not deal.over:
            legal = deal.legal_actions()
            if len(legal) > 1:
                choices.append(deal.copy())
            deal.act(mover.choose(deal.view(deal.mover), legal, rng))
        for _ in range(A_DEAL if choices else 0):
            yield choices.pop(below(rng, len(choices))) if len(choices) > 1 else choices[0]
        number += 1


def best(run: dict[int, float]) -> int:
    """The action that a long run finds best."""
    return max(run, key=lambda action: run[action])


def loss(runs: Sequence[dict[int, float]], chosen: int) -> float:
    """By how much a choice is worse than what one run finds best, in the values of the other; the mean of both ways."""
    return float(np.mean([other[best(one)] - other[chosen] for one, other in (runs, runs[::-1])]))


def tell(game: str, measured: Measurement, budgets: Sequence[int], found: Found) -> None:
    """Print the figures."""
    print(f"{game}: the long runs against each other {estimate(found.floor)}; the network {estimate(found.network)}")
    for way, name in enumerate(measured.ways):
        for at, budget in enumerate(budgets):
            figures = f"{estimate(found.losses[way, at])}  {found.milliseconds[way, at]:.1f} ms"
            print(f"  {name:42} {budget:6}  {figures}", flush=True)


def estimate(values: NDArray[np.float64]) -> str:
    """A mean with its 95% interval."""
    return f"{values.mean():+.3f} ± {margin(values):.3f}"


def margin(values: NDArray[np.float64]) -> float:
    """Half of a mean's 95% interval."""
    return float(1.96 * values.std(ddof=1) / len(values) ** 0.5)


def draw(game: str, measured: Measurement, budgets: Sequence[int], found: Found, path: Path) -> None:
    """The losses by simulations, with intervals."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(5.4, 3.8), layout="constrained")
        axes = figure.subplots()
        for way, (name, colour) in enumerate(zip(measured.ways, ARMS, strict=False)):
            means = found.losses[way].mean(1)
            reach = [margin(values) for values in found.losses[way]]
            places = np.array(budgets) * (0.97 + 0.06 * way)
            axes.errorbar(places, means, yerr=reach, fmt="o-", ms=4, color=colour, capsize=2, label=name)
        axes.axhline(float(found.floor.mean()), color=FAINT, lw=0.8, ls="--", label="one long run, by the other")
        if measured is VALUED_BY_NET:
            axes.axhline(float(found.network.mean()), color=FAINT, lw=0.8, ls=":", label="the net by itself")
        axes.set_xscale("log")
        axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
        axes.minorticks_off()
        axes.set_xlabel("simulations of a choice")
        axes.set_ylabel("loss a choice")
        axes.set_title(game, fontsize=9)
        figure.legend(loc="outside lower left")
        path.write_text(to_svg(figure, f"{game}: what choices lose after so many simulations"), "utf-8")


if __name__ == "__main__":
    main()
