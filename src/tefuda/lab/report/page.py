"""A report: one page that needs no other file (HTML), Markdown with its pictures beside it, and the answer as JSON."""

import json
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import jinja2
import tomli_w

from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.lab.experiment import Experiment
from tefuda.lab.measure.rows import write_bytes
from tefuda.lab.report import plots, vocabulary
from tefuda.lab.report.findings import QUANTILES, Findings, find
from tefuda.lab.report.plots import answer_pictures, pictures
from tefuda.lab.report.sentences import Summary, summary
from tefuda.lab.runs import Run

_HERE = Path(__file__).parent


def write(run: Run, folder: Path, language: str = LANGUAGES[0]) -> Summary:
    """Write ``report.html``, ``report.md`` with its pictures and ``report.json`` into a folder, created if need be.

    The page is in words in every language, first in ``language``, in which the report in words is returned. TefudaError
    if nothing has been played, or a file of the run is damaged."""
    with run.damage_named():
        found = find(run)
        shown, answers = pictures(found), answer_pictures(found)
        told = [summary(found, each) for each in LANGUAGES]
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages(found, shown, answers, told, language).items():
        write_bytes(folder / name, text.encode())
    write_bytes(folder / "report.json", answer_json(found, told))
    answer = [("answer", *answers[LANGUAGES[0]])] if answers else []
    for name, _, svg in [*shown, *answer]:
        write_bytes(folder / f"{name}.svg", svg.encode())
    return next(each for each in told if each.language == language)


def pages(
    found: Findings,
    shown: list[tuple[str, str, str]],
    answers: dict[str, tuple[str, str]],
    told: Sequence[Summary],
    language: str,
) -> dict[str, str]:
    """The pages' texts, by file name."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE),
        autoescape=jinja2.select_autoescape(("html.j2",), default=False),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shown_by = (vocabulary.number_text, vocabulary.interval_text, vocabulary.count_note, vocabulary.line_label)
    environment.globals |= {each.__name__: each for each in shown_by}
    experiment = found.experiment
    more: dict[str, object] = {
        "found": found,
        "experiment": experiment,
        "title": experiment.title,
        "summaries": told,
        "skipped": next((heading for heading, _ in told[0].parts if heading == "What was compared"), None),
        "language": language,
        "language_names": {each: catalogue(TEXTS, each)("language") for each in LANGUAGES},
        "unit": vocabulary.unit_name(experiment),
        "pictures": shown,
        "answers": answers,
        "quantiles": QUANTILES,
        "command": f"tefuda lab run {experiment.name}.toml",
        "version": version("tefuda"),
        "arms": [arm_texts(experiment, k) for k in range(len(experiment.arms))],
        "compared": experiment.arms[1:] if experiment.compare else (),
        "experiment_file": experiment_file(experiment),
        "css_colours": plots.css_variables(plots.LIGHT, plots.ARMS),
        "css_dark_colours": plots.css_variables(plots.DARK, plots.ARMS_DARK),
        "arm_colours": len(plots.ARMS),
    }
    return {name: environment.get_template(f"{name}.j2").render(**more) for name in ("report.html", "report.md")}


def answer_json(found: Findings, told: Sequence[Summary]) -> bytes:
    """The question and its answer in every language, for the server's list of reports and for programs."""
    asked = found.experiment
    plain = {"game": asked.description.name, "question": asked.question, "answer": told[0].answer}
    words = {each.language: [{"heading": name, "sentences": said} for name, said in each.parts] for each in told}
    return json.dumps({**plain, "deals": found.deals, "words": words}, ensure_ascii=False, indent=2).encode()


def arm_texts(experiment: Experiment, k: int) -> dict[str, str]:
    """The k-th arm in words: its rules and who plays."""
    arm = experiment.arms[k]
    changed = arm.game.changed_options() | ({"score": arm.score.spec} if arm.score else {})
    options = ", ".join(f"{name} = {value}" for name, value in changed.items())
    bots = arm.bots[0] if len(set(arm.bots)) == 1 else ", ".join(arm.bots)
    rotations = f"{arm.rotations} rotations of the seats" if arm.rotations > 1 else "once: all seats alike"
    who = {"bots": bots, "rotations": rotations, "play": arm.play}
    return {"name": arm.name, "rules": options or "the plain rules", "seats": str(arm.game.seats), **who}


def experiment_file(experiment: Experiment) -> str:
    """The experiment's file, written anew: what is empty or left at its default is left out."""
    plain = {key: value for key, value in experiment.as_dict().items() if value != ""}
    plain["arms"] = [{key: value for key, value in arm.items() if value != {}} for arm in plain["arms"]]
    return tomli_w.dumps(plain, multiline_strings=True)
