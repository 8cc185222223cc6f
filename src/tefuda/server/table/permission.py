"""Permission: who may do what, and see what, at a table. Each function lets a caller pass, or raises ``Refused``."""

from enum import Enum

from tefuda.server.table.callers import Caller, Refused
from tefuda.server.table.table_state import TableState


class Role(Enum):
    """The callers who may give a command; the value is how the documentation says it."""

    ANYBODY = "anybody"
    SEATED = "whoever is seated"
    SEATED_OR_HOST = "whoever is seated, the host"
    HOST = "the host"

    def check(self, table: TableState, caller: Caller) -> None:
        """Let a caller pass who has this role."""
        if self is Role.HOST and not table.is_host(caller):
            raise Refused("not_host", 403)
        if self is Role.SEATED or (self is Role.SEATED_OR_HOST and not table.is_host(caller)):
            seat_of(table, caller)


def seat_of(table: TableState, caller: Caller) -> int:
    """The seat of this caller, who must have one."""
    seat = table.seat_of(caller)
    if seat is None:
        raise Refused("not_seated", 403)
    return seat


def refuse_on_day(table: TableState) -> None:
    """Refuse what would make a deal of the day another than the others played."""
    if table.day:
        raise Refused("day_once")


def must_be_open(table: TableState) -> None:
    """Let callers pass while a table can be played on: it is not closed, and this version knows its rules."""
    if table.past is not None:
        raise table.past.refusal()
    if table.closed:
        raise Refused("closed", 410)


def may_see_records(table: TableState, caller: Caller) -> None:
    """Let a caller pass who may see records: at a table without spectators, those who sit there, and everybody once the
    round of a club is over for which it was opened, since the club shows all its deals then."""
    if table.settings["spectators"] == "none" and not (table.round_deals and table.closed):
        seat_of(table, caller)


def may_see_review(after: TableState, caller: Caller, seat: int, *, shown: bool) -> None:
    """Let a caller pass who may see the review of a seat: everybody if every hand of the deal may be shown by now, else
    the player of that seat, at the table as it stood after the deal, which must be over."""
    if not 0 <= seat < after.game.seats:
        raise Refused("no_such_seat", 404, last=after.game.seats - 1)
    if after.deal is None or not after.deal.over:
        raise Refused("deal_not_over")
    if not shown and after.seat_of(caller) != seat:
        raise Refused("hands_hidden", 403)


def may_have_hint(table: TableState, caller: Caller) -> None:
    """Let a caller pass who may have a hint: a player whose turn it is, alone with bots, since against people a hint
    would be help; but not in the deal of the day, which everybody plays without."""
    seat = seat_of(table, caller)
    if any(chair.person for other, chair in enumerate(table.chairs) if other != seat):
        raise Refused("not_alone", 403)
    refuse_on_day(table)
    if table.closed:
        raise Refused("closed", 410)
    if table.deal is None or table.deal.mover != seat:
        raise Refused("not_to_play")
