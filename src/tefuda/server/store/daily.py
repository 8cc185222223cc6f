"""What a store keeps of the deals of the day: their shuffles, and what everybody made of them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


class DealOfDay(NamedTuple):
    """Which deal: the day by universal time, as ``2026-11-23``, and the game."""

    day: str
    game: str


@dataclass(frozen=True)
class DailyResult:
    """What somebody made of the deal of a day.

    Attributes:
        player: the hash of a guest, else of a token; of a bot ``bot`` and its spec.
        at: when the deal ended, milliseconds since 1970.
        name: what they are called; of a bot its spec.
        points: as people count them.
        table: where they played; empty for a bot.
    """

    player: str
    at: int
    name: str
    points: float
    table: str

    @property
    def bot(self) -> str:
        """The spec of a bot; empty for a person."""
        kind, _, spec = self.player.partition(" ")
        return spec if kind == "bot" else ""


class DailyDeals(ABC):
    """Deals of the day. Every method raises ``Unavailable`` if the store does not answer."""

    @abstractmethod
    async def proof(self, deal: DealOfDay) -> Mapping[str, Any] | None:
        """The shuffle of a day, as ``Proof.to_json`` writes it; None before it was first dealt."""

    @abstractmethod
    async def settle(self, deal: DealOfDay, proof: Mapping[str, Any]) -> Mapping[str, Any]:
        """Make this the shuffle of a day, unless there is one; the one that counts."""

    @abstractmethod
    async def record(self, deal: DealOfDay, result: DailyResult) -> None:
        """Keep a result, unless this player has one, for the first counts, or has been erased."""

    @abstractmethod
    async def results(self, deal: DealOfDay) -> list[DailyResult]:
        """Everybody's results, the best first, earlier ones before later ones."""
