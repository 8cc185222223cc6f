"""The door: who may connect, and how much each address may ask for."""

import ipaddress
from collections import Counter

from tefuda.server.settings import ServerSettings
from tefuda.server.web.limits import Buckets

WAIT = 1.0
"""Seconds after which somebody who has to wait is looked at again."""

SOCKET_COST = 5
"""Requests that opening a socket counts for: it is as much work."""

LOG_COST = 10
"""Requests that reading a whole log again counts for: records, replays, proofs, the story of what somebody missed."""

CUT_COST = 10.0
"""Seconds whose requests being cut off counts for: who always comes back soon has to wait so long each time."""


class Admission:
    """Of one process.

    Args:
        settings: of the process.

    Attributes:
        requests: how many each address may make.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._rate = settings.requests
        self.requests = Buckets(self._rate, 10 * self._rate)
        self._most, self._most_in_all = settings.connections, settings.connections_in_all
        self._open: Counter[str] = Counter()
        self._in_all = 0

    def enter(self, address: str | None) -> bool:
        """Whether there is room for one more connection; who is let in has to ``leave``.

        Args:
            address: of the other end; None for a proxy, which connects for many.
        """
        if 0 < self._most_in_all <= self._in_all:
            return False
        if address is not None:
            if 0 < self._most <= self._open[address]:
                return False
            self._open[address] += 1
        self._in_all += 1
        return True

    def leave(self, address: str | None) -> None:
        """A connection that was let in has ended."""
        self._in_all -= 1
        if address is not None:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def is_used_up(self, address: str | None) -> bool:
        """Whether an address has asked for so much that it has to wait."""
        return address is not None and not self.requests.has(address, SOCKET_COST)

    def cut(self, address: str) -> None:
        """Somebody at this address was cut off."""
        self.requests.charge(address, CUT_COST * self._rate)


def household(host: str) -> str:
    """An address as limits know it: of IPv6 the network that a household has."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "unknown"
    return str(ipaddress.ip_network(f"{address}/64", strict=False)) if address.version == 6 else str(address)
