"""The types of all that the server says: messages over a socket, and answers over HTTP.

The interface's descriptions (``http/descriptions``) and the types of the page's scripts
(``tests/web/message_types.py``) follow from them; ``docs/server.md`` explains their fields."""

from typing import Annotated, Literal, NotRequired

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from tefuda.engine.scene import Group, Scene
from tefuda.server.store.port import JsonObject

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
    is false of a person who has had no socket open for some seconds, else missing."""

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
    fields: NotRequired[JsonObject]


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
    """News of the shuffle that is pending, in place of a ``StateMessage`` for the same programs."""

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


class GameLine(TypedDict):
    """A game in the list: ``ready`` once its rules are compiled; its title in the reader's language, and at home."""

    game: str
    seats: list[int]
    ready: bool
    title: str
    native: str


class OptionDetails(TypedDict):
    """An option: of a choice ``values``, of a number ``least`` and ``most``; its texts by key."""

    name: str
    default: OptionValue
    rule: str
    values: list[str]
    least: int
    most: int
    texts: dict[str, str]


class CardText(TypedDict):
    """A card as it is written, and the colour of its suit."""

    text: str
    colour: str


class GameDetails(TypedDict):
    """A game: options, rules by number, cards by word, the bots that may be seated."""

    game: str
    rules_version: int
    seats: list[int]
    options: list[OptionDetails]
    rules: dict[str, str]
    cards: dict[str, CardText]
    bots: list[str]


class QueueMessage(TypedDict, total=False):
    """A line for whoever waits for players: how many wait for a table with so many seats, the seconds that they have
    waited themselves, whether they take bots, and in how many seconds these may come; at last the table, their seat and
    perhaps a token that was made for them; or why they wait no more."""

    waiting: int
    seats: int
    waited: int
    bots: bool
    bots_in: float
    table: str
    seat: int
    token: str | None
    error: ErrorMessage


class ListedTable(TypedDict):
    """A public table, as it was ``at`` that time (milliseconds since 1970); ``asked`` are seats of people whose turn it
    is and who are not connected."""

    table: str
    at: int
    game: str
    options: dict[str, OptionValue]
    phase: Phase
    seats: list[SeatState]
    deals: int
    totals: NotRequired[list[Amount]]
    shown: NotRequired[int]
    free: int
    by_invitation: bool
    spectators: str
    asked: NotRequired[list[int]]


class ShuffleProof(TypedDict):
    """The proof of a shuffle, bytes in hexadecimal; of protocol 1 without ``seals`` and ``attempt``."""

    table: str
    deal: int
    commitment: str
    secret: str
    entropy: list[str]
    seals: NotRequired[list[str]]
    attempt: NotRequired[int]


class DeckProof(ShuffleProof):
    """A proof with all that its deck can be computed from again; of the latest deal with the hands dealt from it."""

    context: NotRequired[str]
    pack: NotRequired[list[str]]
    deck: NotRequired[list[str]]
    chance: NotRequired[int]
    hands: NotRequired[list[list[str]]]


class ReplayMoment(TypedDict):
    """A deal after a play, with every hand; before the first play ``seat`` and ``play`` are null."""

    seat: int | None
    play: str | None
    lines: list[str]
    trick: Trick | None
    deal: ReplayedDeal
    hands: list[list[Group]]
    played: list[str]


class PlayInWords(TypedDict):
    """A play, and the sentence about it."""

    seat: int
    play: str
    line: str


class Replay(TypedDict):
    """A deal, step by step; of rules that the server does not know, in words alone (``plays``, ``past``). A deal that
    was tried again has no proof."""

    names: list[str]
    session: int
    proof: DeckProof | None
    moments: list[ReplayMoment]
    plays: NotRequired[list[PlayInWords]]
    past: NotRequired[PastState]


class ReviewedDecision(TypedDict):
    """A choice among several plays, made after so many ``plays``: the best one, the same where none is clearly better;
    what it brings more, on average, by the judge who finds less, 0 where there is one judge only; a standard error of
    that; and the range that the judges allow."""

    plays: int
    play: str
    best: str
    given_away: float
    doubt: float
    low: float
    high: float


class ReviewedMoment(TypedDict):
    """One of the dearest decisions in words, and why the best play is good: what would have become of the player, what
    a rule of thumb says; empty where neither tells."""

    plays: int
    text: str
    reason: str


class ReviewProgress(TypedDict):
    """The number of decisions of a deal that have been judged, and of all, 0 until they are counted; and the dearest
    moments among those that have been judged."""

    judged: int
    decisions: int
    moments: list[ReviewedMoment]


class Review(TypedDict):
    """An account of where a deal was won and lost, in what people count. ``luck``, ``own`` and ``others`` add up to the
    ``gain`` over the others; ``worths`` are what the deal was worth after dealing and after each play, all hands open.
    Where there are no ``moments``, ``summary`` says so."""

    session: int
    deal: int
    seat: int
    gain: float
    own: float
    luck: NotRequired[float]
    others: NotRequired[float]
    worths: NotRequired[list[float]]
    decisions: list[ReviewedDecision]
    moments: list[ReviewedMoment]
    summary: str


class ChainEntry(TypedDict):
    """Something that was fixed before a deal, and the link onto what was fixed before it."""

    kind: Literal["committed", "sealed", "unrevealed"]
    table: str
    deal: int
    commitment: NotRequired[str]
    attempt: NotRequired[int]
    seals: NotRequired[list[str]]
    seats: NotRequired[list[int]]
    link: str


class Verification(TypedDict):
    """The verdict on a record: if it is consistent, whether its table is kept here, and the proofs, else the
    ``error``."""

    consistent: bool
    fair: Literal[False] | None
    error: NotRequired[str]
    kept: NotRequired[bool]
    deals: NotRequired[list[ShuffleProof]]


class Opened(BaseModel):
    """A table that is open now."""

    table: str = Field(examples=["k3v9q2m7x5ab"])
    seat: int | None
    token: str | None = Field(description="send it as 'Authorization: Bearer …'; None if you have brought your own")
    invite: str | None = Field(description="for those who are to join a table by invitation")


class Joined(BaseModel):
    """A seat that is yours now."""

    table: str
    seat: int
    token: str | None = Field(description="of the seat; it also works on another device")


class Done(BaseModel):
    """An order that has been carried out, and kept."""

    seq: int = Field(description="of the last event it brought about")


class WhyNot(BaseModel):
    """Why a play is illegal."""

    legal: bool
    reason: ReasonMessage | None = Field(
        examples=[{"rule": "GZ-12", "reason": "follow", "text": "You must follow suit: …"}]
    )


class Idea(BaseModel):
    """One play as the judges found it; amounts as people count them."""

    play: str
    name: str = Field(description="of the play, in the reader's language")
    visits: int = Field(description="deals that were played on after it, by all judges")
    mean: float = Field(description="the same as worth")
    spread: float = Field(description="standard deviation of what it brought over the others, by the strongest judge")
    worth: float = Field(description="what it brought over the others, on average")
    error: float = Field(description="so far from that the judges' figures lie at most, with their margins")
    judged: bool = Field(description="always true: every play told of was tried often enough")


class Hint(BaseModel):
    """A play to make, and why."""

    play: str = Field(description="what to play")
    usual: str = Field(description="what the rules of thumb advise; another play only if that is surely better")
    text: list[str] = Field(
        description="the play and why in one sentence, in the reader's language; then sentences with figures"
    )
    ideas: list[Idea] = Field(
        description="the play itself first, then the best others; none if it was quick, or no net knows the table"
    )


class Error(BaseModel):
    """A refusal."""

    error: ErrorMessage


ERRORS: dict[int | str, JsonObject] = {400: {"model": Error}, 422: {"model": Error}}
"""The answers to bad requests, of every route."""
