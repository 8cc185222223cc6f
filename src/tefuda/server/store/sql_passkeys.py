"""Passkeys in a database."""

import time
from typing import Any

from sqlalchemy import Connection, delete, select, update

from tefuda.server.store.erasures import erased_among
from tefuda.server.store.passkeys import Passkey, Passkeys
from tefuda.server.store.schema import passkeys, spent_challenges
from tefuda.server.store.sql_part import SqlPart


class SqlPasskeys(SqlPart, Passkeys):
    """The passkeys that one database keeps."""

    async def add(self, passkey: Passkey) -> bool:
        new = self._insert(passkeys).values(**vars(passkey)).on_conflict_do_nothing()
        return await self._changes(new, guest=passkey.guest)

    async def find(self, key: str) -> Passkey | None:
        query = select(passkeys).where(passkeys.c.id == key)
        found = await self._read(lambda connection: connection.execute(query).first())
        return None if found is None else Passkey(**found._mapping)

    async def of(self, guest: str) -> list[Passkey]:
        query = select(passkeys).where(passkeys.c.guest == guest).order_by(passkeys.c.at, passkeys.c.id)
        return await self._read(lambda connection: [Passkey(**row._mapping) for row in connection.execute(query)])

    async def use(self, key: str, counter: int, at: int) -> bool:
        is_next = passkeys.c.counter < counter if counter else passkeys.c.counter == 0
        found = update(passkeys).where(passkeys.c.id == key, is_next)
        return await self._changes(found.values(counter=counter, used=at))

    async def rename(self, guest: str, name: str, face: str) -> None:
        await self._changes(update(passkeys).where(passkeys.c.guest == guest).values(name=name, face=face))

    async def remove(self, key: str, guest: str) -> None:
        await self._changes(delete(passkeys).where(passkeys.c.id == key, passkeys.c.guest == guest))

    async def spend(self, challenge: str, until: int) -> bool:
        late = delete(spent_challenges).where(spent_challenges.c.until < time.time_ns() // 1_000_000)
        new = self._insert(spent_challenges).values(challenge=challenge, until=until).on_conflict_do_nothing()
        return await self._changes(late, new)

    async def _changes(self, *statements: Any, guest: str | None = None) -> bool:
        """Whether the last of these statements, in one transaction, has changed a row; none is carried out if the guest
        whom they name has been erased."""
        changed = [0]

        def work(connection: Connection) -> None:
            if erased_among(connection, [guest]):
                return
            counting = [each.execution_options(preserve_rowcount=True) for each in statements]
            changed.extend(connection.execute(each).rowcount for each in counting)

        await self._write(work)
        return changed[-1] > 0
