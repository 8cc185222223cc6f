"""The interface of stores: their records and errors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Row

from tefuda.engine.errors import TefudaError

JsonObject: TypeAlias = dict[str, Any]  # an object of JSON whose fields are not fixed here

JsonMapping: TypeAlias = Mapping[str, Any]  # the same, which is only read

StoredRow: TypeAlias = Row[Any]  # a row that a query finds


class StoreError(TefudaError):
    """A store that cannot be opened; one line for the person who started the server."""


class Unavailable(Exception):  # noqa: N818 - a state of the store, not a fault of the caller
    """The store does not answer; what was kept shows when the table is read again. ``code`` and ``status`` are those by
    which a caller is refused, as of ``callers.Refused``."""

    code, status = "unavailable", 503


class Elsewhere(Unavailable):
    """Another process drives the table: the client that asks again comes there."""

    code, status = "elsewhere", 421

    def __init__(self, told: str = "another process drives the table") -> None:
        super().__init__(told)


class NotHolder(Elsewhere):
    """Another process holds the lease of the table: nothing was kept, and nothing may be decided here."""


class Erased(Unavailable):
    """An event names a person who has been erased. By the next try this process knows so too, and takes the bearer of
    the cookie or the token for a stranger."""


class DamagedLog(Exception):  # noqa: N818 - a state of the store
    """A log that others have written to, or that the disk has spoilt; the message names table and event."""


class Conflict(Exception):  # noqa: N818
    """The log has gone on since the caller read it: nothing was kept. Read the rest and decide again."""


class Draft(NamedTuple):
    """An event to be kept."""

    kind: str
    body: JsonMapping


class Event(NamedTuple):
    """One event of a table's log: its place there, from 1 without gaps; when it was accepted, in milliseconds since
    1970; what happened, see ``table/events``."""

    seq: int
    at: int
    kind: str
    body: JsonMapping


@dataclass(frozen=True)
class Listing:
    """The entry of a table in the list; kept beside the log, from which it follows."""

    table: str
    seq: int
    at: int  # of the event after which the table was so, like ``seq``
    public: bool  # everybody may see it in the list
    summary: JsonMapping  # game, seats, names, what is going on
    # those whose own table it is from now on: the host and all who sit there; None for the same as before
    people: tuple["Belonging", ...] | None = ()
    hashes: frozenset[str] = frozenset()  # of those whom the summary names, and of the host
    own: "Belonging | None" = None  # the share of the guest for whom the list was asked; None in other lists
    # when something happens at a slow table by itself, milliseconds since 1970; None if nothing does
    due: int | None = None


@dataclass(frozen=True)
class Belonging:
    """A guest's share in a table, by their hash: the seat, None if they have none now; and True if they host the
    table."""

    guest: str
    seat: int | None
    host: bool


@dataclass(frozen=True)
class Ban:
    """An address, a network, or the hash of a guest or a token that is kept out, or muted, from one time to another in
    milliseconds since 1970, or for good; the reason is told to them."""

    subject: str
    at: int
    until: int | None
    reason: str
    mute: bool = False


class AnswerTime(NamedTuple):
    """The seconds that a person, by the hash of a guest, else of a token, took for an answer (``word``) that they
    could choose."""

    game: str
    word: str
    player: str | None
    seconds: float


@dataclass(frozen=True)
class Notice:
    """A deed of an administrator, numbered from 1: ``changed`` or ``rewritten`` (the table ``subject``), ``bans`` (of
    ``subject``), or something that a server need not know."""

    number: int
    action: str
    subject: str
