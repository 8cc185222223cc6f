"""Orders that administrators have left in the database (``tefuda admin``), carried out in one process."""

import asyncio
from logging import getLogger

from tefuda.server.http.context import Server
from tefuda.server.http.error_answers import error_of
from tefuda.server.http.limits import Bans, banned
from tefuda.server.live.subscribers import Subscriber
from tefuda.server.store.port import Unavailable
from tefuda.server.table.reports import encoded

log = getLogger("tefuda.server")

LOOK_EVERY = 1.0  # seconds between two looks


class Administrator:
    """Looks for notices in the store, and obeys them in one process."""

    def __init__(self, server: Server) -> None:
        self._store, self._tables, self._admission = server.store, server.tables, server.admission
        self._identity, self._queues, self._seen = server.identity, server.queues, 0

    async def start(self) -> None:
        """Learn the bans, and who has been erased; what was done to tables before is in their logs."""
        notices = await self._store.notices(0)
        self._seen = notices[-1].number if notices else 0
        await self._learn_bans()
        self._identity.erased = await self._store.erased()

    async def _learn_bans(self) -> None:
        found = await self._store.bans()
        self._admission.bans = Bans([ban for ban in found if not ban.mute])
        self._admission.mutes = Bans([ban for ban in found if ban.mute])

    async def watch(self) -> None:
        """Look again and again, also while the store does not answer."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                await self._look()
            except Unavailable:
                continue
            except Exception:  # a fault with one notice must not end all administration
                log.exception("what an administrator has done could not be carried out")

    async def _look(self) -> None:
        for notice in await self._store.notices(self._seen):
            if notice.action == "changed":
                self._tables.wake(notice.subject)
            elif notice.action == "rewritten":
                self._tables.reload(notice.subject)
            elif notice.action == "erased":
                self._identity.erased = await self._store.erased()
            elif notice.action == "bans":
                await self._learn_bans()
                self._tables.expel(self._farewell)
                for queue in self._queues.values():
                    queue.expel(lambda player: player.farewell())
            self._seen = notice.number
            if notice.action == "bans":
                log.info("the bans have changed", extra={"action": notice.action})  # addresses are not logged
            else:
                log.info("an administrator was here", extra={"action": notice.action, "subject": notice.subject})

    def _farewell(self, subscriber: Subscriber) -> bytes | None:
        """The last message to a subscriber who is kept out from now on; None for everybody else."""
        bans = self._admission.bans
        ban = bans.of_address(subscriber.address) or bans.of_caller(subscriber.caller)
        if ban is None:
            return None
        return encoded({"type": "refused", "id": None, "error": error_of(banned(ban), subscriber.language)})
