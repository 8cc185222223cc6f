"""What somebody is called and looks like: kept in their browser, and shown at the tables where they sit."""

from dataclasses import dataclass
from urllib.parse import quote, unquote

from starlette.requests import HTTPConnection
from starlette.responses import Response

from tefuda.server.http.identity import YEAR, Identity
from tefuda.server.table.player_faces import animal_of, usual_face
from tefuda.server.table.player_names import MOST_NAME

NAME_COOKIE, FACE_COOKIE = "name", "face"


@dataclass(frozen=True)
class Profile:
    """Somebody's name and face.

    Attributes:
        typed: the name that they have typed; empty if they have not.
        face: the code of a face.
    """

    typed: str
    face: str

    @property
    def animal(self) -> str:
        """What the face shows."""
        return animal_of(self.face)


def profile(connection: HTTPConnection, identity: Identity) -> Profile:
    """The profile of whoever is at the other end; everybody has a face, by their cookie or token."""
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
