"""What questions over HTTP are answered with, for the description of the interface; a test holds answers to it."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from tefuda.engine.scene import Group, Scene
from tefuda.server.table.messages import Amount, DealOutcome, PastState, Phase, SeatState, Trick

OptionValue = bool | int | str


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
    """How a card is written, and the colour of its suit."""

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


class ReviewProgress(TypedDict):
    """How many decisions of a deal have been judged; how many there are, 0 until they are counted."""

    judged: int
    decisions: int


class ReviewedDecision(TypedDict):
    """A choice among several plays, made after so many ``plays``: the best one, the same where none is clearly better;
    what it brings more, on average, by the judge who finds less, 0 where there is one judge only; a standard error of
    that; and the range that both judges allow."""

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


class Review(TypedDict):
    """Where a deal was won and lost, in what people count. ``luck``, ``own`` and ``others`` add up to the ``gain`` over
    the others; ``worths`` are what the deal was worth after dealing and after each play, all hands open. Where there
    are no ``moments``, ``summary`` says so."""

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
    """Whether a record is consistent; then whether its table is kept here, and the proofs, else the ``error``."""

    consistent: bool
    fair: Literal[False] | None
    error: NotRequired[str]
    kept: NotRequired[bool]
    deals: NotRequired[list[ShuffleProof]]
