"""What somebody's results add up to, game by game."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from tefuda.server.store.people import GameResult, SeatResult


@dataclass
class Against:
    """Somebody's results against one level of bots.

    Attributes:
        bots: how many such bots they have met in finished games, a game's several ones counted each.
        ahead: how many of them had a worse place.
        level_with: how many had the same.
    """

    bots: int = 0
    ahead: int = 0
    level_with: int = 0


@dataclass
class GameStatistics:
    """Somebody's results in one game.

    Attributes:
        games: finished.
        first: in how many of them they had the first place, shared ones too.
        deals: finished, in games that were broken off too.
        gain: points a deal more than the others at the table had on average; None before the first deal.
        against: by level; bots of none are not counted.
    """

    games: int = 0
    first: int = 0
    deals: int = 0
    gain: float | None = None
    against: Mapping[str, Against] = field(default_factory=dict)


def statistics(
    results: Iterable[GameResult], person: str, level_of: Callable[[str, str], str]
) -> dict[str, GameStatistics]:
    """By game.

    Args:
        results: of games in which this person took part; practice is left out.
        person: their hash.
        level_of: the level of a bot: from the game's name and the bot's spec; empty if it is of none.
    """
    by_game: dict[str, list[tuple[GameResult, SeatResult]]] = defaultdict(list)
    for result in results:
        mine = next((seat for seat in result.seats if seat.person == person), None)
        if mine is not None and not result.practice:
            by_game[result.game].append((result, mine))
    return {
        game: _of_one_game(found, lambda spec, game=game: level_of(game, spec))  # type: ignore[misc]
        for game, found in by_game.items()
    }


def _of_one_game(found: Sequence[tuple[GameResult, SeatResult]], level_of: Callable[[str], str]) -> GameStatistics:
    against: dict[str, Against] = {}
    finished = [each for each in found if each[0].counts]
    for result, mine in finished:
        for other in result.seats:
            level = level_of(other.bot) if other.bot and other.side != mine.side else ""
            if level:
                _count(against.setdefault(level, Against()), mine, other)
    deals = sum(result.deals for result, _ in found)
    return GameStatistics(
        games=len(finished),
        first=sum(mine.place == 1 for _, mine in finished),
        deals=deals,
        gain=sum(_gain(result, mine) for result, mine in found) / deals if deals else None,
        against=against,
    )


def _count(found: Against, mine: SeatResult, other: SeatResult) -> None:
    found.bots += 1
    found.ahead += mine.place < other.place
    found.level_with += mine.place == other.place


def _gain(result: GameResult, mine: SeatResult) -> float:
    others = [seat.points for seat in result.seats if seat.side != mine.side]
    return mine.points - fmean(others) if others else 0.0
