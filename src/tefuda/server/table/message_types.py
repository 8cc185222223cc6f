"""The types of the server's messages over a socket, and of the table that they tell of.

The interface's descriptions (``http/application``) and the types of the page's scripts
(``tests/web/message_types.py``) follow from them; ``docs/server.md`` explains their fields."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from tefuda.engine.scene import Scene

Amount = int | float  # points or money, in the unit in which people count

Phase = Literal["waiting", "shuffling", "playing", "over", "closed"]  # the phase of a table

Speed = Literal["slow", "normal", "fast", "instant"]  # how fast bots play

OptionValue = bool | int | str


class Trick(TypedDict):
    """A finished trick: what each seat has played to it, as the viewer knows it, what such plays are called (texts by
    word), and whose it is."""

    plays: list[str]
    named: dict[str, str]
    seat: int


class DecisiveMoment(TypedDict):
    """A moment that players wait for: its ``tune``, in hertz, whose it is (−1 for nobody's), and whether it is good for
    them."""

    tune: list[int]
    seat: int
    lucky: bool


class EventReport(TypedDict):
    """One event, as a viewer is told of it; a play of their own was perhaps ``forced``: the only answer. ``lines`` are
    for the log, ``captions`` for the places of their seats."""

    seq: int
    at: int
    kind: str
    seat: NotRequired[int]
    by: NotRequired[int]
    name: NotRequired[str]
    bot: NotRequired[str | None]
    deal: NotRequired[int]
    commitment: NotRequired[str]
    seal: NotRequired[str]
    attempt: NotRequired[int]
    seats: NotRequired[list[int]]
    clock: NotRequired[int | None]
    speed: NotRequired[Speed]
    phrase: NotRequired[str]
    text: NotRequired[str]
    agreed: NotRequired[bool]
    muted: NotRequired[bool]
    plays: NotRequired[int]
    play: NotRequired[str]
    forced: NotRequired[bool]
    trick: NotRequired[Trick]
    lines: NotRequired[list[str]]
    captions: NotRequired[list[tuple[int, str]]]
    moment: NotRequired[DecisiveMoment]


class Recipient(TypedDict):
    """The reader of the message."""

    seat: int | None
    host: bool


class SeatState(TypedDict):
    """A seat, and who sits there; ``/faces/{face}.svg`` is what they look like, empty where nobody sits. ``connected``
    is false of a person who has had no socket open for some seconds, ``muted`` true of one whom the host has muted;
    else both are missing."""

    name: str
    bot: str | None
    absent: bool
    open: bool
    face: str
    connected: NotRequired[bool]
    muted: NotRequired[bool]


class ShuffleState(TypedDict):
    """The shuffle of the next deal."""

    deal: int
    commitment: str
    ready: list[bool]
    attempt: int
    seals: list[str] | None
    revealed: list[bool]
    unrevealed: list[int]
    link: str


class DealOutcome(TypedDict):
    """The end of a finished deal: how it was decided, in a sentence where the game has one, perhaps with the card that
    did; what it paid, in lines with their ``rules``; and whether its replay may be shown by now."""

    outcome: NotRequired[str]
    shown: NotRequired[str]
    payoff: NotRequired[list[Amount]]
    totals: NotRequired[list[Amount]]
    sheet: NotRequired[list[list[str]]]
    rules: NotRequired[list[list[str]]]
    settlement: NotRequired[list[tuple[int, int, Amount]]]
    replay: NotRequired[bool]


class WishState(TypedDict):
    """An answer that the viewer may give before they are asked, the other one, and whether they have given it."""

    play: str
    otherwise: str
    said: bool


class ReplayedDeal(DealOutcome):
    """A deal at one moment, as a spectator sees it."""

    number: int
    mover: int | None
    over: bool
    legal: list[str]
    equal: dict[str, str]
    named: dict[str, str]
    answered: bool
    since: int
    scene: Scene


class DealState(ReplayedDeal):
    """The present deal, or the last until the next."""

    wish: WishState | None


class GivenDeal(TypedDict):
    """Which deal a table was opened for: that of a ``day``; one that was played before, tried ``again`` by ``seat``
    from the moment when so many ``plays`` had been made, where it had ``paid`` each seat; or so many ``deals`` of a
    club's ``round``, one a session, where ``day`` is the club, the season and the round."""

    kind: Literal["day", "again", "round"]
    day: NotRequired[str]
    deals: NotRequired[int]
    table: NotRequired[str]
    session: NotRequired[int]
    deal: NotRequired[int]
    plays: NotRequired[int]
    seat: NotRequired[int]
    paid: NotRequired[list[Amount]]


class AskedBack(TypedDict):
    """A seat that asks to take its last play back, and the seats that have yet to answer."""

    seat: int
    awaited: list[int]


class SharedState(TypedDict):
    """The part of a table's state that is the same for everybody; ``given`` only where a table is opened for one deal
    that was dealt elsewhere."""

    v: int
    type: Literal["state"]
    table: str
    seq: int
    game: str
    rules: int
    options: dict[str, bool | int | str]
    public: bool
    spectators: str
    chat: bool
    among_friends: bool
    asked_back: AskedBack | None
    clock: int | None
    timed: bool
    slow: bool
    speed: Speed
    phase: Phase
    seats: list[SeatState]
    session: int
    results: list[list[Amount]]
    shuffle: ShuffleState | None
    given: NotRequired[GivenDeal]


class PastState(TypedDict):
    """Why nobody plays on, at a table whose rules this version does not know, and the totals after the last finished
    deal; none if they are not known."""

    text: str
    totals: list[Amount]


class StateMessage(SharedState):
    """A table as one person sees it."""

    past: NotRequired[PastState]
    events: list[EventReport]
    you: Recipient
    deal: DealState | None


class BriefDeal(TypedDict):
    """The part of the present deal that a program must know to play: its legal plays if it is to move, and its cards
    where one of these, such as ``~3``, leaves open which."""

    number: int
    mover: int
    legal: list[str]
    hand: list[str]
    answered: bool
    since: int


class PlaysMessage(TypedDict):
    """Plays of a deal that goes on, in place of a ``StateMessage`` for programs that keep the table themselves."""

    v: int
    type: Literal["plays"]
    seq: int
    events: list[EventReport]
    deal: BriefDeal


class ShuffleMessage(TypedDict):
    """News of the shuffle that is pending, in place of a ``StateMessage`` for these programs and for pages."""

    v: int
    type: Literal["shuffle"]
    seq: int
    events: list[EventReport]
    shuffle: ShuffleState


class Operation(TypedDict):
    """A step of a JSON Patch (RFC 6902)."""

    op: Literal["replace"]
    path: str
    value: Any


class PatchMessage(TypedDict):
    """Plays of a deal that goes on, in place of a ``StateMessage`` for pages: what they change of the ``deal`` of the
    message with the seq ``after``, and of nothing else. When a trick has ended, the whole deal."""

    v: int
    type: Literal["patch"]
    seq: int
    after: int
    events: list[EventReport]
    patch: list[Operation]


class ReasonMessage(TypedDict):
    """Why a play is illegal: the rule's number, the code of the text, and the text."""

    rule: str
    reason: str
    text: str


class ErrorMessage(TypedDict):
    """Why an order is refused; for an illegal play the rule too."""

    code: Annotated[str, Field(description="of the refusal", examples=["illegal"])]
    text: Annotated[str, Field(description="in the reader's language")]
    rule: NotRequired[Annotated[str, Field(description="number of the rule that forbids a play", examples=["GZ-12"])]]
    reason: NotRequired[Annotated[str, Field(description="the code of that text")]]


class DoneMessage(TypedDict):
    """The order with this id is carried out, and on disk; ``seq`` is that of its last event."""

    v: int
    type: Literal["done"]
    id: str | int | None
    seq: int


class RefusedMessage(TypedDict):
    """The order with this id is refused; without an id, what stands here is said before the server hangs up."""

    v: NotRequired[int]
    type: Literal["refused"]
    id: str | int | None
    error: ErrorMessage


class WhyMessage(TypedDict):
    """Why a play is illegal; ``reason`` is null if it is legal."""

    v: int
    type: Literal["why"]
    id: str | int | None
    play: str | None
    reason: ReasonMessage | None


class PongMessage(TypedDict):
    """The answer to ``ping``."""

    v: int
    type: Literal["pong"]
    id: str | int | None


class ByeMessage(TypedDict):
    """The server stops, or lets go of the table: come back after so many milliseconds."""

    v: int
    type: Literal["bye"]
    retry_ms: int


SENT = (
    StateMessage, PlaysMessage, ShuffleMessage, PatchMessage, DoneMessage, RefusedMessage, WhyMessage, PongMessage,
    ByeMessage,
)  # fmt: skip
"""The messages that the server sends."""
