"""Ma Diao at tables with every option."""

from typing import Any

import pytest

from tefuda.table.game import Game, load

TABLES: tuple[dict[str, Any], ...] = (
    {},
    {"must_follow": True, "knock": True},
    {"face_card": "top_of_rest", "first_leader": "dealer", "accuser": False},
    {"refusal_hands": "four_lowest+tens_heavy+no_honours", "refusal_redeal": "same_dealer"},
    {"extraordinary_mandatory": True, "double_extraordinary": "split", "red_set": "wikipedia"},
    {"stop_after_seven": True, "reveal_after": False, "strike_stacking": "once"},
    {"red_set": "honours", "dealer_stays_on_great_live": False, "must_follow": True, "reveal_after": False},
)
"""Every option that touches play or payment."""


def title(table: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in table.items()) or "default"


@pytest.fixture(params=TABLES, ids=title)
def table(request: pytest.FixtureRequest) -> Game:
    """A table, for each set of options."""
    return load("ma-diao", **request.param)
