"""Tests of one game run in one process, where its rules are compiled once; those of other games beside them."""

import pytest

from tefuda import games


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    names = games.names()
    for item in items:
        spelt = item.nodeid.replace("_", "-")
        group = next((name for name in names if name in spelt), item.path.stem)
        item.add_marker(pytest.mark.xdist_group(group))
