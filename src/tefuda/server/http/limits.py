"""How much one address, or one socket, may ask for.

Token buckets of our own: those who are cut off go into debt (``charge``), which the ``limits`` package cannot keep, and
every message over a socket asks two of them, which takes that package five times as long.
"""

import time
from collections import OrderedDict

MOST_KNOWN = 10_000
"""Addresses that are remembered."""

READ_TIMEOUT = 10.0
"""Seconds that a reader may take for one message, or for what fits into the buffers; a slower one is cut off."""

REQUEST_TIMEOUT = 20.0
"""Seconds within which a whole request must arrive, from the connection or its first byte on."""


class TokenBucket:
    """Fills steadily; every request takes something out.

    Args:
        rate: tokens a second; 0 for no limit.
        capacity: tokens that may be taken at once.
    """

    def __init__(self, rate: float, capacity: float) -> None:
        self._rate, self._capacity, self._level, self._at = rate, capacity, capacity, time.monotonic()

    def take(self, count: float = 1) -> bool:
        """Take so many tokens if there are as many; whether there were."""
        allowed = self.has(count)
        if allowed and self._rate:
            self._level -= count
        return allowed

    def has(self, count: float) -> bool:
        """Whether there are so many tokens."""
        if not self._rate:
            return True
        self._fill()
        return self._level >= count

    def charge(self, count: float) -> None:
        """Take so many tokens whether there are as many or not; a debt must be filled up before anything is allowed."""
        self._fill()
        self._level = max(self._level - count, -self._capacity)

    def _fill(self) -> None:
        now = time.monotonic()
        self._level = min(self._capacity, self._level + (now - self._at) * self._rate)
        self._at = now


class AddressLimits:
    """A bucket for each address; those not seen for longest are forgotten.

    Args:
        rate, capacity: of each bucket.
    """

    def __init__(self, rate: float, capacity: float) -> None:
        self._rate, self._capacity = rate, capacity
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def bucket(self, address: str) -> TokenBucket:
        """The bucket of an address."""
        if address not in self._buckets:
            self._buckets[address] = TokenBucket(self._rate, self._capacity)
            if len(self._buckets) > MOST_KNOWN:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return self._buckets[address]
