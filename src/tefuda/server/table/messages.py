"""The types of the messages that a table's viewers are sent; ``docs/server.md`` explains their fields.

``tests/web/message_types.py`` writes them out for the page's scripts.
"""

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from tefuda.engine.scene import Scene

Amount = int | float
"""Points or money, in the unit in which people count."""

Phase = Literal["waiting", "shuffling", "playing", "over", "closed"]
"""The phase of a table."""

Speed = Literal["slow", "normal", "fast", "instant"]
"""How fast bots play."""


class Trick(TypedDict):
    """A finished trick: what each seat has played to it, as the viewer knows it, what such plays are called (texts by
    word), and whose it is."""

    plays: list[str]
    named: dict[str, str]
    seat: int


class EventReport(TypedDict):
    """What a viewer is told of one event; of a play of their own also whether it was ``forced``: the only answer."""

    seq: int
    at: int
    kind: str
    seat: NotRequired[int]
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
    play: NotRequired[str]
    forced: NotRequired[bool]
    trick: NotRequired[Trick]
    lines: NotRequired[list[str]]


class Recipient(TypedDict):
    """Whom the message is for."""

    seat: int | None
    host: bool


class SeatState(TypedDict):
    """Who sits on a seat; ``/faces/{face}.svg`` is what they look like, empty where nobody sits. ``connected`` is false
    of a person who has had no socket open for some seconds, else missing."""

    name: str
    bot: str | None
    absent: bool
    open: bool
    face: str
    connected: NotRequired[bool]


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
    """What a finished deal has brought: how it was decided, in a sentence where the game has one, and what it paid; and
    whether its replay may be shown by now."""

    outcome: NotRequired[str]
    payoff: NotRequired[list[Amount]]
    totals: NotRequired[list[Amount]]
    sheet: NotRequired[list[list[str]]]
    settlement: NotRequired[list[tuple[int, int, Amount]]]
    replay: NotRequired[bool]


class WishState(TypedDict):
    """What the viewer may say before they are asked, the answer otherwise, and whether they have said it."""

    play: str
    otherwise: str
    said: bool


class DealState(DealOutcome):
    """The present deal, or the last until the next."""

    number: int
    mover: int | None
    over: bool
    legal: list[str]
    equal: dict[str, str]
    named: dict[str, str]
    answered: bool
    wish: WishState | None
    since: int
    scene: Scene
    fields: NotRequired[dict[str, Any]]


class GivenDeal(TypedDict):
    """Which deal a table was opened for: that of a ``day``; or one that was played before, tried ``again`` by ``seat``
    from the moment when so many ``plays`` had been made, where it had ``paid`` each seat."""

    kind: Literal["day", "again"]
    day: NotRequired[str]
    table: NotRequired[str]
    session: NotRequired[int]
    deal: NotRequired[int]
    plays: NotRequired[int]
    seat: NotRequired[int]
    paid: NotRequired[list[Amount]]


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
    clock: int | None
    timed: bool
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
    """What a program must know of the present deal to play: its legal plays if it is to move, and its cards where one
    of these, such as ``~3``, leaves open which."""

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
    """What has happened to the shuffle that is pending, in place of a ``StateMessage`` for the same programs."""

    v: int
    type: Literal["shuffle"]
    seq: int
    events: list[EventReport]
    shuffle: ShuffleState


class ReasonMessage(TypedDict):
    """Why a play is illegal: the rule's number, the code of the text, and the text."""

    rule: str
    reason: str
    text: str


class ErrorMessage(TypedDict):
    """Why an order is refused; for an illegal play the rule too."""

    code: str
    text: str
    rule: NotRequired[str]
    reason: NotRequired[str]


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


class SocketAnswer(TypedDict):
    """The answer over a socket to the message with this id."""

    type: Literal["done", "refused", "why", "pong"]
    id: str | int | None
    seq: NotRequired[int]
    error: NotRequired[ErrorMessage]
    play: NotRequired[str]
    reason: NotRequired[ReasonMessage | None]
