"""Plays the experiments of ``experiments/``, writes their reports, and answers the open questions of the rules pages.

    python -m tools.laboratory [--kept | --again] [--runs FOLDER] [--processes N] [NAME…]

It plays the experiments that are named (``luk-fu/old-card``), else those whose present file has no answer yet; with
``--again`` all, with ``--kept`` none. FOLDER is where runs are kept. A report goes into ``docs/lab/``, which git
ignores; the documentation site shows those that are there. What it found goes into ``experiments/answers.toml``, with
the version, the commit and the seed behind it. ``docs/answers.md`` is made from that and from
``experiments/questions.toml``, which says which experiment answers which question."""

import argparse
import hashlib
import json
import re
import subprocess
import tomllib
from pathlib import Path
from shutil import copy
from typing import Any

import tomli_w

from tefuda import __version__
from tefuda.engine.texts import catalogue
from tefuda.games import description
from tefuda.lab import runs_folder
from tefuda.lab.experiment import Experiment
from tefuda.lab.experiment_file import read
from tefuda.lab.report.page import write
from tefuda.lab.runs import Run

ROOT = Path(__file__).parent.parent
REPORTS = ROOT / "docs" / "lab"
EXPERIMENTS = ROOT / "experiments"
ANSWERS = EXPERIMENTS / "answers.toml"
PAGE = ROOT / "docs" / "answers.md"

HEAD = """# What the laboratory found

The questions that the rules pages leave open, by their numbers there. Each leads to its experiment (`tefuda lab run
FILE` plays it again); below the answer stand its [figure](lab.md#figures), with its 95% interval (a difference from
the first arm where arms are compared), who played if not the heuristic bot (`hints`) alone, and how many deals. A range
alone, such as −16 to 6, is undecided or too small to matter. `experiments/answers.toml` has whole sentences, seeds,
versions and commits.

In Gong Zhu 3 and Ma Diao 2 the answer depends on who plays.
"""

QUOTED = re.compile(r"[‘“](.+?)[’”]")
INTERVAL = re.compile(r"([+−]?[\d,.]+)(%)?(?: [a-z ]+)? \(([+−]?[\d,.]+)%? to ([+−]?[\d,.]+)%?\)")
BETWEEN = re.compile(r"between ([+−]?[\d,.]+)(?: [a-z ]+)? and ([+−]?\d[\d,.]*\d|[+−]?\d)")


def path_of(name: str) -> Path:
    """The file of an experiment, ``luk-fu/old-card``."""
    return EXPERIMENTS / f"{name}.toml"


def report_of(name: str) -> Path:
    """The report of an experiment, if it has been played here."""
    return REPORTS / name.replace("/", "-") / "report.md"


def answers() -> dict[str, dict[str, Any]]:
    """Read what was found, by experiment."""
    return tomllib.loads(ANSWERS.read_text("utf-8"))


def answer_of(name: str) -> dict[str, Any] | None:
    """What the experiment found as its file now stands; None if that has not been played."""
    found = answers().get(name)
    return found if found and found["digest"] == digest(read(path_of(name))) else None


def digest(experiment: Experiment) -> str:
    """A short name for what a file asks, under whatever sources: the commit beside an answer tells those."""
    asked = {key: value for key, value in experiment.identity().items() if key != "sources"}
    return hashlib.sha256(json.dumps(asked, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:10]


def play(name: str, runs: Path, processes: int | None) -> None:
    """Play an experiment, or what is missing of it; keep its report and its answer."""
    experiment = read(path_of(name))
    run = Run(runs / f"{name.replace('/', '-')}-{experiment.digest()}", experiment)
    if run.play(processes=processes).interrupted:
        return
    write(run, run.path)
    folder = report_of(name).parent
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*"):
        old.unlink()
    for path in (*run.path.glob("*.svg"), run.path / "report.md"):
        copy(path, folder)
    keep(name, experiment, report_of(name).read_text("utf-8"), commit())


def keep(name: str, experiment: Experiment, report: str, commit: str) -> None:
    """Write what a report found among the answers."""
    found = {
        "digest": digest(experiment),
        "version": __version__,
        "commit": commit,
        "seed": experiment.seed,
        "deals": re.findall(r"([\d,]+) (?:deals|games) in each arm", report)[0],
        "figures": re.findall(r"^\*\*(.+)\*\*$", report, re.MULTILINE),
    }
    every = answers() | {name: found}
    ANSWERS.write_text(tomli_w.dumps(dict(sorted(every.items())), multiline_strings=False), "utf-8")


def commit() -> str:
    """The commit that is checked out; ``…+`` if files differ from it."""
    words = ["git", "-C", str(ROOT), "describe", "--always", "--dirty=+", "--exclude=*"]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def index() -> str:
    """The page of all questions."""
    games = tomllib.loads((EXPERIMENTS / "questions.toml").read_text("utf-8"))
    parts = [HEAD]
    for game, questions in games.items():
        title = catalogue(description(game).files.texts, "en")("title")
        items, told = [], set[str]()
        for number, each in ((number, each) for number, answers in questions.items() for each in answers):
            items.append(item(game, number, each, told))
            told.add(each.get("experiment", ""))
        parts.append("\n".join([f"## {title}", "", *items, ""]))
    return "\n".join(parts)


def item(game: str, number: str, each: dict[str, str], told: set[str]) -> str:
    """An experiment with its answer, and its figures if they are not ``told`` yet; or a question that none answers."""
    if "unanswered" in each:
        return f"* **{number}.** {each['asks']} {each['unanswered']}"
    name = f"{game}/{each['experiment']}"
    experiment = read(path_of(name))
    linked = f"* **{number}.** [{experiment.question}](../experiments/{name}.toml)"
    found = answer_of(name)
    if found is None:
        return f"{linked} Not yet played."
    if each["experiment"] in told:
        return f"{linked} {each['says']}"
    figures = (short(each, worth=experiment.answer == "worth") for each in found["figures"])
    numbers = ", ".join(filter(None, figures)) or "no case"
    asked = "" if players(experiment) == "`hints`" else f"{players(experiment)}; "
    return f"{linked} {each['says']}<br>`{experiment.answer}`: {numbers}; {asked}{found['deals']} deals"


def short(figure: str, worth: bool = False) -> str:
    """The numbers of a report's sentence, after the arm that it is about: ``sheep flips −7.4 (−8.6 to −6.2)``; with
    ``worth`` what a play is worth, not how often it pays."""
    quoted = [each for each in QUOTED.findall(figure) if "`" not in each]
    compared = figure.startswith("Where") and "read as" in figure
    arm = quoted[1] if compared else quoted[0] if quoted and not figure.startswith(("In these", "Where")) else ""
    if between := BETWEEN.search(figure):
        return f"{arm} {between[1]} to {between[2]}".strip()
    said = figure.partition("On average it is worth ")[2] if worth else figure
    if not (found := INTERVAL.search(said)):
        return ""
    mean, percent, low, high = found[1], found[2] or "", found[3], found[4]
    if " is smaller than with " in figure or said[found.end() :].startswith(" less than"):
        mean, low, high = minus(mean), minus(high), minus(low)
    return f"{arm} {mean}{percent} ({low} to {high})".strip()


def minus(number: str) -> str:
    """The number with its other sign."""
    return number[1:] if number.startswith("−") else f"−{number.removeprefix('+')}"


def players(experiment: Experiment) -> str:
    """The kinds of bots that play an experiment, or whose advice it asks; without their habits and beliefs."""
    asked = [experiment.adviser] if experiment.answer == "advice" else []
    return ", ".join(f"`{each}`" for each in dict.fromkeys(map(kind, [*asked, *every_bot(experiment)])))


def every_bot(experiment: Experiment) -> list[str]:
    """The bots of all arms."""
    return [spec for arm in experiment.arms for spec in arm.bots]


def kind(spec: str) -> str:
    """The bot without its habit or belief: ``net`` of ``never:drop by net``, ``hints`` of ``never:drop``."""
    if spec.startswith(("never:", "always:")):
        return spec.partition(" by ")[2] or "hints"
    return spec.split(":", 2)[2] if spec.startswith("believes:") else spec


def main() -> None:
    words = argparse.ArgumentParser(description="Plays experiments; writes their reports and the index.")
    words.add_argument("names", nargs="*", metavar="NAME")
    words.add_argument("--runs", type=Path, default=runs_folder())
    words.add_argument("--processes", type=int)
    which = words.add_mutually_exclusive_group()
    which.add_argument("--kept", action="store_true")
    which.add_argument("--again", action="store_true")
    given = words.parse_args()
    every = sorted(f"{path.parent.name}/{path.stem}" for path in EXPERIMENTS.glob("*/*.toml"))
    for name in [] if given.kept else given.names or every:
        if given.names or given.again or answer_of(name) is None:
            play(name, given.runs, given.processes)
    PAGE.write_text(index(), "utf-8")


if __name__ == "__main__":
    main()
