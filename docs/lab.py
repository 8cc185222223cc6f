"""Plays the experiments of ``experiments/`` and writes their reports and the index of questions into docs/lab/.

    python docs/lab.py [RUNS]

RUNS is the folder in which runs are kept, one for each experiment; what is finished there is not played again.
"""

import sys
from itertools import groupby
from pathlib import Path

from tefuda.lab.experiment import read
from tefuda.lab.report.findings import find
from tefuda.lab.report.page import write
from tefuda.lab.run import Run, runs_folder

HERE = Path(__file__).parent
EXPERIMENTS = HERE.parent / "experiments"

HEAD = """# The pages' questions

What the pages from which these games come leave open, put to the cards by bots; written by `python docs/lab.py`. Each
question leads to its report: tables, pictures, who played, and how to repeat it. In brackets: 95 % intervals.

Nearly all of it was played by `hints`, the rules of thumb that a beginner is taught. That decides what a rule does to
the cards (how often it binds, how a deal ends, what is paid); it says little of what strong players would make of a
rule. [lab.md](../lab.md) defines every figure.
"""


def entry(path: Path, runs: Path) -> tuple[str, str]:
    """Play one experiment and write its report: the game's title, and a row of the index."""
    experiment = read(path)
    name = f"{path.parent.name}-{path.stem}"
    run = Run(runs / name, experiment)
    run.play()
    write(run, HERE / "lab" / name)
    (HERE / "lab" / name / "report.html").unlink()
    found = find(run)
    answer = "<br>".join(found.sentences)
    return experiment.title, f"| [{experiment.question}]({name}/report.md) | {answer} | {found.deals:,} |"


def main(runs: Path) -> None:
    """All experiments, and their index."""
    rows = [entry(path, runs) for path in sorted(EXPERIMENTS.glob("*/*.toml"))]
    parts = [HEAD]
    for title, group in groupby(rows, key=lambda row: row[0]):
        lines = [f"## {title}", "", "| question | answer | deals |", "|---|---|---:|", *(line for _, line in group)]
        parts.append("\n".join(lines) + "\n")
    (HERE / "lab" / "README.md").write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else runs_folder())
