"""Problems at the terminal: they are asked, answers judged, and kept, so that what was missed comes back."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import platformdirs
from fsrs import Card
from rich.console import Console

from tefuda.bots import problem_schedule
from tefuda.bots.problem import Problem
from tefuda.cli.course import Course, Left, Moment, asked
from tefuda.cli.decision import DecisionPrompt
from tefuda.cli.draw import Artist
from tefuda.engine.errors import TefudaError, file_fault
from tefuda.engine.files import whole
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.table.game import Game

TOLD = 8  # lines of what has happened before


class SolvedProblems:
    """One person's progress in the problems of one game; each answer is kept at once. TefudaError for a bad file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._known: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else {}
            self._cards = {name: Card.from_dict(known["card"]) for name, known in self._known.items()}
        except OSError as error:
            raise TefudaError(file_fault(error)) from error
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise TefudaError(f"{path}: not a list of solved problems; move it away to begin anew: {error}") from None

    @classmethod
    def of_game(cls, game: str) -> "SolvedProblems":
        """Read this user's progress in a game."""
        return cls(platformdirs.user_data_path("tefuda") / f"{game}-problems.json")

    def due(self, problem: Problem) -> datetime | None:
        """Return when a problem comes back; None if it is new."""
        card = self._cards.get(problem.name)
        return None if card is None else card.due

    def next_of(self, problems: Sequence[Problem], besides: frozenset[str] = frozenset()) -> Problem | None:
        """Choose the problem to solve now, none of ``besides``: the one due longest, else the first new one."""
        now, open_ones = datetime.now(UTC), [each for each in problems if each.name not in besides]
        back = sorted((due, place) for place, each in enumerate(open_ones) if (due := self.due(each)) and due <= now)
        new = (each for each in open_ones if self.due(each) is None)
        return open_ones[back[0][1]] if back else next(new, None)

    def answered(self, problem: Problem, *, solved: bool) -> None:
        """Keep an answer; TefudaError if the file cannot be written."""
        card = self._cards[problem.name] = problem_schedule.answered(self._cards.get(problem.name), solved=solved)
        self._known[problem.name] = {"solved": solved, "card": card.to_dict()}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with whole(self._path) as fresh:
                fresh.write_text(json.dumps(self._known, indent=1), "utf-8")
        except OSError as error:
            raise TefudaError(file_fault(error)) from error


def solve_all(game: Game, language: str, problems: Sequence[Problem], console: Console) -> Course:
    """Ask the problems that are due, then those that are new."""
    words, seen, moment = catalogue(TEXTS, language), frozenset[str](), None
    while problem := SolvedProblems.of_game(game.name).next_of(problems, seen):
        if moment:
            yield from asked(replace(moment, question=words("problems.go_on"), for_play=False))
        moment = yield from solve(game, language, problem, console)
        seen |= {problem.name}
    console.print(words("problems.all_done"))


def solve(game: Game, language: str, problem: Problem, console: Console) -> Course:
    """Ask for the best play until a legal one has been made, or the answer is asked for; then say what is best."""
    deal, words, progress = problem.deal(game), catalogue(TEXTS, language), SolvedProblems.of_game(game.name)
    artist = Artist.seated(game, language, problem.seat, console)
    console.rule(title := words("problems.title", name=problem.name, grade="★" * problem.grade))
    for line in deal.view(problem.seat, told=True).told[-TOLD:]:
        artist.tell(line)
    moment = Moment(deal, problem.seat, DecisionPrompt(artist), title, words("problems.ask"), for_play=True)
    while (answer := (yield from asked(moment))) != "hint" and not moment.prompt.make(deal.copy(), answer):
        if answer == "undo":
            raise Left
    solved = answer != "hint" and problem.is_solved_by(deal, moment.prompt.word(deal, answer))
    progress.answered(problem, solved=solved)
    artist.note(words("play.thinking"))
    solution = yield partial(problem.solution, deal)
    artist.figures(deal, solution)
    artist.say(words(f"problems.{'right' if solved else 'wrong'}"), "bold green" if solved else "bold")
    artist.advise(deal, solution)  # last, since a small screen shows the end
    return moment
