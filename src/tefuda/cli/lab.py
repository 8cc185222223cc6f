"""``tefuda lab``: experiments run, reported, compared, listed and merged."""

import json
import re
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from tefuda.cli.arguments import AsJson, GameName, Language
from tefuda.cli.cluster import RayAddress, check_count, connect
from tefuda.cli.exit_status import INTERRUPTED
from tefuda.cli.help import Commands
from tefuda.cli.json_output import print_json
from tefuda.engine.errors import MissingPackageError, TefudaError
from tefuda.lab.requirements import missing_packages, runs_folder

app = Commands(help="Experiments on rules, bots and seats, with intervals and pictures.")

ProcessCount = Annotated[
    int | None, typer.Option("--processes", min=1, help="Processes that play; they do not change the results.")
]
Output = Annotated[Path | None, typer.Option("-o", "--output", help="Folder of the run.")]
Deals = Annotated[int | None, typer.Option("--deals", min=1, help="Number of deals, instead of the file's.")]
Plan = Annotated[
    bool, typer.Option("--plan", help="Play a short pilot only, and say how many deals find which difference.")
]
Players = Annotated[
    list[str] | None,
    typer.Option(
        "--players",
        help="Ask again with this bot in every seat; may be repeated. With its own number of deals: search:100it@400.",
        metavar="BOT[@DEALS]",
    ),
]
Smallest = Annotated[
    float | None, typer.Option("--smallest", help="The smallest difference of the answer that would matter.")
]
Seed = Annotated[int | None, typer.Option("--seed", min=0, help="Seed, instead of the file's.")]


@app.command()
def run(
    file: Annotated[Path, typer.Argument(help="An experiment (.toml).", metavar="FILE")],
    output: Output = None,
    deals: Deals = None,
    seed: Seed = None,
    processes: ProcessCount = None,
    ray: RayAddress = None,
    players: Players = None,
    plan: Plan = False,
    lang: Language = None,
    as_json: AsJson = False,
) -> None:
    """Play an experiment and write its report. After Ctrl-C the same command goes on."""
    need_packages()
    from tefuda.cli.settings import command as again
    from tefuda.cli.settings import language_of
    from tefuda.lab.experiment.reader import read

    language = language_of(lang, printed=not as_json)
    check_count(ray, "--processes", processes)
    command = again("lab", "run", file, *(["--ray", ray] if ray else []))
    asked = read(file, deals=deals, seed=seed)
    play_all(asked, players or [], output, command, as_json, processes, ray, plan, language)


@app.command()
def compare(
    game: GameName,
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
    smallest: Smallest = None,
    stop: Annotated[bool, typer.Option("--stop", help="Stop as soon as the answer is clear.")] = False,
    output: Output = None,
    processes: ProcessCount = None,
    ray: RayAddress = None,
    players: Players = None,
    plan: Plan = False,
    lang: Language = None,
    as_json: AsJson = False,
) -> None:
    """Compare options, seats or bots at once, without a file."""
    need_packages()
    from tefuda.cli.settings import command as again
    from tefuda.cli.settings import language_of
    from tefuda.lab.experiment.definition import USUAL
    from tefuda.lab.experiment.reader import comparison_keys, different_arms, parse

    language = language_of(lang, printed=not as_json)
    check_count(ray, "--processes", processes)
    for each in {"play", "recovery"}.intersection(measures or []):
        asks = "which play" if each == "play" else "how many points"
        raise TefudaError(f"--measure {each}: it must be told {asks}, so write an experiment file (docs/lab.md)")
    measured = [*USUAL, "binds", *(measures or [])]
    more: dict[str, Any] = {"deals": deals, "seed": seed, "answer": answer, "measures": measured, "stop": stop}
    if smallest is not None:
        more["smallest"] = smallest
    experiment = different_arms(parse("compare", comparison_keys(game, arms, bots or ["hints"], **more)))
    command = again("lab", "compare", game, *arms, *(["--ray", ray] if ray else []))
    play_all(experiment, players or [], output, command, as_json, processes, ray, plan, language)


@app.command()
def report(
    run: Annotated[Path, typer.Argument(help="A run's folder, or the file of its experiment.", metavar="RUN")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder for report.html and report.md; by default the run's own."),
    ] = None,
    lang: Language = None,
    as_json: AsJson = False,
) -> None:
    """Write the report of a run, finished or not: one page (HTML) and the same as Markdown."""
    need_packages()
    from tefuda.cli.settings import language_of
    from tefuda.lab.runs import open_run

    language = language_of(lang, printed=not as_json)
    write_report(open_run(run), output, as_json, language)


@app.command()
def merge(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs.", metavar="RUN…")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder of the new run.")],
    lang: Language = None,
    as_json: AsJson = False,
) -> None:
    """Join runs of one experiment that played different seeds."""
    need_packages()
    from tefuda.cli.settings import language_of
    from tefuda.lab.runs import merge as join

    language = language_of(lang, printed=not as_json)
    write_report(join(runs, output), None, as_json, language)


@app.command("list")
def list_runs(as_json: AsJson = False) -> None:
    """List the runs that are kept."""
    need_packages()
    from tefuda.lab.runs import open_run

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


def play_all(
    experiment: Any,
    players: Sequence[str],
    output: Path | None,
    command: str,
    as_json: bool,
    processes: int | None,
    ray: str | None,
    plan: bool,
    language: str,
) -> None:
    """Play an experiment; with ``players``, once with each of these bots, and say whether their answers agree."""
    from tefuda.lab.experiment.reader import players_and_deals, with_players
    from tefuda.lab.report.sentences import kinds_sentences

    if not players:
        play(experiment, output, command, as_json, processes, ray, plan, language)
        return
    if as_json:
        raise TefudaError("--json: it goes with one kind of players; leave --players out, or read each report.json")
    asked = {word: with_players(experiment, *players_and_deals(word)) for word in players}
    command = " ".join([command, *(f"--players {shlex.quote(word)}" for word in players)])
    told = {}
    for word, each in asked.items():
        folder = None if output is None else output / re.sub(r"[^\w.@-]+", "-", word)
        summary = play(each, folder, command, False, processes, ray, plan, language)
        if summary is not None:
            told[each.arms[0].bots[0]] = summary
    if told:
        sys.stdout.write("\n" + "\n".join(kinds_sentences(experiment, told)) + "\n")


def play(
    experiment: Any,
    output: Path | None,
    command: str,
    as_json: bool,
    processes: int | None = None,
    ray: str | None = None,
    plan: bool = False,
    language: str = "en",
) -> Any:
    """Play what is missing of a run, and write its report; exit status 130 if Ctrl-C cut it short.

    Before a run that has not begun, or instead of it with ``plan``, a pilot says which difference it will find.

    Returns:
        the report in words; None where there is only a plan.
    """
    from tefuda.lab.report.plan import pilot_deals
    from tefuda.lab.runs import Run, default_folder

    found = Run(output or default_folder(experiment), experiment)
    pilot = pilot_deals(experiment)
    if plan or (ray is None and found.done() < pilot < experiment.deals):
        say_plan(found, processes, command, language, sys.stdout if plan and not as_json else sys.stderr)
    if plan:
        return None
    status = play_with_progress(found, processes, ray)
    cores = status.seconds * status.processes
    played = status.done - status.earlier
    sys.stderr.write(f"{played:,} deals in {status.seconds:.1f} s; with those kept, {status.done:,}.\n")
    if status.thinking and cores:
        sys.stderr.write(f"Bots thought for {status.thinking:.1f} s, {status.thinking / cores:.0%} of the time.\n")
    if status.interrupted:
        sys.stderr.write(f"Interrupted. To go on:\n{command}\n")
        raise typer.Exit(INTERRUPTED)
    return write_report(found, None, as_json, language)


def say_plan(found: Any, processes: int | None, command: str, language: str, out: TextIO) -> None:
    """Play a run's pilot and say what it promises; its deals are kept."""
    from tefuda.lab.report.plan import pilot_deals, pilot_of, plan_sentences
    from tefuda.lab.runs import Run

    begun = found.done() >= pilot_deals(found.experiment)
    pilot = found if begun else pilot_of(found)
    told = None
    if begun or not play_with_progress(pilot, processes, None).interrupted:
        with suppress(KeyboardInterrupt):
            told = plan_sentences(pilot, found.experiment, language)
    if told is None:
        sys.stderr.write(f"Interrupted. To go on:\n{command}\n")
        raise typer.Exit(INTERRUPTED)
    out.write("\n".join(told) + "\n")
    Run(found.path, found.experiment)  # its head names the whole run again


def play_with_progress(found: Any, processes: int | None, ray: str | None) -> Any:
    """Play here or on a cluster; standard error shows how far it is."""
    from rich.console import Console

    from tefuda.cli.long_command import announce, progress
    from tefuda.cli.progress import prepare
    from tefuda.lab.report.wording import unit_name

    console, asked = Console(file=sys.stderr), found.experiment
    units = f"{unit_name(asked)}s"
    arms = "1 arm" if len(asked.arms) == 1 else f"{len(asked.arms)} arms"
    announce(console, f"{asked.question} {arms} × {asked.deals:,} {units}. What is new is compiled first.")
    backend = None if ray is None else connect(found.job, ray, processes, console)
    prepare(found.experiment.description)
    with progress(console, units, asked.deals) as advance:
        return found.play(advance, processes, backend)


def write_report(found: Any, output: Path | None, as_json: bool, language: str = "en") -> Any:
    """Write both forms of a run's report, and print it in words and where it is; or the whole answer as JSON."""
    from tefuda.lab.report.page import write

    folder = output or found.path
    told = write(found, folder, language)
    if as_json:
        report = json.loads((folder / "report.json").read_text("utf-8"))
        print_json({"folder": folder, "sentences": told.answer, "report": report})
        return told
    answer, *others = told.parts
    sys.stdout.write("\n".join(answer[1]) + "\n\n")
    for heading, sentences in others:
        sys.stdout.write(f"{heading}: {' '.join(sentences)}\n")
    sys.stdout.write(f"\n{folder / 'report.html'}\n{folder / 'report.md'}\n")
    return told


def need_packages() -> None:
    """Check that the packages of the extra are there.

    Raises:
        MissingPackageError: one is not.
    """
    missing = missing_packages()
    if missing:
        raise MissingPackageError("tefuda lab", ", ".join(missing), "lab")
