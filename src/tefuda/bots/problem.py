"""Problems: moments of deals in which one play is clearly the best. "What would you play?"

A game ships them as ``problems.jsonl``, one a line; ``tefuda problems make`` finds them (``bots/problem_maker.py``).
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path

from tefuda.bots.estimates import PlayEstimate
from tefuda.bots.judges import WORLDS, Gain
from tefuda.bots.verdict import MOST_PLAYS, Verdict, first_actions, listed_play, weigh_actions
from tefuda.engine import strict_json
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import SUMMARY
from tefuda.engine.whole_file import whole
from tefuda.table.deal import Deal
from tefuda.table.game import Game

GRADES = 5
"""From 1, which most find, to 5."""


@dataclass(frozen=True)
class Problem:
    """One moment, and what is to be played.

    Attributes:
        rules: version of the game's rules under which it was found.
        seed: of the deal, with the game's usual options and number of seats.
        plays: made before, from the first of the deal.
        seat: whose decision it is.
        phase: key of the game's text that names the moment (``engine/scene``): the theme.
        usual: what the rules of thumb play.
        failed: share of weaker players who do not find the best play, 0 to 1.
        found: what a long search found: the best play first.
        gain: what the best play brings more than the usual one by every judge (``bots/judges.py``), as people count it;
            0 where that is the best.
    """

    rules: int
    seed: int
    plays: tuple[str, ...]
    seat: int
    phase: str
    usual: str
    failed: float
    found: tuple[PlayEstimate, ...]
    gain: float = 0.0

    @property
    def name(self) -> str:
        """By which people and files call it."""
        return f"{self.seed}-{len(self.plays)}"

    @property
    def best(self) -> str:
        """The play to make, as the legal plays list it."""
        return self.found[0].play

    @property
    def is_hard(self) -> bool:
        """Whether the rules of thumb miss it."""
        return self.gain > 0

    @property
    def grade(self) -> int:
        """How hard it is, from 1 to ``GRADES``."""
        return min(GRADES, 1 + int(GRADES * self.failed))

    def deal(self, game: Game) -> Deal:
        """The deal at this moment.

        Args:
            game: with its usual options.

        Raises:
            TefudaError: its rules have changed since the problem was found.
        """
        if game.description.rules_version != self.rules:
            raise TefudaError(f"problem {self.name} of {game.name}: it was found under other rules; make new ones")
        deal = game.deal(self.seed)
        for word in self.plays:
            deal.play(word)
        return deal

    def is_solved_by(self, deal: Deal, word: str) -> bool:
        """Whether a legal play is the best one, or equal to it.

        Args:
            deal: at this moment.
            word: of the play.
        """
        return self.best in (deal.listed(word), listed_play(deal, word))

    def verdict(self, deal: Deal) -> Verdict:
        """The solution, as a hint would say it.

        Args:
            deal: at this moment.
        """
        words = [self.usual, self.best, *(each.play for each in self.found if not SUMMARY.fullmatch(each.play))]
        actions = first_actions(deal, words)[:MOST_PLAYS]
        found = weigh_actions(deal, actions, self.seed, WORLDS, len(actions))
        if self.is_hard:
            return found.told(1, 0, "better", Gain(self.gain))
        other = found.next_best(0)
        gain = found.trial.gain(0, other)
        return found.told(0, other, "agrees_by" if gain.size else "agrees", gain)


def of_day(problems: Sequence[Problem], day: date) -> Problem:
    """The problem of a day: the same for everybody, another one on the next day."""
    return problems[day.toordinal() * 7 % len(problems)]


def read(path: Path) -> list[Problem]:
    """Problems from a file.

    Raises:
        TefudaError: a line of it is not a problem; the message names it.
    """
    found = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            given = strict_json.loads(line)
            estimates = tuple(PlayEstimate(**each) for each in given.pop("found"))
            found.append(Problem(**{**given, "plays": tuple(given["plays"]), "found": estimates}))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise TefudaError(f"{path}, line {number}: not a problem: {error}") from None
    return found


def write(path: Path, problems: Sequence[Problem]) -> None:
    """Write problems to a file, the easiest first."""
    lines = [json.dumps(asdict(each), separators=(",", ":"), ensure_ascii=False) for each in sort(problems)]
    with whole(path) as file:
        file.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def sort(problems: Sequence[Problem]) -> list[Problem]:
    """The easiest first."""
    return sorted(problems, key=lambda each: (each.failed, each.seed, len(each.plays)))


@lru_cache(16)
def problems_of(game: Description) -> list[Problem]:
    """The problems that a game ships, the easiest first; empty if it ships none."""
    path = game.files.problems
    return [] if path is None else [each for each in read(path) if each.rules == game.rules_version]
