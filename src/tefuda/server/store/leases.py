"""Which process drives which table, where several share a database.

A process that serves tables has a row in ``processes``, in which it counts up while it lives. It drives the tables for
which a row in ``leases`` names it, and only those: an append checks the lease in the same transaction. Who is dead is
judged without any clock but the observer's own (``live/membership``); to declare a process dead is to delete its row,
with which the database deletes its leases. One that was taken for dead, and was not, finds its row gone.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, delete, exists, literal, select, update

from tefuda.server.store.port import Leases, Ousted, Peer
from tefuda.server.store.schema import events, leases, processes

Result = TypeVar("Result")


class Insert(Protocol):
    """``insert`` of a dialect that knows ``ON CONFLICT``."""

    def __call__(self, table: Any) -> Any: ...


class Write(Protocol):
    """Does work in a transaction of its own, from any thread; raises ``Unavailable``."""

    def __call__(self, work: Callable[[Connection], Result]) -> Result: ...


class SqlLeases(Leases):
    """The leases of one database.

    Args:
        write: to the database.
        insert: of its dialect.
    """

    def __init__(self, write: Write, insert: Insert) -> None:
        super().__init__()
        self._write, self._insert = write, insert

    def join(self, peer: Peer, ended: Sequence[str] = ()) -> None:
        def work(connection: Connection) -> None:
            for name in ended:
                connection.execute(delete(processes).where(processes.c.id.startswith(f"{name}.")))
            connection.execute(processes.insert().values(**vars(peer), beat=0))

        self._write(work)
        self.process = peer.id

    def leave(self) -> None:
        self._write(lambda connection: connection.execute(delete(processes).where(processes.c.id == self.process)))

    def beat(self) -> dict[Peer, int]:
        def work(connection: Connection) -> dict[Peer, int]:
            counted = update(processes).where(processes.c.id == self.process).values(beat=processes.c.beat + 1)
            if not connection.execute(counted).rowcount:
                raise Ousted
            rows = connection.execute(select(processes))
            return {Peer(row.id, row.family, row.address): row.beat for row in rows}

        return self._write(work)

    def oust(self, process: str, beat: int | None = None) -> None:
        dead = delete(processes).where(processes.c.id == process)
        if beat is not None:
            dead = dead.where(processes.c.beat == beat)
        self._write(lambda connection: connection.execute(dead))

    def hold(self, table: str, candidate: str, *, new: bool = False) -> Peer | None:
        claim = select(literal(table), processes.c.id).where(processes.c.id == candidate)
        if not new:
            claim = claim.where(exists().where(events.c.table == table, events.c.seq == 1))
        held = (
            select(processes.c.id, processes.c.family, processes.c.address)
            .join(leases, leases.c.process == processes.c.id)
            .where(leases.c.table == table)
        )
        free = claim.where(~exists().where(leases.c.table == table))

        def work(connection: Connection) -> Peer | None:
            row = connection.execute(held).first()
            if row is None:
                claimed = self._insert(leases).from_select(["table", "process"], free)
                connection.execute(claimed.on_conflict_do_nothing())
                row = connection.execute(held).first()
            return None if row is None else Peer(*row)

        return self._write(work)

    def let_go(self, table: str) -> None:
        own = delete(leases).where(leases.c.table == table, leases.c.process == self.process)
        self._write(lambda connection: connection.execute(own))
