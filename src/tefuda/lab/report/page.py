"""A report: one page that holds everything (HTML), Markdown with its pictures beside it, the answer as JSON."""

import json
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jinja2

from tefuda.lab.experiment import Experiment
from tefuda.lab.report import labels
from tefuda.lab.report.findings import QUANTILES, Findings, find
from tefuda.lab.report.plots import pictures
from tefuda.lab.run import Run, replace

_HERE = Path(__file__).parent


def write(run: Run, folder: Path) -> str:
    """Write ``report.html``, ``report.md`` with its pictures and ``report.json`` into a folder.

    Returns:
        The answer, in lines, and what bots did wrong.

    Raises:
        TefudaError: nothing has been played, or a file of the run is damaged.
    """
    with run.sound():
        found = find(run)
        shown = pictures(found)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages(found, shown).items():
        replace(folder / name, text.encode())
    replace(folder / "report.json", answer(found))
    for name, _, svg in shown:
        replace(folder / f"{name}.svg", svg.encode())
    return "\n".join([*found.sentences, *([found.faults] if found.illegal else [])])


def pages(found: Findings, shown: list[tuple[str, str, str]]) -> dict[str, str]:
    """The texts of the pages, by file name."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE),
        autoescape=jinja2.select_autoescape(("html.j2",), default=False),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    words = (labels.number, labels.written, labels.counted, labels.line_label)
    environment.globals |= {word.__name__: word for word in words}
    experiment = found.experiment
    more: dict[str, Any] = {
        "found": found,
        "experiment": experiment,
        "title": experiment.title,
        "unit": labels.dealt(experiment),
        "pictures": shown,
        "quantiles": QUANTILES,
        "command": command(experiment),
        "version": version("tefuda"),
        "arms": [described(experiment, k) for k in range(len(experiment.arms))],
        "compared": experiment.arms[1:] if experiment.compare else (),
        "experiment_file": toml(experiment),
    }
    return {name: environment.get_template(f"{name}.j2").render(**more) for name in ("report.html", "report.md")}


def answer(found: Findings) -> bytes:
    """What was asked and answered, as ``server.web.lab_reports`` reads it."""
    asked = found.experiment
    plain = {"game": asked.description.name, "question": asked.question, "answer": found.sentences}
    return json.dumps({**plain, "deals": found.deals}, ensure_ascii=False, indent=2).encode()


def described(experiment: Experiment, k: int) -> dict[str, str]:
    """An arm in words: its rules and who plays."""
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
    """What plays it again."""
    return f"tefuda lab run {experiment.name}.toml"


def toml(experiment: Experiment) -> str:
    """The file of the experiment, written anew."""
    plain = experiment.as_dict()
    arms = plain.pop("arms")
    lines = [f"{key} = {literal(value)}" for key, value in plain.items() if value not in (None, "")]
    for arm in arms:
        lines += ["", "[[arms]]", *(f"{key} = {literal(value)}" for key, value in arm.items())]
    text = "\n".join(lines) + "\n"
    tomllib.loads(text)
    return text


def literal(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {literal(each)}" for key, each in value.items()) + " }" if value else "{}"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    return str(value)
