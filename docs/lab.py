"""Plays the experiments of ``experiments/`` and writes their reports and the index of questions into docs/lab/.

    python docs/lab.py [--kept | --again] [--runs FOLDER] [--processes N] [NAME…]

It plays the experiments that are named (``luk-fu/old-card``), else those without a report of their present file; with
``--again`` all, with ``--kept`` none. FOLDER is where runs are kept. The index is made from the reports and from
``experiments/questions.toml``, which says which experiment answers which question of the rules pages.
"""

import argparse
import re
import tomllib
from pathlib import Path
from shutil import copy

from tefuda.engine.texts import catalogue
from tefuda.games import description
from tefuda.lab.experiment.definition import Experiment
from tefuda.lab.experiment.reader import parse, read
from tefuda.lab.report.page import write
from tefuda.lab.requirements import runs_folder
from tefuda.lab.runs import Run

REPORTS = Path(__file__).parent / "lab"
EXPERIMENTS = Path(__file__).parent.parent / "experiments"

HEAD = """# The pages' questions

After this page you know what bots found about each question that the rules pages leave open, and where the figures are.
The numbers are those of the rules pages. Each question leads to its report: tables, pictures, who played, and how to
repeat it. Beside the short answer are the figures behind it, with 95 % intervals in brackets. `python docs/lab.py`
writes this page.

*Among* says who played, so with which kinds of players an answer holds: `random` makes any legal play, `hints` follows
the rules of thumb that a beginner is taught, `net` has learned, `search` looks ahead. Nearly everything was played by
`hints`. That decides what a rule does to the cards (how often it binds, how a deal ends, what is paid); it says little
about what strong players would make of a rule, so where that matters most, they were asked too. What a play is worth
comes from rollouts in worlds that its player believes in, or from a bot that never or always makes it. What a search
bot makes of a rule is how much more often its answer changes with the rule than when it is asked again without it; what
it is worth to heed a rule comes from a search that does not know it, among others that do. Some answers rest on few
deals; the intervals say what that leaves open.
[lab.md](../lab.md) defines every figure.

## With which players an answer holds

What these seven come to depends on how well people play, so each was asked of more than one kind of player. An answer
holds for players of the kinds that stand over it; where the columns differ, it holds for no others.

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
    """Where the report of an experiment is."""
    return REPORTS / name.replace("/", "-") / "report.md"


def has_current_report(name: str) -> bool:
    """Whether there is a report of the experiment as its file now stands."""
    report = report_of(name)
    if not report.exists():
        return False
    file = report.read_text("utf-8").rpartition("```toml\n")[2].rpartition("```")[0]
    return parse(name, tomllib.loads(file)).as_file() == read(path_of(name)).as_file()


def play(name: str, runs: Path, processes: int | None) -> None:
    """Play an experiment, or what is missing of it, and write its report."""
    experiment = read(path_of(name))
    run = Run(runs / f"{name.replace('/', '-')}-{experiment.digest()}", experiment)
    if not run.play(processes=processes).interrupted:
        write(run, run.path)
        folder = report_of(name).parent
        folder.mkdir(exist_ok=True)
        for old in folder.glob("*"):
            old.unlink()
        for path in (*run.path.glob("*.svg"), run.path / "report.md"):
            copy(path, folder)


def index() -> str:
    """The page of all questions."""
    games = tomllib.loads((EXPERIMENTS / "questions.toml").read_text("utf-8"))
    parts = [HEAD + "\n".join(f"| {' | '.join(row)} |" for row in STRONG) + "\n"]
    for game, questions in games.items():
        rows = [row(game, number, each) for number, answers in questions.items() for each in answers]
        title = catalogue(description(game).files.texts, "en")("title")
        head = ["| | question | in short, among these bots | among | figures | deals |", "|---:|---|---|---|---|---:|"]
        parts.append("\n".join([f"## {title}", "", *head, *rows, ""]))
    return "\n".join(parts)


def row(game: str, number: str, each: dict[str, str]) -> str:
    """A row of the index: an experiment, or a question that no experiment answers."""
    if "unanswered" in each:
        return f"| {number} | {each['asks']} | {each['unanswered']} | | | |"
    name = f"{game}/{each['experiment']}"
    experiment = read(path_of(name))
    question = experiment.question
    if not has_current_report(name):
        return f"| {number} | [{question}](../../experiments/{name}.toml) | Not yet played. | | | |"
    text = report_of(name).read_text("utf-8")
    figures = "<br>".join(re.findall(r"^\*\*(.+)\*\*$", text, re.MULTILINE))
    deals = re.findall(r"([\d,]+) (?:deals|games) in each arm", text)[0]
    linked = f"[{question}]({report_of(name).parent.name}/report.md)"
    return f"| {number} | {linked} | {each['says']} | {players(experiment)} | {figures} | {deals} |"


def players(experiment: Experiment) -> str:
    """The kinds of bots that play an experiment, or whose advice it asks; without their habits and beliefs."""
    asked = [experiment.adviser] if experiment.answer == "advice" else []
    return ", ".join(f"`{each}`" for each in dict.fromkeys(map(kind, [*asked, *every_bot(experiment)])))


def every_bot(experiment: Experiment) -> list[str]:
    """The bots of all arms."""
    return [spec for arm in experiment.arms for spec in arm.bots]


def kind(spec: str) -> str:
    """What a bot is without its habit or belief: ``net`` of ``never:drop by net``, ``hints`` of ``never:drop``."""
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
        if given.names or given.again or not has_current_report(name):
            play(name, given.runs, given.processes)
    (REPORTS / "README.md").write_text(index(), "utf-8")


if __name__ == "__main__":
    main()
