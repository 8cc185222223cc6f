"""Ratings: how well people and bots play a game, from the results of finished games, by openskill.

Every finished game counts once. Among people it counts if at least two took part: then the people are compared with
each other. Against bots it counts if at least one bot and one person took part: then everybody is compared with
everybody. What is compared is the place; partners are one side. A bot is rated under its spec; if it had several seats,
its rating changes by the mean of what they brought it.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from tefuda.server.store.people import GameResult, Rating, SeatResult

PEOPLE, BOTS = "people", "bots"
"""Pools: ratings from games among people, and from games with bots."""

MIDDLE, STEP = 1500, 60
"""How ratings are shown: a newcomer's mean, and what one point of openskill's scale counts."""


@dataclass(frozen=True)
class PlacedSides:
    """A finished game, as ratings see it; a ``Contest``.

    Attributes:
        game, pool: which ratings change.
        sides: who was on each side; somebody may stand there several times.
        places: of the sides, 1 for the best.
    """

    game: str
    pool: str
    sides: Sequence[Sequence[str]]
    places: Sequence[int]

    @property
    def rated(self) -> Sequence[str]:
        """Who takes part, each once."""
        return sorted({each for side in self.sides for each in side})

    def rate(self, before: Mapping[str, Rating]) -> dict[str, Rating]:
        """Everybody's rating afterwards."""
        from openskill.models import PlackettLuce  # not at the start of the server, which should not wait for it

        model = PlackettLuce()
        teams = [[model.rating(before[each].mu, before[each].sigma) for each in side] for side in self.sides]
        after = defaultdict(list)
        for side, rated in zip(self.sides, model.rate(teams, ranks=list(map(float, self.places))), strict=True):
            for each, rating in zip(side, rated, strict=True):
                after[each].append(rating)
        return {
            each: Rating(fmean(r.mu for r in found), fmean(r.sigma for r in found), before[each].games + 1)
            for each, found in after.items()
        }


def contests(result: GameResult) -> list[PlacedSides]:
    """What a game says of whom; nothing if it does not count, or if a person had several seats."""
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
    names = [[rated_name(seat) for seat in side] for side in sides.values()]
    return PlacedSides(game, pool, names, [side[0].place for side in sides.values()])


def rated_name(seat: SeatResult) -> str:
    """Under what name somebody is rated."""
    return seat.person or f"bot {seat.bot}"


def shown(rating: Rating) -> tuple[int, int]:
    """A rating as people read it: the mean, and half of the 95 % interval."""
    middle = Rating().mu
    return round(MIDDLE + STEP * (rating.mu - middle)), round(2 * STEP * rating.sigma)
