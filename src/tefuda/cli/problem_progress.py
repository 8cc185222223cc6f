"""Which problems somebody has solved and missed at the terminal, and when each comes back."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import platformdirs
from fsrs import Card

from tefuda.bots import problem_schedule
from tefuda.bots.problem import Problem
from tefuda.engine.errors import TefudaError, file_fault
from tefuda.engine.files import whole


def default_path(game: str) -> Path:
    """Where what somebody has solved of a game is kept."""
    return Path(platformdirs.user_data_dir("tefuda")) / f"{game}-problems.json"


class Progress:
    """One person's progress in the problems of one game; each answer is kept at once.

    Args:
        path: of the file.

    Raises:
        TefudaError: the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._known: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else {}
            self._cards = {name: Card.from_dict(known["card"]) for name, known in self._known.items()}
        except OSError as error:
            raise TefudaError(file_fault(error)) from error
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise TefudaError(f"{path}: not a list of solved problems; move it away to begin anew: {error}") from None

    def state(self, problem: Problem) -> str:
        """``new``, ``solved`` or ``missed``, by the last answer."""
        known = self._known.get(problem.name)
        return "new" if known is None else "solved" if known["solved"] else "missed"

    def due(self, problem: Problem) -> datetime | None:
        """When a problem comes back; None if it is new."""
        card = self._cards.get(problem.name)
        return None if card is None else card.due

    def next_of(self, problems: Sequence[Problem], besides: frozenset[str] = frozenset()) -> Problem | None:
        """The problem to solve now: what is due, longest first, then what is new, the easiest first; None if there is
        nothing.

        Args:
            problems: of the game, the easiest first.
            besides: names of those not to choose.
        """
        now, open_ones = datetime.now(UTC), [each for each in problems if each.name not in besides]
        back = sorted(
            (due, place) for place, each in enumerate(open_ones) if (due := self.due(each)) is not None and due <= now
        )
        if back:
            return open_ones[back[0][1]]
        return next((each for each in open_ones if self.due(each) is None), None)

    def answered(self, problem: Problem, *, solved: bool) -> None:
        """Keep an answer.

        Raises:
            TefudaError: the file cannot be written.
        """
        card = self._cards[problem.name] = problem_schedule.answered(self._cards.get(problem.name), solved=solved)
        self._known[problem.name] = {"solved": solved, "card": card.to_dict()}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with whole(self._path) as fresh:
                fresh.write_text(json.dumps(self._known, indent=1), "utf-8")
        except OSError as error:
            raise TefudaError(file_fault(error)) from error
