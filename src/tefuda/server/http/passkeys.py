"""Passkeys (WebAuthn): what a browser is asked to sign, and whether it has.

A passkey's user handle is the random name of the guest, which the store does not know; only their device does. So a
copy of the database lets nobody sign in, and signing in needs nothing but the passkey.
"""

import json
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from logging import getLogger
from typing import Any, TypeVar
from urllib.parse import urlsplit

import webauthn
from itsdangerous import BadSignature, URLSafeTimedSerializer
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, parse_client_data_json
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from tefuda.server.store.people import Passkey
from tefuda.server.table.callers import Refused, guest_hash

ANSWER_WITHIN = 5 * 60
"""Seconds in which a challenge can be answered."""

SIGNING_IN = ""
"""Whom a challenge is for, if whoever answers it says who they are only then."""

Answer = Mapping[str, Any]
"""What ``PublicKeyCredential.toJSON`` gives in a browser."""

Result = TypeVar("Result")

log = getLogger("tefuda.server")


@dataclass(frozen=True)
class Challenge:
    """A challenge that a browser has answered.

    Attributes:
        text: the challenge.
        until: milliseconds since 1970, after which nobody accepts it.
    """

    text: str
    until: int


class Ceremonies:
    """Making passkeys and signing in with them, at one origin.

    Args:
        secret: of the store, for challenges.
        origin: where people find this server; a passkey belongs to its host.
    """

    def __init__(self, secret: bytes, origin: str) -> None:
        self._origin, self._host = origin, urlsplit(origin).hostname or ""
        self._challenges = URLSafeTimedSerializer(secret, "tefuda passkey", signer_kwargs={"digest_method": sha256})

    def creation(self, guest: str, name: str, known: Iterable[Passkey]) -> dict[str, Any]:
        """What a browser is to make a passkey by.

        Args:
            guest: the random name of the guest.
            name: what they are called.
            known: their passkeys; a device that has one of these makes no second.
        """
        options = webauthn.generate_registration_options(
            rp_id=self._host,
            rp_name="Tefuda",
            user_id=guest.encode(),
            user_name=name,
            challenge=self._challenge(guest_hash(guest)),
            timeout=1000 * ANSWER_WITHIN,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(each.id)) for each in known],
        )
        return _plain(options)

    def request(self) -> dict[str, Any]:
        """What a browser is to sign in by, with any passkey of this server that its owner chooses."""
        options = webauthn.generate_authentication_options(
            rp_id=self._host,
            challenge=self._challenge(SIGNING_IN),
            timeout=1000 * ANSWER_WITHIN,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return _plain(options)

    def challenge(self, answer: Answer, guest: str = SIGNING_IN) -> Challenge:
        """The challenge that was answered.

        Args:
            answer: of the browser.
            guest: the hash of the guest whom it must be for.

        Raises:
            Refused: it is not ours, for somebody else, or too old.
        """
        text = _checked(lambda: _client_data(answer).challenge.decode("ascii"))
        try:
            (whose, _), at = self._challenges.loads(text, max_age=ANSWER_WITHIN, return_timestamp=True)
        except BadSignature:
            raise Refused("passkey_late", 410) from None
        if whose != guest:
            raise Refused("passkey_late", 410)
        return Challenge(text, 1000 * (int(at.timestamp()) + ANSWER_WITHIN + 1))

    def made(self, answer: Answer, challenge: Challenge, guest: str) -> Passkey:
        """The passkey that a browser has made for this guest (a hash).

        Raises:
            Refused: it has not been made as it should.
        """
        found = _checked(
            lambda: webauthn.verify_registration_response(
                credential=dict(answer),
                expected_challenge=challenge.text.encode(),
                expected_rp_id=self._host,
                expected_origin=self._origin,
                require_user_verification=True,
            )
        )
        key, public = bytes_to_base64url(found.credential_id), bytes_to_base64url(found.credential_public_key)
        return Passkey(key, guest, public, found.sign_count, time.time_ns() // 1_000_000)

    def signed(self, answer: Answer, challenge: Challenge, passkey: Passkey) -> tuple[str, int]:
        """Whoever has signed in with a passkey: the random name of the guest, and the counter of the device.

        Raises:
            Refused: they have not signed as they should.
        """
        found = _checked(
            lambda: webauthn.verify_authentication_response(
                credential=dict(answer),
                expected_challenge=challenge.text.encode(),
                expected_rp_id=self._host,
                expected_origin=self._origin,
                credential_public_key=base64url_to_bytes(passkey.public_key),
                credential_current_sign_count=passkey.counter,
                require_user_verification=True,
            )
        )
        guest = _checked(lambda: base64url_to_bytes(answer["response"]["userHandle"]).decode("ascii"))
        if guest_hash(guest) != passkey.guest:
            raise Refused("bad_passkey", 422)
        return guest, found.new_sign_count

    def _challenge(self, guest: str) -> bytes:
        return str(self._challenges.dumps([guest, secrets.token_urlsafe(16)])).encode()


def _plain(options: Any) -> dict[str, Any]:
    """Options as browsers read them (``PublicKeyCredential.parseCreationOptionsFromJSON``)."""
    found: dict[str, Any] = json.loads(webauthn.options_to_json(options))
    return found


def _client_data(answer: Answer) -> Any:
    return parse_client_data_json(base64url_to_bytes(answer["response"]["clientDataJSON"]))


def _checked(check: Callable[[], Result]) -> Result:
    """What a check gives. Its bytes come from anybody, so that the library may stumble over them in any way.

    Raises:
        Refused: it fails.
    """
    try:
        return check()
    except Exception as error:
        log.debug("a passkey is refused", extra={"reason": type(error).__name__})
        raise Refused("bad_passkey", 422) from None
