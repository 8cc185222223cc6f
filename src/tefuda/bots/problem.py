"""Problems: moments of deals in which one play is clearly the best. "What would you play?"

A game ships them as ``problems.jsonl``, which ``tools/problems.py`` makes from deals between bots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path

from tefuda.bots.advice import MOST_PLAYS, Advice, first_actions, listed_play, weigh_actions
from tefuda.bots.play_estimates import WORLDS, Gain, PlayEstimate
from tefuda.engine import files
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import SUMMARY
from tefuda.table.deal import Deal
from tefuda.table.game import Game

GRADES = 5  #: from 1, which most find, to 5


@dataclass(frozen=True)
class Problem:
    """One moment, and the play to make."""

    rules: int  #: version of the game's rules under which it was found
    seed: int  #: of the deal, with the game's usual options and number of seats
    plays: tuple[str, ...]  #: made before, from the first of the deal
    seat: int  #: the decider's
    #: key of the game's text that names what the best play does, such as ducking; of a game without reasons for plays,
    #: that of the moment (``engine/scene``)
    theme: str
    usual: str  #: the play of the rules of thumb
    failed: float  #: share of weaker players who do not find the best play, 0 to 1
    found: tuple[PlayEstimate, ...]  #: estimates of a long search, the best play first
    gain: float = 0.0  #: of the best play over the usual one by every judge, as people count it; 0 if they are one
    #: of each by its name, the least lead of the best play over another, and its standard error
    judges: Mapping[str, tuple[float, float]] = field(default_factory=dict, hash=False)

    @property
    def name(self) -> str:
        """Name for people and files."""
        return f"{self.seed}-{len(self.plays)}"

    @property
    def best(self) -> str:
        """Play to make, as the legal plays list it."""
        return self.found[0].play

    @property
    def is_hard(self) -> bool:
        """True if the rules of thumb miss it."""
        return self.gain > 0

    @property
    def grade(self) -> int:
        """Difficulty, from 1 to ``GRADES``."""
        return min(GRADES, 1 + int(GRADES * self.failed))

    def deal(self, game: Game) -> Deal:
        """Deal the game, with its usual options, up to this moment; ``TefudaError`` if its rules have changed since."""
        if game.description.rules_version != self.rules:
            raise TefudaError(f"problem {self.name} of {game.name}: it was found under other rules; make new ones")
        deal = game.deal(self.seed)
        for word in self.plays:
            deal.play(word)
        return deal

    def is_solved_by(self, deal: Deal, word: str) -> bool:
        """Tell if a legal play, by its word, is the best one of the deal at this moment, or equal to it."""
        return self.best in (deal.listed(word), listed_play(deal, word))

    def solution(self, deal: Deal) -> Advice:
        """Solve it, as a hint would; ``deal`` stands at this moment."""
        words = [self.usual, self.best, *(each.play for each in self.found if not SUMMARY.fullmatch(each.play))]
        actions = first_actions(deal, words)[:MOST_PLAYS]
        found = weigh_actions(deal, actions, self.seed, WORLDS, len(actions))
        if self.is_hard:
            return found.compared(1, 0, "better", Gain(self.gain))
        other = found.next_best(0)
        gain = found.gain(0, other)
        return found.compared(0, other, "agrees_by" if gain.size else "agrees", gain)


def of_day(problems: Sequence[Problem], day: date) -> Problem:
    """Choose the problem of a day: the same for everybody, another one on the next day."""
    return problems[day.toordinal() * 7 % len(problems)]


def read(path: Path) -> list[Problem]:
    """Read problems from a file; ``TefudaError`` names a line that is none."""
    found = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            given = files.load_json(line)
            estimates = tuple(PlayEstimate(**each) for each in given.pop("found"))
            found.append(Problem(**{**given, "plays": tuple(given["plays"]), "found": estimates}))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise TefudaError(f"{path}, line {number}: not a problem: {error}") from None
    return found


@lru_cache(16)
def problems_of(game: Description) -> list[Problem]:
    """Read the problems that a game ships, the easiest first; empty if it ships none."""
    path = game.files.problems
    return [] if path is None else [each for each in read(path) if each.rules == game.rules_version]
