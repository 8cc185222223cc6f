"""The words of a report: numbers with the decimals that they deserve, figures, intervals, rules and players."""

import math
import re
from collections.abc import Sequence
from pathlib import Path

from tefuda.engine.texts import LANGUAGES, Catalogue, catalogue, spelled
from tefuda.lab.experiment import ADVISER, FIGURES, Arm, Experiment
from tefuda.lab.measure.intervals import Interval

TEXTS = Path(__file__).parent / "texts"

RECOVERY_LABELS = {
    "recovers": "Seats once {points} behind the leader that do not come last",
    "wins": "Seats once {points} behind the leader that come first",
}

FINEST = 0.001  #: shares are told in hundredths of a per cent at the finest

_FIELD = re.compile(r"\s*[:,]?\s*\(?[×+]?\{[^}]*\}\)?")


# Numbers


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
    return f"{minus}{text}{'%' if share else ''}"


def interval_text(found: Interval, share: bool = False, sign: bool = False) -> str:
    """A mean and its interval: ``12.3 (11.9 to 12.7)``; of a difference of shares (with signs) in percentage points."""
    if share and sign:
        scaled = Interval(found.mean * 100, found.low * 100, found.high * 100, found.count, found.deviation * 100)
        return f"{interval_text(scaled, sign=True)} percentage points"
    like = interval_places(found)
    if not found.low < found.high:  # one deal, or all alike: an interval of no width would claim to be certain
        return number_text(found.mean, like, share, sign)
    low, high = number_text(found.low, like, share, sign), number_text(found.high, like, share, sign)
    return f"{number_text(found.mean, like, share, sign)} ({low} to {high})"


def interval_places(found: Interval) -> float | None:
    """The ``like`` of ``number_text`` for a mean and the ends of its interval."""
    width = found.high - found.low
    return (width if math.isfinite(width) else found.mean) or None


# Labels of tables and pictures


def unit_name(experiment: Experiment) -> str:
    """``deal`` or ``game``: what each number of the run stands for."""
    return "game" if experiment.whole_games else "deal"


def is_share(figure: str) -> bool:
    """True if a figure is a share, told in per cent."""
    return (figure in FIGURES and FIGURES[figure].unit == "%") or figure.partition(".")[0] in RECOVERY_LABELS


def label(experiment: Experiment, figure: str) -> str:
    """A figure's name in tables."""
    text = _deal_label(experiment, figure)
    if experiment.whole_games and figure == "first":
        return "Advantage of acting first in the first deal, a game"
    return text.replace("a deal", "a game").replace("Deals", "Games") if experiment.whole_games else text


def _deal_label(experiment: Experiment, figure: str) -> str:
    """The label where each number stands for a deal."""
    if figure == "advice" and experiment.adviser != ADVISER:
        return f"Decisions in which {experiment.adviser} says something else"
    if figure in FIGURES:
        return FIGURES[figure].label
    if figure.startswith("line."):
        return f"“{line_label(experiment, figure.removeprefix('line.'))}”, times a deal"
    what, _, points = figure.partition(".")
    if what in RECOVERY_LABELS:
        return RECOVERY_LABELS[what].format(points=points)
    if figure in experiment.numbers:
        return f"“{figure}” at the end of a deal"
    return f"Advantage of the place “{figure}”, a deal"


def line_label(experiment: Experiment, line: str, language: str = "en") -> str:
    """A line of the score sheet without the parts that change."""
    text = catalogue(experiment.description.files.texts, language)(f"sheet.{line}")
    return _FIELD.sub(" …", text).removesuffix(" …").strip(" …") or line


def count_note(means: Sequence[Interval], deals: int) -> str:
    """The number of deals that have a value of this figure, if not all; for each arm, if the arms differ."""
    counts = list(dict.fromkeys(f"{each.count:,}" for each in means))
    return "" if counts == [f"{deals:,}"] else f" (n = {', '.join(counts)})"


class Words:
    """The words of an experiment in a language, for sentences."""

    def __init__(self, experiment: Experiment, language: str) -> None:
        self.experiment, self.language = experiment, language
        self._texts = catalogue(TEXTS, language)
        self.game: Catalogue = catalogue(experiment.description.files.texts, language)

    def __call__(self, key: str, **fields: object) -> str:
        """A text with its fields filled in."""
        return self._texts(key, **fields)

    def count(self, deals: float) -> str:
        """So many deals, or games."""
        return self(f"count.{unit_name(self.experiment)}", count=f"{deals:,.0f}")

    def figure(self, name: str) -> str:
        """A figure, as it is called within a sentence."""
        what, _, which = name.partition(".")
        per = self(f"per.{unit_name(self.experiment)}")
        if what == "line":
            return self("figure.line", name=line_label(self.experiment, which, self.language), per=per)
        if name in self.experiment.numbers:
            return self("figure.number", name=name, per=per)
        if f"place.{name}" in self._texts:
            return self(f"place.{name}")
        if f"figure.{what}" not in self._texts:
            return self("figure.place", name=name)
        name = which or self.experiment.arms[0].bots[0]
        if what == "first" and self.experiment.whole_games:
            what = "first_of_game"
        if not which and what == "wins":  # else those of seats that were behind
            what = "won"
        if what in ("gain", "won", "rank") and len({arm.bots[0] for arm in self.experiment.arms}) > 1:
            what = f"{what}_of_first"
        return self(f"figure.{what}", per=per, name=name, deals=self.noun())

    def noun(self) -> str:
        """Deals, or games, in general."""
        return self(f"noun.{unit_name(self.experiment)}")

    def currency(self, figure: str) -> str:
        """The currency of a figure; empty where it is not paid, or the game does not say."""
        paid = (figure in FIGURES and FIGURES[figure].unit == "paid") or figure in self.experiment.places
        return self.game("currency") if paid and "currency" in self.game else ""

    def joined(self, sentences: Sequence[str]) -> str:
        """Sentences in a row: with spaces between them where the language has spaces."""
        return (" " if self.language == LANGUAGES[0] else "").join(sentences)

    def amount(self, figure: str, value: float, like: float | None, *, difference: bool = False) -> str:
        """A value of a figure with its unit, with as many decimals as ``like``, the width of an interval, justifies."""
        if is_share(figure) and difference:
            return self("say.points", number=number_text(100 * value, 100 * (like or 0.0)))
        if is_share(figure):
            return number_text(value, like, share=True)
        return self._with_currency(figure, number_text(value, like))

    def _with_currency(self, figure: str, number: str) -> str:
        currency = self.currency(figure)
        return self("say.amount", number=number, currency=currency) if currency else number

    def smallest(self) -> str:
        """The smallest difference that was said to matter, with the decimals that were given."""
        figure, least = self.experiment.answer, self.experiment.smallest or 0.0
        number = f"{100 * least if is_share(figure) else least:,.6g}".replace("-", "−")
        return self("say.points", number=number) if is_share(figure) else self._with_currency(figure, number)

    def interval(self, figure: str, found: Interval, *, difference: bool = False) -> str:
        """A mean with its unit and its interval."""
        like = interval_places(found)
        mean = self.amount(figure, found.mean, like, difference=difference)
        if not found.low < found.high:
            return mean
        share = is_share(figure)
        scale = 100 if share and difference else 1
        width, per_cent = (like or 0.0) * scale, share and not difference
        low, high = (number_text(end * scale, width, per_cent) for end in (found.low, found.high))
        return self("say.interval", mean=mean, low=low, high=high)

    def share(self, found: Interval) -> str:
        """A share with its interval."""
        if not found.low < found.high:
            return number_text(found.mean, share=True)
        like = max(interval_places(found) or 0.0, FINEST)
        mean, low, high = (number_text(each, like, share=True) for each in (found.mean, found.low, found.high))
        return self("say.interval", mean=mean, low=low, high=high)

    def arm_rules(self, arm: Arm) -> str:
        """An arm: its rules as the game's form calls them, and its seats."""
        rules = [self._option(name, value) for name, value in arm.game.changed_options().items()]
        said = self("arm.joint").join(rules) or self("arm.plain")
        return self("arm.line", arm=arm.name, rules=said, seats=arm.game.seats)

    def _option(self, name: str, value: object) -> str:
        key = f"options.{name}"
        label = self.game(f"{key}.label") if f"{key}.label" in self.game else name
        code = f"{key}.values.{value}"
        said = self.game(code) if code in self.game else str(value).replace("-", "−")
        if isinstance(value, bool):
            said = self("say.yes" if value else "say.no")
        return spelled(self("arm.option", label=label, value=said))

    def bots(self, arm: Arm) -> str:
        """The players of an arm, each kind once."""
        return self("bot.and").join(self.bot(each) for each in dict.fromkeys(arm.bots))

    def bot(self, spec: str) -> str:
        """A bot, and how it plays."""
        kind = "other" if " by " in spec else spec.partition(":")[0]  # another player with a habit
        return self(f"bot.{kind}" if f"bot.{kind}" in self._texts and kind != "and" else "bot.other", bot=spec)
