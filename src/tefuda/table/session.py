"""A session: deal after deal until the game is over, each with its own deck from one seed."""

import secrets
from collections.abc import Sequence

from tefuda.engine.errors import TefudaError
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.record_lines import write_deals


class Session:
    """A whole game: the deals that follow each other, with their totals.

    Args:
        game: with its options.
        seed: a whole number from 0; a random one by default.

    Attributes:
        game: with its options.
        seed: deal k is shuffled with the seeds (seed, k), k from 0.
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
        """The present deal.

        Raises:
            TefudaError: there is none yet.
        """
        if not self.deals:
            raise TefudaError("the session has no deal yet: begin with next_deal()")
        return self.deals[-1]

    @property
    def over(self) -> bool:
        """Whether the game is over with the present deal."""
        return bool(self.deals) and self.deal.over and bool(self.deal.facts()["over"])

    @property
    def totals(self) -> list[int]:
        """Each seat's total now, in the game's smallest unit; the present deal counts once it is over."""
        return list(self.deal.facts()["totals"]) if self.deals else [0] * self.game.seats

    def next_deal(self) -> Deal:
        """Shuffle and deal the next deal.

        Raises:
            TefudaError: the present deal is not finished, or the game is over.
        """
        if self.over:
            raise TefudaError("the game is over")
        before = self.deal.following() if self.deals else None
        self.deals.append(self.game.deal((self.seed, len(self.deals)), before=before))
        return self.deal

    def record(self, players: Sequence[str] = ()) -> str:
        """The session as the text of a record file (``.tfd``), which ``Record.parse`` reads.

        Args:
            players: a name for each seat, or none.
        """
        return write_deals(self.game, self.deals, players, self.seed)
