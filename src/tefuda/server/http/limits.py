"""Limits to what one address, or one socket, may ask for; and bans.

Token buckets of our own: those who are cut off go into debt (``charge``), which the ``limits`` package cannot keep, and
every message over a socket asks two of them, which takes that package five times as long."""

import ipaddress
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from tefuda.server.settings import ServerSettings, ip_of
from tefuda.server.store.port import Ban
from tefuda.server.table.callers import Caller, Refused

MOST_KNOWN = 10_000  # addresses that are remembered

READ_TIMEOUT = 10.0
"""Seconds that a reader may take for one message, or for what fits into the buffers; a slower one is cut off."""

REQUEST_TIMEOUT = 20.0  # seconds within which a whole request must arrive, from the connection or its first byte on
WAIT = 1.0  # seconds between looks whether an address that has used up its time may go on

# What an address asks for is charged in milliseconds of the event loop: the time that is measured, and for what is not,
# such as reading from the network and threads beside the loop:
REQUEST_COST, SOCKET_COST, MESSAGE_COST = 1.0, 5.0, 0.1  # a request, opening a socket, a message over it
LOG_COST = 50.0  # reading a whole log again: records, replays, proofs, reports of missed events

MS_A_REQUEST = 5.0  # milliseconds of one request, as ``--rate`` counts them
MOST_CHARGED = 250.0  # milliseconds of one request at most: what is made for the first time is made for all
CUT_COST = 10.0  # seconds whose time being cut off costs: a client that comes back at once has to wait so long

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class TokenBucket:
    """Fills steadily, by ``rate`` tokens a second, 0 for no limit; every request takes something out. At most
    ``capacity`` tokens may be taken at once."""

    def __init__(self, rate: float, capacity: float) -> None:
        self._rate, self._capacity, self._level, self._at = rate, capacity, capacity, time.monotonic()

    def take(self, count: float = 1) -> bool:
        """Take so many tokens if there are as many, and tell if there were."""
        allowed = self.has(count)
        if allowed and self._rate:
            self._level -= count
        return allowed

    def has(self, count: float) -> bool:
        """True if there are so many tokens."""
        if not self._rate:
            return True
        self._fill()
        return self._level >= count

    def charge(self, count: float) -> None:
        """Take so many tokens, there or not; a debt must be filled up before anything is allowed."""
        self._fill()
        self._level = max(self._level - count, -self._capacity)

    def _fill(self) -> None:
        now = time.monotonic()
        self._level = min(self._capacity, self._level + (now - self._at) * self._rate)
        self._at = now


class AddressLimits:
    """A bucket of this rate and capacity for each address; those not seen for longest are forgotten."""

    def __init__(self, rate: float, capacity: float) -> None:
        self.bucket = lru_cache(MOST_KNOWN)(lambda _address: TokenBucket(rate, capacity))


class Bans:
    """The bans of the store that are in force, as one process knows them."""

    def __init__(self, bans: Sequence[Ban] = ()) -> None:
        self._networks: list[tuple[Network, Ban]] = []
        self._people: dict[str, Ban] = {}
        for ban in bans:
            try:
                self._networks.append((ipaddress.ip_network(ban.subject), ban))
            except ValueError:
                self._people[ban.subject] = ban

    def of_address(self, household: str) -> Ban | None:
        """The ban of an address, as limits know it; None if it may come in.

        Of IPv6, limits know the network of a household: to ban one address in it bans them all."""
        if not self._networks:
            return None
        try:
            network = ipaddress.ip_network(household)
        except ValueError:
            return None
        return _first(ban for banned, ban in self._networks if network.overlaps(banned))

    def of_caller(self, caller: Caller) -> Ban | None:
        """The ban of a person; None if they may come in."""
        if not self._people:
            return None
        return _first(self._people[each] for each in (caller.guest, caller.token) if each in self._people)


def banned(ban: Ban) -> Refused:
    """The refusal that a banned client meets everywhere."""
    return Refused("banned", 403, why=f" {ban.reason}" if ban.reason else "")


def _first(bans: Iterable[Ban]) -> Ban | None:
    now = time.time_ns() // 1_000_000
    return next((ban for ban in bans if ban.until is None or ban.until > now), None)


class Admission:
    """Decides for one process who may connect, who may be heard, and how much each address may ask for. ``hits`` counts
    how often each limit was hit."""

    def __init__(self, settings: ServerSettings) -> None:
        self._rate = settings.requests * MS_A_REQUEST
        self.budgets = AddressLimits(self._rate, 10 * self._rate)  # milliseconds of the event loop
        self.bans, self.mutes, self.hits = Bans(), Bans(), Counter[str]()
        self._most, self._most_in_all = settings.connections, settings.connections_in_all
        self._proxies = [ipaddress.ip_network(proxy) for proxy in settings.proxies]
        self._open: Counter[str] = Counter()
        self._in_all = 0

    def address_at(self, host: str) -> str | None:
        """The address at the other end of a connection, as limits know it; None for a proxy, which speaks for many."""
        address = ip_of(host)
        return None if address and any(address in proxy for proxy in self._proxies) else household(host)

    def connect(self, address: str | None) -> bool:
        """Admit one more connection if there is room, and tell if there was. An admitted one must ``disconnect``."""
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

    def take(self, address: str, ms: float = REQUEST_COST) -> bool:
        """Charge an address for so many milliseconds if it has as many, and tell if it has."""
        if not self._rate:
            return True
        is_allowed = self.budgets.bucket(address).take(ms)
        self.hits["requests"] += not is_allowed
        return is_allowed

    def charge(self, address: str, seconds: float) -> None:
        """Charge an address for what it has asked for, which has kept the server busy for so long."""
        if self._rate:
            self.budgets.bucket(address).charge(min(1000 * seconds, MOST_CHARGED))

    def is_used_up(self, address: str | None) -> bool:
        """True if an address has asked for so much that it has to wait."""
        return address is not None and not self.budgets.bucket(address).has(SOCKET_COST)

    def cut(self, address: str) -> None:
        """Count that a client at this address was cut off."""
        self.hits["messages"] += 1
        self.budgets.bucket(address).charge(CUT_COST * self._rate)


def household(host: str) -> str:
    """An address as limits know it: for IPv6 the network that a household has."""
    address = ip_of(host)
    if address is None:
        return "unknown"
    return str(ipaddress.ip_network(f"{address}/64", strict=False)) if address.version == 6 else str(address)


def address_of(scope: Mapping[str, Any]) -> str:
    """The address at the other end of a request or a socket, as limits know it; see ``household``."""
    client = scope.get("client")
    return household(client[0] if client else "")
