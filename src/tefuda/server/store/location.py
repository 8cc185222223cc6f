"""The address of a database, as people write it."""

import os
from pathlib import Path

import platformdirs
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from tefuda.engine.errors import TefudaError

VARIABLE = "TEFUDA_DB"
"""Names the database where ``--db`` does not: other users of a machine see a command line, and a password on it."""


def usual_address(named: str | None) -> str:
    """The address that was named, else that of the environment, else of a file in the user's data folder."""
    own = f"sqlite:///{Path(platformdirs.user_data_dir('tefuda')) / 'tables.db'}"
    return named or os.environ.get(VARIABLE) or own


def read_url(address: str) -> URL:
    """The parsed address of an SQLite file or a PostgreSQL database.

    Raises:
        TefudaError: it is neither.
    """
    try:
        url = make_url(address)
    except ArgumentError:
        raise TefudaError("--db: write it like sqlite:///file.db or postgresql://user@host/database") from None
    kind = url.get_backend_name()
    if kind not in ("sqlite", "postgresql"):
        raise TefudaError(f"--db: there is no store {kind!r}; there are: sqlite, postgresql")
    return url
