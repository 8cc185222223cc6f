"""Leases: which process drives which table, where several share a database.

A process drives the tables for which a row in ``leases`` names it, and only those: an append checks the lease in the
same transaction. Its row in ``processes`` holds its leases together: they end with it."""

import time

from sqlalchemy import Connection, delete, exists, literal, select, update

from tefuda.server.store.access import StoreAccess
from tefuda.server.store.schema import events, leases, processes

FORGOTTEN_AFTER = 24 * 3600
"""Seconds after its last sign of life when the row of a process is deleted; if it lives, it makes another."""


class Leases:
    """The leases of one process; the methods block, and raise ``Unavailable`` if the store does not answer.

    ``process`` is the id under which this process holds leases; None before it has joined the others. From then on an
    append needs the lease of its table."""

    def __init__(self, access: StoreAccess) -> None:
        self._access = access
        self.process: str | None = None

    def join(self, process: str) -> None:
        """Be one of the processes from now on, under an id that was never used."""

        def work(connection: Connection) -> None:
            connection.execute(delete(processes).where(processes.c.beat < int(time.time()) - FORGOTTEN_AFTER))
            self._enter(connection, process)

        self._access.transact(work)
        self.process = process

    def leave(self) -> None:
        """Hold nothing any more."""
        own = delete(processes).where(processes.c.id == self.process)
        self._access.transact(lambda connection: connection.execute(own))

    def held(self) -> frozenset[str]:
        """The tables whose leases this process holds; says that it lives, too."""

        def work(connection: Connection) -> frozenset[str]:
            connection.execute(update(processes).where(processes.c.id == self.process).values(beat=int(time.time())))
            return frozenset(connection.scalars(select(leases.c.table).where(leases.c.process == self.process)))

        return self._access.transact(work)

    def take(self, table: str, *, new: bool = False) -> bool:
        """Take the lease of a table, whoever holds it, and tell if this process has it now; of a table that does not
        exist only if it is about to be created (``new``)."""
        wanted = select(literal(table), literal(self.process))
        if new:
            wanted = wanted.where(literal(1) == 1)  # without a condition SQLite takes ON CONFLICT for one of a join
        else:
            wanted = wanted.where(exists().where(events.c.table == table, events.c.seq == 1))
        lease = self._access.insert(leases).from_select(["table", "process"], wanted)
        taken = lease.on_conflict_do_update(index_elements=[leases.c.table], set_={"process": self.process})

        def work(connection: Connection) -> bool:
            assert self.process is not None
            self._enter(connection, self.process)
            return connection.execute(taken.returning(leases.c.table)).first() is not None

        return self._access.transact(work)

    def let_go(self, table: str) -> None:
        """Let others have a table."""
        own = delete(leases).where(leases.c.table == table, leases.c.process == self.process)
        self._access.transact(lambda connection: connection.execute(own))

    def _enter(self, connection: Connection, process: str) -> None:
        row = self._access.insert(processes).values(id=process, family="", address="", beat=int(time.time()))
        connection.execute(row.on_conflict_do_nothing())
