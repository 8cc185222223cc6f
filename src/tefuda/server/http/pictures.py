"""Pictures that many may ask for and few look at, such as link previews: made once, one at a time, and kept.

resvg draws PNG, if it is installed. It holds the interpreter's lock while it draws, a tenth of a second and more; so it
draws in another process, which leaves the cores to players.
"""

import asyncio
import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from importlib.util import find_spec
from subprocess import DEVNULL, PIPE, Popen

from tefuda.server.live.pools import Background
from tefuda.server.table.callers import Refused

CAN_DRAW = find_spec("resvg_py") is not None
"""True if resvg is installed."""

PROGRAM = "from tefuda.server.http.pictures import draw_all; draw_all()"

LENGTH = 8
"""Bytes in which a length is written."""

IDLE = 60.0
"""Seconds without work after which the other process is ended."""


NICENESS = 5
"""Players come first; where others keep all cores busy, a picture is still drawn before those who want it give up."""


class Raster:
    """Draws, one drawing at a time, in a process that lives while there is something to draw."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._process: Popen[bytes] | None = None
        self._timer: threading.Timer | None = None

    def png(self, drawing: str, width: int) -> tuple[bytes, float]:
        """An SVG as a PNG of this width in pixels, and how many seconds of a core it took; only where ``CAN_DRAW``. It
        blocks.

        Raises:
            OSError: the process has ended.
        """
        with self._turn:
            self._stop_timer()
            try:
                return self._draw(drawing.encode(), width)
            except BaseException:
                self._end()
                raise
            finally:
                self._timer = threading.Timer(IDLE, self.close)
                self._timer.daemon = True
                self._timer.start()

    def close(self) -> None:
        """End the process, after what it draws; the next drawing starts another."""
        with self._turn:
            self._stop_timer()
            self._end()

    def _draw(self, drawing: bytes, width: int) -> tuple[bytes, float]:
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._process is None:
            self._process = Popen([sys.executable, "-c", PROGRAM], stdin=PIPE, stdout=PIPE, stderr=DEVNULL)  # noqa: S603
        pipe_in, pipe_out = self._process.stdin, self._process.stdout
        assert pipe_in is not None
        assert pipe_out is not None
        pipe_in.write(_written(width) + _written(len(drawing)) + drawing)
        pipe_in.flush()
        nanoseconds, length = (int.from_bytes(pipe_out.read(LENGTH)) for _ in range(2))
        drawn = pipe_out.read(length)
        if not drawn or len(drawn) < length:
            raise OSError("resvg has drawn nothing")
        return drawn, nanoseconds / 1e9

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def draw_all() -> None:
    """In the other process: draw what comes until no more can come."""
    import resvg_py

    if hasattr(os, "nice"):
        os.nice(NICENESS)
    reader, writer = sys.stdin.buffer, sys.stdout.buffer
    while width := int.from_bytes(reader.read(LENGTH)):
        drawing = reader.read(int.from_bytes(reader.read(LENGTH))).decode()
        began = time.process_time_ns()
        drawn = bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=width))
        writer.write(_written(time.process_time_ns() - began) + _written(len(drawn)) + drawn)
        writer.flush()


def _written(number: int) -> bytes:
    return number.to_bytes(LENGTH)


# Pictures

MOST_KEPT = 128
"""Pictures, each of about 100 KB."""

MOST_WAITING = 8
"""Pictures that may wait to be made."""

Pay = Callable[[float], object]
"""Charges the client seconds."""


class Pictures:
    """The pictures of one process."""

    def __init__(self, background: Background) -> None:
        self._background, self._raster, self._turn = background, Raster(), asyncio.Lock()
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._coming: dict[Hashable, asyncio.Task[bytes]] = {}

    async def get(self, key: Hashable, draw: Callable[[], str], pay: Pay, width: int | None = None) -> bytes:
        """A picture, as it was made when first asked for: a PNG ``width`` pixels wide, or the SVG.

        Args:
            key: all that it depends on.
            draw: makes the SVG, in a thread; empty if there is nothing to draw.
            pay: called with the seconds of a core that it took, if it was made now.
            width: in pixels; None for the SVG.

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
