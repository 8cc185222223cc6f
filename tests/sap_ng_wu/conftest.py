"""Sap Ng Wu at tables with every option."""

from typing import Any

import pytest

from tefuda.table.game import Game, load

TABLES: tuple[dict[str, Any], ...] = (
    {},
    {"seats": 4},
    {"supreme_partial": False, "supreme_lead": "none_laid"},
    {"seats": 4, "pass_locks": True, "last_holder": "ends"},
    {"score_mode": "all_played", "supreme8_in_play": "16", "supreme8_quad_bonus": False},
    {"score_mode": "shed", "supreme_partial": False},
    {"quad_rule": "one_play", "quad_in_draw": "returned"},
    {"seats": 4, "quad_bonus": False, "score_mode": "all_played", "pass_locks": True},
)
"""Every option that touches play or payment, with three and four players."""


def title(table: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in table.items()) or "default"


@pytest.fixture(params=TABLES, ids=title)
def table(request: pytest.FixtureRequest) -> Game:
    """A table, for each set of options."""
    return load("sap-ng-wu", **request.param)
