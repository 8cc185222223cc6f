"""Who is kept out, as one process knows it."""

import ipaddress
import time
from collections.abc import Iterable, Sequence

from tefuda.server.store.port import Ban
from tefuda.server.table.callers import Caller, Refused

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Bans:
    """The bans that are in force.

    Args:
        bans: of the store.
    """

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

        Of IPv6, limits know the network of a household: to ban one address in it bans them all.
        """
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
        hashes = (caller.guest, caller.token)
        return _first(self._people[each] for each in hashes if each in self._people)


def banned(ban: Ban) -> Refused:
    """The refusal that somebody who is banned meets everywhere."""
    return Refused("banned", 403, why=f" {ban.reason}" if ban.reason else "")


def _first(bans: Iterable[Ban]) -> Ban | None:
    now = time.time_ns() // 1_000_000
    return next((ban for ban in bans if ban.until is None or ban.until > now), None)
