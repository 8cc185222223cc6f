"""Every game keeps the contract with every option: a few deals of each in the normal run, thousands in the deep run."""

import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tefuda import games
from tefuda.engine.option import Value
from tefuda.table.game import Game
from tefuda.testing import (
    PROPERTIES,
    VIEW_PROPERTIES,
    Hooks,
    check_contract,
    check_reasons,
    check_worlds_replay,
    option_sets,
)
from tests.contract.particulars import particulars

DEALS = 200
REPLAYED = 40
"""Deals whose worlds are replayed in the normal run: each is played again from its first card at every moment."""

DEEP_REPLAYED, DEEP_DEALS = 500, 10_000
DEEP_SEED = int(os.environ.get("TEFUDA_DEEP_SEED", "1"))

Table = tuple[str, int, dict[str, Value]]


def load(name: str, seats: int | None = None, options: dict[str, Value] | None = None) -> Game:
    return Game(games.description(name), seats, options)


def tables(name: str) -> list[Table]:
    return [(name, seats, options) for seats, options in option_sets(games.description(name))]


def title(table: Table) -> str:
    name, seats, options = table
    return "-".join([name, str(seats), *(f"{option}={value}" for option, value in options.items())])


ALL_TABLES = [table for name in games.names() for table in tables(name)]


def changes_play(table: Table) -> bool:
    name, _, options = table
    return not options or not set(options) <= particulars(name).scoring_only


def properties(table: Table) -> tuple[Any, ...]:
    """What the normal run checks of a table: reasons, the slowest, only where no option or many differ."""
    _, _, options = table
    return tuple(check for check in PROPERTIES if check is not check_reasons or len(options) != 1)


@pytest.mark.parametrize(
    "table",
    [pytest.param(table, marks=[pytest.mark.slow] if table[2] else [], id=title(table)) for table in ALL_TABLES],
)
def test_every_option_set_keeps_the_contract(table: Table) -> None:
    for check in properties(table):
        check(load(*table), 1, 2, particulars(table[0]).hooks)


def hooks_of_whole(miniature: str) -> Hooks:
    return particulars(games.description(miniature).miniature_of).hooks


@pytest.mark.parametrize("name", games.miniatures())
def test_miniatures_keep_the_contract(name: str) -> None:
    for seats in games.description(name).seats:
        check_contract(load(name, seats), deals=4, seed=2, hooks=hooks_of_whole(name))


@pytest.mark.deep
@pytest.mark.parametrize("table", [each for name in games.miniatures() for each in tables(name)], ids=title)
def test_every_option_set_of_miniatures_keeps_the_contract(table: Table) -> None:
    check_contract(load(*table), deals=20, seed=3, hooks=hooks_of_whole(table[0]))


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("check", VIEW_PROPERTIES, ids=lambda check: check.__name__)
def test_views_of_many_deals(name: str, check: Any) -> None:
    check(load(name), REPLAYED if check is check_worlds_replay else DEALS, 0, particulars(name).hooks)


@pytest.mark.deep
@pytest.mark.parametrize("name", games.names())
def test_worlds_of_many_deals_replay(name: str) -> None:
    check_worlds_replay(load(name), DEEP_REPLAYED, 0, particulars(name).hooks)


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("check", VIEW_PROPERTIES, ids=lambda check: check.__name__)
def test_views_of_any_deal(name: str, check: Any) -> None:
    """Any seed, any table: hypothesis looks for one that breaks a property."""

    @settings(deadline=None, max_examples=15, derandomize=True, database=None)
    @given(seed=st.integers(0, 2**32 - 1), table=st.sampled_from(tables(name)))
    def holds(seed: int, table: Table) -> None:
        check(load(*table), 1, seed, particulars(name).hooks)

    holds()


DEEP_TABLES = [table for table in ALL_TABLES if changes_play(table)]


@pytest.mark.deep
@pytest.mark.parametrize("table", DEEP_TABLES, ids=title)
@pytest.mark.parametrize("check", VIEW_PROPERTIES, ids=lambda check: check.__name__)
def test_views_of_thousands_of_deals(table: Table, check: Any) -> None:
    """``TEFUDA_DEEP_SEED`` chooses other deals."""
    shared = sum(other[0] == table[0] for other in DEEP_TABLES)
    check(load(*table), -(-DEEP_DEALS // shared), DEEP_SEED, particulars(table[0]).hooks)


@pytest.mark.deep
@pytest.mark.parametrize("table", ALL_TABLES, ids=title)
def test_every_option_set_keeps_the_contract_in_many_deals(table: Table) -> None:
    check_contract(load(*table), deals=10, seed=DEEP_SEED, hooks=particulars(table[0]).hooks)


@pytest.mark.deep
@pytest.mark.parametrize("table", ALL_TABLES, ids=title)
def test_reasons_of_many_deals(table: Table) -> None:
    """In the normal run one deal of some tables, with the rest of the contract."""
    check_reasons(load(*table), deals=30, seed=DEEP_SEED, hooks=particulars(table[0]).hooks)
