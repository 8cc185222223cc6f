"""How a command is declared: once, for HTTP, the socket and the documentation alike."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from inspect import cleandoc
from typing import Generic, NamedTuple, TypeVar

from tefuda.server.store.port import Draft
from tefuda.server.table.arguments import StrictBody
from tefuda.server.table.chair import Caller
from tefuda.server.table.refused import Refused
from tefuda.server.table.table_state import TableState

Arguments = TypeVar("Arguments", bound=StrictBody)


class Role(Enum):
    """Who may give a command; the value is how the documentation says it."""

    ANYBODY = "anybody"
    SEATED = "whoever is seated"
    SEATED_OR_HOST = "whoever is seated, the host"
    HOST = "the host"

    def check(self, table: TableState, caller: Caller) -> None:
        """Let a caller pass who has this role.

        Raises:
            Refused: they have not.
        """
        if self is Role.HOST and not table.is_host(caller):
            raise Refused("not_host", 403)
        if self is Role.SEATED or (self is Role.SEATED_OR_HOST and not table.is_host(caller)):
            seat_of(table, caller)


class Order(NamedTuple, Generic[Arguments]):
    """A command as somebody has sent it.

    Attributes:
        caller: who sent it.
        arguments: of the command.
        at: when it came, milliseconds since 1970.
        language: of the sentences in a refusal.
    """

    caller: Caller
    arguments: Arguments
    at: int
    language: str = "en"


Decide = Callable[[TableState, Order[Arguments]], list[Draft]]
"""Turns an order into events; an empty list means that there is nothing to do.

Raises:
    Refused: the table does not allow it.
"""


@dataclass(frozen=True)
class Command(Generic[Arguments]):
    """Something that people ask of a table.

    Attributes:
        name: of its messages over a socket.
        path: of its HTTP route, below ``/tables/{table}/``.
        summary, about: what it does, for the API's documentation.
        arguments: the model of what it takes.
        role: who may give it.
        while_open: whether a closed table refuses it.
        over_socket: whether the socket takes it too.
        refusals: the codes with which it is refused beside those of its role and of a closed table.
        decide: turns an order into events.
    """

    name: str
    path: str
    summary: str
    about: str
    arguments: type[Arguments]
    role: Role
    while_open: bool
    over_socket: bool
    refusals: tuple[str, ...]
    decide: Decide[Arguments]

    def __call__(self, table: TableState, order: Order[Arguments]) -> list[Draft]:
        """The events that an order brings about; the table stays as it is.

        Raises:
            Refused: the caller may not give this command, or the table does not allow it.
        """
        self.role.check(table, order.caller)
        if self.while_open and table.past is not None:
            raise table.past.refusal()
        if self.while_open and table.closed:
            raise Refused("closed", 410)
        return self.decide(table, order)


def command(
    summary: str,
    arguments: type[Arguments],
    role: Role,
    *refusals: str,
    path: str = "",
    while_open: bool = False,
    over_socket: bool = False,
) -> Callable[[Decide[Arguments]], Command[Arguments]]:
    """Declare the command that a function decides; its docstring becomes the description in the API's documentation.

    Args:
        path: the function's name by default. For the others see ``Command``.
    """

    def declare(decide: Decide[Arguments]) -> Command[Arguments]:
        name: str = decide.__name__
        about = cleandoc(decide.__doc__ or "")
        return Command(
            name, path or name, summary, about, arguments, role, while_open, over_socket, refusals, decide
        )  # fmt: skip

    return declare


def seat_of(table: TableState, caller: Caller) -> int:
    """The seat of this caller.

    Raises:
        Refused: they have none.
    """
    seat = table.seat_of(caller)
    if seat is None:
        raise Refused("not_seated", 403)
    return seat
