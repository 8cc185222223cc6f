"""Rounds of duplicate deals: pairing, scores and standings, by examples worked by hand."""

from collections import Counter
from itertools import combinations
from math import sqrt

import pytest

from tefuda.server.table.duplicate import SeatInDeal, Standing, pair, scores, standings, table_sizes


def met(*tables: str) -> Counter[frozenset[int]]:
    """Who has met, from tables such as ``abc``."""
    return Counter(frozenset(map(ord, two)) for table in tables for two in combinations(table, 2))


def paired(ordered: str, seats: int, *before: str) -> list[str]:
    return ["".join(map(chr, table)) for table in pair([*map(ord, ordered)], seats, met(*before))]


@pytest.mark.parametrize(
    ("people", "seats", "sizes"),
    [
        (8, 4, [4, 4]),
        (9, 4, [3, 3, 3]),
        (5, 4, [3, 2]),
        (7, 3, [3, 2, 2]),
        (4, 4, [2, 2]),
        (3, 4, [2, 1]),
        (2, 4, [1, 1]),
    ],
)
def test_tables_are_few_and_even_and_two_at_least(people: int, seats: int, sizes: list[int]) -> None:
    assert table_sizes(people, seats) == sizes


def test_those_of_like_standing_meet() -> None:
    assert paired("abcdefgh", 4) == ["abcd", "efgh"]
    assert paired("abcdefg", 3) == ["abc", "de", "fg"]  # an odd number: bots take the seats that stay free


def test_nobody_meets_again_where_that_can_be_avoided() -> None:
    assert paired("abcd", 2, "ab", "cd") == ["ac", "bd"]
    # Neighbours would do for the first table, and then a second could only be a rematch.
    assert paired("abcd", 2, "ab", "cd", "ac") == ["ad", "bc"]
    assert paired("abcdef", 2, "ab", "cd", "ef", "ac") == ["ad", "be", "cf"]
    assert paired("abcdefghi", 3, "abc", "def", "ghi") == ["adg", "beh", "cfi"]


def test_where_it_cannot_they_meet_again_as_seldom_as_may_be() -> None:
    assert paired("abcd", 2, "ab", "cd", "ac", "bd", "ad", "bc", "ab", "cd") == ["ac", "bd"]
    assert paired("abc", 2, "ab", "ac") == ["bc", "a"]  # Ann, who has met both, plays with bots


def test_a_large_club_of_many_rounds_is_paired() -> None:
    people, before = [*range(65, 105)], Counter[frozenset[int]]()
    for _ in range(6):
        tables = pair(people, 4, before)
        assert sorted(each for table in tables for each in table) == people
        before += met(*("".join(map(chr, table)) for table in tables))
    assert max(before.values()) == 1  # 40 people can meet in tables of four for 13 rounds


ANN, BEN, CLEO, DAN, EVE = range(1, 6)
BOT = 0


def seat(table: str, deal: int, number: int, who: int, points: float, of: int = 1) -> SeatInDeal:
    return SeatInDeal(of, table, deal, number, who, "", points)


# Two tables, two seats, two deals; the second seat has the better cards in the first deal.
PLAYED = [
    seat("s", 1, 0, ANN, -20), seat("s", 1, 1, BEN, 20), seat("t", 1, 0, CLEO, -40), seat("t", 1, 1, DAN, 40),
    seat("s", 2, 0, ANN, 10), seat("s", 2, 1, BEN, -10), seat("t", 2, 0, CLEO, 10), seat("t", 2, 1, DAN, -10),
]  # fmt: skip


def test_a_result_is_compared_with_the_same_seat_at_the_other_tables() -> None:
    assert scores(PLAYED) == [10, -10, -10, 10, 0, 0, 0, 0]


def test_a_deal_that_one_table_alone_has_played_brings_nobody_anything() -> None:
    assert scores([seat("s", 1, 0, ANN, 50), seat("s", 1, 1, BOT, -50)]) == [0, 0]


def test_the_same_deal_of_another_round_is_another_deal() -> None:
    assert scores([seat("s", 1, 0, ANN, 50), seat("u", 1, 0, ANN, 10, of=2)]) == [0, 0]


def test_standings_with_ties_and_margins() -> None:
    ten = 1.96 * sqrt(50) * sqrt(2)  # scores of ±10 and 0: their standard deviation is √50
    found = standings([BEN, ANN, CLEO, DAN, EVE], PLAYED)
    assert [(each.member, each.place, each.total, each.deals) for each in found] == [
        (ANN, 1, 10, 2), (DAN, 1, 10, 2), (EVE, 3, 0, 0), (BEN, 4, -10, 2), (CLEO, 4, -10, 2),
    ]  # fmt: skip
    assert found[0].margin == pytest.approx(ten)
    assert found[2] == Standing(EVE, 3, 0, None, 0)


def test_bots_are_compared_with_and_stand_nowhere() -> None:
    found = standings([ANN], [seat("s", 1, 0, ANN, 30), seat("t", 1, 0, BOT, 10)])
    assert [(each.member, each.total) for each in found] == [(ANN, 10)]
