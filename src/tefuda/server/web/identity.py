"""Who somebody is: a guest by a signed cookie, a program by a token that it brings, or nobody.

Logs hold hashes of both; what a thief reads there opens nothing.
"""

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256

from itsdangerous import BadSignature, Signer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from tefuda.server.events.commands import Refused
from tefuda.server.events.table_state import Caller

YEAR = 365 * 24 * 3600

_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,64}")


class Identity:
    """Recognises people.

    Args:
        secret: of the store, for signing.
        secure: whether people come over https.

    Attributes:
        secure: the same.
        cookie: name of the guest's.
    """

    def __init__(self, secret: bytes, secure: bool) -> None:
        self._secret, self.secure = secret, secure
        self._signer = Signer(secret, salt="tefuda guest", digest_method=sha256)
        self.cookie = "__Host-tefuda" if secure else "tefuda"

    def who(self, connection: HTTPConnection) -> Caller:
        """Who is at the other end.

        Raises:
            Refused: a token that is none.
        """
        scheme, _, token = connection.headers.get("authorization", "").partition(" ")
        return Caller(self.guest(connection), token_hash(token) if scheme.lower() == "bearer" else None)

    def guest(self, connection: HTTPConnection) -> str | None:
        """The guest by the cookie of a browser, None if it has none."""
        cookie = connection.cookies.get(self.cookie)
        try:
            return None if cookie is None else _hash("guest", self._signer.unsign(cookie).decode())
        except BadSignature:
            return None

    def welcome(self, response: Response) -> Caller:
        """Make a guest of somebody who has no cookie."""
        guest = secrets.token_urlsafe(16)
        cookie = self._signer.sign(guest).decode()
        response.set_cookie(self.cookie, cookie, YEAR, secure=self.secure, httponly=True, samesite="lax", path="/")
        return Caller(_hash("guest", guest))

    def invitation(self, table: str) -> str:
        """The token with which a table by invitation is joined; only its host is told."""
        digest = hmac.digest(self._secret, f"invitation {table}".encode(), "sha256")
        return urlsafe_b64encode(digest[:16]).decode().rstrip("=")

    def table_name(self, who: Caller, key: str | None) -> str:
        """A name for a new table; the same for an order that is repeated."""
        seed = secrets.token_bytes(16) if key is None else f"{_one(who)} {key}".encode()
        number = int.from_bytes(hmac.digest(self._secret, seed, "sha256")[:8], "big")
        return "".join("abcdefghijkmnpqrstuvwxyz23456789"[number >> 5 * k & 31] for k in range(12))


def new_token() -> str:
    """128 random bits as text."""
    return secrets.token_urlsafe(16)


def token_hash(token: str) -> str:
    """What is kept of a token.

    Raises:
        Refused: it is too short to be one.
    """
    if not _TOKEN.fullmatch(token):
        raise Refused("bad_token", 401)
    return _hash("token", token)


def order_key(who: Caller, key: str) -> str:
    """By which the repetition of somebody's order is known."""
    return _hash("key", f"{_one(who)} {key}")[:24]


def _one(who: Caller) -> str | None:
    """What stays the same of somebody; guests may be given a token with every order."""
    return who.guest or who.token


def _hash(kind: str, text: str) -> str:
    return sha256(f"tefuda {kind} {text}".encode()).hexdigest()[:40]
