"""The types of all that clients send: the bodies of HTTP requests, and the fields of messages over a socket."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from tefuda.bots.players import LEVELS
from tefuda.server.table.message_types import Speed

BOTS = (*LEVELS, "random", "hints", "net", "search:100it", "search:1000it", "search:100ms", "search:500ms")
"""The bots that anybody may seat; for a level, the bot that stands for it at the table is seated. Bots of people's own
run on their machines, over the API."""


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
"""JSON knows no difference between 14 and 14.0. It stands behind a number's bounds, so that the schema has them."""

EXACT = 2**53  # up to here, in either direction, every reader of JSON knows a whole number exactly

Number = Annotated[StrictInt, Field(ge=-EXACT, le=EXACT), WHOLE]  # a whole number

Name = Annotated[str, Field(min_length=1, max_length=80, examples=["Aiko"])]
Seat = Annotated[StrictInt, Field(ge=0, le=15, examples=[1]), WHOLE]
Clock = Annotated[StrictInt, Field(ge=5, le=7 * 86400), WHOLE] | None
"""Seconds for an answer; None where nobody's time is counted. From twelve hours up the table is slow."""

Play = Annotated[str, Field(min_length=1, max_length=200, examples=["SQ"])]
Entropy = Annotated[str, Field(pattern="^([0-9a-f]{2}){0,32}$", max_length=64, examples=["5f1c0b9e77aa42d08c3b6a1f"])]
Seal = Annotated[str, Field(pattern="^([0-9a-f]{64})?$", max_length=64)]


class StrictBody(BaseModel):
    """A body in which unknown fields are an error."""

    model_config = ConfigDict(extra="forbid")

    def told(self) -> str:
        """All of them in one text, the same whichever way they have come: without what makes them a message."""
        return self.model_dump_json(exclude={"type", "id"})


class NoArguments(StrictBody):
    """Nothing."""


class Join(StrictBody):
    """A seat to be taken."""

    name: Name
    seat: Seat | None = Field(None, description="which; the first free one by default")
    invite: Annotated[str, Field(max_length=64)] | None = Field(None, description="of a table by invitation")
    face: Annotated[str, Field(max_length=24, examples=["tiger-3"])] = Field("", description="what you look like")


class SeatBots(StrictBody):
    """Bots for free seats."""

    bot: Annotated[str, Field(max_length=40, examples=["hints"], json_schema_extra={"enum": list(BOTS)})] = "hints"
    seat: Seat | None = Field(None, description="which; all free ones by default")


class TheSeat(StrictBody):
    """A seat."""

    seat: Seat


class Ready(StrictBody):
    """The next deal may come."""

    seal: Seal = Field("", description="of the random bytes that you will reveal, in hexadecimal")
    entropy: Entropy = Field("", description="instead of a seal: random bytes shown at once, which protects you less")
    deal: Number | None = Field(None, description="number of the deal that was committed to")


class Reveal(StrictBody):
    """Bytes that a seat has sealed."""

    entropy: Entropy = Field(description="the random bytes that were sealed, in hexadecimal")
    deal: Number | None = Field(None, description="number of the deal that was committed to")


class Pace(StrictBody):
    """The pace of a table; what is not named stays as it is."""

    clock: Clock = Field(60, description="seconds for an answer; null for as long as anybody likes")
    speed: Speed = Field("normal", description="of the bots")


class Mute(TheSeat):
    """A seat whose player says nothing more to the others, or may again."""

    muted: StrictBool = True


class MakePlay(StrictBody):
    """A play."""

    play: Play
    seq: Number | None = Field(None, description="what you saw; refused if the table has gone on since")


class Agreement(StrictBody):
    """An answer to somebody who would like to take a play back."""

    agreed: StrictBool


class Say(StrictBody):
    """Something to be said: a stock phrase, or a text of one's own where the table allows it."""

    phrase: Annotated[str, Field(max_length=40, examples=["well_played"])] = ""
    text: Annotated[str, Field(max_length=480, description="in place of a phrase, where there is `chat`")] = ""


class Report(StrictBody):
    """Somebody to be reported, by what they have said or by their name."""

    seat: Seat
    said: Number | None = Field(None, description="the seq of what they have said; by their name if it is null")
    note: Annotated[str, Field(max_length=1200, description="why, in up to 300 characters")] = ""


class NewTable(StrictBody):
    """A table to be opened."""

    game: Annotated[str, Field(max_length=40, examples=["gong-zhu"])]
    seats: Number | None = Field(None, description="number of players; the game's usual number by default")
    options: Annotated[dict[str, StrictBool | StrictInt | StrictStr], Field(max_length=60)] = Field(
        {},
        description="values that differ from the defaults, or from those of `preset`, a known set of options",
        examples=[{"expose_order": "until_quiet"}],
    )
    name: Name | None = Field(None, description="take the first seat under this name")
    bots: Annotated[list[Annotated[str, Field(json_schema_extra={"enum": list(BOTS)})]], Field(max_length=16)] = Field(
        [], description=f"bots for the seats after that: {', '.join(BOTS)}", examples=[["hints", "hints", "hints"]]
    )
    public: StrictBool = Field(True, description="shown in the list of tables")
    by_invitation: StrictBool = Field(False, description="only people with the invitation may join")
    spectators: Literal["none", "public", "delayed"] = Field(
        "public", description="who may watch: nobody, anybody, or anybody a minute later"
    )
    chat: StrictBool = Field(False, description="people may write to each other; not at a public table open to all")
    clock: Clock = Field(
        60,
        description="seconds after which a bot plays for somebody who does not answer, until they return; null for no "
        "clock. Somebody who is alone with bots has none",
    )
    speed: Speed = Field("normal", description="of the bots")


class WaitForPlayers(StrictBody):
    """A wish for a table with whoever else waits."""

    name: Name | None = Field(None, description="under which you play; by default what the browser keeps")
    bots: StrictBool = Field(False, description="begin with bots on free seats when you have waited for 20 seconds")


MOST_RECORD = 200_000
"""Characters of a record that is to be verified: what fits into a request's body, with the quotes written as JSON."""


class RecordText(StrictBody):
    """A record (.tfd)."""

    record: Annotated[str, Field(max_length=MOST_RECORD)]
