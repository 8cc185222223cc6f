"""What the beginning of a request says, before it is parsed for good: which table it is for."""

import re
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes, urlsplit

END = b"\r\n\r\n"
"""Ends a head."""

MOST = 1 << 16
"""Bytes that a head may have."""

_TABLE = re.compile(rb"[A-Z]+ /(?:api/v1/tables|t|r)/([A-Za-z0-9]{1,64})(?:/|$)")
_NEW_TABLE = re.compile(rb"POST (?:/api/v1/tables|/games/[a-z-]+(?:/day)?)$")


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
        asked = _asked(lines[0])
        found = _TABLE.match(asked)
        return cls(found and found[1].decode(), _NEW_TABLE.match(asked) is not None, tuple(lines[1:]))

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """Names in lower case, and values."""
        parted = [line.partition(b":") for line in self.lines]
        return [(name.lower(), value.strip()) for name, _, value in parted]

    @property
    def upgrades(self) -> bool:
        """Whether the connection is to become a socket."""
        found = dict(self.headers)
        wishes = [each.strip().lower() for each in found.get(b"connection", b"").split(b",")]
        is_socket = found.get(b"upgrade", b"").lower() == b"websocket" and b"upgrade" in wishes
        return is_socket and b"sec-websocket-key" in found


def may_concern_tables(data: bytes) -> bool:
    """Whether a request that begins like this may be for a table, or for opening one; others are answered anywhere."""
    line = data.partition(b"\r\n")[0]
    asked = _asked(line)
    return len(line) == len(data) or _TABLE.match(asked) is not None or _NEW_TABLE.match(asked) is not None


def _asked(line: bytes) -> bytes:
    """The method and the path of a request's first line, in the form in which the application finds its route."""
    method, _, rest = line.partition(b" ")
    target = rest.partition(b" ")[0].partition(b"?")[0]
    if not target.startswith(b"/"):  # a whole address
        try:
            target = urlsplit(target).path
        except ValueError:
            return b""
    return method + b" " + unquote_to_bytes(target)
