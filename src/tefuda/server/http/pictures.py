"""Pictures that many may ask for and few look at, such as link previews: made once, one at a time, beside the event
loop, and kept."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

from tefuda.server.http.raster import Raster
from tefuda.server.live.pools import Background
from tefuda.server.table.callers import Refused

MOST_KEPT = 128
"""Pictures, each of about 100 KB."""

MOST_WAITING = 8
"""Pictures that may wait to be made."""

Pay = Callable[[float], object]
"""Charges somebody seconds."""


class Pictures:
    """The pictures of one process.

    Args:
        background: its threads.
    """

    def __init__(self, background: Background) -> None:
        self._background, self._raster, self._turn = background, Raster(), asyncio.Lock()
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._coming: dict[Hashable, asyncio.Task[bytes]] = {}

    async def get(self, key: Hashable, draw: Callable[[], str], pay: Pay, width: int | None = None) -> bytes:
        """A picture, as it was made when first asked for.

        Args:
            key: all that it depends on.
            draw: makes the SVG, in a thread; empty if there is nothing to draw.
            pay: called with the seconds of a core that it took, if it was made now.
            width: in pixels of a PNG; None for the SVG.

        Raises:
            Refused: too many others wait to be made.
        """
        key = (key, width)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._coming:
            if len(self._coming) >= MOST_WAITING:
                raise Refused("drawing", 503)
            self._coming[key] = self._background.spawn(self._make(key, draw, pay, width))
        return await asyncio.shield(self._coming[key])

    def close(self) -> None:
        """Draw no more."""
        self._raster.close()

    async def _make(self, key: Hashable, draw: Callable[[], str], pay: Pay, width: int | None) -> bytes:
        def work() -> tuple[bytes, float]:
            began = time.thread_time()
            drawing = draw()
            took = time.thread_time() - began
            made, more = self._raster.png(drawing, width) if width and drawing else (drawing.encode(), 0.0)
            return made, took + more

        try:
            async with self._turn:
                made, took = await self._background.in_thread(work)
            pay(took)
            self._kept[key] = made
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return made
        finally:
            del self._coming[key]
