"""What a store keeps of passkeys: public keys, and whose they are."""

from abc import ABC, abstractmethod
from dataclasses import dataclass


@dataclass(frozen=True)
class Passkey:
    """A passkey, whose private part never leaves its owner's device.

    Attributes:
        id: of the credential, base64url.
        guest: the hash of the guest who signs in with it.
        public_key: in the form of COSE, base64url.
        counter: of the signatures that its device has reported; 0 where it counts none.
        at: when it was added, milliseconds since 1970.
        used: when somebody last signed in with it.
        name, face: what its owner is called and looks like, for the browsers in which they sign in.
    """

    id: str
    guest: str
    public_key: str
    counter: int
    at: int
    used: int | None = None
    name: str = ""
    face: str = ""


class Passkeys(ABC):
    """Passkeys. Every method raises ``Unavailable`` if the store does not answer."""

    @abstractmethod
    async def add(self, passkey: Passkey) -> bool:
        """Keep a passkey; False if there is one with this id, or the guest has been erased."""

    @abstractmethod
    async def find(self, key: str) -> Passkey | None:
        """The passkey with this id."""

    @abstractmethod
    async def of(self, guest: str) -> list[Passkey]:
        """A guest's passkeys, the oldest first."""

    @abstractmethod
    async def use(self, key: str, counter: int, at: int) -> bool:
        """Note that somebody has signed in; False if the passkey is gone, or its counter was as high before."""

    @abstractmethod
    async def rename(self, guest: str, name: str, face: str) -> None:
        """Keep another name and face of a guest with their passkeys."""

    @abstractmethod
    async def remove(self, key: str, guest: str) -> None:
        """Delete a passkey, if it is this guest's."""

    @abstractmethod
    async def spend(self, challenge: str, until: int) -> bool:
        """Use up a challenge; False if it was used before.

        Args:
            challenge: the challenge.
            until: milliseconds since 1970, after which nobody accepts it any more, so that it may be forgotten.
        """
