"""One deal at a table: whose turn, what is legal and why not, plays, views, the payoff, the record."""

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import step, verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import is_declaration
from tefuda.engine.record import duplicate
from tefuda.table.reasons import IllegalPlay, Reason, Spell, say, typed
from tefuda.table.view import View

if TYPE_CHECKING:
    from tefuda.table.game import Game
    from tefuda.table.shuffle import Proof


class Deal:
    """A deal in progress or finished. Made by ``Game.deal``, ``Game.position`` or ``Session``.

    Args:
        game: with its options.
        states: one record, owned by the deal from now on: before dealing if there is a deck, else a position.
        deck: the order of the pack.
        before: another copy of the record before dealing.

    Attributes:
        game: the game with its options.
        mover: the seat that acts now; −1 when the deal is over.
        history: the plays made, as (seat, word).
        deck: the order of the pack (int64), None in a position.
        before: the state before dealing, shape (1,): options, totals, the deal's random number.
        proof: of a fair shuffle, for the record.
    """

    def __init__(
        self, game: "Game", states: NDArray[Any], deck: NDArray[np.int64] | None, before: NDArray[Any] | None
    ) -> None:
        self.game, self.deck, self.before = game, deck, before
        self.history: list[tuple[int, str]] = []
        self.mover = -1
        self.proof: Proof | None = None
        self._states = states
        self._notation = game.description.notation
        self._single = self._notation.single
        self._out = np.empty(game.description.actions + 1, np.int64)
        self._numbers = self._out.data  # the same, read faster
        self._begun: list[int] = []
        self._look(step.situation(states, self._out) if deck is None else step.begin(states, deck, self._out))

    def __getstate__(self) -> dict[str, Any]:
        """For copies and other processes: a memoryview cannot be sent."""
        return {name: value for name, value in self.__dict__.items() if name != "_numbers"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._numbers = self._out.data

    def _look(self, n: int) -> None:
        """Take over what ``step`` has written: n legal actions and the mover."""
        numbers = self._numbers[: n + 1].tolist()
        self.mover = numbers.pop()
        self._legal: list[int] = numbers

    @property
    def over(self) -> bool:
        """Whether the deal is finished."""
        return self.mover < 0

    @property
    def state(self) -> Any:
        """A copy of the full state, for those who may know everything."""
        return duplicate(self._states)[0]

    def legal(self) -> list[str]:
        """The mover's legal plays."""
        return self._notation.plays(self._states, self._legal)

    def sole_answer(self) -> str | None:
        """The mover's only legal play, if it is a declaration: the table may answer for him at once.

        He is a mover like any other, so that being asked tells nobody anything.
        """
        legal = self.legal() if len(self._legal) == 1 else []
        return legal[0] if legal and is_declaration(legal[0]) else None

    def legal_actions(self) -> list[int]:
        """The mover's legal kernel actions, ascending."""
        return list(self._legal)

    def listed_play(self, action: int) -> str:
        """The word by which ``legal`` lists the play that begins with this legal action."""
        return self._notation.plays(self._states, [action])[0]

    def is_open(self, word: str) -> bool:
        """Whether others see which legal play of the mover this is; what they do see of it, their views tell.

        Raises:
            NotationError: the word is no play of this game.
        """
        looking, actions = self, self._notation.actions(self._states, word)
        for action in actions:
            if not step.is_open(looking._states, action, self.game.description.actions):
                return False
            if len(actions) > 1:
                looking = looking.copy() if looking is self else looking
                looking.act(action)
        return True

    def play(self, word: str, seat: int | None = None) -> None:
        """Make a play.

        Args:
            word: in the game's notation.
            seat: who plays; the mover if not given.

        Raises:
            NotationError: the word is no play of this game.
            IllegalPlay: the rules forbid it; its ``reason`` says which and why. Nothing has happened.
        """
        action = self._single.get(word)
        if action is None or action not in self._legal or (seat is not None and seat != self.mover):
            self._play_with_care(word, seat)
            return
        # Most plays take this way; calls are kept few, since a million of these a second are wanted.
        self.history.append((self.mover, word))
        self._look(step.move(self._states, action, self._out))

    def _play_with_care(self, word: str, seat: int | None) -> None:
        """A play of several actions, one spelt in another way, or an illegal one."""
        actions = self._notation.actions(self._states, word)
        if (seat is not None and seat != self.mover) or not self._may(actions[0]):
            self._refuse(word, seat)
        self._act_in_steps(word, actions)

    def _act_in_steps(self, word: str, actions: tuple[int, ...]) -> None:
        kept, begun = duplicate(self._states), list(self._begun)
        for action in actions:
            if not self._may(action):
                self._states[0] = kept[0]
                self._begun = begun
                self._look(step.situation(self._states, self._out))
                self._refuse(word, None)
            self.act(action)

    def _may(self, action: int) -> bool:
        """Whether an action is legal; of those that differ only in equal cards one is listed."""
        return action in self._legal or (not self.over and int(verbs.listed(self._states[0], action)) in self._legal)

    def listed(self, word: str) -> str:
        """The word by which ``legal`` lists a play, where cards are equal; else its normal spelling.

        Raises:
            NotationError: the word is no play of this game.
        """
        normal = self._notation.normal(word)
        action = self._single.get(normal)
        if action is None or self.over:
            return normal
        same = int(verbs.listed(self._states[0], action))
        return normal if same == action else self.listed_play(same)

    def equal_cards(self, cards: Iterable[str]) -> dict[str, str]:
        """The cards among these for which ``legal`` lists another, because the two are equal now, with that other."""
        if not verbs.has_equal_cards(self._states.dtype):
            return {}
        return {card: listed for card in cards if (listed := self.listed(card)) != card}

    def _refuse(self, word: str, seat: int | None) -> None:
        reason = self.why_not(word, seat)
        assert reason is not None, f"{word} is refused without a reason"
        raise IllegalPlay(word, reason)

    def act(self, action: int) -> None:
        """Make one legal kernel action of the mover.

        The caller has taken it from ``legal_actions``: nothing is checked here.
        """
        self._begun.append(action)
        word = self._notation.word(self._states, self._begun)
        seat = self.mover
        self._look(step.move(self._states, action, self._out))
        if word is not None:
            self.history.append((seat, word))
            self._begun.clear()

    def attach_proof(self, proof: "Proof") -> None:
        """Keep the proof of the deal's fair shuffle; its record then has it."""
        self.proof = proof

    def copy(self) -> "Deal":
        """The same deal, to try plays on."""
        copy = Deal(self.game, duplicate(self._states), None, None)
        copy.deck, copy.before, copy.history = self.deck, self.before, list(self.history)
        copy._begun = list(self._begun)
        return copy

    def why_not(
        self,
        word: str,
        seat: int | None = None,
        language: str = "en",
        names: Sequence[str] = (),
        spell: Spell = typed,
    ) -> Reason | None:
        """Why a play is illegal, or None if it is legal.

        Args:
            word: in the game's notation.
            seat: who would play; the mover if not given.
            language: of the text.
            names: what seats are called in it, by number.
            spell: how notation is written in it.

        Raises:
            NotationError: the word is no play of this game.
        """
        description = self.game.description
        if seat is not None:
            self._check_seat(seat)
        why = description.rules.why_not(self._states[0], self.mover if seat is None else seat, word)
        return None if why is None else say(description, why, language, names, spell)

    def _check_seat(self, seat: int) -> None:
        if type(seat) is bool or not isinstance(seat, Integral) or not 0 <= seat < self.game.seats:
            raise TefudaError(f"there is no seat {seat!r}; seats are 0 to {self.game.seats - 1}, −1 a spectator")

    def view(self, seat: int) -> View:
        """What a seat may know; −1 for a spectator.

        Raises:
            TefudaError: there is no such seat.
        """
        if seat != -1:
            self._check_seat(seat)
        return View(self.game.description, self._states, seat)

    def all_is_seen(self) -> bool:
        """Whether a spectator now knows everything but the deal's random number."""
        known, state = self.view(-1).array, duplicate(self._states)
        known["chance"] = known["viewer"] = state["chance"] = state["viewer"] = 0
        return bool(known.tobytes() == state.tobytes())

    def payoff(self) -> list[int]:
        """What each seat receives, in the game's smallest unit; before the end: as if it ended now."""
        out = np.zeros(self.game.seats, np.int64)
        verbs.payoff(self._states[0], out)
        return [int(points) for points in out]

    def facts(self) -> Mapping[str, Any]:
        """What else can be said of the deal now: totals, next leader, whether the game is over."""
        return self.game.description.setup.facts(self._states[0])

    def following(self) -> NDArray[Any]:
        """The state from which the next deal begins, shape (1,).

        Raises:
            TefudaError: this deal is not over.
        """
        if not self.over:
            raise TefudaError("the deal is not over")
        following = np.zeros(1, self._states.dtype)
        verbs.next_deal(self._states[0], following[0])
        return following

    def record(self) -> str:
        """The deal as the text of a record file (``.tfd``).

        Raises:
            TefudaError: a position has no deck, so it cannot be recorded.
        """
        from tefuda.table.record import write_deal

        return write_deal(self)
