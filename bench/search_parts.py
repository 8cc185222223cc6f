"""What the search bot gains from each of its parts, in every game, as a file of results and plots.

Each variant sits at a table of hint bots and plays the same duplicate deals with the same simulations a move; its line
is what it gains a deal, and what a move took. Variants differ from the usual settings in one thing each. (With a budget
in simulations the figures are the same again on any machine; ``--budget 20ms`` compares at equal time.)

    uv run --group bench python bench/search_parts.py                      # measure, and draw docs/search
    uv run --group bench python bench/search_parts.py --draw               # only draw what has been measured
    uv run --group bench python bench/search_parts.py --games kakkuri --deals 20 --budget 20ms

Every finished line is written down at once; a line that is there already is not measured again.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tefuda
from tefuda.games import names
from tefuda.lab.match import compile_for, play_match

DOCS = Path(__file__).parents[1] / "docs" / "search"

PARTS = {
    "usual": {"as it is": ""},
    "playouts": {"random": "hints=0", "half by hints": "hints=50", "all by hints": "hints=100"},
    "advice": {
        "not tried first": "advised=0",
        "every action tried at once": "widening=0",
        "few actions at first": "widening=0.5",
        "progressive bias instead": "widening=0,bias=1",
    },
    "exploration": {"0.3": "exploration=0.3", "0.6": "exploration=0.6", "2": "exploration=2"},
    "worlds": {
        "all that agree alike": "belief=0",
        "one for 4 simulations": "worlds=4",
        "one for 16": "worlds=16",
    },
    "choice": {"most visited, whatever is advised": "trust=0", "advice unless 1 standard error": "trust=1"},
    "tree": {
        "only the first action": "depth=1",
        "to the end": "depth=1024",
        "actions wait for 20 simulations": "patience=20",
        "one for every seat": "observers=0",
    },
}
"""Group, variant, settings."""


def main() -> None:
    """Measure what is missing, then draw."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", nargs="+", default=names(), metavar="GAME")
    asked.add_argument("--deals", type=int, default=100, help="each played in every rotation (default 100)")
    asked.add_argument("--budget", default="300it", help="of each move (default 300it)")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--threads", type=int, help="all cores by default")
    asked.add_argument("--results", type=Path, default=DOCS / "parts.json")
    asked.add_argument("--draw", action="store_true", help="measure nothing, only draw")
    given = asked.parse_args()
    results: dict[str, Any] = json.loads(given.results.read_text()) if given.results.exists() else {}
    if not given.draw:
        for game in given.games:
            for group, name, settings in variants():
                key = f"{game}/{group}/{name}/{given.budget}/{given.seed}/{given.deals}"
                if key not in results:
                    results[key] = measure(
                        game, f"search:{given.budget}{settings}", given.deals, given.seed, given.threads
                    )
                    given.results.parent.mkdir(parents=True, exist_ok=True)
                    given.results.write_text(json.dumps(results, indent=1))
                line = results[key]
                print(f"{game:10} {group:12} {name:28} {line['gain']:+8.2f} ± {line['margin']:.2f}", flush=True)
    draw(results, given.results.parent)


def variants() -> Iterator[tuple[str, str, str]]:
    """Every group, variant and what to add to a budget."""
    for group, each in PARTS.items():
        for name, settings in each.items():
            yield group, name, f",{settings}" if settings else ""


def measure(name: str, spec: str, deals: int, seed: int, threads: int | None) -> dict[str, float]:
    """What this bot gains a deal among hint bots, as people count it, with the margin of its 95 % interval."""
    game = tefuda.load(name)
    bots = [spec, *["hints"] * (game.seats - 1)]
    compile_for(game, bots)
    result = play_match(game, bots, deals, seed, threads=threads)
    first = result.entries[0]
    return {
        "gain": first.gain.mean,
        "margin": first.gain.margin or 0.0,
        "deals": result.deals,
        "ms": first.microseconds / 1000,
    }


def draw(results: dict[str, Any], folder: Path) -> None:
    """A plot for each game: every variant's gain with its interval, the usual settings' as a band."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "tefuda"
    from matplotlib import pyplot

    games = sorted({key.split("/")[0] for key in results})
    for game in games:
        lines = {tuple(key.split("/")[1:3]): line for key, line in results.items() if key.split("/")[0] == game}
        order = [(group, name) for group, name, _ in variants() if (group, name) in lines]
        figure, axes = pyplot.subplots(figsize=(7, 0.32 * len(order) + 1))
        usual = lines.get(("usual", "as it is"))
        if usual:
            axes.axvspan(usual["gain"] - usual["margin"], usual["gain"] + usual["margin"], color="#dce8f2")
        for place, key in enumerate(order):
            axes.errorbar(lines[key]["gain"], -place, xerr=lines[key]["margin"], fmt="o", color="#1f4e79", capsize=3)
        axes.axvline(0, color="#888", linewidth=0.8)
        labels = [f"{group}: {name} ({lines[group, name]['ms']:.1f} ms)" for group, name in order]
        axes.set_yticks([-place for place in range(len(order))], labels)
        axes.set_xlabel("gain a deal among hint bots, 95 % interval")
        axes.set_title(game.replace("-", " ").title())
        figure.tight_layout()
        figure.savefig(folder / f"parts-{game}.svg", metadata={"Date": None})
        pyplot.close(figure)


if __name__ == "__main__":
    main()
