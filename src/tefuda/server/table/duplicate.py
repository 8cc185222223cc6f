"""Rounds of duplicate deals: who meets whom, what a deal brought, and who stands where. All tables of a round play the
same deals, so a result is compared with those of the same seat at the other tables, and the luck of the deal is gone.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, product
from statistics import fmean, stdev
from typing import NamedTuple

LEAST_TABLES = 2  # with fewer there is nothing to compare with; bots take the seats that stay free
MOST_STEPS = 20_000  # of a search for tables at which nobody has met


class SeatInDeal(NamedTuple):
    """The result of a seat of a table in a deal of a round."""

    round: int
    table: str
    deal: int  # from 1, in the round
    seat: int
    member: int  # their number in the club; 0 of a bot
    name: str
    points: float


@dataclass(frozen=True)
class Standing:
    """A member's place in a season, 1 for the best, where equal scores share one; their score in so many deals, and
    half of the 95% interval of what these deals say of it: None before the second."""

    member: int
    place: int
    total: float
    margin: float | None
    deals: int


def table_sizes(people: int, seats: int) -> list[int]:
    """The numbers of people at each table, the fullest first: as few tables as there may be, and evenly filled."""
    tables = max(LEAST_TABLES, -(-people // seats))
    return [people // tables + (number < people % tables) for number in range(tables)]


def pair(ordered: Sequence[int], seats: int, met: Mapping[frozenset[int], int]) -> list[list[int]]:
    """Tables for the next round, Swiss: from the top of the standings down, each with their neighbours, as long as
    people who have met (so many times) need not meet again. There are at least ``LEAST_TABLES`` people."""
    sizes = table_sizes(len(ordered), seats)
    return _Search(met).fill([*ordered], [], 0, sizes) or _exchanged(ordered, sizes, met)


class _Search:
    """A search for tables at which nobody has met, given up after so many steps."""

    def __init__(self, met: Mapping[frozenset[int], int]) -> None:
        self._met, self._steps = met, MOST_STEPS

    def fill(self, left: list[int], table: list[int], start: int, sizes: Sequence[int]) -> list[list[int]] | None:
        """The first way to fill the present table, with those who are ``left`` from the place ``start`` on, and all
        after it; None if none is found."""
        if len(table) == sizes[0]:
            rest = self.fill(left, [], 0, sizes[1:]) if left else []
            return None if rest is None else [table, *rest]
        for place in range(start, len(left) if table else 1):
            self._steps -= 1
            if self._steps >= 0 and not any(self._met.get(frozenset((left[place], other))) for other in table):
                found = self.fill(left[:place] + left[place + 1 :], [*table, left[place]], place, sizes)
                if found is not None:
                    return found
        return None


def _exchanged(ordered: Sequence[int], sizes: Sequence[int], met: Mapping[frozenset[int], int]) -> list[list[int]]:
    """Tables of neighbours, of which two people change places as long as fewer then meet again: those for whom most is
    gained, and of these the nearest in the standings."""
    ends = [*accumulate(sizes)]
    tables = [[*ordered[end - size : end]] for size, end in zip(sizes, ends, strict=True)]

    def again(*some: Sequence[int]) -> int:
        return sum(met.get(frozenset(two), 0) for table in some for two in combinations(table, 2))

    while True:
        best, change = (0, 0), list[tuple[int, list[int]]]()
        for (k, one), (m, other) in combinations(enumerate(tables), 2):
            for mine, theirs in product(one, other):
                two = [theirs if each == mine else each for each in one], [mine if e == theirs else e for e in other]
                worth = again(one, other) - again(*two), -abs(ordered.index(mine) - ordered.index(theirs))
                if worth[0] > best[0] or (change and worth > best):
                    best, change = worth, [(k, two[0]), (m, two[1])]
        if not change:
            return [sorted(table, key=ordered.index) for table in tables]
        for place, table in change:
            tables[place] = table


def scores(results: Sequence[SeatInDeal]) -> list[float]:
    """For each result its points less the mean of the same seat in the same deal over all tables that played it."""
    same: dict[tuple[int, int, int], list[float]] = defaultdict(list)
    for each in results:
        same[each.round, each.deal, each.seat].append(each.points)
    return [each.points - fmean(same[each.round, each.deal, each.seat]) for each in results]


def standings(members: Iterable[int], results: Sequence[SeatInDeal]) -> list[Standing]:
    """All these members, the best first; whoever is level stays in the order given."""
    scored: dict[int, list[float]] = defaultdict(list)
    for each, score in zip(results, scores(results), strict=True):
        scored[each.member].append(score)
    totals = {member: round(sum(scored[member]), 6) for member in members}
    return [
        Standing(
            member,
            1 + sum(other > total for other in totals.values()),
            total,
            1.96 * stdev(scored[member]) * len(scored[member]) ** 0.5 if len(scored[member]) > 1 else None,
            len(scored[member]),
        )
        for member, total in sorted(totals.items(), key=lambda entry: -entry[1])
    ]
