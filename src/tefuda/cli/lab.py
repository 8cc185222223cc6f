"""``tefuda lab``: experiments run, reported, compared, listed and merged."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from tefuda.engine.errors import TefudaError
from tefuda.lab import extra

app = typer.Typer(
    help="The laboratory: experiments over rules, bots and seats, with intervals and pictures.", add_completion=False
)

INTERRUPTED = 130

Processes = Annotated[
    int | None, typer.Option("--processes", min=1, help="Processes that play; they do not change the results.")
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray",
        help="Play on a Ray cluster: auto, HOST:6379 or ray://HOST:10001; local for one started here.",
        metavar="ADDRESS",
    ),
]
Output = Annotated[Path | None, typer.Option("-o", "--output", help="Folder of the run.")]
Deals = Annotated[int | None, typer.Option("--deals", min=1, help="Deals, instead of what the file says.")]
Seed = Annotated[int | None, typer.Option("--seed", min=0, help="Seed, instead of what the file says.")]


@app.command()
def run(
    file: Annotated[Path, typer.Argument(help="An experiment (.toml).", metavar="FILE")],
    output: Output = None,
    deals: Deals = None,
    seed: Seed = None,
    processes: Processes = None,
    ray: RayAddress = None,
) -> None:
    """Play an experiment and write its report. The same command goes on after Ctrl-C."""
    need_extra()
    from tefuda.lab.experiment import read

    if ray not in (None, "local") and processes is not None:
        raise TefudaError(f"--processes {processes}: at --ray {ray} as many play as the cluster has cores")
    command = f"lab run {file}" if ray is None else f"lab run {file} --ray {ray}"
    play(read(file, deals=deals, seed=seed), output, command, processes, ray)


@app.command()
def compare(
    game: Annotated[str, typer.Argument(help="Name of the game, such as luk-fu.", metavar="GAME")],
    arms: Annotated[
        list[str],
        typer.Argument(
            help="What is compared: option=value (several joined by commas), seats=4, or default.", metavar="ARM…"
        ),
    ],
    deals: Annotated[int, typer.Option("--deals", min=1, help="Deals in each arm.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed deals the same cards.")] = 0,
    bots: Annotated[
        list[str] | None,
        typer.Option("--bot", help="Who plays; may be repeated, the last one takes the seats that are left."),
    ] = None,
    answer: Annotated[str, typer.Option("--answer", help="The figure that decides (docs/lab.md).")] = "spread",
    measures: Annotated[
        list[str] | None, typer.Option("--measure", help="What is measured beside the usual; may be repeated.")
    ] = None,
    output: Output = None,
    processes: Processes = None,
) -> None:
    """Compare options, seats or bots at once, without a file."""
    need_extra()
    from tefuda.lab.comparison import comparison
    from tefuda.lab.experiment import experiment
    from tefuda.lab.measures import USUAL

    more = {"deals": deals, "seed": seed, "answer": answer, "measures": [*USUAL, *(measures or [])]}
    words = " ".join([game, *arms])
    play(
        experiment("compare", comparison(game, arms, bots or ["hints"], **more)),
        output,
        f"lab compare {words}",
        processes,
    )


@app.command()
def report(
    run: Annotated[Path, typer.Argument(help="A run's folder, or the file of its experiment.", metavar="RUN")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder for report.html and report.md; the run's own if not given."),
    ] = None,
) -> None:
    """Write the report of a run, finished or not: one page (HTML) and the same as Markdown."""
    need_extra()
    from tefuda.lab.run import open_run

    write_report(open_run(run), output)


@app.command()
def merge(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs.", metavar="RUN…")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder of the new run.")],
) -> None:
    """Join runs of one experiment that played other seeds."""
    need_extra()
    from tefuda.lab.merge import merge as join

    write_report(join(runs, output), None)


@app.command("list")
def list_runs() -> None:
    """List the runs that are kept."""
    need_extra()
    from tefuda.lab.run import open_run

    folders = sorted(path.parent for path in extra.runs_folder().glob("*/run.json"))
    if not folders:
        sys.stdout.write(f"There are no runs in {extra.runs_folder()}.\n")
    for folder in folders:
        try:
            found = open_run(folder)
        except TefudaError as error:
            sys.stdout.write(f"{error}\n")
            continue
        experiment = found.experiment
        state = f"{found.done():,} of {experiment.deals:,} deals"
        sys.stdout.write(f"{folder}\n  {experiment.description.name}: {experiment.question} ({state})\n")


def play(
    experiment: Any, output: Path | None, command: str, processes: int | None = None, ray: str | None = None
) -> None:
    """Play what is missing of a run, and write its report; exit status 130 if Ctrl-C cut it short."""
    from tefuda.lab.run import Run, default_folder

    found = Run(output or default_folder(experiment), experiment)
    progress = with_progress(found, processes, ray)
    cores = progress.seconds * progress.processes
    played = progress.done - progress.earlier
    sys.stderr.write(f"{played:,} deals in {progress.seconds:.1f} s; with those kept, {progress.done:,}.\n")
    if progress.thinking and cores:
        sys.stderr.write(f"Bots thought for {progress.thinking:.1f} s, {progress.thinking / cores:.0%} of the time.\n")
    if progress.interrupted:
        sys.stderr.write(f"Interrupted. To go on: tefuda {command}\n")
        raise typer.Exit(INTERRUPTED)
    write_report(found, None)


def with_progress(found: Any, processes: int | None, ray: str | None) -> Any:
    """Play here or on a cluster, with a bar on standard error if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from tefuda.cli.progress import prepare

    console = Console(file=sys.stderr)
    place = None if ray is None else cluster(found.experiment, ray, processes, console)
    prepare(found.experiment.description)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("deals", total=found.experiment.deals)
        advance: Callable[[int], None] = lambda done: bar.advance(task, done)  # noqa: E731
        return found.play(advance, processes, place)


def cluster(experiment: Any, address: str, processes: int | None, console: Any) -> Any:
    """The Ray cluster at an address; to find it, or to start one, can take half a minute."""
    from tefuda.lab.cluster import Cluster

    with console.status(f"Ray: {address}"):
        return Cluster(experiment, address, processes, lambda line: console.print(line, style=None, markup=False))


def write_report(found: Any, output: Path | None) -> None:
    """Write both forms of a run's report, and say the answer and where they are."""
    from tefuda.lab.report.page import write

    folder = output or found.path
    answer = write(found, folder)
    sys.stdout.write(f"{answer}\n{folder / 'report.html'}\n{folder / 'report.md'}\n")


def need_extra() -> None:
    """See that the packages of the extra are there.

    Raises:
        TefudaError: one is not.
    """
    missing = extra.missing()
    if missing:
        raise TefudaError(f"lab needs {', '.join(missing)}: uv run --extra lab tefuda lab …")
