"""Context of a request: the services of the process, and who asks in which language.

Routes get it as ``context: Context``; FastAPI makes it for each request and each socket."""

import asyncio
import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection
from starlette.responses import Response

from tefuda.decks.data import with_deck
from tefuda.engine.description import Description
from tefuda.engine.errors import needed_by
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue, closest
from tefuda.server.http.assets import StaticAssets
from tefuda.server.http.catalogues import TourCatalogue
from tefuda.server.http.connections import passed_on
from tefuda.server.http.identity import Identity, Profile, keep, profile
from tefuda.server.http.limits import LOG_COST, AddressLimits, Admission, address_of, banned
from tefuda.server.http.pictures import Pictures
from tefuda.server.live.answer_times import AnswerTimes
from tefuda.server.live.cluster_node import ClusterNode
from tefuda.server.live.compiler import GameCompiler
from tefuda.server.live.live_tables import LiveTables
from tefuda.server.live.mail import Mail, read_mail_server
from tefuda.server.live.notices import Notices
from tefuda.server.live.player_queue import PlayerQueue
from tefuda.server.live.pools import Background, BotPool, Resources
from tefuda.server.live.reviews import Reviews
from tefuda.server.metrics import Metrics
from tefuda.server.settings import ServerSettings
from tefuda.server.store import Store
from tefuda.server.store.port import Ban
from tefuda.server.table import commands
from tefuda.server.table.callers import Caller, Refused, order_key
from tefuda.server.table.commands import Arguments, Command, Order
from tefuda.server.table.request_types import Join

if TYPE_CHECKING:
    from tefuda.server.http.passkeys import Ceremonies
    from tefuda.server.live.web_push import WebPush

CHARACTERS_A_MS = 200  # characters of a record that is verified, which cost a millisecond more
QUESTIONS = 5.0  # an hour about e-mail, from one address or to one mailbox
LANGUAGE_COOKIE = "lang"  # keeps the language that a reader has chosen on a page

DECK_COOKIE = "deck-"
"""Beginning of the names of cookies that keep which deck a reader has chosen for a game; the game's name follows."""


class Server(Resources):
    """All that a process shares, in one object; arguments are those of ``create_app``.

    ``new_tables`` counts the tables that an address may still open; ``verifying`` is held while a record is verified;
    ``queues`` are those that this process has, by game.
    ``TefudaError`` if metrics or notices are wanted, and what they need is not installed."""

    def __init__(
        self, store: Store, settings: ServerSettings, compiler: GameCompiler, ceremonies: "Ceremonies | None", *,
        metrics: bool, node: ClusterNode | None,
    ) -> None:  # fmt: skip
        self.metrics = Metrics(self) if metrics or settings.metrics_at else None
        background, times = Background(), AnswerTimes(settings.pace / ServerSettings.pace)
        notices = Notices(store, background, _web_push(store, settings), _mail(store, settings))
        bots = BotPool(settings.thinkers)
        if figures := self.metrics:
            bots = BotPool(settings.thinkers, lambda pool, seconds: figures.waits.labels(pool).observe(seconds))
            store.on_commit, store.on_read = figures.commit, figures.reads.observe
            notices.on_sent = lambda outcome: figures.notices.labels(outcome).inc()
        super().__init__(store, settings, compiler, bots, background, times, notices)
        self.ceremonies = ceremonies
        self.admission, self.identity = Admission(settings), Identity(store.secret, settings.secure)
        self.new_tables = AddressLimits(settings.creations / 3600, max(1.0, settings.creations / 4))
        # questions whether a mailbox is somebody's: those that an address may still ask, and about one mailbox
        self.mails = AddressLimits(QUESTIONS / 3600, QUESTIONS)
        self.tours, self.assets, self.pictures = TourCatalogue(settings.tours), StaticAssets(), Pictures(background)
        self.node, self.shows_metrics, self.verifying = node, metrics, asyncio.Lock()
        self.tables, self.reviews = LiveTables(self, node), Reviews(self)
        self.queues: dict[str, PlayerQueue[Any]] = {}

    async def start(self) -> None:
        """Begin to serve."""
        await self.tables.start()
        if self.metrics is not None:
            self.background.spawn(self.metrics.measure_lag())
            if self.settings.metrics_at:
                self.metrics.listen(self.settings.metrics_at)
        self.compiler.start()

    async def release(self) -> None:
        """Say goodbye to all who watch a table or wait for one."""
        for queue in self.queues.values():
            queue.close()
        await self.tables.close()

    async def close(self) -> None:
        """End, with the store."""
        await self.release()
        await self.background.close()
        self.bots.close()
        self.notices.close()
        self.compiler.close()
        await self.store.close()
        if self.metrics is not None:
            self.metrics.close()


def _web_push(store: Store, settings: ServerSettings) -> "WebPush | None":
    if settings.push is None:
        return None
    with needed_by("tefuda serve --push", "push"):
        from tefuda.server.live.web_push import WebPush
    return WebPush(store.secret, settings.push, anywhere=settings.push_anywhere)


def _mail(store: Store, settings: ServerSettings) -> Mail | None:
    if settings.mail is None:
        return None
    return Mail(store.secret, read_mail_server(settings.mail), settings.origin or "")


@dataclass(frozen=True)
class RequestContext:
    """One request or one socket, and what the process shares."""

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
        """The reader's name and face; whoever is muted has no name of their own."""
        found = profile(self.connection, self.services.identity)
        return found if self._mute(Caller(self.guest)) is None else replace(found, typed="")

    @property
    def called(self) -> str:
        """The reader's name."""
        return self.name_of(self.profile)

    def _mute(self, caller: Caller) -> Ban | None:
        mutes = self.services.admission.mutes
        return mutes.of_caller(caller) or mutes.of_address(self.address)

    def must_be_heard(self, caller: Caller | None = None) -> None:
        """Let a caller pass, by default the guest, who may write what others read. ``Refused`` if they are muted."""
        mute = self._mute(caller or Caller(self.guest))
        if mute is not None:
            raise Refused("muted", 403, why=f" {mute.reason}" if mute.reason else "")

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
        """The caller. ``Refused`` if they send something that is not written like a token, or are banned."""
        self.admit(self.services.identity.shown(self.connection))
        return self.services.identity.caller(self.connection)

    def admit(self, caller: Caller) -> Caller:
        """The caller. ``Refused`` if they are banned."""
        ban = self.services.admission.bans.of_caller(caller)
        if ban is not None:
            raise banned(ban)
        return caller

    async def carry_out(
        self, table: str, command: Command[Arguments], arguments: Arguments, caller: Caller, key: str | None = None
    ) -> int:
        """Carry out a command at a table; the seq of its last event, which is kept then.

        A repetition with the same ``key``, which the caller chooses, does nothing. ``Refused`` if the command is not
        allowed, or there is no such table; ``Unavailable`` if the store does not answer."""
        if command is commands.say:
            self.must_be_heard(caller)
        elif isinstance(arguments, Join) and self._mute(caller) is not None:
            arguments = arguments.model_copy(update={"name": self.name_of(replace(self.profile, typed=""))})
        order = Order(caller, arguments, time.time_ns() // 1_000_000, self.language)
        table_key = None if key is None else order_key(caller, key, f"{command.name} {arguments.told()}")
        tables = self.services.tables
        metrics = self.services.metrics
        with nullcontext() if metrics is None else metrics.order(lambda: tables.game_of(table)):
            return await tables.carry_out(table, partial(command, order=order), table_key)

    async def is_passed_on(self, table: str) -> bool:
        """Let another worker answer, if it drives the table, and tell if it does."""
        node = self.services.node
        if node is None or node.slot_of(table) == node.slot:
            return False
        return await passed_on(self.connection.scope, node.slot_of(table))

    def new_table_name(self, caller: Caller, key: str | None) -> str:
        """A name for a new table that this worker drives; for an order with a key the same whenever it is repeated."""
        node = self.services.node
        while True:
            name = self.services.identity.table_name(caller, key)
            if key is not None or node is None or node.slot_of(name) == node.slot:
                return name

    def pay(self, seconds: float) -> None:
        """Charge this address for work that others had to wait for."""
        self.services.admission.charge(self.address, seconds)

    def may_read_log(self, characters: int = 0) -> bool:
        """Charge for a whole log that is read, or a record of so many characters that is verified, and tell if this
        address may have it now."""
        return self.services.admission.take(self.address, LOG_COST + characters / CHARACTERS_A_MS)

    def pay_for_log(self, characters: int = 0) -> None:
        """Charge for a log or a record like ``may_read_log``. ``Refused`` if this address has asked for too much."""
        if not self.may_read_log(characters):
            raise Refused("too_many", 429)

    def pay_for_table(self) -> None:
        """Count a table against what this address may open. ``Refused`` if it has opened too many."""
        if not self.services.new_tables.bucket(self.address).take():
            self.services.admission.hits["tables"] += 1
            raise Refused("too_many_tables", 429)


async def request_context(connection: HTTPConnection) -> RequestContext:
    """The context of a request or a socket."""
    return RequestContext(connection, connection.app.state.services)


Context = Annotated[RequestContext, Depends(request_context)]


async def pay_for_log(context: Context) -> None:
    """A dependency of routes that read a whole log."""
    context.pay_for_log()


def language_of(connection: HTTPConnection) -> str:
    """The language of ``?lang=``, else of the cookie, else the first of ``Accept-Language`` that there are texts in."""
    asked = [connection.query_params.get("lang", ""), connection.cookies.get(LANGUAGE_COOKIE, "")]
    asked += [part.partition(";")[0] for part in connection.headers.get("accept-language", "")[:200].split(",")]
    return next(filter(None, map(closest, asked)), LANGUAGES[0])
