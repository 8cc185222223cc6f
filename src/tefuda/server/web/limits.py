"""How much one address, or one socket, may ask for."""

import time
from collections import OrderedDict

MOST_KNOWN = 10_000
"""Addresses that are remembered."""

READ_WITHIN = 10.0
"""Seconds that a reader may take for one message, or for what fits into the buffers; a slower one is cut off."""

ASK_WITHIN = 20.0
"""Seconds in which a whole request must have come, from the connection or its first byte on."""


class Bucket:
    """Fills steadily, and is emptied by what is asked for.

    Args:
        rate: a second; 0 for no limit.
        room: what may come at once.
    """

    def __init__(self, rate: float, room: float) -> None:
        self._rate, self._room, self._level, self._at = rate, room, room, time.monotonic()

    def take(self, count: float = 1) -> bool:
        """Whether so many more are allowed, which are then taken."""
        allowed = self.has(count)
        if allowed:
            self._level -= count
        return allowed

    def has(self, count: float) -> bool:
        """Whether so many more would be allowed."""
        self._fill()
        return not self._rate or self._level >= count

    def charge(self, count: float) -> None:
        """Take so many, allowed or not; what is missing has to come in before anything is allowed again."""
        self._fill()
        self._level = max(self._level - count, -self._room)

    def _fill(self) -> None:
        now = time.monotonic()
        self._level = min(self._room, self._level + (now - self._at) * self._rate)
        self._at = now


class Buckets:
    """A bucket for each address; those not seen for longest are forgotten.

    Args:
        rate, room: of each.
    """

    def __init__(self, rate: float, room: float) -> None:
        self._rate, self._room = rate, room
        self._known: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, count: float = 1) -> bool:
        """Whether this address may have so many more."""
        return self._of(address).take(count)

    def has(self, address: str, count: float) -> bool:
        """See ``Bucket.has``."""
        return self._of(address).has(count)

    def charge(self, address: str, count: float) -> None:
        """See ``Bucket.charge``."""
        self._of(address).charge(count)

    def _of(self, address: str) -> Bucket:
        if address not in self._known:
            self._known[address] = Bucket(self._rate, self._room)
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        self._known.move_to_end(address)
        return self._known[address]
