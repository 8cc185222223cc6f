"""Amounts as people count them, where the smallest unit is a part of one."""

import pytest

from tefuda import games
from tefuda.engine.texts import signed


@pytest.mark.parametrize(
    ("amount", "unit", "text"),
    [
        (5, 1, "+5"),
        (-5, 1, "−5"),
        (0, 1, "0"),
        (5, 2, "+2.5"),
        (-1, 2, "−0.5"),
        (-4, 2, "−2"),
        (2_000_001, 2, "+1000000.5"),
    ],
)
def test_an_amount_with_its_sign(amount: int, unit: int, text: str) -> None:
    assert signed(amount, unit) == text


def test_half_stakes_are_counted_in_stakes() -> None:
    counted = games.description("ma-diao").rules.counted
    assert [counted(amount) for amount in (3, -3, 4, 0)] == [1.5, -1.5, 2, 0]
    assert type(counted(4)) is int
