"""Where a request is answered: in the process that drives its table, whichever process it has come to."""

import asyncio
from typing import Protocol

from starlette.requests import HTTPConnection

from tefuda.server.http.handover import Handover
from tefuda.server.http.identity import Identity
from tefuda.server.http.relay import Relay, rewritten
from tefuda.server.http.request_head import RequestHead
from tefuda.server.live.live_tables import LiveTables
from tefuda.server.live.membership import BEAT, DEAD_AFTER, Membership
from tefuda.server.store.port import Peer, Unavailable
from tefuda.server.table.callers import Refused

PATIENCE = 2 * BEAT * DEAD_AFTER
"""Seconds during which a request waits for a process that does not answer to be taken for dead."""

AGAIN = 0.1
"""Seconds between tries."""


class Trusted(Protocol):
    """The proxies whose word is believed, as uvicorn keeps them."""

    def __contains__(self, host: str) -> bool: ...

    def get_trusted_client_address(self, x_forwarded_for: str) -> tuple[str, int]: ...


class Waiting(Protocol):
    """A connection with a request that waits for its place."""

    transport: asyncio.Transport
    is_settled: bool
    """Whether another process has sent it here."""

    @property
    def trusted(self) -> Trusted: ...

    @property
    def unanswered(self) -> bytes:
        """What has been read of it."""

    @property
    def host(self) -> str:
        """The address at its other end."""

    def connection_lost(self, exc: Exception | None) -> None: ...


class Places:
    """The places of tables.

    Args:
        tables: of this process.
        membership: of this process among others.
        identity: tells the names of tables that are to be opened.
        handover: to other processes of the family.
        relay: to other families.
    """

    def __init__(
        self, tables: LiveTables, membership: Membership, identity: Identity, handover: Handover | None, relay: Relay
    ) -> None:
        self._tables, self._membership, self._identity = tables, membership, identity
        self._handover, self._relay = handover, relay

    async def tend(self) -> None:
        """Hang up on clients of processes that have died, as long as this one lives."""
        before = self._membership.living
        while True:
            await asyncio.sleep(BEAT)
            living = self._membership.living
            self._relay.close(before - living)
            before = living

    def is_here(self, head: RequestHead) -> bool:
        """Whether this process answers a request, as far as it knows without asking."""
        return not head.opens_table and (head.table is None or self._tables.is_loaded(head.table))

    async def send_on(self, connection: Waiting, head: RequestHead) -> bool:
        """Send a request to the process that answers it; False if that is this one, or the other does not answer."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while loop.time() < until and not connection.transport.is_closing():
            try:
                peer = await self._peer(connection, head)
            except Unavailable:
                return False
            if peer is None:
                return False
            try:
                if await self._give(connection, head, peer):
                    return True
            except ConnectionRefusedError:  # it is certain, and need not be noticed by its standing still
                await self._membership.bury(peer)
            else:
                await asyncio.sleep(AGAIN)
        return False

    async def _peer(self, connection: Waiting, head: RequestHead) -> Peer | None:
        """The other process that is to answer; None if it is this one."""
        if head.table is not None:
            return await self._membership.elsewhere(head.table)
        name = self._new_name(head)
        if name is not None:  # a repeated order finds the table that the first has opened
            return await self._membership.elsewhere(name, new=True)
        chosen = self._membership.somebody()
        return None if connection.is_settled or chosen.id == self._membership.id else chosen

    def _new_name(self, head: RequestHead) -> str | None:
        """The name of the table that a request opens, if its headers tell."""
        request = HTTPConnection({"type": "http", "headers": head.headers})
        key = request.headers.get("idempotency-key")
        try:
            caller = self._identity.caller(request)
        except Refused:
            return None
        return None if key is None or caller.lasting is None else self._identity.table_name(caller, key)

    async def _give(self, connection: Waiting, head: RequestHead, peer: Peer) -> bool:
        transport = connection.transport
        if self._handover is not None and peer.family == self._membership.family:
            file, process = transport.get_extra_info("socket").fileno(), peer.id.partition(".")[0]
            if not await self._handover.give(file, lambda: connection.unanswered, process, PATIENCE):
                return False
            transport.abort()  # our end of it; the other process has its own
            return True
        return bool(peer.address) and await self._relay.relay(
            transport, lambda: _rewritten(connection, head), peer, lambda: connection.connection_lost(None),
            upgrades=head.upgrades,
        )  # fmt: skip


def _rewritten(connection: Waiting, head: RequestHead) -> bytes:
    host, trusted = connection.host, connection.trusted
    is_proxy = host in trusted
    named = b", ".join(value for name, value in head.headers if name == b"x-forwarded-for").decode("latin-1")
    client = trusted.get_trusted_client_address(named)[0] if is_proxy and named else host
    return rewritten(head, connection.unanswered, client or host, is_proxy=is_proxy)
