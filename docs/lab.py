"""Plays the experiments of ``experiments/`` and writes their reports and the index of questions into docs/lab/.

    python docs/lab.py [--kept] [RUNS]

RUNS is the folder in which runs are kept, one for each experiment; what is finished there is not played again. With
``--kept`` nothing is played, and the index names what is missing.
"""

import sys
from itertools import groupby
from pathlib import Path
from shutil import copy

from tefuda.engine.texts import catalogue
from tefuda.games import description
from tefuda.lab.experiment import read
from tefuda.lab.extra import runs_folder
from tefuda.lab.report.page import write
from tefuda.lab.run import Run

HERE = Path(__file__).parent
EXPERIMENTS = HERE.parent / "experiments"

HEAD = """# The pages' questions

What the pages from which these games come leave open, put to the cards by bots; written by `python docs/lab.py`. Each
question leads to its report: tables, pictures, who played, and how to repeat it. In brackets: 95 % intervals.

Nearly all of it was played by `hints`, the rules of thumb that a beginner is taught. That decides what a rule does to
the cards (how often it binds, how a deal ends, what is paid); it says little of what strong players would make of a
rule. [lab.md](../lab.md) defines every figure.
"""


def row(name: str, run: Run) -> str:
    """Write an experiment's report into its run's folder, and here what Markdown needs of it; its row of the index."""
    answer = write(run, run.path).replace("\n", "<br>")
    folder = HERE / "lab" / name
    folder.mkdir(exist_ok=True)
    for path in (*run.path.glob("*.svg"), run.path / "report.md"):
        copy(path, folder)
    return f"| [{run.experiment.question}]({name}/report.md) | {answer} | {run.done():,} |"


def section(title: str, paths: list[Path], runs: Path, only_kept: bool) -> str:
    """The questions of one game."""
    rows, missing = [], []
    for path in paths:
        experiment, name = read(path), f"{path.parent.name}-{path.stem}"
        run = Run(runs / f"{name}-{experiment.digest()}", experiment)
        if not only_kept:
            run.play()
        if run.finished():
            rows.append(row(name, run))
        else:
            missing.append(f"[{run.experiment.question}](../../experiments/{path.parent.name}/{path.name})")
    lines = [f"## {title}", "", "| question | answer | deals |", "|---|---|---:|", *rows]
    lines += ["", "Not yet played: " + " · ".join(missing)] if missing else []
    return "\n".join(lines) + "\n"


def main(runs: Path, only_kept: bool) -> None:
    """All experiments, and their index."""
    paths = sorted(EXPERIMENTS.glob("*/*.toml"))
    parts = [HEAD]
    for game, group in groupby(paths, key=lambda path: path.parent.name):
        parts.append(section(catalogue(description(game).texts, "en")("title"), list(group), runs, only_kept))
    (HERE / "lab" / "README.md").write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--kept"]
    main(Path(words[0]) if words else runs_folder(), "--kept" in sys.argv)
