"""Who may connect, and how much each address may ask for."""

import ipaddress
from collections import Counter
from collections.abc import Mapping
from typing import Any

from tefuda.server.http.bans import Bans
from tefuda.server.http.limits import AddressLimits
from tefuda.server.settings import ServerSettings

WAIT = 1.0
"""Seconds between looks whether an address that has used up its requests may go on."""

SOCKET_COST = 5
"""Requests that opening a socket counts for: it is as much work."""

SECONDS_A_REQUEST = 0.005
"""Whoever keeps the server busy for so long has used up one more request."""

MOST_CHARGED = 0.25
"""Seconds that count for one request at most: what is made for the first time takes longer, and is made for all."""

LOG_COST = 10
"""Requests that reading a whole log again counts for: records, replays, proofs, reports of missed events."""

CUT_COST = 10.0
"""Seconds whose requests being cut off counts for: whoever comes back at once has to wait so long."""


class Admission:
    """Decides for one process.

    Args:
        settings: of the process.

    Attributes:
        requests: how many each address may still make.
        bans: who is kept out.
        hits: how often each limit was hit.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._rate = settings.requests
        self.requests = AddressLimits(self._rate, 10 * self._rate)
        self.bans, self.hits = Bans(), Counter[str]()
        self._most, self._most_in_all = settings.connections, settings.connections_in_all
        self._open: Counter[str] = Counter()
        self._in_all = 0

    def connect(self, address: str | None) -> bool:
        """Admit one more connection if there is room for it; whether there is. An admitted one must ``disconnect``.

        Args:
            address: of the other end; None for a proxy, which connects for many.
        """
        if 0 < self._most_in_all <= self._in_all:
            self.hits["connections_in_all"] += 1
            return False
        if address is not None:
            if 0 < self._most <= self._open[address]:
                self.hits["connections"] += 1
                return False
            self._open[address] += 1
        self._in_all += 1
        return True

    def disconnect(self, address: str | None) -> None:
        """A connection that was admitted has ended."""
        self._in_all -= 1
        if address is not None:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def take(self, address: str, requests: float = 1) -> bool:
        """Count so many requests of an address, if it may make as many; whether it may."""
        if not self._rate:
            return True
        is_allowed = self.requests.bucket(address).take(requests)
        self.hits["requests"] += not is_allowed
        return is_allowed

    def charge(self, address: str, seconds: float) -> None:
        """Something that an address has asked for has kept the server busy for so long."""
        if self._rate and seconds > 0:
            self.requests.bucket(address).charge(min(seconds, MOST_CHARGED) / SECONDS_A_REQUEST)

    def is_used_up(self, address: str | None) -> bool:
        """Whether an address has asked for so much that it has to wait."""
        return address is not None and not self.requests.bucket(address).has(SOCKET_COST)

    def cut(self, address: str) -> None:
        """Somebody at this address was cut off."""
        self.hits["messages"] += 1
        self.requests.bucket(address).charge(CUT_COST * self._rate)


def household(host: str) -> str:
    """An address as limits know it: for IPv6 the network that a household has."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "unknown"
    return str(ipaddress.ip_network(f"{address}/64", strict=False)) if address.version == 6 else str(address)


def address_of(scope: Mapping[str, Any]) -> str:
    """The address at the other end of a connection, as limits know it; see ``household``."""
    client = scope.get("client")
    return household(client[0] if client else "")
