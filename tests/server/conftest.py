"""The databases that tests of the server run on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server import postgres


@pytest.fixture(scope="session")
def cluster() -> Iterator[postgres.Cluster]:
    """A PostgreSQL server of the tests' own."""
    pytest.importorskip("psycopg", reason=postgres.MISSING)
    if postgres.programs() is None:
        pytest.skip(postgres.MISSING)
    with postgres.cluster() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, one after the other."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.db'}"
    return new_database(request.getfixturevalue("cluster"))


def new_database(server: postgres.Cluster) -> str:
    """An empty database on this server."""
    import psycopg

    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS tefuda WITH (FORCE)")
        connection.execute("CREATE DATABASE tefuda")
    return server.url.replace("/postgres?", "/tefuda?")
