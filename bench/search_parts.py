"""What the search bot gains from each of its parts, in every game, as plots.

For each game one experiment of the laboratory: an arm for every variant of the search, which differs from the usual
settings in one thing, at a table of hint bots. All arms play the same duplicate deals with the same simulations a move;
what is drawn is by how much a variant gains more or less than the usual settings on the same deals.

    uv run --all-extras python bench/search_parts.py                      # play, and draw docs/search/
    uv run --all-extras python bench/search_parts.py --games kakkuri --deals 20 --budget 20ms --plots /tmp

Where it is stopped it goes on; runs are kept with those of ``tefuda lab``. (With a budget in simulations the figures
are the same again on any machine; ``--budget 20ms`` compares at equal time.)"""

import argparse
from functools import partial
from pathlib import Path
from time import process_time

import matplotlib as mpl
from matplotlib.figure import Figure
from rich.console import Console
from rich.progress import Progress

import tefuda
from tefuda.bots.search import SearchBot
from tefuda.engine.rng import generator
from tefuda.games import description, names
from tefuda.lab.experiment import Experiment
from tefuda.lab.experiment_file import parse
from tefuda.lab.measure.figures import values_by_deal
from tefuda.lab.measure.intervals import Difference, Values, gaps_between, interval
from tefuda.lab.report.plots import FAINT, INK, STYLE, to_svg
from tefuda.lab.runs import Run, default_folder

DOCS = Path(__file__).parents[1] / "docs" / "search"

USUAL = "as it is"

PARTS = {
    "playouts": {"random": "hints=0", "half by hints": "hints=50", "80% by hints": "hints=80", "all": "hints=100"},
    "advice": {
        "not tried first": "advised=0",
        "every action at once": "widening=0",
        "few actions at first": "widening=0.5",
    },
    "root": {"each action in worlds of its own": "race=0", "race to 3 errors": "race=3"},
    "prior": {"none": "prior=0", "0.1": "prior=0.1", "0.3": "prior=0.3"},
    "exploration": {"0.3": "exploration=0.3", "0.6": "exploration=0.6", "2": "exploration=2"},
    "worlds": {"all that agree alike": "belief=0", "one for 4 simulations": "worlds=4", "one for 16": "worlds=16"},
    "choice": {"most visited": "trust=0", "advice unless 1 error": "trust=1", "advice unless 3": "trust=3"},
    "tree": {
        "only the first action": "depth=1",
        "to the end": "depth=1024",
        "20 simulations an action": "patience=20",
    },
}
"""Group, variant, settings. A variant that is what suits the game anyway is left out."""

MOMENTS = 20
"""First choices of deals at which a variant's cost is measured."""


def main() -> None:
    """Play what is missing, then draw."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", nargs="+", default=names(), choices=names(), metavar="GAME")
    asked.add_argument("--deals", type=int, default=200, help="each played in every rotation (default 200)")
    asked.add_argument("--budget", default="300it", help="of each move (default 300it)")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--processes", type=int, help="all cores by default")
    asked.add_argument("--plots", type=Path, default=DOCS, help="folder for the pictures (default docs/search)")
    given = asked.parse_args()
    given.plots.mkdir(parents=True, exist_ok=True)
    for game in given.games:
        asking = parts_of(game, given.budget, given.deals, given.seed)
        run = Run(default_folder(asking), asking)
        with Progress(console=Console(stderr=True)) as bar:
            task = bar.add_task(f"{game}, {len(asking.arms)} searches", total=given.deals)
            progress = run.play(partial(bar.advance, task), given.processes)
        if progress.interrupted:
            print("stopped; the same command goes on")
            return
        draw(asking, values_by_deal(asking, run.deals(), "gain"), given.plots / f"parts-{game}.svg")


def parts_of(game: str, budget: str, deals: int, seed: int) -> Experiment:
    """The experiment: an arm for each variant."""
    table = tefuda.load(game).template[0]
    usual = SearchBot.read(budget).settings_for(description(game), table)
    arms = [{"name": USUAL, "bots": [f"search:{budget}", "hints"]}]
    for group, variants in PARTS.items():
        for name, settings in variants.items():
            if SearchBot.read(f"{budget},{settings}").settings_for(description(game), table) != usual:
                arms.append({"name": f"{group}: {name}", "bots": [f"search:{budget},{settings}", "hints"]})
    question = "What does the search gain from each of its parts?"
    keys = {"question": question, "game": game, "arms": arms, "deals": deals, "seed": seed}
    return parse(f"search-parts-{game}", {**keys, "measures": ["outcome"], "answer": "gain"})


def cost(game: str, spec: str) -> float:
    """Microseconds of processor time that a simulation takes at the first choice of a deal."""
    bot, spent, simulations = SearchBot.read(spec.partition(":")[2]), 0.0, 0
    for seed in range(MOMENTS):
        deal = tefuda.load(game).deal(seed)
        while len(deal.legal_actions()) == 1:
            deal.act(deal.legal_actions()[0])
        view = deal.view(deal.mover)
        bot.warm(view)
        begun = process_time()
        found = bot.think(view, generator(seed))
        spent += process_time() - begun
        simulations += sum(each.visits for each in found)
    return spent / simulations * 1e6


def draw(asked: Experiment, gains: list[Values], path: Path) -> None:
    """Every variant's difference from the usual settings, with its interval and what a simulation costs."""
    usual = interval(gains[0])
    others = zip(asked.arms[1:], gains[1:], strict=True)
    found = [gaps_between(arm.name, gains[0], own).judged(len(gains) - 1) for arm, own in others]
    costs = [cost(asked.description.name, arm.bots[0]) for arm in asked.arms]
    head = f"{asked.title}: {usual.mean:+.2f} ({usual.low:+.2f} to {usual.high:+.2f}) a deal among hints as it is"
    print(f"{head}, {usual.count} deals, {costs[0]:.1f} µs a simulation")
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(7, 0.3 * len(found) + 1.2))
        axes = figure.subplots()
        for place, (each, microseconds) in enumerate(zip(found, costs[1:], strict=True)):
            print(f"  {label(each, microseconds):44} {each.by.mean:+8.2f} ({each.by.low:+.2f} to {each.by.high:+.2f})")
            reach = [[each.by.mean - each.by.low], [each.by.high - each.by.mean]]
            axes.errorbar(each.by.mean, -place, xerr=reach, fmt="o", ms=4, color=INK, capsize=2)
        axes.axvline(0, color=FAINT, lw=0.8)
        axes.set_yticks([-k for k in range(len(found))], [label(*each) for each in zip(found, costs[1:], strict=True)])
        axes.set_xlabel("gain a deal beyond the usual settings’, with intervals that hold for all together")
        axes.set_title(f"{head} ({costs[0]:.0f} µs)", fontsize=9)
        path.write_text(to_svg(figure, f"{asked.title}: what parts of the search gain"), "utf-8")


def label(variant: Difference, microseconds: float) -> str:
    """A variant, and what a simulation of it costs."""
    return f"{variant.arm} ({microseconds:.0f} µs)"


if __name__ == "__main__":
    main()
