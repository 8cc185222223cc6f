"""The log of all tables of a server: an entry for each deal, with the head that its table's chain had then, and for
each table that was pruned. Each is hashed onto the one before; the newest link is the log's head, which the server
signs. Whoever has kept one can tell later if anything before it was changed (``docs/explanation/shuffle.md``)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tefuda.engine import files
from tefuda.engine.files import JsonObject, read_text, whole
from tefuda.table import shuffle
from tefuda.table.shuffle import ChainError

FIRST = shuffle.START.hex()  #: stands for the link before the first entry
PAGE = 1000  #: entries that a server shows at once


def link(before: str, entry: Mapping[str, object]) -> str:
    """Compute the link of an entry without one, hexadecimal like the one ``before``."""
    return shuffle.link(bytes.fromhex(before), entry, b"tefuda/heads/1/link\n").hex()


@dataclass(frozen=True)
class Head:
    """The number and link of a log's newest entry (0 if there is none), as its server has signed them with its Ed25519
    ``key``; bytes are in hexadecimal."""

    number: int
    link: str
    key: str
    signature: str

    @classmethod
    def sign(cls, secret: bytes, number: int, link: str) -> "Head":
        """Sign a head by the key that follows from a server's secret."""
        private = Ed25519PrivateKey.from_private_bytes(sha256(b"tefuda/heads/1/key\n" + secret).digest())
        key = private.public_key().public_bytes_raw().hex()
        return cls(number, link, key, private.sign(_said(number, link)).hex())

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> "Head":
        """Read a head from JSON; ``ChainError`` if it is none, or its signature does not hold."""
        try:
            head = cls(row["number"], row["link"], row["key"], row["signature"])
            public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(head.key))
            public.verify(bytes.fromhex(head.signature), _said(head.number, head.link))
        except (InvalidSignature, ValueError, TypeError, LookupError, AttributeError, OverflowError) as error:
            raise ChainError("the head of the server's log is not signed as it should be") from error
        return head


def _said(number: int, link: str) -> bytes:
    return b"tefuda/heads/1/head\n" + number.to_bytes(8, "big") + bytes.fromhex(link)


class SeenLog:
    """The log of one server as far as a program has read it. A file beside the receipts keeps the heads of all servers
    that it has seen (JSON lines; ``ChainError`` if it cannot be read); without a path memory alone."""

    def __init__(self, receipts: Path | None, server: str) -> None:
        self._path, self._server = receipts and receipts.with_name(f"{receipts.name}.heads"), server
        lines = read_text(self._path, ChainError).splitlines() if self._path and self._path.exists() else []
        try:
            self._rows: dict[str, JsonObject] = {row["server"]: row for row in map(files.load_json, lines)}
            self.head = Head.read(self._rows[server]) if server in self._rows else None
        except (ChainError, ValueError, TypeError, LookupError, RecursionError) as error:
            raise ChainError(f"{self._path}: it is not a file of heads ({error})") from error

    def read_on(self, entries: Sequence[Mapping[str, Any]], head: Head) -> set[str]:
        """Read the entries after the head that was kept, up to a newer one, and keep that; the heads of tables in them.
        ``ChainError`` if they do not follow: then something in the log was changed, or taken out."""
        known = self.head or head
        number, before = known.number, known.link
        for entry in entries:
            number, before = number + 1, link(before, {key: entry[key] for key in entry if key != "link"})
        if (head.number, head.link, head.key) != (number, before, known.key):
            raise ChainError("the server's log of all tables is not the one whose head it has shown before")
        self.head, self._rows[self._server] = head, {"server": self._server, **asdict(head)}
        if self._path is not None:
            with whole(self._path) as fresh:
                fresh.write_text("".join(json.dumps(row) + "\n" for row in self._rows.values()), "utf-8")
        return {entry["head"] for entry in entries if entry["kind"] == "dealt"}
