"""Callers at a table, the seats they hold, and the refusals they meet.

Logs hold hashes of guests, tokens and keys and nothing else, so that a reader of a log can use nothing in it."""

import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from tefuda.table.reasons import Reason

STAND_IN = "hints"  # the bot that plays for people who are away

_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,64}")


class Refused(Exception):  # noqa: N818 - an answer, not a fault
    """The server does not do what the caller asked for.

    ``code`` is of the text under ``server`` in the catalogues, with its ``fields``; the text of a ``reason`` of the
    rules, where they forbid a play, takes its place. ``status`` is of HTTP."""

    def __init__(self, code: str, status: int = 409, reason: Reason | None = None, **fields: Any) -> None:
        super().__init__(code)
        self.code, self.status, self.reason, self.fields = code, status, reason, fields


@dataclass(frozen=True)
class Caller:
    """A caller: a guest known by cookie, the bearer of a token, both or neither; by hashes, as logs keep them."""

    guest: str | None = None
    token: str | None = None

    @property
    def lasting(self) -> str | None:
        """The hash that stays the same: guests may get a new token with every order."""
        return self.guest or self.token

    def is_one(self, guest: str | None, token: str | None) -> bool:
        """Tell if these hashes in a log stand for this caller."""
        return (guest is not None and guest == self.guest) or (token is not None and token == self.token)


@dataclass
class SeatHolder:
    """The holder of one seat, another object for each; only ``absent`` changes."""

    name: str = ""  # of the player; empty for a free seat
    guest: str | None = None  # the hash of a person, like the token
    token: str | None = None
    bot: str | None = None  # which bot sits there
    absent: bool = False  # a bot plays for the person
    face: str = ""  # of a person; empty if they have chosen none

    @cached_property
    def taken(self) -> bool:
        return bool(self.name)

    @cached_property
    def person(self) -> bool:
        return self.taken and self.bot is None

    @cached_property
    def hashes(self) -> frozenset[str]:
        return frozenset(filter(None, (self.guest, self.token)))

    @property
    def player(self) -> str | None:
        """The bot that plays here now; None for a person who plays themselves."""
        return None if self.person and not self.absent else self.bot or STAND_IN


def guest_hash(guest: str) -> str:
    """The hash of a guest's random name, which their cookie holds."""
    return _hash("guest", guest)


def token_hash(token: str) -> str:
    """The hash of a token. ``Refused`` if it is not written like a token."""
    if not _TOKEN.fullmatch(token):
        raise Refused("bad_token", 401)
    return _hash("token", token)


def order_key(caller: Caller, key: str, order: str) -> str:
    """The key under which a table remembers an order of a caller, so that it knows a repetition: another order with the
    same key of theirs is none."""
    return _hash("key", f"{caller.lasting} {key} {order}")[:24]


def _hash(kind: str, text: str) -> str:
    return sha256(f"tefuda {kind} {text}".encode()).hexdigest()[:40]
