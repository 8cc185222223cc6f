"""One deal at a table: whose turn, what is legal and why not, plays, views, the payoff, the record."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import step, verbs
from tefuda.engine.playout import MOST_ACTIONS
from tefuda.table.reasons import IllegalPlay, Reason, say
from tefuda.table.view import View

if TYPE_CHECKING:
    from tefuda.table.game import Game


class Deal:
    """A deal in progress or finished. Made by ``Game.deal``, ``Game.position`` or ``Session``.

    Attributes:
        game: the game with its options.
        history: the plays made, as (seat, word).
        deck: the order of the pack (int64), None in a position.
        before: the state before dealing, shape (1,): options, totals, the deal's random number.
    """

    def __init__(
        self, game: "Game", states: NDArray[Any], deck: NDArray[np.int64] | None, before: NDArray[Any] | None
    ) -> None:
        self.game, self.deck, self.before = game, deck, before
        self.history: list[tuple[int, str]] = []
        self._states = states
        self._notation = game.description.notation
        self._out = np.empty(MOST_ACTIONS, np.int64)
        self._begun: list[int] = []
        self._look(step.situation(states, self._out))

    def _look(self, n: int) -> None:
        numbers: list[int] = self._out[: n + 1].tolist()
        self._mover = numbers.pop()
        self._legal = numbers

    @property
    def mover(self) -> int:
        """The seat that acts now; −1 when the deal is over."""
        return self._mover

    @property
    def over(self) -> bool:
        """Whether the deal is finished."""
        return self._mover < 0

    @property
    def state(self) -> Any:
        """A copy of the full state, for those who may know everything."""
        return self._states.copy()[0]

    def legal(self) -> list[str]:
        """The mover's legal plays."""
        return self._notation.plays(self._states, self._legal)

    def sole_answer(self) -> str | None:
        """The mover's only legal play, if it is a declaration: the table may answer for him at once.

        He is a mover like any other, so that being asked tells nobody anything.
        """
        legal = self.legal() if len(self._legal) == 1 else []
        return legal[0] if legal and legal[0][0].islower() else None

    def legal_actions(self) -> list[int]:
        """The mover's legal kernel actions, ascending."""
        return list(self._legal)

    def play(self, word: str, seat: int | None = None) -> None:
        """Make a play.

        Args:
            word: in the game's notation.
            seat: who plays; the mover if not given.

        Raises:
            NotationError: the word is no play of this game.
            IllegalPlay: the rules forbid it; its ``reason`` says which and why. Nothing has happened.
        """
        actions = self._notation.actions(self._states, word)
        if (seat is not None and seat != self._mover) or actions[0] not in self._legal:
            self._refuse(word, seat)
        if len(actions) == 1:
            self.act(actions[0])
        else:
            self._act_in_steps(word, actions)

    def _act_in_steps(self, word: str, actions: tuple[int, ...]) -> None:
        kept = self._states.copy()
        for action in actions:
            if action not in self._legal:
                self._states[0] = kept[0]
                self._begun.clear()
                self._look(step.situation(self._states, self._out))
                self._refuse(word, None)
            self.act(action)

    def _refuse(self, word: str, seat: int | None) -> None:
        reason = self.why_not(word, seat)
        assert reason is not None, f"{word} is refused without a reason"
        raise IllegalPlay(word, reason)

    def act(self, action: int) -> None:
        """Make one legal kernel action of the mover (the caller has taken it from ``legal_actions``)."""
        self._begun.append(action)
        word = self._notation.word(self._states, self._begun)
        seat = self._mover
        self._look(step.move(self._states, action, self._out))
        if word is not None:
            self.history.append((seat, word))
            self._begun.clear()

    def copy(self) -> "Deal":
        """The same deal, to try plays on."""
        copy = Deal(self.game, self._states.copy(), self.deck, self.before)
        copy.history = list(self.history)
        return copy

    def why_not(
        self, word: str, seat: int | None = None, language: str = "en", names: Sequence[str] = ()
    ) -> Reason | None:
        """Why a play is illegal, or None if it is legal.

        Args:
            word: in the game's notation.
            seat: who would play; the mover if not given.
            language: of the text.
            names: what seats are called in it, by number.

        Raises:
            NotationError: the word is no play of this game.
        """
        description = self.game.description
        why = description.why_not(self._states[0], self._mover if seat is None else seat, word)
        return None if why is None else say(description, why, language, names)

    def view(self, seat: int) -> View:
        """What a seat may know; −1 for a spectator.

        Raises:
            ValueError: there is no such seat.
        """
        if not -1 <= seat < self.game.seats:
            raise ValueError(f"there is no seat {seat}; seats are 0 to {self.game.seats - 1}, −1 a spectator")
        return View(self.game.description, self._states, seat)

    def payoff(self) -> list[int]:
        """What each seat receives, in the game's smallest unit; before the end: as if it ended now."""
        out = np.zeros(self.game.seats, np.int64)
        verbs.payoff(self._states[0], out)
        return [int(points) for points in out]

    def facts(self) -> Mapping[str, Any]:
        """What else can be said of the deal now: totals, next leader, whether the game is over."""
        return self.game.description.facts(self._states[0])

    def following(self) -> NDArray[Any]:
        """The state from which the next deal begins, shape (1,).

        Raises:
            ValueError: this deal is not over.
        """
        if not self.over:
            raise ValueError("the deal is not over")
        following = np.zeros(1, self._states.dtype)
        verbs.next_deal(self._states[0], following[0])
        return following

    def record(self) -> str:
        """The deal as the text of a record file (``.tfd``).

        Raises:
            ValueError: a position has no deck, so it cannot be recorded.
        """
        from tefuda.table.record import write_deal

        return write_deal(self)
