"""The messages that are sent to whoever watches a table, as types: ``docs/server.md`` tells what they mean.

``tests/web/message_types.py`` writes them out for the page's scripts.
"""

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from tefuda.engine.scene import Scene

Amount = int | float
"""As people count it."""


Phase = Literal["waiting", "shuffling", "playing", "over", "closed"]
"""Of a table."""


class Trick(TypedDict):
    """A finished trick: what each seat has played to it, as the viewer knows it, what such plays are called (texts by
    word), and whose it is."""

    plays: list[str]
    named: dict[str, str]
    seat: int


class Told(TypedDict):
    """What is told of one event."""

    seq: int
    at: int
    kind: str
    seat: NotRequired[int]
    name: NotRequired[str]
    bot: NotRequired[str | None]
    deal: NotRequired[int]
    commitment: NotRequired[str]
    phrase: NotRequired[str]
    play: NotRequired[str]
    trick: NotRequired[Trick]
    lines: NotRequired[list[str]]


class You(TypedDict):
    """Who is shown the table."""

    seat: int | None
    host: bool


class SeatState(TypedDict):
    """Who sits somewhere."""

    name: str
    bot: str | None
    absent: bool
    open: bool


class ShuffleState(TypedDict):
    """A deal that is to come."""

    deal: int
    commitment: str
    ready: list[bool]


class Outcome(TypedDict):
    """What a finished deal has brought."""

    payoff: NotRequired[list[Amount]]
    totals: NotRequired[list[Amount]]
    sheet: NotRequired[list[list[str]]]
    settlement: NotRequired[list[tuple[int, int, Amount]]]


class DealState(Outcome):
    """The present deal, or the last until the next."""

    number: int
    mover: int | None
    over: bool
    legal: list[str]
    equal: dict[str, str]
    named: dict[str, str]
    answered: bool
    since: int
    scene: Scene
    fields: NotRequired[dict[str, Any]]


class Common(TypedDict):
    """What is the same for everybody who looks at a table."""

    v: int
    type: Literal["state"]
    table: str
    seq: int
    game: str
    rules: int
    options: dict[str, bool | int | str]
    public: bool
    spectators: str
    clock: int
    phase: Phase
    seats: list[SeatState]
    session: int
    results: list[list[Amount]]
    shuffle: ShuffleState | None


class State(Common):
    """A table as one person sees it."""

    events: list[Told]
    you: You
    deal: DealState | None


class Reason(TypedDict):
    """Why a play is illegal: the rule's number, the code of the text, and the text."""

    rule: str
    reason: str
    text: str


class Fault(TypedDict):
    """Why an order is refused; of an illegal play the rule too."""

    code: str
    text: str
    rule: NotRequired[str]
    reason: NotRequired[str]


class Answer(TypedDict):
    """What a client is answered over a socket, to the message with this id."""

    type: Literal["done", "refused", "why", "pong"]
    id: str | int | None
    seq: NotRequired[int]
    error: NotRequired[Fault]
    play: NotRequired[str]
    reason: NotRequired[Reason | None]
