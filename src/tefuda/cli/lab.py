"""``tefuda lab``: experiments run, reported, compared, listed and merged."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from tefuda.cli.arguments import AsJson
from tefuda.cli.exit_status import INTERRUPTED
from tefuda.cli.json_output import print_json
from tefuda.engine.errors import TefudaError
from tefuda.engine.extras import MissingPackageError
from tefuda.lab.requirements import missing_packages, runs_folder

app = typer.Typer(
    help="The laboratory: experiments on rules, bots and seats, with intervals and pictures.", add_completion=False
)

ProcessCount = Annotated[
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
Deals = Annotated[int | None, typer.Option("--deals", min=1, help="Number of deals, instead of the file's.")]
Seed = Annotated[int | None, typer.Option("--seed", min=0, help="Seed, instead of the file's.")]


@app.command()
def run(
    file: Annotated[Path, typer.Argument(help="An experiment (.toml).", metavar="FILE")],
    output: Output = None,
    deals: Deals = None,
    seed: Seed = None,
    processes: ProcessCount = None,
    ray: RayAddress = None,
    as_json: AsJson = False,
) -> None:
    """Play an experiment and write its report. After Ctrl-C the same command goes on."""
    need_packages()
    from tefuda.lab.experiment.reader import read

    if ray not in (None, "local") and processes is not None:
        raise TefudaError(f"--processes {processes}: with --ray {ray} the cluster's cores decide how many play")
    command = f"lab run {file}" if ray is None else f"lab run {file} --ray {ray}"
    play(read(file, deals=deals, seed=seed), output, command, as_json, processes, ray)


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
        list[str] | None, typer.Option("--measure", help="What else to measure; may be repeated.")
    ] = None,
    output: Output = None,
    processes: ProcessCount = None,
    as_json: AsJson = False,
) -> None:
    """Compare options, seats or bots at once, without a file."""
    need_packages()
    from tefuda.lab.experiment.comparison import comparison_keys
    from tefuda.lab.experiment.measures import USUAL
    from tefuda.lab.experiment.reader import parse

    more = {"deals": deals, "seed": seed, "answer": answer, "measures": [*USUAL, *(measures or [])]}
    experiment = parse("compare", comparison_keys(game, arms, bots or ["hints"], **more))
    play(experiment, output, f"lab compare {' '.join([game, *arms])}", as_json, processes)


@app.command()
def report(
    run: Annotated[Path, typer.Argument(help="A run's folder, or the file of its experiment.", metavar="RUN")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder for report.html and report.md; by default the run's own."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write the report of a run, finished or not: one page (HTML) and the same as Markdown."""
    need_packages()
    from tefuda.lab.run.run import open_run

    write_report(open_run(run), output, as_json)


@app.command()
def merge(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs.", metavar="RUN…")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder of the new run.")],
    as_json: AsJson = False,
) -> None:
    """Join runs of one experiment that played different seeds."""
    need_packages()
    from tefuda.lab.run.merge import merge as join

    write_report(join(runs, output), None, as_json)


@app.command("list")
def list_runs(as_json: AsJson = False) -> None:
    """List the runs that are kept."""
    need_packages()
    from tefuda.lab.run.run import open_run

    folders = sorted(path.parent for path in runs_folder().glob("*/run.json"))
    listed = []
    for folder in folders:
        try:
            listed.append(_listed(open_run(folder)))
        except TefudaError as error:
            listed.append({"folder": folder, "error": str(error)})
    if as_json:
        print_json(listed)
        return
    if not listed:
        sys.stdout.write(f"There are no runs in {runs_folder()}.\n")
    for run in listed:
        state = "{folder}\n  {game}: {question} ({done:,} of {deals:,} deals)\n"
        sys.stdout.write(f"{run['error']}\n" if "error" in run else state.format(**run))


def _listed(run: Any) -> dict[str, Any]:
    """What a list tells of a run."""
    experiment = run.experiment
    played = {"done": run.done(), "deals": experiment.deals}
    return {"folder": run.path, "game": experiment.description.name, "question": experiment.question, **played}


def play(
    experiment: Any,
    output: Path | None,
    command: str,
    as_json: bool,
    processes: int | None = None,
    ray: str | None = None,
) -> None:
    """Play what is missing of a run, and write its report; exit status 130 if Ctrl-C cut it short."""
    from tefuda.lab.run.run import Run, default_folder

    found = Run(output or default_folder(experiment), experiment)
    status = play_with_progress(found, processes, ray)
    cores = status.seconds * status.processes
    played = status.done - status.earlier
    sys.stderr.write(f"{played:,} deals in {status.seconds:.1f} s; with those kept, {status.done:,}.\n")
    if status.thinking and cores:
        sys.stderr.write(f"Bots thought for {status.thinking:.1f} s, {status.thinking / cores:.0%} of the time.\n")
    if status.interrupted:
        sys.stderr.write(f"Interrupted. To go on: tefuda {command}\n")
        raise typer.Exit(INTERRUPTED)
    write_report(found, None, as_json)


def play_with_progress(found: Any, processes: int | None, ray: str | None) -> Any:
    """Play here or on a cluster, with a bar on standard error if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from tefuda.cli.progress import prepare

    console = Console(file=sys.stderr)
    backend = None if ray is None else connect(found.experiment, ray, processes, console)
    prepare(found.experiment.description)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("deals", total=found.experiment.deals)

        def advance(done: int) -> None:
            bar.advance(task, done)

        return found.play(advance, processes, backend)


def connect(experiment: Any, address: str, processes: int | None, console: Any) -> Any:
    """The Ray cluster at an address; to find it, or to start one, can take half a minute."""
    from tefuda.lab.run.cluster import RayCluster

    def say(line: str) -> None:
        console.print(line, style=None, markup=False)

    with console.status(f"Ray: {address}"):
        return RayCluster(experiment, address, processes, say)


def write_report(found: Any, output: Path | None, as_json: bool) -> None:
    """Write both forms of a run's report, and print the answer and where they are; or the whole answer as JSON."""
    from tefuda.lab.report.page import write

    folder = output or found.path
    answer = write(found, folder)
    if as_json:
        report = json.loads((folder / "report.json").read_text("utf-8"))
        print_json({"folder": folder, "sentences": answer.splitlines(), "report": report})
        return
    sys.stdout.write(f"{answer}\n{folder / 'report.html'}\n{folder / 'report.md'}\n")


def need_packages() -> None:
    """Check that the packages of the extra are there.

    Raises:
        MissingPackageError: one is not.
    """
    missing = missing_packages()
    if missing:
        raise MissingPackageError("tefuda lab", ", ".join(missing), "lab")
