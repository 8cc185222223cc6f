"""Who sits at a table, and who asks for something there."""

from dataclasses import dataclass
from functools import cached_property

STAND_IN = "hints"
"""The bot that plays for people who are away."""


@dataclass(frozen=True)
class Caller:
    """Who asks for something: a guest known by cookie, the bearer of a token, both or neither.

    Attributes:
        guest, token: hashes, as logs keep them.
    """

    guest: str | None = None
    token: str | None = None

    @property
    def lasting(self) -> str | None:
        """The hash that stays the same: guests may get a new token with every order."""
        return self.guest or self.token

    def is_one(self, guest: str | None, token: str | None) -> bool:
        """Whether these hashes in a log stand for this caller."""
        return (guest is not None and guest == self.guest) or (token is not None and token == self.token)


@dataclass
class Chair:
    """One seat. Whoever sits down gets another one; only ``absent`` changes.

    Attributes:
        name: of whoever sits there; empty if nobody does.
        guest, token: hashes of a person.
        bot: which bot sits there.
        absent: whether a bot plays for the person.
        face: what a person looks like; empty if they have not said.
    """

    name: str = ""
    guest: str | None = None
    token: str | None = None
    bot: str | None = None
    absent: bool = False
    face: str = ""

    @cached_property
    def taken(self) -> bool:
        return bool(self.name)

    @cached_property
    def person(self) -> bool:
        return self.taken and self.bot is None

    @property
    def player(self) -> str | None:
        """The bot that plays here now; None for a person who plays themselves."""
        return None if self.person and not self.absent else self.bot or STAND_IN
