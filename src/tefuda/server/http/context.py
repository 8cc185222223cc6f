"""Context of a request: the services of the process, and who asks in which language.

Routes get it as ``context: Context``; FastAPI makes it for each request and each socket.
"""

import asyncio
import time
from contextlib import nullcontext
from dataclasses import InitVar, dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection
from starlette.responses import Response

from tefuda.decks.data import with_deck
from tefuda.engine.description import Description
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue, closest
from tefuda.server.http.assets import StaticAssets
from tefuda.server.http.catalogues import LabReports, TourCatalogue
from tefuda.server.http.connections import CONNECTION, HttpConnection
from tefuda.server.http.identity import Identity, Profile, keep, profile
from tefuda.server.http.limits import LOG_COST, AddressLimits, Admission, address_of, banned
from tefuda.server.http.pictures import Pictures
from tefuda.server.live.cluster_node import ClusterNode
from tefuda.server.live.live_tables import LiveTables
from tefuda.server.live.pools import Resources
from tefuda.server.live.reviews import Reviews
from tefuda.server.metrics import Metrics
from tefuda.server.table.callers import Caller, Refused, order_key
from tefuda.server.table.commands import Arguments, Command, Order

if TYPE_CHECKING:
    from tefuda.server.http.passkeys import Ceremonies

CHARACTERS_A_REQUEST = 1000
"""Characters of a record that is verified, which count as one request more."""

LANGUAGE_COOKIE = "lang"
"""Keeps the language that a reader has chosen on a page."""

DECK_COOKIE = "deck-"
"""Beginning of the names of cookies that keep which deck a reader has chosen for a game; the game's name follows."""


@dataclass(eq=False)
class Server(Resources):
    """All that a process shares, in one object.

    Args:
        node: this process among others that share the store, if there are others.

    Attributes:
        tables: the live tables.
        reviews: of finished deals.
        identity: recognises people.
        ceremonies: of passkeys; None where the host does not want any.
        admission: how much each address may ask for.
        new_tables: how many tables each address may still open.
        tours: of the games.
        reports: of the laboratory.
        assets: the files that pages load.
        pictures: that are made once.
        metrics: count orders; None if nothing is counted.
        verifying: held while a record is verified.
    """

    node: InitVar[ClusterNode | None]
    identity: Identity
    ceremonies: "Ceremonies | None"
    admission: Admission
    new_tables: AddressLimits
    tours: TourCatalogue
    reports: LabReports
    assets: StaticAssets
    pictures: Pictures
    metrics: Metrics | None
    verifying: asyncio.Lock = field(default_factory=asyncio.Lock)
    tables: LiveTables = field(init=False)
    reviews: Reviews = field(init=False)

    def __post_init__(self, node: ClusterNode | None) -> None:
        self.tables, self.reviews = LiveTables(self, node), Reviews(self)


@dataclass(frozen=True)
class RequestContext:
    """One request or one socket.

    Attributes:
        connection: the request or the socket.
        services: of the process.
    """

    connection: HTTPConnection
    services: Server

    @cached_property
    def language(self) -> str:
        """The language of the reader; see ``language_of``."""
        return language_of(self.connection)

    def in_own_deck(self, game: Description) -> Description:
        """A game as the reader sees it: with the deck that the address or a cookie names before its others."""
        asked = self.connection.query_params.get("deck", ""), self.connection.cookies.get(DECK_COOKIE + game.name, "")
        known = {path.stem for path in game.files.decks}
        return with_deck(game, next((name for name in asked if name in known), ""))

    def text(self, key: str, **fields: object) -> str:
        """The text ``page.<key>`` in the reader's language."""
        return catalogue(TEXTS, self.language)(f"page.{key}", **fields)

    @property
    def origin(self) -> str:
        """The address at which people find this server."""
        return self.services.settings.origin or str(self.connection.base_url).rstrip("/")

    @cached_property
    def profile(self) -> Profile:
        """The reader's name and face."""
        return profile(self.connection, self.services.identity)

    @property
    def called(self) -> str:
        """The reader's name."""
        return self.name_of(self.profile)

    def name_of(self, reader: Profile) -> str:
        """A name as somebody has typed it, else that of their animal."""
        return reader.typed or self.text(f"me.animal.{reader.animal}")

    @cached_property
    def guest(self) -> str | None:
        """The hash of the guest whose cookie the browser has; None of a stranger."""
        return self.services.identity.guest(self.connection)

    async def keep(self, response: Response, kept: Profile) -> None:
        """Keep another profile in the browser, and with the passkeys by which it comes to others."""
        services = self.services
        keep(response, kept, services.identity.secure)
        if self.guest is not None and services.ceremonies is not None:
            await services.store.passkeys.rename(self.guest, kept.typed, kept.face)

    @property
    def address(self) -> str:
        """The address of the other end, as limits know it."""
        return address_of(self.connection.scope)

    @property
    def caller(self) -> Caller:
        """The caller.

        Raises:
            Refused: they send something that is not written like a token, or are banned.
        """
        self.admit(self.services.identity.shown(self.connection))
        return self.services.identity.caller(self.connection)

    def admit(self, caller: Caller) -> Caller:
        """The caller.

        Raises:
            Refused: they are banned.
        """
        ban = self.services.admission.bans.of_caller(caller)
        if ban is not None:
            raise banned(ban)
        return caller

    async def carry_out(
        self, table: str, command: Command[Arguments], arguments: Arguments, caller: Caller, key: str | None = None
    ) -> int:
        """Carry out a command at a table; the seq of its last event, which is kept then.

        A repetition with the same ``key``, which the caller chooses, does nothing.

        Raises:
            Refused: the command is not allowed, or there is no such table.
            Unavailable: the store does not answer.
        """
        order = Order(caller, arguments, time.time_ns() // 1_000_000, self.language)
        table_key = None if key is None else order_key(caller, key, f"{command.name} {arguments.told()}")
        tables = self.services.tables
        metrics = self.services.metrics
        with nullcontext() if metrics is None else metrics.order(lambda: tables.game_of(table)):
            return await tables.carry_out(table, partial(command, order=order), table_key)

    async def is_passed_on(self, table: str) -> bool:
        """Let another worker answer, if it drives the table, and tell if it does."""
        node: ClusterNode | None = self.connection.app.state.node
        connection: HttpConnection | None = self.connection.scope.get("state", {}).get(CONNECTION)
        if node is None or connection is None or node.slot_of(table) == node.slot:
            return False
        return await connection.pass_on(node.slot_of(table))

    def new_table_name(self, caller: Caller, key: str | None) -> str:
        """A name for a new table that this worker drives; for an order with a key the same whenever it is repeated."""
        node: ClusterNode | None = self.connection.app.state.node
        while True:
            name = self.services.identity.table_name(caller, key)
            if key is not None or node is None or node.slot_of(name) == node.slot:
                return name

    def pay(self, seconds: float) -> None:
        """Charge this address for work that others had to wait for."""
        self.services.admission.charge(self.address, seconds)

    def may_read_log(self) -> bool:
        """Count a whole log that is read as several requests, and tell if this address may have it now."""
        return self.services.admission.take(self.address, LOG_COST)

    def may_verify(self, length: int) -> bool:
        """Count a record of so many characters that is verified, and tell if this address may have it now."""
        return self.services.admission.take(self.address, LOG_COST + length / CHARACTERS_A_REQUEST)


async def request_context(connection: HTTPConnection) -> RequestContext:
    """The context of a request or a socket."""
    return RequestContext(connection, connection.app.state.services)


Context = Annotated[RequestContext, Depends(request_context)]


async def pay_for_log(context: Context) -> None:
    """A dependency of routes that read a whole log.

    Raises:
        Refused: this address has asked for too much.
    """
    if not context.may_read_log():
        raise Refused("too_many", 429)


def language_of(connection: HTTPConnection) -> str:
    """The language of ``?lang=``, else of the cookie, else the first of ``Accept-Language`` that there are texts in."""
    asked = [connection.query_params.get("lang", ""), connection.cookies.get(LANGUAGE_COOKIE, "")]
    asked += [part.partition(";")[0] for part in connection.headers.get("accept-language", "")[:200].split(",")]
    return next(filter(None, map(closest, asked)), LANGUAGES[0])
