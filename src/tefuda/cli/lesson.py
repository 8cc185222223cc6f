"""A lesson at the terminal: problems are asked, answers judged, and kept, so that what was missed comes back."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import platformdirs
from fsrs import Card
from rich.console import Console

from tefuda.bots import problem_schedule
from tefuda.bots.problem import Problem
from tefuda.cli.decision import DecisionPrompt, ask
from tefuda.cli.draw import Artist
from tefuda.engine.errors import TefudaError, file_fault
from tefuda.engine.files import whole
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.table.deal import Deal
from tefuda.table.game import Game

LEAVES = ("q", "quit", "exit")

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


class Lesson:
    """Problems of one game, solved at the terminal."""

    def __init__(self, game: Game, language: str) -> None:
        self._game, self._words = game, catalogue(TEXTS, language)
        self.console = Console(highlight=False)
        self._language, self._progress = language, SolvedProblems.of_game(game.name)

    def solve_all(self, problems: list[Problem]) -> None:
        """Ask what is due, then what is new."""
        seen: frozenset[str] = frozenset()
        while problem := self._progress.next_of(problems, seen):
            if not self.solve(problem):
                return
            seen |= {problem.name}
            if ask(self.console, self._words("problems.go_on"), []).lower() in LEAVES:
                return
        self.console.print(self._words("problems.all_done"))

    def solve(self, problem: Problem) -> bool:
        """Ask for the best play until a legal one has been made; tell if the player stays."""
        deal = problem.deal(self._game)
        artist = Artist.seated(self._game, self._language, problem.seat)
        prompt = DecisionPrompt(artist)
        self.console.rule(self._words("problems.title", name=problem.name, grade="★" * problem.grade))
        self._tell(artist, deal, problem.seat)
        prompt.show(deal, problem.seat)
        answer = ask(self.console, self._words("problems.ask"), deal.legal())
        while answer.lower() not in LEAVES and not prompt.make(deal.copy(), answer):
            answer = ask(self.console, self._words("problems.ask"), deal.legal())
        if answer.lower() in LEAVES:
            return False
        solved = problem.is_solved_by(deal, prompt.word(deal, answer))
        self._progress.answered(problem, solved=solved)
        artist.say(self._words("problems.right" if solved else "problems.wrong"), "bold green" if solved else "bold")
        solution = problem.solution(deal)
        artist.advise(deal, solution)
        artist.figures(deal, solution)
        return True

    @staticmethod
    def _tell(artist: Artist, deal: Deal, seat: int) -> None:
        """Tell the last of what has happened."""
        lines, moment = [], deal.at(0)
        for mover, word in deal.history:
            before = moment.view(seat)
            moment.play(word, mover)
            lines += moment.view(seat).told_since(before, mover, word)
        for line in lines[-TOLD:]:
            artist.tell(line)
