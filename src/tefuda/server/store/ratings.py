"""Ratings, by openskill, and figures game by game, from results.

Every finished game counts once. Among people it counts if at least two took part: then the people are compared with
each other. Against bots it counts if at least one bot and one person took part: then everybody is compared with
everybody. What is compared is the place; partners are one side. A bot is rated under its spec; if it had several seats,
its rating changes by the mean of what they brought it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from tefuda.server.store.people import GameResult, PlacedSides
from tefuda.server.store.port import PlayerRating, SeatResult

PEOPLE, BOTS = "people", "bots"  # pools: ratings from games among people, and from games with bots

MIDDLE, STEP = 1500, 60
"""The scale on which ratings are shown: a newcomer's mean, and the worth of one point of openskill's scale."""


def contests(result: GameResult) -> list[PlacedSides]:
    """The contests in a game; none if it does not count, or if a person had several seats."""
    people = [seat for seat in result.seats if seat.person is not None]
    bots = [seat for seat in result.seats if seat.bot is not None]
    if not result.counts or any(count > 1 for count in Counter(seat.person for seat in people).values()):
        return []
    found = []
    if len({seat.side for seat in people}) > 1:
        found.append(_contest(result.game, PEOPLE, people))
    if people and len({seat.side for seat in (*people, *bots)}) > 1 and bots:
        found.append(_contest(result.game, BOTS, [*people, *bots]))
    return found


def _contest(game: str, pool: str, seats: Sequence[SeatResult]) -> PlacedSides:
    sides: dict[int, list[SeatResult]] = defaultdict(list)
    for seat in seats:
        sides[seat.side].append(seat)
    names = [[seat.person or f"bot {seat.bot}" for seat in side] for side in sides.values()]
    return PlacedSides(game, pool, names, [side[0].place for side in sides.values()])


def shown(rating: PlayerRating) -> tuple[int, int]:
    """A rating as people read it: the mean, and half of the 95% interval."""
    return round(MIDDLE + STEP * (rating.mu - PlayerRating.mu)), round(2 * STEP * rating.sigma)


@dataclass
class Against:
    """A person's results against one level of bots: how many such bots they met in finished games, a game's several
    ones counted each; and of them, those that had a worse place."""

    bots: int = 0
    ahead: int = 0


@dataclass
class GameStatistics:
    """A person's results in one game."""

    games: int = 0  # finished
    first: int = 0  # of them, those that brought the first place, shared ones too
    deals: int = 0  # finished, in games that were broken off too
    # points a deal more than the others at the table had on average; None before the first deal
    gain: float | None = None
    against: Mapping[str, Against] = field(default_factory=dict)  # by level; bots of none are not counted


def statistics(
    results: Iterable[GameResult], person: str, level_of: Callable[[str, str], str]
) -> dict[str, GameStatistics]:
    """Sum up the results of a person, by their hash, in each game; practice is left out. ``level_of`` tells the level
    of a bot from the game's name and the bot's spec, empty if it is of none."""
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
                met = against.setdefault(level, Against())
                met.bots += 1
                met.ahead += mine.place < other.place
    deals = sum(result.deals for result, _ in found)
    return GameStatistics(
        games=len(finished),
        first=sum(mine.place == 1 for _, mine in finished),
        deals=deals,
        gain=sum(_gain(result, mine) for result, mine in found) / deals if deals else None,
        against=against,
    )


def _gain(result: GameResult, mine: SeatResult) -> float:
    others = [seat.points for seat in result.seats if seat.side != mine.side]
    return mine.points - fmean(others) if others else 0.0
