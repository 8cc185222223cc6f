"""What figures are called in reports, and how reports write numbers."""

import math
import re
from typing import Any

from tefuda.engine.texts import catalogue
from tefuda.lab.experiment.schema import ADVISER, Experiment
from tefuda.lab.measure.intervals import Interval

LABELS = {
    "moves": ("Length: actions in a deal", ""),
    "decisions": ("Choices: actions chosen among several, a deal", ""),
    "choices": ("Legal actions at a choice", ""),
    "drawn": ("Deals in which all seats receive the same", "%"),
    "spread": ("Spread: best payoff less worst, a deal", ""),
    "sum": ("Sum of all payoffs of a deal", ""),
    "first": ("Advantage of acting first, a deal", ""),
    "gain": ("Gain of the first bot over the others, a deal", ""),
    "gap": ("Gap: what the best action is worth beyond the second", ""),
    "matters": ("Decisions in which the best action clearly beats the second", "%"),
    "care": ("Care: what the best action is worth beyond a random one", ""),
    "comeback": ("Deals won by a seat that had thought this unlikely", "%"),
    "lead_changes": ("How often the lead passes from one sampled decision to the next", "%"),
    "worth": ("What the play asked about is worth beyond the best other", ""),
    "pays": ("Decisions at which the play asked about is clearly the best", "%"),
    "costs": ("Decisions at which it is clearly beaten", "%"),
    "taken": ("Decisions at which the bots made it", "%"),
    "differs": ("Decisions at which any rollout ended otherwise than another", "%"),
    "unknown": ("What the mover cannot know, bits", ""),
    "binds": ("Decisions in which other actions are legal", "%"),
    "advice": ("Decisions in which the rules of thumb say something else", "%"),
}
"""The label and unit of each figure; a figure in % is a share."""

RECOVERY_LABELS = {
    "recovers": "Seats once {points} behind the leader that do not come last",
    "wins": "Seats once {points} behind the leader that come first",
}

_FIELD = re.compile(r"\s*[:,]?\s*\(?[×+]?\{[^}]*\}\)?")


def unit_name(experiment: Experiment) -> str:
    """What each number of the run stands for."""
    return "game" if experiment.whole_games else "deal"


def label(experiment: Experiment, figure: str) -> str:
    """What a figure is called."""
    text = _deal_label(experiment, figure)
    if experiment.whole_games and figure == "first":
        return "Advantage of acting first in the first deal, a game"
    return text.replace("a deal", "a game").replace("Deals", "Games") if experiment.whole_games else text


def _deal_label(experiment: Experiment, figure: str) -> str:
    """What a figure is called where each number stands for a deal."""
    if figure == "advice" and experiment.adviser != ADVISER:
        return f"Decisions in which {experiment.adviser} says something else"
    if figure in LABELS:
        return LABELS[figure][0]
    if figure.startswith("line."):
        return f"“{line_label(experiment, figure.removeprefix('line.'))}”, times a deal"
    what, _, points = figure.partition(".")
    if what in RECOVERY_LABELS:
        return RECOVERY_LABELS[what].format(points=points)
    if figure in experiment.numbers:
        return f"‘{figure}’ at the end of a deal"
    return f"Advantage of the place ‘{figure}’, a deal"


def line_label(experiment: Experiment, line: str, language: str = "en") -> str:
    """A line of the score sheet without the parts that change."""
    text = catalogue(experiment.description.files.texts, language)(f"sheet.{line}")
    return _FIELD.sub(" …", text).removesuffix(" …").strip(" …") or line


def count_note(row: Any, deals: int) -> str:
    """How many deals have a value of this figure, if not all; for each arm, if the arms differ."""
    counts = list(dict.fromkeys(f"{each.count:,}" for each in row.means))
    return "" if counts == [f"{deals:,}"] else f" (n = {', '.join(counts)})"


def is_share(figure: str) -> bool:
    return LABELS.get(figure, ("", ""))[1] == "%" or figure.partition(".")[0] in RECOVERY_LABELS


def number_text(value: float, like: float | None = None, share: bool = False, sign: bool = False) -> str:
    """A number with a true minus sign and as many decimals as ``like``, the width of its interval, justifies."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    scale = 100 if share else 1
    width = abs(like * scale) if like and math.isfinite(like) else 0.0
    places = max(0, min(5, 1 - math.floor(math.log10(width)))) if width else (0 if value * scale % 1 == 0 else 2)
    text = f"{abs(value * scale):,.{places}f}"
    minus = "−" if value < 0 and float(text.replace(",", "")) else "+" if sign and value > 0 else ""
    return f"{minus}{text}{' %' if share else ''}"


def interval_text(found: Interval, share: bool = False, sign: bool = False) -> str:
    """A mean and its interval: ``12.3 (11.9 to 12.7)``; of a difference of shares (with signs) in percentage points."""
    if share and sign:
        return f"{interval_text(scale_interval(found, 100), sign=True)} percentage points"
    like = interval_places(found)
    if not found.low < found.high:  # one deal, or all alike: an interval of no width would claim to be certain
        return number_text(found.mean, like, share, sign)
    low, high = number_text(found.low, like, share, sign), number_text(found.high, like, share, sign)
    return f"{number_text(found.mean, like, share, sign)} ({low} to {high})"


def interval_places(found: Interval) -> float | None:
    """What ``number_text`` takes as ``like`` for a mean and the ends of its interval."""
    width = found.high - found.low
    return (width if math.isfinite(width) else found.mean) or None


def plain_number(value: float) -> str:
    """A number that somebody has chosen, with the decimals it has."""
    return f"{value:,.6g}".replace("-", "−")


def scale_interval(found: Interval, by: float) -> Interval:
    return Interval(found.mean * by, found.low * by, found.high * by, found.count, found.deviation * by)
