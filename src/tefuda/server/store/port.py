"""The interface of stores: their records and errors."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, TypeAlias

from sqlalchemy import BigInteger, Row

from tefuda.engine.errors import TefudaError

JsonObject: TypeAlias = dict[str, Any]  # an object of JSON whose fields are not fixed here

JsonMapping: TypeAlias = Mapping[str, Any]  # the same, which is only read

StoredRow: TypeAlias = Row[Any]  # a row that a query finds

Large: TypeAlias = Annotated[int, BigInteger]  # a number of up to 64 bits, such as milliseconds since 1970


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
class Notice:
    """A deed of an administrator, numbered from 1: ``changed`` or ``rewritten`` (the table ``subject``), ``bans`` (of
    ``subject``), or something that a server need not know."""

    number: int
    action: str
    subject: str


# Records that tables of the database keep, a column for each field


@dataclass(frozen=True)
class Ban:
    """An address, a network, or the hash of a guest or a token that is kept out, or muted, from one time to another in
    milliseconds since 1970, or for good; the reason is told to them."""

    subject: str
    at: Large
    until: Large | None
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
class SeatResult:
    """The result of one seat in a game."""

    seat: int
    name: str  # of the player; empty where a person has left before the end
    person: str | None  # the hash of a guest, else of a token; None for a bot
    bot: str | None  # which bot; None for a person
    side: int  # partners have the same number
    points: float  # in all, as people count them
    place: int  # 1 for the most points; partners share one


@dataclass(frozen=True)
class PlayerRating:
    """An estimate of how well a person or a bot plays a game, from so many games: a normal distribution, by its mean
    and standard deviation."""

    mu: float = 25.0
    sigma: float = 25.0 / 3
    games: int = 0


@dataclass(frozen=True)
class HouseRules:
    """Options under a name."""

    id: str  # in their address
    at: Large  # when they were saved, milliseconds since 1970
    person: str | None  # who saved them; None if they are forgotten
    title: str
    game: str
    seats: int  # of the table
    options: JsonMapping  # those that differ from the usual ones


class DealOfDay(NamedTuple):
    """A deal of the day: the day by universal time, as ``2026-11-23``, and the game."""

    day: str
    game: str


@dataclass(frozen=True)
class DailyResult:
    """A player's result in the deal of a day."""

    player: str  # the hash of a guest, else of a token; of a bot ``bot`` and its spec
    at: Large  # when the deal ended, milliseconds since 1970
    name: str  # of the player; of a bot its spec
    points: float  # as people count them
    table: str  # where it was played; empty for a bot

    @property
    def bot(self) -> str:
        """The spec of a bot; empty for a person."""
        kind, _, spec = self.player.partition(" ")
        return spec if kind == "bot" else ""


@dataclass(frozen=True)
class Passkey:
    """A passkey, whose private part never leaves its owner's device."""

    id: str  # of the credential, base64url
    guest: str  # the hash of the guest who signs in with it
    public_key: str  # in the form of COSE, base64url
    counter: Large  # of the signatures that its device has reported; 0 where it counts none
    at: Large  # when it was added, milliseconds since 1970
    used: Large | None = None  # when it was last used to sign in
    name: str = ""  # of its owner, like ``face``, for the browsers in which they sign in
    face: str = ""


MAILBOX = "mailto:"  # begins the address of a mailbox; other addresses are those of browsers


@dataclass(frozen=True)
class NoticeAddress:
    """An address at which a guest wants to be told: a mailbox, or a browser (Web Push), which has keys."""

    address: str  # of the browser at its push service, or ``mailto:``
    guest: str  # the hash of the guest who is told there
    p256dh: str  # the browser's public key, base64url, like the secret that goes with it; empty for a mailbox
    auth: str
    language: str  # of the notices
    at: Large  # when the guest asked for it, milliseconds since 1970

    @property
    def is_mailbox(self) -> bool:
        """True if notices go there by e-mail."""
        return self.address.startswith(MAILBOX)


class Club(NamedTuple):
    """A club, founded ``at`` this time (milliseconds since 1970); its first member arranges the seasons."""

    id: str  # in its address
    at: Large
    name: str


class Member(NamedTuple):
    """A member by number; ``person`` is the hash of a guest, else of a token, None of those who have left."""

    club: str
    number: int
    person: str | None
    name: str
    face: str


class Season(NamedTuple):
    """So many rounds of so many deals of a game; ``options`` and ``played``, the rounds that have begun, are JSON."""

    club: str
    number: int
    game: str
    seats: int
    options: str
    rounds: int
    deals: int
    played: str = "[]"

    @property
    def begun(self) -> list[dict[str, Any]]:
        """The rounds: their ``tables``, by name the numbers of members by seat, 0 for bots; True where ``ended``."""
        found: list[dict[str, Any]] = json.loads(self.played)
        return found
