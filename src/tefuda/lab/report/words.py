"""The words of a report: figures, intervals, rules and players as sentences name them, in a language."""

from collections.abc import Sequence
from pathlib import Path

from tefuda.engine.texts import LANGUAGES, Catalogue, catalogue, spelled
from tefuda.lab.experiment.schema import Arm, Experiment
from tefuda.lab.measure.intervals import Interval
from tefuda.lab.report.labels import interval_places, is_share, line_label, number_text, plain_number

TEXTS = Path(__file__).parent / "texts"

PAID = frozenset(("spread", "sum", "first", "gain", "gap", "care", "worth"))
"""Figures that are told in what the game is played for, besides the advantages of places."""

FINEST = 0.001
"""Shares are told in hundredths of a per cent at the finest."""


class Words:
    """The words of an experiment in a language.

    Args:
        experiment: whose figures are told.
        language: one of ``LANGUAGES``.
    """

    def __init__(self, experiment: Experiment, language: str) -> None:
        self.experiment, self.language = experiment, language
        self._texts = catalogue(TEXTS, language)
        self.game: Catalogue = catalogue(experiment.description.files.texts, language)

    def __call__(self, key: str, **fields: object) -> str:
        """A text with its fields filled in."""
        return self._texts(key, **fields)

    @property
    def _unit(self) -> str:
        return "game" if self.experiment.whole_games else "deal"

    def count(self, deals: float) -> str:
        """So many deals, or games."""
        return self(f"count.{self._unit}", count=f"{deals:,.0f}")

    def figure(self, name: str) -> str:
        """A figure, as it is called within a sentence."""
        what, _, which = name.partition(".")
        if what == "line":
            return self("figure.line", name=line_label(self.experiment, which, self.language), per=self._per())
        if name in self.experiment.numbers:
            return self("figure.number", name=name, per=self._per())
        if f"place.{name}" in self._texts:
            return self(f"place.{name}")
        if f"figure.{what}" not in self._texts:
            return self("figure.place", name=name)
        name = which or self.experiment.arms[0].bots[0]
        if what == "first" and self.experiment.whole_games:
            what = "first_of_game"
        if what == "gain" and len({arm.bots[0] for arm in self.experiment.arms}) > 1:
            what = "gain_of_first"
        return self(f"figure.{what}", per=self._per(), name=name, deals=self.noun())

    def noun(self) -> str:
        """Deals, or games, in general."""
        return self(f"noun.{self._unit}")

    def _per(self) -> str:
        return self(f"per.{self._unit}")

    def is_paid(self, figure: str) -> bool:
        """Whether a figure is told in what the game is played for."""
        return figure in PAID or figure in self.experiment.places

    def currency(self, figure: str) -> str:
        """What a figure is paid in; empty where it is not paid, or the game does not say."""
        return self.game("currency") if self.is_paid(figure) and "currency" in self.game else ""

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
        """The smallest difference that was said to matter."""
        least = self.experiment.smallest or 0.0
        figure = self.experiment.answer
        number = plain_number(100 * least if is_share(figure) else least)
        return self("say.points", number=number) if is_share(figure) else self._with_currency(figure, number)

    def interval(self, figure: str, found: Interval, *, difference: bool = False) -> str:
        """A mean with its unit and its interval."""
        like = interval_places(found)
        mean = self.amount(figure, found.mean, like, difference=difference)
        if not found.low < found.high:
            return mean
        share = is_share(figure)
        scale = 100 if share and difference else 1
        ends = [
            number_text(end * scale, (like or 0.0) * scale, share and not difference) for end in (found.low, found.high)
        ]
        return self("say.interval", mean=mean, low=ends[0], high=ends[1])

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
        if isinstance(value, bool):
            said = self("say.yes" if value else "say.no")
        else:
            said = self.game(f"{key}.values.{value}") if f"{key}.values.{value}" in self.game else str(value)
        return spelled(self("arm.option", label=label, value=said))

    def bots(self, arm: Arm) -> str:
        """Who plays an arm, each kind once."""
        return self("bot.and").join(self.bot(each) for each in dict.fromkeys(arm.bots))

    def bot(self, spec: str) -> str:
        """A bot, and how it plays."""
        kind = "other" if " by " in spec else spec.partition(":")[0]  # another player with a habit
        return self(f"bot.{kind}" if f"bot.{kind}" in self._texts and kind != "and" else "bot.other", bot=spec)
