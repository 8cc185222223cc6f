"""How much one address, or one socket, may ask for."""

import time
from collections import OrderedDict

MOST_KNOWN = 10_000
"""Addresses that are remembered."""

READ_WITHIN = 10.0
"""Seconds that a reader may take for one message, or for what fits into the buffers; a slower one is cut off."""


class Bucket:
    """Fills steadily, and is emptied by what is asked for.

    Args:
        rate: a second; 0 for no limit.
        room: what may come at once.
    """

    def __init__(self, rate: float, room: float) -> None:
        self._rate, self._room, self._level, self._at = rate, room, room, time.monotonic()

    def take(self, count: float = 1) -> bool:
        """Whether so many more are allowed."""
        if not self._rate:
            return True
        now = time.monotonic()
        self._level = min(self._room, self._level + (now - self._at) * self._rate)
        self._at = now
        if self._level < count:
            return False
        self._level -= count
        return True


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
        if address not in self._known:
            self._known[address] = Bucket(self._rate, self._room)
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        self._known.move_to_end(address)
        return self._known[address].take(count)
