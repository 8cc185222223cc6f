"""Tests of one game run in one process, where its rules are compiled once; those of other games beside them."""

import time

import pytest

from tefuda import games

_BEGUN = time.monotonic()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--within", type=float, metavar="SECONDS", help="start no test after this time; -rs tells which")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    names = games.names()
    for item in items:
        spelt = item.nodeid.replace("_", "-")
        group = next((name for name in names if name in spelt), item.path.stem)
        item.add_marker(pytest.mark.xdist_group(group))


def pytest_runtest_setup(item: pytest.Item) -> None:
    within = item.config.getoption("--within")
    if within is not None and time.monotonic() - _BEGUN > within:
        pytest.skip(f"not started: {within:.0f} seconds are over")
