"""Hashes of guests, tokens and keys: logs hold nothing else, so that whoever reads a log can use nothing in it."""

import re
from hashlib import sha256

from tefuda.server.table.chair import Caller
from tefuda.server.table.refused import Refused

_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,64}")


def guest_hash(guest: str) -> str:
    """The hash of a guest's random name, which their cookie holds."""
    return _hash("guest", guest)


def token_hash(token: str) -> str:
    """The hash of a token.

    Raises:
        Refused: it is not written like a token.
    """
    if not _TOKEN.fullmatch(token):
        raise Refused("bad_token", 401)
    return _hash("token", token)


def order_key(caller: Caller, key: str, order: str) -> str:
    """The key under which a table remembers an order, so that it knows a repetition.

    Args:
        caller: who gave it.
        key: chosen by them.
        order: what it says: another order with the same key is no repetition.
    """
    return _hash("key", f"{caller.lasting} {key} {order}")[:24]


def _hash(kind: str, text: str) -> str:
    return sha256(f"tefuda {kind} {text}".encode()).hexdigest()[:40]
