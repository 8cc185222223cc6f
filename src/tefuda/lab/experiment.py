"""An experiment: a question, the arms that are compared, how many deals decide it, and what is measured.

An *arm* is one way of playing: a game with its seats and options, and the bots that play. Every arm plays the same
deals. The first arm is the one that the others are compared with. docs/lab.md describes the files."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tefuda.engine import cache
from tefuda.engine.description import Description
from tefuda.engine.play import POLICIES
from tefuda.engine.record import Holds
from tefuda.engine.texts import catalogue
from tefuda.lab.play.runner import ScoringFunction, is_compiled, rotation_count
from tefuda.table.game import Game


class Figure(NamedTuple):
    """A number that is computed for every deal and arm, with its label in tables.

    ``measure`` is one of ``MEASURES``, empty for a figure that answers no question; ``unit`` is ``%`` for shares,
    ``paid`` for what the game is played for, else empty."""

    measure: str
    label: str
    unit: str = ""


USUAL = ("length", "outcome", "seats", "lines")  #: measured in every deal
SAMPLED = ("binds", "decisions", "play", "information")  #: measured in a sample of the deals

MEASURES = (*USUAL, "recovery", *SAMPLED)

OF_WHOLE_GAMES = frozenset(("length", "outcome", "seats", "recovery"))
"""Measures of whole games; ``recovery`` of nothing else."""

FIGURES = {
    "moves": Figure("length", "Length: actions in a deal"),
    "decisions": Figure("length", "Choices: actions chosen among several, a deal"),
    "choices": Figure("length", "Legal actions at a choice"),
    "drawn": Figure("outcome", "Deals in which all seats receive the same", "%"),
    "spread": Figure("outcome", "Spread: best payoff less worst, a deal", "paid"),
    "sum": Figure("outcome", "Sum of all payoffs of a deal", "paid"),
    "first": Figure("seats", "Advantage of acting first, a deal", "paid"),
    "gain": Figure("outcome", "Gain of the first bot over the others, a deal", "paid"),
    "wins": Figure("outcome", "Share of the first place of a deal that goes to the first bot", "%"),
    "rank": Figure("outcome", "Place of the first bot, 1 for the best, a deal"),
    "binds": Figure("binds", "Decisions in which other actions are legal", "%"),
    "advice": Figure("binds", "Decisions in which the rules of thumb say something else", "%"),
    "gap": Figure("decisions", "Gap: what the best action is worth beyond the second", "paid"),
    "matters": Figure("decisions", "Decisions in which the best action clearly beats the second", "%"),
    "care": Figure("decisions", "Care: what the best action is worth beyond a random one", "paid"),
    "comeback": Figure("decisions", "Deals won by a seat that had thought this unlikely", "%"),
    "lead_changes": Figure("decisions", "How often the lead passes from one sampled decision to the next", "%"),
    "worth": Figure("play", "What the play asked about is worth beyond the best other", "paid"),
    "pays": Figure("play", "Decisions at which the play asked about is clearly the best", "%"),
    "costs": Figure("play", "Decisions at which it is clearly beaten", "%"),
    "taken": Figure("play", "Decisions at which the bots made it", "%"),
    "differs": Figure("", "Decisions at which any rollout ended otherwise than another", "%"),
    "unknown": Figure("information", "What the mover cannot know, bits"),
}
"""The figures by name; those with a measure can answer a question.

Further figures depend on the game and the experiment: ``line.NAME``, how often a line of the score sheet occurs in a
deal; the name of a place that the game hands on, such as ``dealer``, or of a field that the experiment names;
``recovers.POINTS`` and ``wins.POINTS``, of seats that were so far behind."""

_COLUMNS = ("arm", "seed", "deal", "rotation", "seat", "bot", "payoff", "again", "luck", "illegal", "acts_first")
TAKEN = frozenset((*FIGURES, *_COLUMNS, "behind", "lines", "worths"))
"""Names of figures and columns, which a game's own places and numbers cannot have beside them."""

ANSWERS = {name: figure.measure for name, figure in FIGURES.items() if figure.measure}
"""The measure of each figure that can answer a question."""

OF_FIRST_BOT = ("gain", "wins", "rank")
"""Figures that need bots that differ; ``wins`` and ``rank`` are those of whole games."""

RECOVERY = ("recovers", "wins")
"""Success of a seat that was behind: not to come last; to come first (seats that tie share the first place)."""

ADVISER = "hints"  #: adviser if the file names none

KEYS = (
    *("question", "about", "game", "deals", "seed", "measures", "fields", "sample", "adviser", "answer", "compare"),
    *("smallest", "stop", "whole_games", "behind", "luck", "arms"),
)
"""The keys of an experiment's file, in their order."""

_LEFT_OUT = {"adviser": ADVISER, "compare": True, "whole_games": False, "luck": True}  # values that a file leaves out

_DECIDING = ("game", "seed", "measures", "fields", "sample", "adviser", "whole_games", "luck", "arms")
"""The keys on which deals, and what is recorded of them, depend."""


@dataclass(frozen=True)
class Arm:
    """One way of playing: a game with its seats and options, and a bot for each seat.

    ``play`` is the pattern of the plays that the measure ``play`` asks about, as ``PlayPattern.read`` takes it."""

    name: str
    game: Game
    bots: tuple[str, ...]
    play: str = ""
    score: ScoringFunction | None = None  #: says what deals pay, instead of the game

    @property
    def rotations(self) -> int:
        """Number of times that each deal is played, so that every kind of bot sits everywhere."""
        return rotation_count(self.bots)

    @property
    def compiled(self) -> bool:
        """True if all of its bots play in compiled code."""
        return is_compiled(self.bots)

    def has_pack_of(self, other: "Arm") -> bool:
        """True if a deal of one is a deal of the other, card for card."""
        return self.game.seats == other.game.seats and self.game.pack.tolist() == other.game.pack.tolist()

    def differs_by_options(self, other: "Arm") -> bool:
        """True if both play the same cards with the same bots, so that only options can make a difference."""
        return self.bots == other.bots and self.has_pack_of(other)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as an experiment file would say it."""
        options = self.game.changed_options()
        plain = {"name": self.name, "seats": self.game.seats, "options": options, "bots": list(self.bots)}
        more = {"play": self.play, "score": self.score and self.score.spec}
        return plain | {key: each for key, each in more.items() if each}


@dataclass(frozen=True)
class Experiment:
    """A question and the deals that are to answer it, as docs/lab.md describes its file."""

    name: str  #: of the file, without its ending
    question: str
    about: str
    arms: tuple[Arm, ...]  #: what is compared; the first is the standard
    deals: int  #: numbers 0 … deals − 1 of the seed's decks, in every arm
    seed: int
    measures: tuple[str, ...]
    fields: tuple[str, ...]
    """public numbers of the game's record whose values at the end are figures; for seats the figure is what they
    receive"""
    sample: int  #: the number of deals, from the first on, whose decisions the sampled measures examine
    adviser: str  #: the bot whose advice ``binds`` reads under the arms' options
    answer: str  #: the figure that answers the question (``ANSWERS``)
    compare: bool  #: the answer is how the other arms differ from the first; if false, what each arm shows
    smallest: float | None  #: the smallest difference of it that would matter to players; None if unknown
    stop: bool
    whole_games: bool  #: each number is a whole game, deal after deal as at a table, and takes the place of a deal
    behind: tuple[float, ...]  #: points that ``recovery`` asks about
    luck: bool = True

    @property
    def description(self) -> Description:
        """The game's."""
        return self.arms[0].game.description

    @property
    def title(self) -> str:
        """The game's English title."""
        return catalogue(self.description.files.texts, "en")("title")

    @property
    def paired(self) -> bool:
        """True if the arms play the same deals card for card."""
        return all(arm.has_pack_of(self.arms[0]) for arm in self.arms)

    @property
    def plays_again(self) -> bool:
        """True if deals of the first arm are played a second time, to set chance beside what the options change."""
        compared = any(arm.differs_by_options(self.arms[0]) for arm in self.arms[1:])
        return self.compare and compared and not self.whole_games

    @property
    def repeatable(self) -> bool:
        """True if playing it again gives the same results: no bot thinks by the clock or was written elsewhere."""
        bots = (self.adviser, *(each for arm in self.arms for each in arm.bots))
        return all(each in POLICIES or each.startswith(("never:", "always:")) or each.endswith("it") for each in bots)

    @property
    def places(self) -> list[str]:
        """The places whose advantage is a figure: those that the game hands on, and the seats among ``fields``.

        A whole game has none: a place changes hands, and who has it in the last deal follows from who lost before."""
        if self.whole_games:
            return []
        return places(self.description) + [each for each in self.fields if is_seat(self.description, each)]

    @property
    def numbers(self) -> list[str]:
        """The ``fields`` that are not seats."""
        return [each for each in self.fields if not is_seat(self.description, each)]

    def as_dict(self) -> dict[str, Any]:
        """The keys and values of a file that says the same, for ``experiment_file.parse``."""
        plain: dict[str, Any] = {key: getattr(self, key, None) for key in KEYS}
        plain |= {key: list(plain[key]) or None for key in ("fields", "behind")}
        plain |= {"game": self.description.name, "measures": list(self.measures)}
        plain["arms"] = [arm.as_dict() for arm in self.arms]
        return {key: value for key, value in plain.items() if value is not None and value != _LEFT_OUT.get(key)}

    def identity(self) -> dict[str, object]:
        """All that decides how a deal goes and what is recorded of it; not how many are played, nor the words."""
        plain = self.as_dict()
        kept = {key: plain.get(key) for key in _DECIDING}
        if scores := [arm.score.source for arm in self.arms if arm.score]:
            kept["scores"] = scores
        return {**kept, "rules": self.description.rules_version, "sources": cache.key()}

    def digest(self) -> str:
        """A short name for the identity."""
        return hashlib.sha256(json.dumps(self.identity(), sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:10]


def places(game: Description) -> list[str]:
    """The places that a deal hands on to the next, such as ``dealer``, but those with names of ``TAKEN``."""
    carried = [each.name for each in game.fields if each.carried and each.holds is Holds.SEAT and not each.shape]
    return [name for name in carried if name not in TAKEN]


def is_seat(game: Description, field: str) -> bool:
    """True if this number of the game's record is a seat."""
    return any(each.name == field and each.holds is Holds.SEAT for each in game.fields)


def is_of_one_deal(game: Description, field: str) -> bool:
    """True if this number of the game's record begins anew with each deal, or is a seat, which may change then."""
    named = (each for each in game.fields if each.name == field)
    return any(each.holds is Holds.SEAT or not (each.carried or field in game.rules.settings) for each in named)


def line_names(game: Description) -> list[str]:
    """The lines of the game's score sheet."""
    return list(catalogue(game.files.texts, "en").under("sheet"))


def recovery_figures(behind: Sequence[float]) -> list[str]:
    """The figures of ``recovery`` for each number of points."""
    return [f"{what}.{points:g}" for points in behind for what in RECOVERY]
