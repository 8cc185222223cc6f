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

HEAD = """# The pages' questions

What bots found about each question that the rules pages leave open, by its number there. Each question leads to its
experiment; `tefuda lab run FILE` plays it again and writes the whole report. Beside the short answer are the figures
behind it, with 95 % intervals in brackets, and the seed, version and commit that gave them ([lab.md](lab.md) defines
them). `python -m tools.laboratory` writes this page.

*Among* says who played: `random` makes any legal play, `hints` follows the rules of thumb that a beginner is taught,
`net` has learned, `search` looks ahead. Nearly everything was played by `hints`, which shows what a rule does to the
cards; where skill matters most, stronger bots were asked too.

## With which players an answer holds

Where the columns differ, the answer holds for players of that kind alone.

"""

STRONG = (
    ("question", "rules of thumb (`hints`)", "learned (`net`)", "looks ahead (`search`)"),
    ("---", "---", "---", "---"),
    (
        "Gong Zhu 3: the order of exposing",
        "no difference; they do not look at what others expose",
        "no difference found",
        "until all are quiet: payoffs lie further apart; all at once: no difference found",
    ),
    ("Ma Diao 2: the dealer leads first", "costs the dealer", "hardly matters", "helps the dealer"),
    (
        "Ma Diao 8: the accuser",
        "not asked: they do not know it",
        "not asked",
        "no difference found; at most 0.4 stakes a deal",
    ),
    (
        "Ma Diao 10: knocking",
        "not asked: they do not know it",
        "not asked",
        "no difference found; at most a quarter of a stake",
    ),
    (
        "Sap Ng Wu 4: supreme cards",
        "all or none: no difference; one pair of several costs",
        "the same as with `hints`",
        "not decided",
    ),
    (
        "Kakkuri 1: more than four players",
        "from four on no difference",
        "not asked",
        "looking ahead gains, with seven players, a tenth of a counter",
    ),
    (
        "Kakkuri 6: memory of a box that was only cut",
        "nothing; they remember nothing",
        "not asked",
        "no difference found; at most 0.06 counters",
    ),
)
"""The questions that were asked of several kinds of players, with what each kind answers."""


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
    parts = [HEAD + "\n".join(f"| {' | '.join(row)} |" for row in STRONG) + "\n"]
    for game, questions in games.items():
        rows = [row(game, number, each) for number, answers in questions.items() for each in answers]
        title = catalogue(description(game).files.texts, "en")("title")
        head = [
            "| | question | in short, among these bots | among | figures | deals | seed, version, commit |",
            "|---:|---|---|---|---|---:|---|",
        ]
        parts.append("\n".join([f"## {title}", "", *head, *rows, ""]))
    return "\n".join(parts)


def row(game: str, number: str, each: dict[str, str]) -> str:
    """A row of the page: an experiment, or a question that no experiment answers."""
    if "unanswered" in each:
        return f"| {number} | {each['asks']} | {each['unanswered']} | | | | |"
    name = f"{game}/{each['experiment']}"
    experiment = read(path_of(name))
    linked = f"[{experiment.question}](../experiments/{name}.toml)"
    found = answer_of(name)
    if found is None:
        return f"| {number} | {linked} | Not yet played. | | | | |"
    behind = f"{found['seed']}, {found['version']}, `{found['commit']}`"
    figures = "<br>".join(found["figures"])
    return f"| {number} | {linked} | {each['says']} | {players(experiment)} | {figures} | {found['deals']} | {behind} |"


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
