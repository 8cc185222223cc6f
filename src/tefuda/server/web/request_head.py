"""What the beginning of a request says, before it is parsed for good: which table it is for."""

import re
from dataclasses import dataclass

END = b"\r\n\r\n"
"""Ends a head."""

MOST = 1 << 16
"""Bytes that a head may have."""

_TABLE = re.compile(rb"[A-Z]+ /(?:api/v1/tables|t|r)/([A-Za-z0-9]{1,64})[/? ]")
_NEW_TABLE = re.compile(rb"POST (?:/api/v1/tables|/games/[a-z-]+(?:/day)?)[? ]")


@dataclass(frozen=True)
class RequestHead:
    """The lines of a request before its body.

    Attributes:
        table: that it is for; None if it is for no table that exists.
        opens_table: whether it is to open one.
        lines: its headers, as they came.
    """

    table: str | None
    opens_table: bool
    lines: tuple[bytes, ...]

    @classmethod
    def read(cls, data: bytes) -> "RequestHead | None":
        """The head at the beginning of what has arrived; None if more must arrive first."""
        end = data.find(END)
        if end < 0:
            return None
        lines = data[:end].split(b"\r\n")
        found = _TABLE.match(lines[0])
        return cls(found and found[1].decode(), _NEW_TABLE.match(lines[0]) is not None, tuple(lines[1:]))

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """Names in lower case, and values."""
        parted = [line.partition(b":") for line in self.lines]
        return [(name.lower(), value.strip()) for name, _, value in parted]


def may_concern_tables(data: bytes) -> bool:
    """Whether a request that begins like this may be for a table, or for opening one; others are answered anywhere."""
    line = data.partition(b"\r\n")[0]
    return len(line) == len(data) or _TABLE.match(line) is not None or _NEW_TABLE.match(line) is not None
