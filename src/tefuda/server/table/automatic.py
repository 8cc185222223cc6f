"""The events that nobody asks for: shuffles, deals, plays of bots, clocks that run out.

Each function decides on a table as it stands, as commands do, or gives the events outright.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tefuda.server.store.port import Draft
from tefuda.server.table.commands import bot_seated
from tefuda.server.table.table_state import TableState
from tefuda.table import shuffle

Decide = Callable[[TableState], list[Draft]]
"""Decides, on a table as it stands, which events follow; an empty list means that there is nothing to do."""


def first_bots(table: TableState, bots: Sequence[str]) -> list[Draft]:
    """Seat the bots that a table is opened with, on the first free seats; nothing if that was done before."""
    if any(chair.bot for chair in table.chairs):
        return []
    return [bot_seated(seat, bot) for seat, bot in zip(table.free_seats(), bots, strict=False)]


def commit(table: TableState, secret: bytes) -> list[Draft]:
    """Commit the server to its part in the shuffle of the next deal.

    Args:
        secret: ``shuffle.SECRET_BYTES`` random bytes, shown when the deal is over.
    """
    number = table.deals + 1
    commitment = shuffle.commit(shuffle.context(table.game, table.proof_name, number), secret)
    body = {"deal": number, "commitment": commitment.hex(), "secret": secret.hex(), "protocol": shuffle.PROTOCOL}
    return [Draft("committed", body)]


def close_seals(table: TableState) -> list[Draft]:
    """Take no more seals; deal if there is nothing to be revealed. The deal of the day is dealt in a step of its own,
    since another table may have been faster."""
    assert table.shuffle is not None
    closed = Draft("closed_seals", {"attempt": table.shuffle.attempt})
    return [closed] if table.shuffle.unopened or table.day else [closed, *deal(table)]


def name_unrevealed(table: TableState) -> list[Draft]:
    """The time to reveal is over: shuffle again without those who have not."""
    assert table.shuffle is not None
    return [Draft("unrevealed", {"seats": table.shuffle.unopened})]


def deal(table: TableState) -> list[Draft]:
    """Deal what has been committed to."""
    assert table.shuffle is not None
    return [Draft("dealt", {"deal": table.shuffle.number})]


def give(table: TableState, row: Mapping[str, Any]) -> list[Draft]:
    """Give a table its deal, as the event ``given`` has it; nothing if it has one."""
    return [] if table.begun else [Draft("given", row)]


def play_for(seat: int, word: str) -> list[Draft]:
    """A play that a bot, or the table itself, makes for a seat."""
    return [Draft("played", {"seat": seat, "play": word})]


def miss(seat: int) -> list[Draft]:
    """The clock of a seat has run out."""
    return [Draft("absent", {"seat": seat})]
