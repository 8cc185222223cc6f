"""What a store keeps of people beside the logs: the results of their games, their ratings, house rules."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

ERASED = "—"
"""In place of a name that was erased."""


@dataclass(frozen=True)
class SeatResult:
    """What a game brought one seat.

    Attributes:
        seat: its number.
        name: of whoever sits there; empty where a person has left before the end.
        person: the hash of a guest, else of a token; None for a bot.
        bot: which bot; None for a person.
        side: partners have the same number.
        points: in all, as people count them.
        place: 1 for the most points; partners share one.
    """

    seat: int
    name: str
    person: str | None
    bot: str | None
    side: int
    points: float
    place: int


@dataclass(frozen=True)
class GameResult:
    """What a game, from its first deal, has brought everybody so far.

    Attributes:
        table, session: where it was played, and the how many-eth game there.
        at: when its latest deal ended, milliseconds since 1970.
        game: which.
        deals: that are finished.
        over: whether the game is.
        practice: whether somebody has taken a play back: then it counts for nothing.
        seats: in order.
        shown: whether the table is still there, to be looked at.
    """

    table: str
    session: int
    at: int
    game: str
    deals: int
    over: bool
    practice: bool
    seats: tuple[SeatResult, ...]
    shown: bool = True

    @property
    def counts(self) -> bool:
        """Whether figures and ratings count it: it is over, no practice, and not everybody has left before the end."""
        return self.over and not self.practice and any(seat.person and seat.name for seat in self.seats)


@dataclass(frozen=True)
class Rating:
    """How well somebody plays a game, as far as is known: a normal distribution.

    Attributes:
        mu, sigma: its mean and its standard deviation.
        games: from which it was computed.
    """

    mu: float = 25.0
    sigma: float = 25.0 / 3
    games: int = 0


class Contest(Protocol):
    """A finished game by which ratings change."""

    @property
    def game(self) -> str: ...

    @property
    def pool(self) -> str:
        """Which of their ratings change: those among people, or those against bots."""

    @property
    def rated(self) -> Sequence[str]:
        """Who takes part."""

    def rate(self, before: Mapping[str, Rating]) -> Mapping[str, Rating]:
        """Everybody's rating afterwards."""


Contests = Callable[[GameResult], Sequence[Contest]]
"""Tells what changes ratings by a result."""


@dataclass(frozen=True)
class HouseRules:
    """Options under a name.

    Attributes:
        id: in their address.
        at: when they were saved, milliseconds since 1970.
        person: who saved them; None if they are forgotten.
        title: what they are called.
        game, seats: of the table.
        options: those that differ from the usual ones.
    """

    id: str
    at: int
    person: str | None
    title: str
    game: str
    seats: int
    options: Mapping[str, Any]


class People(ABC):
    """Results, ratings and house rules. Every method raises ``Unavailable`` if the store does not answer."""

    @abstractmethod
    async def record(self, result: GameResult, contests: Contests) -> None:
        """Keep a result in place of an earlier one of the same game; when the game is over, once, ratings change.

        Whoever has been erased has no name in it, and no part in what changes ratings.

        Args:
            result: so far.
            contests: tells what changes ratings by it.
        """

    @abstractmethod
    async def results(self, person: str, limit: int) -> list[GameResult]:
        """The latest games of a person, the latest first."""

    @abstractmethod
    async def ratings(self, rated: Sequence[str]) -> dict[tuple[str, str, str], Rating]:
        """The ratings of these people and bots, by (who, game, pool)."""

    @abstractmethod
    async def save_rules(self, rules: HouseRules) -> None:
        """Keep house rules under their id; of nobody, if the person has been erased."""

    @abstractmethod
    async def rules(self, key: str) -> HouseRules | None:
        """The house rules with this id."""

    @abstractmethod
    async def all_rules(self, limit: int, person: str | None = None) -> list[HouseRules]:
        """The latest house rules, the latest first; only those of a person, if one is named."""

    @abstractmethod
    async def remove_rules(self, key: str, person: str) -> bool:
        """Delete house rules of this person; False if there are none."""
