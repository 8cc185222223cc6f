"""What every store of logs does."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tefuda.engine.errors import TefudaError
from tefuda.server.store.daily import DailyDeals
from tefuda.server.store.passkeys import Passkeys
from tefuda.server.store.people import People

if TYPE_CHECKING:
    from tefuda.server.store.leases import Leases


class StoreError(TefudaError):
    """A store that cannot be opened; one line for who started the server."""


class Unavailable(Exception):  # noqa: N818 - a state of the store, not a fault of the caller
    """The store does not answer; whether anything was kept shows when the table is read again."""


class Elsewhere(Unavailable):
    """Another process drives the table: whoever asks again comes there."""


class Erased(Unavailable):
    """What was to be kept names somebody who has been erased. By the next try this process knows so too, and takes
    whoever comes with the cookie or the token for a stranger."""


class DamagedLog(Exception):  # noqa: N818 - a state of the store
    """A log that somebody else has written to, or that the disk has spoilt; the message names table and event."""


class Conflict(Exception):  # noqa: N818
    """The log has gone on since the caller read it: nothing was kept. Read the rest and decide again."""


class NotHolder(Exception):  # noqa: N818
    """Another process holds the lease of the table: nothing was kept, and nothing may be decided here."""


class Draft(NamedTuple):
    """An event to be kept."""

    kind: str
    body: Mapping[str, Any]


class Event(NamedTuple):
    """One event of a table's log.

    Attributes:
        seq: place in the log, from 1 without gaps.
        at: when it was accepted, milliseconds since 1970.
        kind, body: what happened; see ``table/table_changes``.
    """

    seq: int
    at: int
    kind: str
    body: Mapping[str, Any]


@dataclass(frozen=True)
class Listing:
    """What the list of tables shows of one; kept beside the log, from which it follows.

    Attributes:
        table: its name.
        seq, at: of the event after which the table was so.
        public: whether anybody may see it in the list.
        summary: game, seats, names, what is going on.
        people: whose own table it is from now on: the host and those who sit there; None for the same as before.
        hashes: of those whom the summary names, and of the host.
        own: what the table is to the guest for whom the list was asked; None in other lists.
    """

    table: str
    seq: int
    at: int
    public: bool
    summary: Mapping[str, Any]
    people: tuple["Belonging", ...] | None = ()
    hashes: frozenset[str] = frozenset()
    own: "Belonging | None" = None


@dataclass(frozen=True)
class Belonging:
    """What a table is to a guest.

    Attributes:
        guest: their hash.
        seat: theirs; None if they have none now.
        host: whether they opened the table.
    """

    guest: str
    seat: int | None
    host: bool


@dataclass(frozen=True)
class Ban:
    """Somebody who is kept out.

    Attributes:
        subject: an address, a network, or the hash of a guest or a token.
        at: since when, milliseconds since 1970.
        until: when it ends; None if it does not.
        reason: what they are told.
    """

    subject: str
    at: int
    until: int | None
    reason: str


class Answer(NamedTuple):
    """How long somebody took for an answer that they could choose.

    Attributes:
        game: that was played.
        word: the answer.
        player: the hash of a guest, else of a token.
        seconds: since they were asked.
    """

    game: str
    word: str
    player: str | None
    seconds: float


@dataclass(frozen=True)
class Notice:
    """What an administrator has done.

    Attributes:
        number: from 1 on.
        action: ``changed`` or ``rewritten`` (a table's log), ``bans``, or something that a server need not know.
        subject: the table, or who is banned.
    """

    number: int
    action: str
    subject: str


class Observer(Protocol):
    """Told how long the store takes, from any thread."""

    def commit(self, seconds: float, appends: int) -> None:
        """So many appends were committed together."""

    def read(self, seconds: float) -> None:
        """A log was read."""


class Unobserved:
    """An observer that looks away."""

    def commit(self, seconds: float, appends: int) -> None: ...

    def read(self, seconds: float) -> None: ...


class Store(ABC):
    """Logs of events, each appended to at its end only."""

    shared: bool
    """Whether other processes may append to the same logs: then tables are driven by whoever holds their leases."""

    leases: "Leases"

    people: People

    daily: DailyDeals

    passkeys: Passkeys

    address: str
    """Where it is, for whoever opens the same database beside the server; it may hold a password."""

    observer: Observer = Unobserved()
    """Told how long commits and reads take."""

    @abstractmethod
    async def append(self, table: str, after: int, drafts: Sequence[Draft]) -> list[Event]:
        """Keep events; when this returns they survive a crash and a power cut.

        Args:
            table: whose log.
            after: the seq that the first of them follows; 0 for a new table.
            drafts: at least one; all are kept, or none.

        Raises:
            Conflict: the log does not end at ``after``.
            Erased: an event names somebody who has been erased.
            NotHolder: this process has joined others, and does not hold the table's lease.
            Unavailable: the store does not answer.
        """

    @abstractmethod
    async def read(self, table: str, after: int = 0) -> list[Event]:
        """A table's events from ``after`` + 1 on; empty if there are none."""

    @abstractmethod
    async def show(self, listing: Listing) -> None:
        """Change what the list of tables shows of one, unless it already shows something later, or somebody whom it
        names has been erased: then it is told of a log that was rewritten since.

        Raises:
            Unavailable: the store does not answer.
        """

    @abstractmethod
    async def listing(self, table: str) -> Listing | None:
        """What the list of tables shows of one; its ``people`` are left out."""

    @abstractmethod
    async def public(self, limit: int) -> list[Listing]:
        """The public tables, the latest changed first."""

    @abstractmethod
    async def of(self, guest: str, limit: int) -> list[Listing]:
        """The tables that are or were this guest's, public or not, the latest changed first; ``own`` says how they are
        theirs, their ``people`` are left out."""

    @abstractmethod
    async def keep_answer(self, answer: Answer) -> None:
        """Keep how long somebody took for an answer; without their hash if they have been erased."""

    @abstractmethod
    async def answers(self, after: int) -> list[tuple[int, Answer]]:
        """The answers kept after that of this number, each with its number; of the oldest nothing is kept."""

    @abstractmethod
    async def check(self) -> None:
        """Whether the store can be read.

        Raises:
            Unavailable: it cannot.
        """

    @abstractmethod
    async def bans(self) -> list[Ban]:
        """Everybody who is kept out, also those whose ban has run out."""

    @abstractmethod
    async def erased(self) -> frozenset[str]:
        """The marks of those who have been erased; see ``erasures``."""

    @abstractmethod
    async def notices(self, after: int) -> list[Notice]:
        """What administrators have done, after the notice of this number."""

    @abstractmethod
    def secret(self) -> bytes:
        """32 random bytes that all processes on this store share, for signing; made when the store was."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what was begun, and close the store."""
