"""What the HTTP interface takes and answers, beside the arguments of commands (``table/arguments``)."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StrictBool, StrictInt, StrictStr

from tefuda.server.table.arguments import BOTS, Clock, Name, Number, StrictBody
from tefuda.server.table.messages import Speed


class NewTable(StrictBody):
    """A table to be opened."""

    game: Annotated[str, Field(max_length=40, examples=["gong-zhu"])]
    seats: Number | None = Field(None, description="number of players; the game's usual number by default")
    options: Annotated[dict[str, StrictBool | StrictInt | StrictStr], Field(max_length=60)] = Field(
        {}, description="values that differ from the defaults", examples=[{"expose_order": "until_quiet"}]
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
    clock: Clock = Field(
        60,
        description="seconds after which a bot plays for somebody who does not answer, until they return; null for no "
        "clock. Somebody who is alone with bots has none",
    )
    speed: Speed = Field("normal", description="of the bots")


MOST_RECORD = 200_000
"""Characters of a record that is to be verified: what fits into a request's body, with the quotes written as JSON."""


class RecordText(StrictBody):
    """A record (.tfd)."""

    record: Annotated[str, Field(max_length=MOST_RECORD)]


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
    """What the judges found of one play; amounts as people count them."""

    play: str
    name: str = Field(description="of the play, in the reader's language")
    visits: int = Field(description="deals that were played on after it, by all judges")
    mean: float = Field(description="the same as worth")
    spread: float = Field(description="standard deviation of what it brought over the others, by the strongest judge")
    worth: float = Field(description="what it brought over the others, on average")
    error: float = Field(description="so far from that the judges' figures lie at most, with their margins")
    judged: bool = Field(description="always true: every play told of was tried often enough")


class Hint(BaseModel):
    """What to play, and why."""

    play: str = Field(description="what to play")
    usual: str = Field(description="what the rules of thumb advise; another play only if that is surely better")
    text: list[str] = Field(description="the same in sentences, with what speaks for it, in the reader's language")
    ideas: list[Idea] = Field(
        description="the play itself first, then the best others; none at a table that no net knows"
    )


class ErrorText(BaseModel):
    """What is wrong."""

    code: str = Field(description="of the refusal", examples=["illegal"])
    text: str = Field(description="in the reader's language")
    rule: str | None = Field(None, description="the number of the rule that forbids a play", examples=["GZ-12"])
    reason: str | None = Field(None, description="the code of that text")


class Error(BaseModel):
    """A refusal."""

    error: ErrorText


ERRORS: dict[int | str, dict[str, Any]] = {400: {"model": Error}, 422: {"model": Error}}
"""The answers to bad requests, of every route."""
