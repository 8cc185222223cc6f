"""An experiment: a question, the arms that are compared, and how many deals decide it.

An *arm* is one way of playing: a game with its seats and options, and the bots that play. Every arm plays the same
deals. The first arm is the one that the others are compared with. docs/lab.md describes the files.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from tefuda.engine import cache
from tefuda.engine.description import Description
from tefuda.engine.record import Holds
from tefuda.engine.texts import catalogue
from tefuda.lab.play.rotations import POLICIES, is_compiled, rotation_count
from tefuda.table.game import Game

ADVISER = "hints"
"""The adviser if the file names none."""

_DECIDING = ("game", "seed", "measures", "fields", "sample", "adviser", "whole_games", "luck", "arms")
"""The keys on which it depends how deals go and what is recorded of them."""


@dataclass(frozen=True)
class Arm:
    """One way of playing.

    Attributes:
        name: unique in the experiment.
        game: with its seats and options.
        bots: one for each seat.
        play: the pattern of the plays that ``play`` measures, as ``PlayPattern.read`` takes it; empty for none.
    """

    name: str
    game: Game
    bots: tuple[str, ...]
    play: str = ""

    @property
    def rotations(self) -> int:
        """How often each deal is played so that every kind of bot sits everywhere: once where all are alike."""
        return rotation_count(self.bots)

    @property
    def compiled(self) -> bool:
        """Whether all of its bots play in compiled code."""
        return is_compiled(self.bots)

    def has_pack_of(self, other: "Arm") -> bool:
        """Whether a deal of one is a deal of the other, card for card."""
        return self.game.seats == other.game.seats and self.game.pack.tolist() == other.game.pack.tolist()

    def differs_by_options(self, other: "Arm") -> bool:
        """Whether two arms play the same cards with the same bots, so that only options can make a difference."""
        return self.bots == other.bots and self.has_pack_of(other)

    def is_same_as(self, other: "Arm") -> bool:
        """Whether another arm, but for its name, is the same."""
        return {**self.as_dict(), "name": ""} == {**other.as_dict(), "name": ""}

    def as_dict(self) -> dict[str, Any]:
        """As plain data, as an experiment file would say it."""
        options = self.game.changed_options()
        plain = {"name": self.name, "seats": self.game.seats, "options": options, "bots": list(self.bots)}
        return {**plain, "play": self.play} if self.play else plain


@dataclass(frozen=True)
class Experiment:
    """A question and how the cards are to answer it.

    Attributes:
        name: of the file, without its ending.
        question: in a sentence.
        about: what else a reader should know: where the question comes from, what the bots' play limits.
        arms: what is compared; the first is the standard.
        deals: numbers 0 … deals − 1 of the seed's decks, in every arm.
        seed: of the decks.
        measures: of ``measures.MEASURES``.
        fields: public numbers of the game's record whose values at the end are figures; for seats the figure is what
            they receive.
        sample: the number of deals, from the first on, whose decisions the sampled measures examine.
        adviser: the bot whose advice ``binds`` reads under the arms' options.
        answer: the figure that answers the question (``measures.ANSWERS``).
        compare: whether the answer is how the other arms differ from the first; if false, what each arm shows.
        smallest: the smallest difference of it that would matter to players; None if nobody has said.
        stop: stop as soon as the answer is clear.
        whole_games: each number is a whole game, deal after deal as at a table, and takes the place of a deal.
        behind: points that ``recovery`` asks about.
        luck: where bots differ and one thinks for long, the luck of the cards is measured, which takes longer.
    """

    name: str
    question: str
    about: str
    arms: tuple[Arm, ...]
    deals: int
    seed: int
    measures: tuple[str, ...]
    fields: tuple[str, ...]
    sample: int
    adviser: str
    answer: str
    compare: bool
    smallest: float | None
    stop: bool
    whole_games: bool
    behind: tuple[float, ...]
    luck: bool = True

    @property
    def description(self) -> Description:
        """The game's."""
        return self.arms[0].game.description

    @property
    def title(self) -> str:
        """What the game is called."""
        return catalogue(self.description.files.texts, "en")("title")

    @property
    def paired(self) -> bool:
        """Whether the arms play the same deals card for card."""
        return all(arm.has_pack_of(self.arms[0]) for arm in self.arms)

    @property
    def plays_again(self) -> bool:
        """Whether deals of the first arm are played a second time, to set chance beside what the options change."""
        compared = any(arm.differs_by_options(self.arms[0]) for arm in self.arms[1:])
        return self.compare and compared and not self.whole_games

    @property
    def repeatable(self) -> bool:
        """Whether playing it again gives the same results: no bot thinks by the clock or was written elsewhere."""
        return all(map(is_repeatable, (self.adviser, *(each for arm in self.arms for each in arm.bots))))

    @property
    def places(self) -> list[str]:
        """The places whose advantage is a figure: those that the game hands on, and the seats among ``fields``.

        A whole game has none: a place changes hands, and who has it in the last deal follows from who lost before.
        """
        if self.whole_games:
            return []
        return places(self.description) + [each for each in self.fields if is_seat(self.description, each)]

    @property
    def numbers(self) -> list[str]:
        """The ``fields`` that are not seats."""
        return [each for each in self.fields if not is_seat(self.description, each)]

    def arms_like(self, arm: Arm) -> list[Arm]:
        """The other arms with the pack of this one: a decision of this arm can be read under their options too."""
        return [each for each in self.arms if each is not arm and each.has_pack_of(arm)]

    def as_dict(self) -> dict[str, Any]:
        """As plain data, as an experiment file would say it; None for what such a file would leave out."""
        return {
            "question": self.question,
            "about": self.about,
            "game": self.description.name,
            "deals": self.deals,
            "seed": self.seed,
            "measures": list(self.measures),
            "fields": list(self.fields) or None,
            "sample": self.sample,
            "adviser": self.adviser if self.adviser != ADVISER else None,
            "answer": self.answer,
            "compare": None if self.compare else False,
            "smallest": self.smallest,
            "stop": self.stop,
            "whole_games": self.whole_games or None,
            "behind": list(self.behind) or None,
            "luck": None if self.luck else False,
            "arms": [arm.as_dict() for arm in self.arms],
        }

    def as_file(self) -> dict[str, Any]:
        """The keys and values of a file that says the same, for ``reader.parse``."""
        return {key: value for key, value in self.as_dict().items() if value is not None}

    def identity(self) -> dict[str, Any]:
        """All that decides how a deal goes and what is recorded of it; not how many are played, nor the words."""
        plain = self.as_dict()
        kept = {key: plain[key] for key in _DECIDING}
        return {**kept, "rules": self.description.rules_version, "sources": cache.key()}

    def digest(self) -> str:
        """A short name for the identity."""
        text = json.dumps(self.identity(), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:10]


def places(game: Description) -> list[str]:
    """The places that a deal hands on to the next, such as ``dealer``."""
    return [each.name for each in game.fields if each.carried and each.holds is Holds.SEAT and not each.shape]


def is_seat(game: Description, field: str) -> bool:
    """Whether this number of the game's record is a seat."""
    return any(each.name == field and each.holds is Holds.SEAT for each in game.fields)


def is_of_one_deal(game: Description, field: str) -> bool:
    """Whether this number of the game's record begins anew with each deal, or is a seat, which may change then."""
    options = {each.name for each in game.rules.options}
    return any(
        each.name == field and (each.holds is Holds.SEAT or not (each.carried or field in options))
        for each in game.fields
    )


def is_repeatable(spec: str) -> bool:
    """Whether this bot does the same again: it does not think by the clock, and is one of ours."""
    return spec in POLICIES or spec.startswith(("never:", "always:")) or spec.endswith("it")


def line_names(game: Description) -> list[str]:
    """The lines of the game's score sheet."""
    return list(catalogue(game.files.texts, "en").under("sheet"))
