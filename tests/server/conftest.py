"""The databases that tests of the server run on."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.server import postgres
from tests.server.server_process import Served, serving

METRICS = find_spec("prometheus_client") is not None
OPTIONS = (*(["--metrics"] if METRICS else []), "--game", "gong-zhu")
"""Of the shared server; each game takes some seconds to compile."""


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


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server on SQLite that tests share; each opens tables of its own."""
    folder = tmp_path_factory.mktemp("served")
    with serving(f"sqlite:///{folder / 'tables.db'}", folder / "log", *OPTIONS) as found:
        yield found
