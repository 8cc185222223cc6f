"""A part of what a database keeps."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from sqlalchemy import Connection

from tefuda.server.store.leases import Insert

Result = TypeVar("Result")


class Read(Protocol):
    """Does work on a connection, in another thread; raises ``Unavailable``."""

    def __call__(self, work: Callable[[Connection], Result]) -> Awaitable[Result]: ...


class Write(Protocol):
    """Does work in a transaction, in another thread; raises ``Unavailable``."""

    def __call__(self, work: Callable[[Connection], None]) -> Awaitable[None]: ...


class SqlPart:
    """What one database keeps of something.

    Args:
        read, write: the database.
        insert: of its dialect.
    """

    def __init__(self, read: Read, write: Write, insert: Insert) -> None:
        self._read, self._write, self._insert = read, write, insert
