"""The interface of stores: their records and errors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from tefuda.engine.errors import TefudaError


class StoreError(TefudaError):
    """A store that cannot be opened; one line for the person who started the server."""


class Unavailable(Exception):  # noqa: N818 - a state of the store, not a fault of the caller
    """The store does not answer; what was kept shows when the table is read again."""


class Elsewhere(Unavailable):
    """Another process drives the table: the client that asks again comes there."""


class Erased(Unavailable):
    """An event names a person who has been erased. By the next try this process knows so too, and takes the bearer of
    the cookie or the token for a stranger."""


class DamagedLog(Exception):  # noqa: N818 - a state of the store
    """A log that others have written to, or that the disk has spoilt; the message names table and event."""


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
        kind, body: what happened; see ``table/events``.
    """

    seq: int
    at: int
    kind: str
    body: Mapping[str, Any]


@dataclass(frozen=True)
class Listing:
    """The entry of a table in the list; kept beside the log, from which it follows.

    Attributes:
        table: its name.
        seq, at: of the event after which the table was so.
        public: True if everybody may see it in the list.
        summary: game, seats, names, what is going on.
        people: those whose own table it is from now on: the host and all who sit there; None for the same as before.
        hashes: of those whom the summary names, and of the host.
        own: the share of the guest for whom the list was asked; None in other lists.
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
    """A guest's share in a table.

    Attributes:
        guest: their hash.
        seat: theirs; None if they have none now.
        host: True if they opened the table.
    """

    guest: str
    seat: int | None
    host: bool


@dataclass(frozen=True)
class Ban:
    """An address, a network or a person that is kept out.

    Attributes:
        subject: an address, a network, or the hash of a guest or a token.
        at: since when, milliseconds since 1970.
        until: when it ends; None if it does not.
        reason: told to them.
    """

    subject: str
    at: int
    until: int | None
    reason: str


class AnswerTime(NamedTuple):
    """The time that a person took for an answer that they could choose.

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
    """A deed of an administrator.

    Attributes:
        number: from 1 on.
        action: ``changed`` or ``rewritten`` (a table's log), ``bans``, or something that a server need not know.
        subject: the table, or the banned.
    """

    number: int
    action: str
    subject: str


class Observer(Protocol):
    """Observes how long the store takes, from any thread."""

    def commit(self, seconds: float, appends: int) -> None:
        """Note that so many appends were committed together."""

    def read(self, seconds: float) -> None:
        """Note that a log was read."""


class NullObserver:
    """An observer that looks away."""

    def commit(self, seconds: float, appends: int) -> None: ...

    def read(self, seconds: float) -> None: ...
