"""``tefuda problems solve`` and ``list``: "what would you play?" at the terminal."""

import sys
from dataclasses import asdict
from datetime import date

from rich.console import Console
from rich.table import Table

from tefuda.bots.problem import Problem, of_day, problems_of
from tefuda.cli.decision import DecisionPrompt
from tefuda.cli.draw import Artist
from tefuda.cli.exit_status import INTERRUPTED
from tefuda.cli.json_output import print_json
from tefuda.cli.problem_progress import Progress, default_path
from tefuda.cli.progress import prepare
from tefuda.cli.prompt import ask
from tefuda.cli.settings import command, game_with, language_of
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.notation import NotationError
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.reasons import IllegalPlay

LEAVES = ("q", "quit", "exit")

TOLD = 8
"""Lines of what has happened before."""


def run(name: str, chosen: str | None, day: date | None, language: str | None) -> None:
    """Solve problems, one after the other, until there is none or the player leaves.

    Args:
        name: of the game.
        chosen: name of the only problem to solve.
        day: whose problem to solve; None to solve those that are due, then new ones.
        language: of the texts.

    Raises:
        TefudaError: there is no such game, language or problem.
    """
    game, language = game_with(name, None, []), language_of(language)
    problems = _problems(game)
    prepare(game.description, language)
    lesson = _Lesson(game, language)
    try:
        if chosen is not None or day is not None:
            lesson.solve(
                _named(game, problems, chosen) if chosen is not None else of_day(problems, day or date.today())
            )
        else:
            lesson.solve_all(problems)
    except EOFError:
        lesson.console.print()
    except KeyboardInterrupt:
        lesson.console.print()
        sys.exit(INTERRUPTED)


def list_them(name: str, language: str | None, as_json: bool) -> None:
    """List a game's problems with how each stands."""
    game, language = game_with(name, None, []), language_of(language, printed=not as_json)
    problems, progress = _problems(game), Progress(default_path(game.name))
    if as_json:
        print_json([{"name": p.name, "grade": p.grade, "state": progress.state(p), **asdict(p)} for p in problems])
        return
    words, own = catalogue(TEXTS, language), catalogue(game.description.files.texts, language)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("name", "grade", "theme", "state"):
        table.add_column(words(f"problems.{heading}"))
    for each in problems:
        state = words(f"problems.{progress.state(each)}")
        table.add_row(each.name, "★" * each.grade, own(each.phase), state)
    Console(highlight=False).print(table)


def _problems(game: Game) -> list[Problem]:
    found = problems_of(game.description)
    if not found:
        raise TefudaError(f"{game.name} has no problems; find some: {command('problems', 'make', game.name)}")
    return found


def _named(game: Game, problems: list[Problem], name: str) -> Problem:
    known = {each.name: each for each in problems}
    if name not in known:
        listed = command("problems", "list", game.name)
        raise TefudaError(f"--name: there is no problem {name!r}; see: {listed}{nearest(name, known)}")
    return known[name]


class _Lesson:
    """Problems of one game, solved at the terminal."""

    def __init__(self, game: Game, language: str) -> None:
        self._game, self._words = game, catalogue(TEXTS, language)
        self.console = Console(highlight=False)
        self._language, self._progress = language, Progress(default_path(game.name))

    def solve_all(self, problems: list[Problem]) -> None:
        """What is due, then what is new."""
        seen: frozenset[str] = frozenset()
        while problem := self._progress.next_of(problems, seen):
            if not self.solve(problem):
                return
            seen |= {problem.name}
            if ask(self.console, self._words("problems.go_on"), []).lower() in LEAVES:
                return
        self.console.print(self._words("problems.all_done"))

    def solve(self, problem: Problem) -> bool:
        """Ask for the best play until a legal one has been made; whether the player stays."""
        deal = problem.deal(self._game)
        artist = self._artist(problem)
        prompt = DecisionPrompt(artist)
        self.console.rule(self._words("problems.title", name=problem.name, grade="★" * problem.grade))
        self._tell(artist, deal, problem.seat)
        prompt.show(deal, problem.seat)
        while True:
            answer = ask(self.console, self._words("problems.ask"), deal.legal())
            word = prompt.word(deal, answer)
            if answer.lower() in LEAVES:
                return False
            try:
                deal.copy().play(word)
            except (IllegalPlay, NotationError):
                prompt.explain(deal, word)
            else:
                break
        solved = problem.is_solved_by(deal, word)
        self._progress.answered(problem, solved=solved)
        artist.say(self._words("problems.right" if solved else "problems.wrong"), "bold green" if solved else "bold")
        verdict = problem.solution(deal)
        for sentence in verdict.sentences(deal, self._language, artist.names, artist.named):
            artist.say(sentence)
        self.console.print(artist.estimates(verdict))
        return True

    def _artist(self, problem: Problem) -> Artist:
        names = [self._words("bot", number=seat) for seat in range(self._game.seats)]
        names[problem.seat] = self._words("you")
        return Artist(self._game.description, self._language, names, self.console)

    @staticmethod
    def _tell(artist: Artist, deal: Deal, seat: int) -> None:
        """The last of what has happened."""
        lines, moment = [], deal.at(0)
        for mover, word in deal.history:
            before = moment.view(seat)
            moment.play(word, mover)
            lines += moment.view(seat).told_since(before, mover, word)
        for line in lines[-TOLD:]:
            artist.tell(line)
