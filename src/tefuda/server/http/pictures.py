"""Pictures that many may ask for and few look at, such as link previews: made once, one at a time, and kept.

resvg draws PNG. It holds the interpreter's lock while it draws, a tenth of a second and more; so it
draws in another process, which leaves the cores to players."""

import asyncio
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

from tefuda.server.live.pools import Background
from tefuda.server.table.callers import Refused

PROGRAM = """
import os, sys, time
import resvg_py
if hasattr(os, "nice"):
    os.nice(5)
drawn = bytes(resvg_py.svg_to_bytes(svg_string=sys.stdin.buffer.read().decode(), width=int(sys.argv[1])))
sys.stdout.buffer.write(time.process_time_ns().to_bytes(8) + drawn)
"""
"""Draws what it reads, and writes the time that it took before the picture. Players come first; where others keep all
cores busy, a picture is still drawn before those who want it give up."""


def png(drawing: str, width: int) -> tuple[bytes, float]:
    """An SVG as a PNG of this width in pixels, and the seconds of a core that it took; it blocks. ``OSError`` if it
    cannot be drawn."""
    command = [sys.executable, "-c", PROGRAM, str(width)]
    drawn = subprocess.run(command, input=drawing.encode(), capture_output=True).stdout  # noqa: S603
    if len(drawn) <= 8:
        raise OSError("resvg has drawn nothing")
    return drawn[8:], int.from_bytes(drawn[:8]) / 1e9


MOST_KEPT = 128  # pictures, each of about 100 KB
MOST_WAITING = 8  # pictures that may wait to be made

Pay = Callable[[float], object]  # charges the client seconds


class Pictures:
    """The pictures of one process."""

    def __init__(self, background: Background) -> None:
        self._background, self._turn = background, asyncio.Lock()
        self._kept: OrderedDict[Hashable, asyncio.Task[bytes]] = OrderedDict()  # also while they are made

    async def get(self, key: Hashable, draw: Callable[[], str], pay: Pay, width: int | None = None) -> bytes:
        """A picture, as it was made when first asked for: a PNG ``width`` pixels wide, or the SVG.

        ``key`` is all that it depends on; ``draw`` makes the SVG in a thread, empty if there is nothing to draw.
        ``pay`` is called with the seconds of a core that it took, if it was made now. ``Refused`` if too many others
        wait to be made."""
        key = (key, width)
        if key not in self._kept:
            if sum(not task.done() for task in self._kept.values()) >= MOST_WAITING:
                raise Refused("drawing", 503)
            self._kept[key] = self._background.spawn(self._make(key, draw, pay, width))
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return await asyncio.shield(self._kept[key])

    async def _make(self, key: Hashable, draw: Callable[[], str], pay: Pay, width: int | None) -> bytes:
        def work() -> tuple[bytes, float]:
            began = time.thread_time()
            drawing = draw()
            took = time.thread_time() - began
            made, more = png(drawing, width) if width and drawing else (drawing.encode(), 0.0)
            return made, took + more

        try:
            async with self._turn:
                made, took = await self._background.in_thread(work)
            pay(took)
            return made
        except BaseException:  # the next who asks has it tried again
            self._kept.pop(key, None)
            raise
