"""``tefuda lab``: experiments run, reported, compared and listed."""

import json
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NoReturn, TextIO

import typer
from typer import Argument, Option

from tefuda.cli.chosen import command, language_of
from tefuda.cli.parameters import AsJson, Commands, GameName, Language, RayAddress, Seed, later
from tefuda.cli.standard_streams import INTERRUPTED, print_json
from tefuda.engine.errors import MissingPackageError, TefudaError
from tefuda.lab import missing_packages

with later():
    from tefuda.cli import progress
    from tefuda.lab import experiment as experiments
    from tefuda.lab import experiment_file, runs
    from tefuda.lab.report import page, sentences, vocabulary

app = Commands(help="Experiments on rules, bots and seats, with intervals and pictures.")

ProcessCount = Annotated[int | None, Option(min=1, help="Number of processes; it does not change the results.")]
Output = Annotated[Path | None, Option("-o", "--output", help="Folder of the run.")]
Plan = Annotated[bool, Option("--plan", help="Play only a short pilot, and say how many deals show which difference.")]
Players = Annotated[
    list[str] | None,
    Option(
        help="Ask again with this bot in every seat; may be repeated. With its own number of deals: search:100it@400.",
        metavar="BOT[@DEALS]",
    ),
]
Arms = Annotated[
    list[str],
    Argument(help="What is compared: option=value (several joined by commas), seats=4, or default.", metavar="ARM…"),
]
Bots = Annotated[
    list[str] | None, Option("--bot", help="Who plays; may be repeated, the last one fills the remaining seats.")
]
Smallest = Annotated[float | None, Option(help="The smallest difference of the answer that would matter.")]


@app.command(example="lab run my-question.toml")
def run(
    file: Annotated[Path, Argument(help="An experiment (.toml).", metavar="FILE")],
    output: Output = None,
    deals: Annotated[int | None, Option(min=1, help="Number of deals, instead of the file's.")] = None,
    seed: Annotated[int | None, Option(min=0, help="Seed, instead of the file's.")] = None,
    processes: ProcessCount = None,
    ray: RayAddress = None,
    players: Players = None,
    plan: Plan = False,
    lang: Language = None,
    as_json: AsJson = False,
) -> None:
    """Play an experiment and write its report. After Ctrl-C the same command goes on."""
    language = language_with_packages(lang, as_json)
    asked = experiment_file.read(file, deals=deals, seed=seed)
    ExperimentPlayer(players or [], processes, ray, plan, language, as_json).play_all(asked, output)


@app.command(example="lab compare luk-fu old_reading=private old_reading=public")
def compare(
    game: GameName,
    arms: Arms,
    deals: Annotated[int, Option(min=1, help="Deals in each arm.")] = 10_000,
    seed: Seed = 0,
    bots: Bots = None,
    answer: Annotated[str, Option(help="The figure that decides (docs/lab.md).")] = "spread",
    measures: Annotated[list[str] | None, Option("--measure", help="What else to measure; may be repeated.")] = None,
    smallest: Smallest = None,
    stop: Annotated[bool, Option("--stop", help="Stop as soon as the answer is clear.")] = False,
    output: Output = None,
    processes: ProcessCount = None,
    ray: RayAddress = None,
    players: Players = None,
    plan: Plan = False,
    lang: Language = None,
    as_json: AsJson = False,
) -> None:
    """Compare options, seats or bots at once, without a file."""
    language = language_with_packages(lang, as_json)
    for each in {"play", "recovery"}.intersection(measures or []):
        asks = "which play" if each == "play" else "how many points"
        raise TefudaError(f"--measure {each}: it must be told {asks}, so write an experiment file (docs/lab.md)")
    measured = [*experiments.USUAL, "binds", *(measures or [])]
    more: dict[str, object] = {"deals": deals, "seed": seed, "answer": answer, "measures": measured, "stop": stop}
    if smallest is not None:
        more["smallest"] = smallest
    keys = experiment_file.comparison_keys(game, arms, bots or ["hints"], **more)
    asked = experiment_file.different_arms(experiment_file.parse("compare", keys))
    ExperimentPlayer(players or [], processes, ray, plan, language, as_json).play_all(asked, output)


@app.command(example="lab report my-question.toml --lang ja")
def report(
    run: Annotated[Path, Argument(help="A run's folder, or the file of its experiment.", metavar="RUN")],
    output: Annotated[
        Path | None, Option("-o", "--output", help="Folder for report.html and report.md; by default the run's own.")
    ] = None,
    lang: Language = None,
    as_json: AsJson = False,
) -> None:
    """Write the report of a run, finished or not: one page (HTML) and the same as Markdown."""
    language = language_with_packages(lang, as_json)
    write_report(runs.open_run(run), output, language, as_json)


@dataclass(frozen=True)
class ExperimentPlayer:
    """Plays experiments, and writes their reports. Without ``players`` those of the experiment play, else each of these
    in every seat; with ``plan`` only a pilot."""

    players: Sequence[str]
    processes: int | None
    ray: str | None
    plan: bool
    language: str
    as_json: bool

    def play_all(self, experiment: "experiments.Experiment", output: Path | None) -> None:
        """Play an experiment; with ``players``, once with each of these bots, and say if their answers agree."""
        progress.check_count(self.ray, "--processes", self.processes)
        if not self.players:
            self.play(experiment, output)
            return
        if self.as_json:
            raise TefudaError("--json: it goes with one kind of players; leave --players out, or read each report.json")
        told = {}
        split = map(experiment_file.players_and_deals, self.players)
        kinds = [experiment_file.with_players(experiment, *parts) for parts in split]
        for word, each in dict(zip(self.players, kinds, strict=True)).items():
            folder = None if output is None else output / re.sub(r"[^\w.@-]+", "-", word)
            summary = self.play(each, folder)
            if summary is not None:
                told[each.arms[0].bots[0]] = summary
        if told:
            sys.stdout.write("\n" + "\n".join(sentences.kinds_sentences(experiment, told)) + "\n")

    def play(self, experiment: "experiments.Experiment", output: Path | None) -> "sentences.Summary | None":
        """Play what is missing of a run, and write its report; exit status 130 if Ctrl-C cut it short.

        Before a run that has not begun, or instead of it with ``plan``, a pilot says which difference it will find."""
        found = runs.Run(output or runs.default_folder(experiment), experiment)
        pilot = sentences.pilot_deals(experiment)
        if self.plan or (self.ray is None and found.done() < pilot < experiment.deals):
            self._say_plan(found, sys.stdout if self.plan and not self.as_json else sys.stderr)
        if self.plan:
            return None
        status = self._play_with_progress(found, self.ray)
        cores = status.seconds * status.processes
        played = status.done - status.earlier
        sys.stderr.write(f"{played:,} deals in {status.seconds:.1f} s; with those kept, {status.done:,}.\n")
        if status.thinking and cores:
            sys.stderr.write(f"Bots thought for {status.thinking:.1f} s, {status.thinking / cores:.0%} of the time.\n")
        if status.interrupted:
            self._stop()
        return write_report(found, None, self.language, self.as_json)

    def _say_plan(self, found: "runs.Run", out: TextIO) -> None:
        """Play a run's pilot and say what it promises; its deals are kept."""
        begun = found.done() >= sentences.pilot_deals(found.experiment)
        pilot = found if begun else sentences.pilot_of(found)
        told = None
        if begun or not self._play_with_progress(pilot, None).interrupted:
            with suppress(KeyboardInterrupt):
                told = sentences.plan_sentences(pilot, found.experiment, self.language)
        if told is None:
            self._stop()
        out.write("\n".join(told) + "\n")
        runs.Run(found.path, found.experiment)  # its head names the whole run again

    def _play_with_progress(self, found: "runs.Run", ray: str | None) -> "runs.RunStatus":
        """Play here or on a cluster; standard error shows how far it is."""
        asked = found.experiment
        units, arms = f"{vocabulary.unit_name(asked)}s", "1 arm" if len(asked.arms) == 1 else f"{len(asked.arms)} arms"
        with progress.playing(
            f"{asked.question} {arms} × {asked.deals:,} {units}.", found.job, asked.description, unit=units,
            total=asked.deals, ray=ray, processes=self.processes, also_here=True,
        ) as (advance, backend):  # fmt: skip
            return found.play(advance, self.processes, backend)

    def _stop(self) -> NoReturn:
        """Say how to go on, and end as after Ctrl-C."""
        sys.stderr.write(f"Interrupted. To go on:\n{command(*sys.argv[1:])}\n")
        raise typer.Exit(INTERRUPTED)


def write_report(found: "runs.Run", output: Path | None, language: str, as_json: bool) -> "sentences.Summary":
    """Write both forms of a run's report, and print it in words and where it is; or the whole answer as JSON."""
    folder = output or found.path
    told = page.write(found, folder, language)
    if as_json:
        report = json.loads((folder / "report.json").read_text("utf-8"))
        print_json({"folder": folder, "sentences": told.answer, "report": report})
        return told
    answer, *others = told.parts
    sys.stdout.write("\n".join(answer[1]) + "\n\n")
    for heading, said in others:
        sys.stdout.write(f"{heading}: {' '.join(said)}\n")
    sys.stdout.write(f"\n{folder / 'report.html'}\n{folder / 'report.md'}\n")
    return told


def language_with_packages(tag: str | None, as_json: bool) -> str:
    """Check that the extra's packages are there, and find the language of a report; TefudaError if one is missing."""
    if missing := missing_packages():
        raise MissingPackageError("tefuda lab", ", ".join(missing), "lab")
    return language_of(tag, printed=not as_json)
