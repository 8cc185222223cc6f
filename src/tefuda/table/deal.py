"""Deals at a table: whose turn, what is legal and why not, plays, views, the payoff, the record."""

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import turn, verbs
from tefuda.engine.description import Wish
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import NotationError, is_declaration
from tefuda.engine.record import duplicate
from tefuda.engine.texts import Spell, typed
from tefuda.engine.views import CommonKnowledge
from tefuda.table.reasons import LONGEST, IllegalPlay, Reason, no_play, say
from tefuda.table.record_lines import write_deals
from tefuda.table.shuffle import Proof
from tefuda.table.table_rules import TableRules
from tefuda.table.typed_play import near
from tefuda.table.view import SPECTATOR, View


class Deal:
    """A deal in progress or finished. Made by ``Game.deal``, ``Game.position`` or ``Session.next_deal``.

    A play is a word of the game's notation (``"SQ"``, ``"pass"``, ``"T9+K9+S9"``). Programs that count in numbers use
    ``legal_actions``, ``act`` and ``word`` instead: a play is one kernel action or several of the same mover.

    Args:
        game: with its options.
        states: one record, shape (1,), owned by the deal from now on: before dealing if there is a deck, else a
            position.
        deck: the order of the pack, int64 card numbers; None in a position.
        before: a copy of the record before dealing, shape (1,): options, totals, the deal's random number; None in a
            position.
        proof: of a fair shuffle, for the record; None if there is none.

    Attributes:
        mover: the seat that acts now; −1 when the deal is over.
        history: the plays made, as (seat, word).

    Example:
        >>> import tefuda
        >>> deal = tefuda.load("gong-zhu", exposing=False).deal(seed=7)
        >>> deal.play(deal.legal()[0])
        >>> deal
        <Deal of gong-zhu, 4 seats: 1 play made, seat 3 to move>
    """

    def __init__(
        self,
        game: TableRules,
        states: NDArray[np.void],
        deck: NDArray[np.int64] | None = None,
        before: NDArray[np.void] | None = None,
        proof: Proof | None = None,
    ) -> None:
        self.game, self.deck, self.before, self.proof = game, deck, before, proof
        self.history: list[tuple[int, str]] = []
        self.mover = -1
        self._states = states
        self._notation = game.description.notation
        self._single = self._notation.single
        self._out = np.empty(game.description.actions + 1, np.int64)
        self._begun: list[int] = []
        self._take_over(turn.write_turn(states, self._out) if deck is None else turn.deal(states, deck, self._out))
        self._dealt = duplicate(states)

    def __repr__(self) -> str:
        made = f"{len(self.history)} play{'s' if len(self.history) > 1 else ''} made" if self.history else "no play yet"
        now = f"over, payoff {self.payoff()}" if self.over else f"seat {self.mover} to move"
        return f"<Deal of {self.game.name}, {self.game.seats} seats: {made}, {now}>"

    def _take_over(self, n: int) -> None:
        """Read what ``step`` has written: n legal actions and the mover."""
        self._legal: list[int] = self._out[: n + 1].tolist()
        self.mover = self._legal.pop()

    @property
    def over(self) -> bool:
        """True if the deal is finished."""
        return self.mover < 0

    @property
    def state(self) -> Any:
        """A copy of the full state, a record with its fields as attributes: every hand is in it."""
        return self.array[0]

    @property
    def array(self) -> NDArray[np.void]:
        """A copy of the full state as an array of shape (1,), as compiled code takes it."""
        return duplicate(self._states)

    def shows(self, action: int) -> bool:
        """Tell if the others see which action the mover makes."""
        return turn.is_open(self._states, action, self.game.description.actions)

    def is_open(self, word: str) -> bool:
        """Tell if the others see which legal play of the mover this is; their views tell what else they see of it.

        ``NotationError`` if the word is no play of this game."""
        if word in self._single:
            return self.shows(self._single[word])
        trial = self.copy()
        for action in self._notation.actions(self._states, word):
            if not trial.shows(action):
                return False
            trial.act(action)
        return True

    def is_all_public(self) -> bool:
        """Tell if a spectator now knows everything but the deal's random number."""
        known, states = self.view(SPECTATOR).array, self.array
        known["chance"] = known["viewer"] = states["chance"] = states["viewer"] = 0
        return bool(known.tobytes() == states.tobytes())

    def legal(self) -> list[str]:
        """List the mover's legal plays, as words; none when the deal is over.

        Where several cards must be thrown face down, one entry such as ``~3`` (any three cards) stands for all plays
        of that kind.

        Example:
            >>> import tefuda
            >>> tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]}).legal()
            ['SA', 'H2']
        """
        return self._notation.plays(self._states, self._legal)

    def sole_answer(self) -> str | None:
        """Return the mover's only legal play, if it is a declaration such as ``expose:none``; else None.

        The table may make it for the player at once. Seats with one answer are asked like all others, so that being
        asked tells nobody anything."""
        legal = self.legal() if len(self._legal) == 1 else []
        return legal[0] if legal and is_declaration(legal[0]) else None

    def wish(self, seat: int) -> Wish | None:
        """Return the play that a seat may make now although it is not asked, and the answer of one that has not.

        Example:
            >>> import tefuda
            >>> deal = tefuda.load("kakkuri", fuwaru=False).deal(seed=1)
            >>> deal.wish((deal.mover + 1) % 5)
            Wish(play='drop', otherwise='stay')
        """
        wish = self.game.description.rules.wish
        return None if wish is None or self.over else wish(self._states[0], seat)

    def own_answer(self, said: str | None = None) -> str | None:
        """Return the play that a table makes for the mover by itself; None if the mover is to choose.

        ``said`` is the mover's ``wish``, if it was said before it was asked."""
        wish = self.wish(self.mover)
        if wish is None:
            return self.sole_answer()
        legal = self.legal()
        if said == wish.play and said in legal:
            return said
        return wish.otherwise if set(legal) == set(wish) else self.sole_answer()

    def legal_actions(self) -> list[int]:
        """List the mover's legal kernel actions, ascending; none when the deal is over."""
        return list(self._legal)

    def word(self, action: int) -> str:
        """Return the word by which ``legal`` lists the play that begins with this legal kernel action."""
        return self._notation.plays(self._states, [action])[0]

    def play(self, word: str, seat: int | None = None) -> None:
        """Make a play; ``NotationError`` if the word is none of this game. ``IllegalPlay`` if the rules forbid it: its
        ``reason`` says which and why, and the deal is unchanged.

        Args:
            word: in the game's notation, its cards in any order.
            seat: the player's; the mover's by default. Another seat may make the play of its ``wish``, if the rules
                let it act out of turn.

        Example:
            >>> import tefuda
            >>> deal = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
            >>> deal.play("SA")
            >>> deal.play("H3")
            Traceback (most recent call last):
            tefuda.table.reasons.IllegalPlay: H3: You cannot play H3... [GZ-12]
        """
        action = self._single.get(word)
        if action is None or action not in self._legal or (seat is not None and seat != self.mover):
            self._play_with_care(word, seat)
            return
        # Most plays take this way, so it makes few calls.
        self.history.append((self.mover, word))
        self._take_over(turn.act(self._states, action, self._out))

    def _play_with_care(self, word: str, seat: int | None) -> None:
        """Make a play of several actions, or one spelt in another way or out of turn; refuse an illegal one."""
        if seat is not None and seat != self.mover and self._interrupts(word, seat):
            return
        actions = self._notation.actions(self._states, word)
        if (seat is not None and seat != self.mover) or not self._may(actions[0]):
            self._refuse(word, seat)
        self._act_in_steps(word, actions)

    def _interrupts(self, word: str, seat: int) -> bool:
        """Make a play out of turn; False if this one cannot be made so."""
        wish = self.wish(seat)
        if wish is None or self._notation.normal(word) != wish.play:
            return False
        if not self.game.description.rules.interrupt(self._states[0], seat):
            return False
        self.history.append((seat, wish.play))
        self._take_over(turn.write_turn(self._states, self._out))
        return True

    def _act_in_steps(self, word: str, actions: tuple[int, ...]) -> None:
        kept, begun = duplicate(self._states), list(self._begun)
        for action in actions:
            if not self._may(action):
                self._states[0] = kept[0]
                self._begun = begun
                self._take_over(turn.write_turn(self._states, self._out))
                self._refuse(word, None)
            self.act(action)

    def _may(self, action: int) -> bool:
        """Tell if an action is legal; of those that differ only in equal cards one is listed."""
        return action in self._legal or (not self.over and int(verbs.listed(self._states[0], action)) in self._legal)

    def listed(self, word: str) -> str:
        """Return the spelling of a play that ``legal`` uses: its cards in the game's order.

        Where two cards are equal now, ``legal`` lists one of them, and this is the word for either. ``NotationError``
        if the word is no play of this game."""
        normal = self._notation.normal(word)
        action = self._single.get(normal)
        if action is None or self.over or not verbs.has_equal_cards(self._states.dtype):
            return normal
        same = int(verbs.listed(self._states[0], action))
        return normal if same == action else self.word(same)

    def _refuse(self, word: str, seat: int | None) -> None:
        reason = self.why_not(word, seat)
        assert reason is not None, f"{word} is refused without a reason"
        raise IllegalPlay(word, reason)

    def act(self, action: int) -> None:
        """Make one legal kernel action of the mover: one of ``legal_actions``, which is not checked."""
        self._begun.append(action)
        word = self._notation.word(self._states, self._begun)
        seat = self.mover
        self._take_over(turn.act(self._states, action, self._out))
        if word is not None:
            self.history.append((seat, word))
            self._begun.clear()

    def copy(self) -> "Deal":
        """Copy the deal as it stands, to try plays on."""
        copy = Deal.__new__(Deal)
        copy.__dict__ |= {
            **self.__dict__,
            "_states": duplicate(self._states),
            "_out": np.empty_like(self._out),
            "history": list(self.history),
            "_begun": list(self._begun),
        }
        return copy

    def at(self, plays: int) -> "Deal":
        """Return the deal as it stood after so many plays of its history, each made again by the rules. ``TefudaError``
        if there are not so many plays.

        Args:
            plays: 0 for the moment after dealing, ``len(deal.history)`` for now.

        Example:
            >>> import tefuda
            >>> deal = tefuda.load("gong-zhu", exposing=False).deal(seed=7)
            >>> for _ in range(3):
            ...     deal.play(deal.legal()[0])
            >>> deal.at(2)
            <Deal of gong-zhu, 4 seats: 2 plays made, seat 0 to move>
        """
        if not 0 <= plays <= len(self.history):
            raise TefudaError(f"plays: {plays} is not from 0 to {len(self.history)}, the plays made")
        earlier = Deal(self.game, duplicate(self._dealt), proof=self.proof)
        earlier.deck, earlier.before = self.deck, self.before
        for seat, word in self.history[:plays]:
            earlier.play(word, seat)
        return earlier

    def why_not(
        self, word: str, seat: int | None = None, language: str = "en", names: Sequence[str] = (), spell: Spell = typed
    ) -> Reason | None:
        """Explain why a play is illegal, as far as this seat may know; None if it is legal. The reason has the number
        of the rule, or none if the word is no play of this game. ``TefudaError`` if there is no such seat or language.

        Args:
            word: in the game's notation.
            seat: the player's; the mover's by default.
            language: of the text: ``en``, ``ja``, ``zh-Hant`` or ``zh-Hans``.
            names: of the seats; by default "seat 2" and the like.
            spell: writes notation in the text; by default as it is typed.

        Example:
            >>> import tefuda
            >>> deal = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
            >>> deal.play("SA")
            >>> deal.why_not("H3")
            <Reason GZ-12: You cannot play H3: the suit led is spades and you hold some, so you must follow. ...>
            >>> deal.why_not("SK") is None
            True
        """
        description = self.game.description
        if seat is not None:
            self._check_seat(seat)
        try:
            why = description.rules.why_not(self._states[0], self.mover if seat is None else seat, word)
        except NotationError:
            legal = self.legal() if seat in (None, self.mover) else []
            return no_play(description, word, language, legal, near(description, legal, str(word)[:LONGEST]), spell)
        return None if why is None else say(description, why, language, names, spell)

    def _check_seat(self, seat: int) -> None:
        if type(seat) is bool or not isinstance(seat, Integral) or not 0 <= seat < self.game.seats:
            raise TefudaError(f"there is no seat {seat!r}; seats are 0 to {self.game.seats - 1}, −1 a spectator")

    def view(self, seat: int, *, told: bool = False) -> View:
        """Return a seat's knowledge (in the literature its observation, or information state). ``TefudaError`` if there
        is no such seat.

        Args:
            seat: 0 and up; −1 for a spectator, who sees what is public.
            told: with the play so far, for a text of the view; the deal is played through for it.

        Example:
            >>> import tefuda
            >>> deal = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
            >>> deal.view(1).to_dict()["hands"]
            ['SK', 'H3']
        """
        if seat != -1:
            self._check_seat(seat)
        view = View(self.game.description, self._states, seat)
        deal = self.at(0) if told else self
        for mover, word in self.history if told else ():  # each play as it then looked to this seat
            before = deal.view(seat)
            deal.play(word, mover)
            view.told = [*view.told, *deal.view(seat).told_since(before, mover, word)]
        return view

    def views(self) -> list[View]:
        """List the views of all seats, then a spectator's (−1): what they have in common is worked out once."""
        description, seats = self.game.description, self.game.seats
        common = CommonKnowledge(self._states, seats, description.personal)
        return [View(description, self._states, seat, common) for seat in (*range(seats), SPECTATOR)]

    def payoff(self) -> list[int]:
        """List what each seat receives for the deal; before the end, what it would receive if the deal ended now.

        These are whole numbers in the game's smallest unit: ``description.rules.unit`` of them make one of what people
        count (2 in Ma Diao, where half stakes are paid; 1 elsewhere)."""
        out = np.zeros(self.game.seats, np.int64)
        verbs.payoff(self._states[0], out)
        return [int(points) for points in out]

    def facts(self) -> Mapping[str, Any]:
        """Return further facts of the deal now, by name.

        ``totals`` (of each seat, in the smallest unit) and ``over`` (true if the whole game is) are always there. After
        the deal, in some games, ``next_leader`` or ``next_dealer`` is the seat that begins the next one."""
        return self.game.description.setup.facts(self._states[0])

    def following(self) -> NDArray[np.void]:
        """Return the state from which the next deal begins, shape (1,): the ``before`` of ``Game.deal``.

        ``TefudaError`` if this deal is not over."""
        if not self.over:
            raise TefudaError("the deal is not over")
        following = np.zeros(1, self._states.dtype)
        verbs.next_deal(self._states[0], following[0])
        return following

    def record(self) -> str:
        """Write the deal as the text of a record file (``.tfd``), which ``Record.parse`` reads.

        ``TefudaError`` if it is a position, which has no deck."""
        return write_deals(self.game, [self], [])
