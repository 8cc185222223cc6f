"""A session: deal after deal until the game is over, each with its own deck from one seed."""

import secrets

from tefuda.engine.errors import TefudaError
from tefuda.table.deal import Deal
from tefuda.table.game import Game


class Session:
    """The deals of one game.

    Attributes:
        game: with its options.
        seed: deal k is shuffled with the seeds (seed, k), k from 0.
        deals: all deals so far; the last is the present one.
    """

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.seed = secrets.randbits(32) if seed is None else seed
        self.deals: list[Deal] = []

    @property
    def deal(self) -> Deal:
        """The present deal."""
        return self.deals[-1]

    @property
    def over(self) -> bool:
        """Whether the game is over with the present deal."""
        return bool(self.deals) and self.deal.over and bool(self.deal.facts()["over"])

    @property
    def totals(self) -> list[int]:
        """Each seat's total now: with the present deal once that is over."""
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
