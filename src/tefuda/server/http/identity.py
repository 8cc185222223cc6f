"""Identities of clients: a guest by a signed cookie, a program by a token, or nobody; and what a guest is called."""

import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import quote, unquote

from itsdangerous import BadSignature, Signer, URLSafeTimedSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from tefuda.server.store.erasures import mark_of
from tefuda.server.table.callers import Caller, guest_hash, token_hash
from tefuda.server.table.player_faces import animal_of, usual_face
from tefuda.server.table.player_names import MOST_NAME

YEAR = 365 * 24 * 3600

PASSED_WITHIN = 15 * 60  # seconds in which a guest can go on at another device


class Identity:
    """Recognises people, and names what is theirs, signed with the store's secret.

    ``secure`` is whether people come over https. ``erased`` are the marks of those who have been erased: a client that
    still has the cookie or the token is a stranger."""

    def __init__(self, secret: bytes, secure: bool) -> None:
        self._secret, self.secure, self.erased = secret, secure, frozenset[str]()
        self._signer = Signer(secret, salt="tefuda guest", digest_method=sha256)
        self._passing = URLSafeTimedSerializer(secret, "tefuda device", signer_kwargs={"digest_method": sha256})
        self.cookie = "__Host-tefuda" if secure else "tefuda"

    def caller(self, connection: HTTPConnection) -> Caller:
        """The caller at the other end. ``Refused`` if they send something that is not written like a token."""
        shown = self.shown(connection)
        return Caller(*(each and (None if self._is_erased(each) else each) for each in (shown.guest, shown.token)))

    def shown(self, connection: HTTPConnection) -> Caller:
        """The caller by the cookie and token that the other end shows, even if that person has been erased. ``Refused``
        if they send something that is not written like a token."""
        scheme, _, token = connection.headers.get("authorization", "").partition(" ")
        guest = self._in_cookie(connection)
        return Caller(guest and guest_hash(guest), token_hash(token) if scheme.lower() == "bearer" else None)

    def guest(self, connection: HTTPConnection) -> str | None:
        """The hash of the guest by a browser's cookie; None if it has none."""
        guest = self.random_name(connection)
        return None if guest is None else guest_hash(guest)

    def random_name(self, connection: HTTPConnection) -> str | None:
        """The random name that a guest's cookie and passkeys hold, and we do not; None if the browser has no cookie."""
        return self._known(self._in_cookie(connection))

    def _known(self, guest: str | None) -> str | None:
        """A guest's random name, unless the guest has been erased."""
        return None if guest is None or self._is_erased(guest_hash(guest)) else guest

    def _is_erased(self, hashed: str) -> bool:
        return bool(self.erased) and mark_of(hashed) in self.erased

    def _in_cookie(self, connection: HTTPConnection) -> str | None:
        cookie = connection.cookies.get(self.cookie)
        try:
            return None if cookie is None else self._signer.unsign(cookie).decode()
        except BadSignature:
            return None

    def welcome(self, response: Response, guest: str | None = None) -> Caller:
        """Make the client a guest: a new one, or the one of this random name."""
        guest = guest or secrets.token_urlsafe(16)
        cookie = self._signer.sign(guest).decode()
        response.set_cookie(self.cookie, cookie, YEAR, secure=self.secure, httponly=True, samesite="lax", path="/")
        return Caller(guest_hash(guest))

    def pass_on(self, connection: HTTPConnection, *more: str) -> str | None:
        """A text by which another device becomes the same guest, for ``PASSED_WITHIN`` seconds, with ``more`` texts
        that come along; None for a stranger."""
        guest = self.random_name(connection)
        return None if guest is None else self._passing.dumps([guest, *more])

    def passed(self, text: str) -> list[str] | None:
        """The guest's random name, and what came along; None if the text is not ours or too old, or they are erased."""
        try:
            found: list[str] = self._passing.loads(text, max_age=PASSED_WITHIN)
        except BadSignature:
            return None
        return found if self._known(found[0]) else None

    def invitation(self, table: str) -> str:
        """The token with which people join a table by invitation; only its host is told."""
        digest = hmac.digest(self._secret, f"invitation {table}".encode(), "sha256")
        return urlsafe_b64encode(digest[:16]).decode().rstrip("=")

    def table_name(self, caller: Caller, key: str | None) -> str:
        """A name for a new table; the same for an order that is repeated."""
        seed = secrets.token_bytes(16) if key is None else f"{caller.lasting} {key}".encode()
        number = int.from_bytes(hmac.digest(self._secret, seed, "sha256")[:8], "big")
        return "".join("abcdefghijkmnpqrstuvwxyz23456789"[number >> 5 * k & 31] for k in range(12))


# Names and faces

NAME_COOKIE, FACE_COOKIE = "name", "face"


@dataclass(frozen=True)
class Profile:
    """A person's name as they have typed it, empty if they have not, and the code of their face."""

    typed: str
    face: str

    @property
    def animal(self) -> str:
        """The animal that the face shows."""
        return animal_of(self.face)


def profile(connection: HTTPConnection, identity: Identity) -> Profile:
    """The profile of the client at the other end, whose face their cookie or token tells, at least."""
    typed = unquote(connection.cookies.get(NAME_COOKIE, ""))[:MOST_NAME]
    face = connection.cookies.get(FACE_COOKIE, "")
    if not animal_of(face):
        face = usual_face(identity.guest(connection) or connection.headers.get("authorization", ""))
    return Profile(typed, face)


def keep(response: Response, kept: Profile, secure: bool) -> None:
    """Keep a profile in the browser."""
    for name, value in ((NAME_COOKIE, quote(kept.typed)), (FACE_COOKIE, kept.face)):
        if value:
            response.set_cookie(name, value, YEAR, secure=secure, httponly=True, samesite="lax")
        else:
            response.delete_cookie(name)
