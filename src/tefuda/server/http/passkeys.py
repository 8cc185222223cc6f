"""Passkeys (WebAuthn), where the host wants them: added by a guest, who then signs in elsewhere as the same guest.

A passkey's user handle is the random name of the guest, which the store does not know; only their device does. So a
copy of the database lets nobody sign in, and signing in needs nothing but the passkey."""

import json
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from logging import getLogger
from typing import Annotated, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from fastapi import APIRouter, Response
from itsdangerous import BadSignature, URLSafeTimedSerializer
from pydantic import BaseModel, Field

from tefuda.engine.errors import needed_by
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.identity import Profile, keep
from tefuda.server.store.port import Passkey
from tefuda.server.table.callers import Caller, Refused, guest_hash

router = APIRouter()

MOST_PASSKEYS = 20  # passkeys of one guest

Base64 = Annotated[str, Field(max_length=20_000, pattern="^[A-Za-z0-9_-]*$")]

ANSWER_WITHIN = 5 * 60  # seconds in which a challenge can be answered
SIGNING_IN = ""  # the guest of a challenge, if the answer alone says who they are

BrowserAnswer = Mapping[str, Any]  # the answer of a browser, from ``PublicKeyCredential.toJSON``

Result = TypeVar("Result")

log = getLogger("tefuda.server")


class Challenge(NamedTuple):
    """A challenge that a browser has answered; nobody accepts it after ``until``, in milliseconds since 1970."""

    text: str
    until: int


class Ceremonies:
    """Making passkeys and signing in with them at one origin, to whose host a passkey belongs; the store's secret
    signs challenges."""

    def __init__(self, secret: bytes, origin: str) -> None:
        with needed_by("tefuda serve --passkeys", "passkeys"):
            import webauthn
            import webauthn.helpers.structs as structs
        self._library, self._helpers, self._structs = webauthn, webauthn.helpers, structs
        self._origin, self._host = origin, urlsplit(origin).hostname or ""
        self._challenges = URLSafeTimedSerializer(secret, "tefuda passkey", signer_kwargs={"digest_method": sha256})

    def creation(self, guest: str, name: str, known: Iterable[Passkey]) -> dict[str, Any]:
        """Options by which a browser makes a passkey for the guest of this random name, who is called ``name``; a
        device that has one of their ``known`` passkeys makes no second."""
        options = self._library.generate_registration_options(
            rp_id=self._host,
            rp_name="Tefuda",
            user_id=guest.encode(),
            user_name=name,
            challenge=self._challenge(guest_hash(guest)),
            timeout=1000 * ANSWER_WITHIN,
            authenticator_selection=self._structs.AuthenticatorSelectionCriteria(
                resident_key=self._structs.ResidentKeyRequirement.REQUIRED,
                user_verification=self._structs.UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[
                self._structs.PublicKeyCredentialDescriptor(self._helpers.base64url_to_bytes(each.id)) for each in known
            ],
        )
        return self._plain(options)

    def request(self) -> dict[str, Any]:
        """Options by which a browser signs in, with any passkey of this server that its owner chooses."""
        options = self._library.generate_authentication_options(
            rp_id=self._host,
            challenge=self._challenge(SIGNING_IN),
            timeout=1000 * ANSWER_WITHIN,
            user_verification=self._structs.UserVerificationRequirement.REQUIRED,
        )
        return self._plain(options)

    def challenge(self, answer: BrowserAnswer, guest: str = SIGNING_IN) -> Challenge:
        """The challenge that a browser has answered, for the guest of this hash. ``Refused`` if it is not ours, for
        another guest, or too old."""
        text = _checked(lambda: self._challenge_in(answer["response"]["clientDataJSON"]))
        try:
            (whose, _), at = self._challenges.loads(text, max_age=ANSWER_WITHIN, return_timestamp=True)
        except BadSignature:
            raise Refused("passkey_late", 410) from None
        if whose != guest:
            raise Refused("passkey_late", 410)
        return Challenge(text, 1000 * (int(at.timestamp()) + ANSWER_WITHIN + 1))

    def made(self, answer: BrowserAnswer, challenge: Challenge, guest: str) -> Passkey:
        """The passkey that a browser has made for this guest (a hash). ``Refused`` if it has not been made as it
        should."""
        found = self._verified(self._library.verify_registration_response, answer, challenge)
        key, public = map(self._helpers.bytes_to_base64url, (found.credential_id, found.credential_public_key))
        return Passkey(key, guest, public, found.sign_count, time.time_ns() // 1_000_000)

    def signed(self, answer: BrowserAnswer, challenge: Challenge, passkey: Passkey) -> tuple[str, int]:
        """The guest who has signed in with a passkey: their random name, and the counter of the device. ``Refused`` if
        they have not signed as they should."""
        key = self._helpers.base64url_to_bytes(passkey.public_key)
        own = {"credential_public_key": key, "credential_current_sign_count": passkey.counter}
        found = self._verified(self._library.verify_authentication_response, answer, challenge, **own)
        guest = _checked(lambda: self._helpers.base64url_to_bytes(answer["response"]["userHandle"]).decode("ascii"))
        if guest_hash(guest) != passkey.guest:
            raise Refused("bad_passkey", 422)
        return guest, found.new_sign_count

    def _verified(self, verify: Callable[..., Any], answer: BrowserAnswer, challenge: Challenge, **own: Any) -> Any:
        """The finding of the library about an answer. ``Refused`` if it is not as it should be."""
        here = {"expected_rp_id": self._host, "expected_origin": self._origin, "require_user_verification": True}
        asked = challenge.text.encode()
        return _checked(lambda: verify(credential=dict(answer), expected_challenge=asked, **here, **own))

    def _challenge(self, guest: str) -> bytes:
        return str(self._challenges.dumps([guest, secrets.token_urlsafe(16)])).encode()

    def _plain(self, options: Any) -> dict[str, Any]:
        """Options as browsers read them (``PublicKeyCredential.parseCreationOptionsFromJSON``)."""
        return dict(json.loads(self._library.options_to_json(options)))

    def _challenge_in(self, client_data: str) -> str:
        told = self._helpers.parse_client_data_json(self._helpers.base64url_to_bytes(client_data))
        return told.challenge.decode("ascii")


def _checked(check: Callable[[], Result]) -> Result:
    """The result of a check, whose bytes come from anybody: the library may stumble over them in any way. ``Refused``
    if it fails."""
    try:
        return check()
    except Exception as error:
        log.debug("a passkey is refused", extra={"reason": type(error).__name__})
        raise Refused("bad_passkey", 422) from None


class Credential(BaseModel, extra="allow"):
    """A credential as ``PublicKeyCredential.toJSON`` gives it, base64url, which the library checks."""

    id: Base64
    response: dict[str, Any] = Field(description="of the authenticator")


class Known(BaseModel):
    """A passkey that is kept now."""

    id: str = Field(description="of the credential, base64url")


class SignedIn(BaseModel):
    """The guest of this browser from now on."""

    name: str


@router.post("/passkeys/creation", summary="What a new passkey is to be made by")
async def creation(context: Context) -> dict[str, Any]:
    """For ``PublicKeyCredential.parseCreationOptionsFromJSON``, once and for five minutes. Guests alone can have
    passkeys: 401 without their cookie."""
    ceremonies, (guest, hashed) = _ceremonies(context), _guest(context)
    known = await context.services.store.passkeys.of(hashed)
    if len(known) >= MOST_PASSKEYS:
        raise Refused("too_many_passkeys", 409, most=MOST_PASSKEYS)
    return ceremonies.creation(guest, context.called, known)


@router.post("/passkeys", summary="Add a passkey", status_code=201)
async def add(context: Context, credential: Credential) -> Known:
    """Keep the passkey that the browser has made: whoever has it signs in as this guest."""
    ceremonies, (_, hashed), passkeys = _ceremonies(context), _guest(context), context.services.store.passkeys
    answer = credential.model_dump()
    made = ceremonies.made(answer, await _spend(context, ceremonies.challenge(answer, hashed)), hashed)
    reader = context.profile
    if len(await passkeys.of(hashed)) >= MOST_PASSKEYS:
        raise Refused("too_many_passkeys", 409, most=MOST_PASSKEYS)
    if not await passkeys.add(replace(made, name=reader.typed, face=reader.face)):
        raise Refused("bad_passkey", 422)
    return Known(id=made.id)


@router.post("/passkeys/request", summary="What to sign in by")
async def request(context: Context) -> dict[str, Any]:
    """For ``PublicKeyCredential.parseRequestOptionsFromJSON``, once and for five minutes."""
    return _ceremonies(context).request()


@router.post("/passkeys/sign-in", summary="Sign in with a passkey")
async def sign_in(context: Context, response: Response, credential: Credential) -> SignedIn:
    """Go on in this browser as the guest whose passkey it is, in place of the guest of its cookie."""
    ceremonies, services, passkeys = _ceremonies(context), context.services, context.services.store.passkeys
    answer = credential.model_dump()
    challenge = await _spend(context, ceremonies.challenge(answer))
    passkey = await passkeys.find(credential.id)
    if passkey is None:
        raise Refused("no_such_passkey", 404)
    guest, counter = ceremonies.signed(answer, challenge, passkey)
    context.admit(Caller(guest_hash(guest)))
    if not await passkeys.use(passkey.id, counter, time.time_ns() // 1_000_000):
        raise Refused("bad_passkey", 422)
    services.identity.welcome(response, guest)
    kept = Profile(passkey.name, passkey.face)
    keep(response, kept, services.identity.secure)
    return SignedIn(name=context.name_of(kept))


def _ceremonies(context: RequestContext) -> Ceremonies:
    """The ceremonies by which passkeys are made here. ``Refused`` if the host does not want any."""
    if context.services.ceremonies is None:
        raise Refused("no_passkeys", 404)
    return context.services.ceremonies


def _guest(context: RequestContext) -> tuple[str, str]:
    """The random name of the guest, and its hash. ``Refused`` if the browser has no cookie, or the guest is banned."""
    guest = context.services.identity.random_name(context.connection)
    if guest is None:
        raise Refused("no_guest", 401)
    context.admit(Caller(guest_hash(guest)))
    return guest, guest_hash(guest)


async def _spend(context: RequestContext, challenge: Challenge) -> Challenge:
    """The challenge, which is used up now. ``Refused`` if it was used before."""
    if not await context.services.store.passkeys.spend(challenge.text, challenge.until):
        raise Refused("passkey_late", 410)
    return challenge
