"""A report: one page that needs no other file (HTML), Markdown with its pictures beside it, and the answer as JSON."""

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jinja2
import tomli_w

from tefuda.lab.experiment.schema import Experiment
from tefuda.lab.report import labels, palette
from tefuda.lab.report.answers import answer_sentences
from tefuda.lab.report.findings import QUANTILES, Findings, find
from tefuda.lab.report.plots import pictures
from tefuda.lab.run.files import write_bytes
from tefuda.lab.run.run import Run

_HERE = Path(__file__).parent


def write(run: Run, folder: Path) -> str:
    """Write ``report.html``, ``report.md`` with its pictures and ``report.json`` into a folder.

    Returns:
        the answer, a sentence a line, and what bots did wrong.

    Raises:
        TefudaError: nothing has been played, or a file of the run is damaged.
    """
    with run.damage_named():
        found = find(run)
        shown = pictures(found)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages(found, shown).items():
        write_bytes(folder / name, text.encode())
    write_bytes(folder / "report.json", answer_json(found))
    for name, _, svg in shown:
        write_bytes(folder / f"{name}.svg", svg.encode())
    return "\n".join([*answer_sentences(found), *([found.faults] if found.illegal else [])])


def pages(found: Findings, shown: list[tuple[str, str, str]]) -> dict[str, str]:
    """The pages, by file name."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE),
        autoescape=jinja2.select_autoescape(("html.j2",), default=False),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    words = (labels.number_text, labels.interval_text, labels.count_note, labels.line_label)
    environment.globals |= {word.__name__: word for word in words}
    experiment = found.experiment
    more: dict[str, Any] = {
        "found": found,
        "experiment": experiment,
        "title": experiment.title,
        "sentences": answer_sentences(found),
        "unit": labels.unit_name(experiment),
        "pictures": shown,
        "quantiles": QUANTILES,
        "command": command(experiment),
        "version": version("tefuda"),
        "arms": [arm_texts(experiment, k) for k in range(len(experiment.arms))],
        "compared": experiment.arms[1:] if experiment.compare else (),
        "experiment_file": experiment_file(experiment),
        "css_colours": palette.css_variables(palette.LIGHT, palette.ARMS),
        "css_dark_colours": palette.css_variables(palette.DARK, palette.ARMS_DARK),
        "arm_colours": len(palette.ARMS),
    }
    return {name: environment.get_template(f"{name}.j2").render(**more) for name in ("report.html", "report.md")}


def answer_json(found: Findings) -> bytes:
    """The question and its answer, for the server's list of reports."""
    asked = found.experiment
    plain = {"game": asked.description.name, "question": asked.question, "answer": answer_sentences(found)}
    return json.dumps({**plain, "deals": found.deals}, ensure_ascii=False, indent=2).encode()


def arm_texts(experiment: Experiment, k: int) -> dict[str, str]:
    """The k-th arm in words: its rules and who plays."""
    arm = experiment.arms[k]
    options = ", ".join(f"{name} = {value}" for name, value in arm.game.changed_options().items())
    bots = arm.bots[0] if len(set(arm.bots)) == 1 else ", ".join(arm.bots)
    rotations = f"{arm.rotations} rotations of the seats" if arm.rotations > 1 else "once: all seats alike"
    return {
        "name": arm.name,
        "rules": options or "the plain rules",
        "seats": str(arm.game.seats),
        "bots": bots,
        "rotations": rotations,
        "play": arm.play,
    }


def command(experiment: Experiment) -> str:
    """The command that plays it again."""
    return f"tefuda lab run {experiment.name}.toml"


def experiment_file(experiment: Experiment) -> str:
    """The experiment's file, written anew: what is empty or left at its default is left out."""
    plain = {key: value for key, value in experiment.as_file().items() if value != ""}
    plain["arms"] = [{key: value for key, value in arm.items() if value != {}} for arm in plain["arms"]]
    return tomli_w.dumps(plain, multiline_strings=True)
