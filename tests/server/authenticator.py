"""A device with passkeys, as a browser uses it: in software, without asking anybody."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_bytes
from struct import pack
from typing import Any
from urllib.parse import urlsplit

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, ATTESTED = 1, 4, 64
"""Flags of what an authenticator says: its owner is there, was recognised; a new key follows."""


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Authenticator:
    """A device that holds one passkey.

    Attributes:
        origin: of the page that the browser shows.
        flags: what it says of its owner.
        counter: of its signatures.
        id: of its credential.
        user: the handle of the user whom the passkey is for.
    """

    origin: str
    flags: int = PRESENT | VERIFIED
    counter: int = 0
    id: bytes = field(default_factory=lambda: token_bytes(16))
    user: bytes = b""
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """What ``navigator.credentials.create`` gives, as ``toJSON`` writes it."""
        self.user = decoded(options["user"]["id"])
        public = self.key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: public.x.to_bytes(32, "big"), -3: public.y.to_bytes(32, "big")}
        attested = bytes(16) + pack(">H", len(self.id)) + self.id + cbor2.dumps(key)
        said = self._said(ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": said})
        client = self._client("webauthn.create", options)
        return self._credential({"clientDataJSON": encoded(client), "attestationObject": encoded(attestation)})

    def sign(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """What ``navigator.credentials.get`` gives, as ``toJSON`` writes it."""
        self.counter += 1
        said, client = self._said(), self._client("webauthn.get", options)
        signature = self.key.sign(said + sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._credential(
            {
                "clientDataJSON": encoded(client),
                "authenticatorData": encoded(said),
                "signature": encoded(signature),
                "userHandle": encoded(self.user),
            }
        )

    def _said(self, more: int = 0) -> bytes:
        host = sha256((urlsplit(self.origin).hostname or "").encode()).digest()
        return host + pack(">BI", self.flags | more, self.counter)

    def _client(self, kind: str, options: Mapping[str, Any]) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": self.origin}).encode()

    def _credential(self, response: Mapping[str, str]) -> dict[str, Any]:
        name = encoded(self.id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response, "clientExtensionResults": {}}
