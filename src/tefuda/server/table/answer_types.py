"""The types of the server's answers over HTTP: games, lists, replays, reviews, proofs; described as messages are."""

from typing import Literal, NotRequired

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from tefuda.engine.scene import Group
from tefuda.server.store.port import JsonObject
from tefuda.server.table import message_types
from tefuda.server.table.message_types import Amount, OptionValue
from tefuda.table.head_log import Head


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
    """A game: options, presets (known sets of options), rules by number, cards by word, the bots that may be seated."""

    game: str
    rules_version: int
    seats: list[int]
    options: list[OptionDetails]
    presets: dict[str, dict[str, OptionValue]]
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
    error: message_types.ErrorMessage


class ListedTable(TypedDict):
    """A public table, as it was ``at`` that time (milliseconds since 1970); ``asked`` are seats of people whose turn it
    is and who are not connected."""

    table: str
    at: int
    game: str
    options: dict[str, OptionValue]
    phase: message_types.Phase
    seats: list[message_types.SeatState]
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
    trick: message_types.Trick | None
    deal: message_types.ReplayedDeal
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
    past: NotRequired[message_types.PastState]


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


class LogEntry(TypedDict):
    """A deal of some table in the log of all tables, or a table that was pruned: the head that its chain then had."""

    number: int
    at: int
    kind: Literal["dealt", "pruned"]
    head: str
    link: str


class LogPart(TypedDict):
    """Entries of the log of all tables, and its head."""

    entries: list[LogEntry]
    head: Head


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
    reason: message_types.ReasonMessage | None = Field(
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

    error: message_types.ErrorMessage


ERRORS: dict[int | str, JsonObject] = {400: {"model": Error}, 422: {"model": Error}}
"""The answers to bad requests, of every route."""
