"""Games at a table, which deal and set up positions, and sessions: deal after deal until a game is over."""

import copyreg
import secrets
from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tefuda import games
from tefuda.engine import rng
from tefuda.engine.description import Fields
from tefuda.engine.errors import TefudaError
from tefuda.engine.option import UnknownOptionError, Value
from tefuda.engine.play import MOST_CHANCE, deal_each
from tefuda.engine.record import duplicate
from tefuda.table.deal import Deal
from tefuda.table.record_lines import write_deals
from tefuda.table.shuffle import Proof
from tefuda.table.table_rules import TableRules


class Game(TableRules):
    """A game with its seats and options, as it is played at one table. Made by ``tefuda.load``.

    Attributes:
        description: the game's cards, notation and texts.
        seats: number of players.
        options: every option's value, by name (``tefuda.options``); and numbers that experiments change (docs/lab.md).
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
        before: NDArray[np.void] | None = None,
        fields: Fields | None = None,
        proof: Proof | None = None,
    ) -> Deal:
        """Shuffle and deal, up to the first play. ``TefudaError`` for a seed or number that will not do, cards that are
        not the pack, unknown fields.

        Args:
            seed: of the shuffle; a random one if neither seed, hands nor deck is given. The same seed deals the same
                cards in every version with the same version of the rules.
            hands: complete hands, one list of cards a seat, such as ``"SQ S7 …"``.
            deck: the order of the whole pack, as words with blanks or card numbers (int64).
            chance: the random number that goes with the deck, 0 to 2**30 − 1; from the seed by default.
            before: what an earlier deal handed on (``Deal.following``); the start of a game by default.
            fields: further facts, as a scenario's deal gives them, such as ``{"dealer": 2}``.
            proof: that the deck was shuffled fairly, to be kept in the record.

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

    def position(self, fields: Fields) -> Deal:
        """Set up a moment in the middle of a deal, which goes on from there. It has no deck, so it cannot be recorded.
        ``PositionError`` for fields that the game does not know, cards that are not in the pack or stand twice.

        Args:
            fields: as in a scenario file's ``[case.position]``: ``hands``, the seat to move, the cards on the table.

        Example:
            >>> import tefuda
            >>> position = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
            >>> position.legal()
            ['SA', 'H2']
        """
        states = duplicate(self.template)
        self.description.setup.position(states[0], fields)
        return Deal(self, states)


def numbered_deals(game: Game, seed: int, numbers: range) -> tuple[NDArray[np.void], NDArray[np.uint64]]:
    """Deal the deals of these numbers, each as ``game.deal((seed, number))`` deals it, however many at once: records of
    shape (deals,), and each deal's generator, uint64 of shape (deals, 1), as the shuffle left it."""
    rngs = np.array([rng.generator((seed, number)) for number in numbers], np.uint64).reshape(-1, 1)
    states = np.zeros(len(rngs), game.template.dtype)
    deal_each(states, game.template, game.pack, rngs)
    return states, rngs


class Session:
    """A whole game: the deals that follow each other, with their totals.

    Args:
        game: with its options.
        seed: a whole number from 0, a random one by default; deal k is shuffled with the seeds (seed, k), k from 0.

    Attributes:
        deals: all deals so far; the last is the present one.

    Example:
        >>> import tefuda
        >>> session = tefuda.Session(tefuda.load("gong-zhu", exposing=False), seed=7)
        >>> deal = session.next_deal()
        >>> while not deal.over:
        ...     deal.play(deal.legal()[0])
        >>> session.totals == deal.payoff()
        True
        >>> session.next_deal()
        <Deal of gong-zhu, 4 seats: no play yet, seat ... to move>
    """

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.seed = secrets.randbits(32) if seed is None else seed
        self.deals: list[Deal] = []

    def __repr__(self) -> str:
        deals = f"deal {len(self.deals)}" if self.deals else "no deal yet"
        now = f"{'over, ' if self.over else ''}totals {self.totals}"
        return f"<Session of {self.game.name}, {self.game.seats} seats, seed {self.seed}: {deals}, {now}>"

    @property
    def deal(self) -> Deal:
        """Present deal; ``TefudaError`` before there is one."""
        if not self.deals:
            raise TefudaError("the session has no deal yet: begin with next_deal()")
        return self.deals[-1]

    @property
    def over(self) -> bool:
        """True if the game is over with the present deal."""
        return bool(self.deals) and self.deal.over and bool(self.deal.facts()["over"])

    @property
    def totals(self) -> list[int]:
        """Total of each seat now, in the game's smallest unit; the present deal counts once it is over."""
        return list(self.deal.facts()["totals"]) if self.deals else [0] * self.game.seats

    def next_deal(self) -> Deal:
        """Shuffle and deal the next deal; ``TefudaError`` if the present one is not finished, or the game is over."""
        if self.over:
            raise TefudaError("the game is over")
        before = self.deal.following() if self.deals else None
        self.deals.append(self.game.deal((self.seed, len(self.deals)), before=before))
        return self.deal

    def record(self, players: Sequence[str] = ()) -> str:
        """Write the text of a record file (``.tfd``), which ``Record.parse`` reads; players have names, or none."""
        return write_deals(self.game, self.deals, players, self.seed)


def load(name: str, seats: int | None = None, **options: Value) -> Game:
    """Load a game by name, with its seats and options.

    Args:
        name: such as ``"gong-zhu"``; ``tefuda.list_games`` gives all of them.
        seats: number of players; the usual number by default.
        options: values by name; ``tefuda.options`` says which there are. The others have their defaults, or those of
            ``preset``, a known set of options such as ``"taiwan"`` (``tefuda rules GAME --presets``).

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
    """List the names of all games that are installed, sorted.

    Games of other packages are among them: they are found by the entry point ``tefuda.games``.

    Example:
        >>> import tefuda
        >>> tefuda.list_games()
        ['gong-zhu', 'kakkuri', 'luk-fu', 'ma-diao', 'sap-ng-wu']
    """
    return games.names()


# In another process a game is loaded anew: its description has functions that cannot be sent.
copyreg.pickle(Game, lambda game: (partial(load, game.name, game.seats, **game.changed_options()), ()))
