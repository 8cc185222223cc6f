"""``tefuda bench``: how many deals and decisions a second this machine plays."""

import sys

from rich.console import Console
from rich.table import Table

from tefuda import games
from tefuda.cli.json_output import print_json
from tefuda.cli.long_command import announce, duration
from tefuda.cli.progress import prepare
from tefuda.lab import benchmark
from tefuda.table.game import load

WIDTH = 120
"""Of a table that goes to a file or a pipe."""


def run(game_name: str | None, seconds: float, as_json: bool) -> None:
    """Measure one game, or every game, and print the figures.

    Raises:
        TefudaError: there is no such game.
    """
    names = [game_name] if game_name else games.names()
    measured = len(names) * len(benchmark.MEASUREMENTS)
    announce(
        Console(file=sys.stderr),
        f"Measures {', '.join(names)}: {measured} figures of {seconds:g} s each, about {duration(measured * seconds)} "
        "in all. What is new is compiled first.",
    )
    for name in names:
        prepare(games.description(name))
    figures = {name: measure(name, seconds) for name in names}
    if as_json:
        print_json({"machine": benchmark.machine(), "seconds": seconds, "games": figures})
    else:
        show(figures)


def measure(name: str, seconds: float) -> list[benchmark.Throughput]:
    """Every figure of a game, saying on standard error which one is being measured."""
    game, figures = load(name), []
    with Console(file=sys.stderr).status("") as status:
        for measurement in benchmark.MEASUREMENTS:
            status.update(f"{name}: {measurement.name} (compiled first if it is new) …")
            figures.append(measurement.of(game, seconds))
    return figures


def show(figures: dict[str, list[benchmark.Throughput]]) -> None:
    """Print a table for each game, then the machine."""
    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    for name, found in figures.items():
        table = Table(title=name, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column("", no_wrap=True)
        for heading in ("deals/s", "decisions/s", "moves/s", "spread"):
            table.add_column(heading, justify="right", no_wrap=True)
        table.add_column("included")
        for each in found:
            spread = (each.fastest - each.slowest) / each.moves
            rates = (f"{rate:,.0f}" for rate in (each.deals, each.decisions, each.moves))
            table.add_row(each.name, *rates, f"{spread:.0%}", each.note)
        console.print(table)
        console.print()
    console.print(f"Medians of {benchmark.REPETITIONS} repetitions; the spread is from the slowest to the fastest.")
    console.print(
        "A decision is a play chosen among several; forced answers and further steps of a play are only moves."
    )
    machine = benchmark.machine()
    console.print(
        "{cpu}, {cores} cores; Python {python}, Numba {numba}, NumPy {numpy}, Tefuda {tefuda}".format(**machine)
        + ("" if machine["compiled"] else "; not compiled (NUMBA_DISABLE_JIT)"),
        markup=False,
        soft_wrap=True,
    )
