"""Passkeys over HTTP, where the host wants them: added by a guest, who then signs in elsewhere as the same guest."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.profile import Profile, keep
from tefuda.server.pages.frame import name_of
from tefuda.server.table.callers import Caller, Refused, guest_hash

if TYPE_CHECKING:
    from tefuda.server.http.passkeys import Ceremonies, Challenge

router = APIRouter()

MOST = 20
"""Passkeys of one guest."""

Base64 = Annotated[str, Field(max_length=20_000, pattern="^[A-Za-z0-9_-]*$")]


class Made(BaseModel):
    """The authenticator's answer to ``navigator.credentials.create``."""

    client_data: Base64 = Field(alias="clientDataJSON")
    attestation: Base64 = Field(alias="attestationObject")


class Signed(BaseModel):
    """The authenticator's answer to ``navigator.credentials.get``."""

    client_data: Base64 = Field(alias="clientDataJSON")
    authenticator: Base64 = Field(alias="authenticatorData")
    signature: Base64
    user: Base64 = Field(alias="userHandle")


class Credential(BaseModel):
    """What ``PublicKeyCredential.toJSON`` gives, base64url; whatever else it gives is passed over."""

    id: Base64
    raw_id: Base64 = Field(alias="rawId")
    type: Literal["public-key"]


class NewCredential(Credential):
    """A passkey that was made."""

    response: Made


class UsedCredential(Credential):
    """A passkey that was signed in with."""

    response: Signed


class Known(BaseModel):
    """A passkey that is kept now."""

    id: str = Field(description="of the credential, base64url")


class SignedIn(BaseModel):
    """Who this browser is now."""

    name: str


@router.post("/passkeys/creation", summary="What a new passkey is to be made by")
async def creation(context: Context) -> dict[str, Any]:
    """For ``PublicKeyCredential.parseCreationOptionsFromJSON``, once and for five minutes. Guests alone can have
    passkeys: 401 without their cookie."""
    ceremonies, (guest, hashed) = _ceremonies(context), _guest(context)
    known = await context.services.store.passkeys.of(hashed)
    if len(known) >= MOST:
        raise Refused("too_many_passkeys", 409, most=MOST)
    return ceremonies.creation(guest, name_of(context, context.profile), known)


@router.post("/passkeys", summary="Add a passkey", status_code=201)
async def add(context: Context, credential: NewCredential) -> Known:
    """Keep the passkey that the browser has made: whoever has it signs in as this guest."""
    ceremonies, (_, hashed) = _ceremonies(context), _guest(context)
    answer, passkeys = credential.model_dump(by_alias=True), context.services.store.passkeys
    challenge = ceremonies.challenge(answer, hashed)
    await _spend(context, challenge)
    made, reader = ceremonies.made(answer, challenge, hashed), context.profile
    if len(await passkeys.of(hashed)) >= MOST:
        raise Refused("too_many_passkeys", 409, most=MOST)
    if not await passkeys.add(replace(made, name=reader.typed, face=reader.face)):
        raise Refused("bad_passkey", 422)
    return Known(id=made.id)


@router.post("/passkeys/request", summary="What to sign in by")
async def request(context: Context) -> dict[str, Any]:
    """For ``PublicKeyCredential.parseRequestOptionsFromJSON``, once and for five minutes."""
    return _ceremonies(context).request()


@router.post("/passkeys/sign-in", summary="Sign in with a passkey")
async def sign_in(context: Context, response: Response, credential: UsedCredential) -> SignedIn:
    """Go on in this browser as the guest whose passkey it is, in place of the guest of its cookie."""
    ceremonies, services = _ceremonies(context), context.services
    answer, passkeys = credential.model_dump(by_alias=True), services.store.passkeys
    challenge = ceremonies.challenge(answer)
    await _spend(context, challenge)
    passkey = await passkeys.find(credential.id)
    if passkey is None:
        raise Refused("no_such_passkey", 404)
    guest, counter = ceremonies.signed(answer, challenge, passkey)
    context.admit(Caller(guest_hash(guest)))
    if not await passkeys.use(passkey.id, counter, _now()):
        raise Refused("bad_passkey", 422)
    services.identity.welcome(response, guest)
    kept = Profile(passkey.name, passkey.face)
    keep(response, kept, services.identity.secure)
    return SignedIn(name=name_of(context, kept))


def _ceremonies(context: RequestContext) -> "Ceremonies":
    """How passkeys are made here.

    Raises:
        Refused: the host does not want any.
    """
    if context.services.ceremonies is None:
        raise Refused("no_passkeys", 404)
    return context.services.ceremonies


def _guest(context: RequestContext) -> tuple[str, str]:
    """The random name of the guest, and its hash.

    Raises:
        Refused: the browser has no cookie, or the guest is banned.
    """
    guest = context.services.identity.random_name(context.connection)
    if guest is None:
        raise Refused("no_guest", 401)
    context.admit(Caller(guest_hash(guest)))
    return guest, guest_hash(guest)


async def _spend(context: RequestContext, challenge: "Challenge") -> None:
    """Use a challenge up.

    Raises:
        Refused: it was used before.
    """
    if not await context.services.store.passkeys.spend(challenge.text, challenge.until):
        raise Refused("passkey_late", 410)


def _now() -> int:
    return time.time_ns() // 1_000_000
