"""A game at one table: where deals and positions come from."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda import games
from tefuda.engine import rng
from tefuda.engine.errors import TefudaError
from tefuda.engine.option import UnknownOptionError, Value
from tefuda.engine.playout import MOST_CHANCE
from tefuda.engine.record import duplicate
from tefuda.table.deal import Deal
from tefuda.table.shuffle import Proof
from tefuda.table.table_rules import TableRules


class Game(TableRules):
    """A game with its seats and options, as it is played at one table. Made by ``tefuda.load``.

    Attributes:
        description: what the game says of itself: cards, notation, texts.
        seats: number of players.
        options: every option's value, by name; ``tefuda.options`` explains them.
        pack: the numbers of the cards in use, int64, each as often as the pack has it.

    Example:
        >>> import tefuda
        >>> game = tefuda.load("gong-zhu", seats=5)
        >>> game
        <Game gong-zhu, 5 seats>
        >>> game.options["five_deck"], len(game.pack)
        ('seed', 50)
    """

    def deal(
        self,
        seed: int | Sequence[int] | None = None,
        *,
        hands: Sequence[str] | None = None,
        deck: str | NDArray[np.int64] | None = None,
        chance: int | None = None,
        before: NDArray[Any] | None = None,
        fields: Mapping[str, Any] | None = None,
        proof: Proof | None = None,
    ) -> Deal:
        """Shuffle and deal.

        Args:
            seed: of the shuffle; a random one if neither seed, hands nor deck is given. The same seed deals the same
                cards in every version with the same version of the rules.
            hands: complete hands, one list of cards a seat, such as ``"SQ S7 …"``.
            deck: the order of the whole pack, as words with blanks or card numbers (int64).
            chance: the random number that goes with the deck, 0 to 2**30 − 1; from the seed by default.
            before: what an earlier deal handed on (``Deal.following``); the start of a game by default.
            fields: what else a scenario's deal may give, such as ``{"dealer": 2}``.
            proof: that the deck was shuffled fairly, to be kept in the record.

        Returns:
            The deal, before the first play.

        Raises:
            TefudaError: a seed or number that will not do, cards that are not the pack, unknown fields.

        Example:
            >>> import tefuda
            >>> tefuda.load("gong-zhu").deal(seed=24)
            <Deal of gong-zhu, 4 seats: no play yet, seat 1 to move>
        """
        start = duplicate(self.template if before is None else before)
        if chance is not None and (type(chance) is not int or not 0 <= chance < MOST_CHANCE):
            raise TefudaError(f"chance: {chance!r} is not a whole number from 0 to {MOST_CHANCE - 1}")
        generator = rng.generator(secrets.randbits(128) if seed is None else seed)
        order = self.pack.copy()
        rng.shuffle(generator, order)
        start["chance"] = int(rng.below(generator, MOST_CHANCE)) if chance is None else chance
        if hands is not None:
            fields = {**(fields or {}), "hands": list(hands)}
        arranged = self.description.setup.arrange(start[0], fields) if fields else None
        if deck is not None:
            order = self.read_deck(deck)
        elif arranged is not None:
            order = arranged
        return Deal(self, duplicate(start), order, start, proof)

    def position(self, fields: Mapping[str, Any]) -> Deal:
        """Set up a moment in the middle of a deal.

        Args:
            fields: as in a scenario file's ``[case.position]``: ``hands``, who is to move, what lies on the table.

        Returns:
            The deal from this position on. It has no deck, so it cannot be recorded.

        Raises:
            PositionError: fields that the game does not know, cards that are not in the pack or stand twice.

        Example:
            >>> import tefuda
            >>> position = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
            >>> position.legal()
            ['SA', 'H2']
        """
        states = duplicate(self.template)
        self.description.setup.position(states[0], fields)
        return Deal(self, states)


def load(name: str, seats: int | None = None, **options: Value) -> Game:
    """Load a game by name, with its seats and options.

    Args:
        name: such as ``"gong-zhu"``; ``tefuda.list_games`` gives all of them.
        seats: number of players; the usual number by default.
        options: values by name; ``tefuda.options`` says which there are. The others have their defaults.

    Returns:
        The game, from which deals and positions come.

    Raises:
        UnknownGameError: there is no such game.
        OptionError: unknown option (then it is a ``TypeError`` too), value or number of seats, or values that exclude
            each other.

    Example:
        >>> import tefuda
        >>> tefuda.load("gong-zhu", expose_order="until_quiet")
        <Game gong-zhu, 4 seats, expose_order='until_quiet'>
        >>> tefuda.load("gong-zu")
        Traceback (most recent call last):
        tefuda.games.UnknownGameError: there is no game 'gong-zu'; there are: gong-zhu, ...; did you mean 'gong-zhu'?
    """
    try:
        return Game(games.description(name), seats, options)
    except UnknownOptionError as error:  # libraries that try arguments look for these words of Python's
        raise UnknownOptionError(f"{error} (unexpected keyword argument {error.option!r})", error.option) from None


def list_games() -> list[str]:
    """The names of all games that are installed, sorted.

    A game of another package is among them: games are found by the entry point ``tefuda.games``.

    Example:
        >>> import tefuda
        >>> tefuda.list_games()
        ['gong-zhu', 'kakkuri', 'luk-fu', 'ma-diao', 'sap-ng-wu']
    """
    return games.names()
