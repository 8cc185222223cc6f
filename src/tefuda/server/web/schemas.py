"""What programs send, as the OpenAPI page shows it."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from tefuda.server.events.commands import BOTS, PHRASES

Name = Annotated[str, Field(min_length=1, max_length=80, examples=["Aiko"])]
Seat = Annotated[StrictInt, Field(ge=0, le=15, examples=[1])]
Play = Annotated[str, Field(min_length=1, max_length=200, examples=["SQ"])]
Entropy = Annotated[
    str, Field(pattern="^([0-9a-f]{2}){0,32}$", max_length=64, examples=["5f1c0b9e77aa42d08c3b6a1f90e2d4c7"])
]
Id = Annotated[StrictStr | StrictInt, Field(examples=["move-17"])]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewTable(_Body):
    """A table to be opened."""

    game: Annotated[str, Field(max_length=40, examples=["gong-zhu"])]
    seats: StrictInt | None = Field(None, description="number of players; the game's usual number by default")
    options: Annotated[dict[str, StrictBool | StrictInt | StrictStr], Field(max_length=60)] = Field(
        {}, description="values that differ from the defaults", examples=[{"expose_order": "until_quiet"}]
    )
    name: Name | None = Field(None, description="take the first seat under this name")
    bots: Annotated[list[str], Field(max_length=16)] = Field(
        [], description=f"bots for the seats after that: {', '.join(BOTS)}", examples=[["hints", "hints", "hints"]]
    )
    public: bool = Field(True, description="shown in the list of tables")
    by_invitation: bool = Field(False, description="only who has the invitation may join")
    spectators: Literal["none", "public", "delayed"] = Field(
        "public", description="who may look on: nobody, anybody, anybody a minute later"
    )
    clock: Annotated[StrictInt, Field(ge=5, le=86400)] = Field(
        60, description="seconds after which a bot plays for somebody who does not answer, until he returns"
    )


class Join(_Body):
    """A seat to be taken."""

    name: Name
    seat: Seat | None = Field(None, description="which; the first free one by default")
    invite: Annotated[str, Field(max_length=64)] | None = Field(None, description="of a table by invitation")


class SeatBots(_Body):
    """Bots for free seats."""

    bot: Annotated[str, Field(max_length=40, examples=["hints"])] = "hints"
    seat: Seat | None = Field(None, description="which; all free ones by default")


class TheSeat(_Body):
    """A seat."""

    seat: Seat


class Ready(_Body):
    """The next deal may come."""

    entropy: Entropy = Field("", description="up to 32 random bytes for the shuffle, in hexadecimal")
    deal: StrictInt | None = Field(None, description="number of the deal that was committed to")


class MakePlay(_Body):
    """A play."""

    play: Play
    seq: StrictInt | None = Field(None, description="what you saw; refused if the table has gone on since")


class Say(_Body):
    """Something to be said."""

    phrase: Annotated[str, Field(max_length=40, examples=["well_played"], description=", ".join(PHRASES))]


class RecordText(_Body):
    """A record (.tfd)."""

    record: Annotated[str, Field(max_length=250_000)]


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
    reason: dict[str, str] | None = Field(
        examples=[{"rule": "GZ-12", "code": "follow", "text": "You must follow suit: …"}]
    )


class Idea(BaseModel):
    """What a search found of one play."""

    play: str
    visits: int = Field(description="simulations that began with it")
    mean: float = Field(description="what it brought in them, as people count it")
    spread: float = Field(description="standard deviation of that")


class Hint(BaseModel):
    """What a bot would play."""

    play: str = Field(description="by the rules of thumb")
    ideas: list[Idea] = Field(description="of a short search, the best first")


class ErrorText(BaseModel):
    """What is wrong."""

    code: str
    text: str
    rule: str | None = None


class Error(BaseModel):
    """A refusal."""

    error: ErrorText


# Messages over a socket


class Message(BaseModel):
    """What a client sends over a socket."""

    model_config = ConfigDict(extra="ignore")

    type: Literal["play", "why", "ready", "here", "hello", "ping"]
    id: Annotated[StrictStr, Field(max_length=64)] | StrictInt | None = None
    play: Annotated[StrictStr, Field(max_length=200)] | None = None
    seq: StrictInt | None = None
    entropy: Entropy = ""
    deal: StrictInt | None = None
    token: Annotated[StrictStr, Field(max_length=64)] | None = None
