"""The pace at which plays are told: one after the other, so that a person can follow; a key goes on, space pauses."""

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, sleep

from tefuda.engine.errors import TefudaError

if sys.platform == "win32":
    import msvcrt
else:
    import select
    import termios
    import tty

PAUSE = " "
"""The key that stops the clock until another is pressed."""

KEY = "key"
"""What a pace is called that waits for a key after each play."""

MOST_SECONDS = 60.0

_KEY_BYTES = 64
"""Read at once: an arrow key sends several, and so does somebody who types ahead."""


@dataclass(frozen=True)
class Pace:
    """How long a play stands alone.

    Attributes:
        seconds: after each play; 0 does not wait, None waits for a key.
    """

    seconds: float | None

    @classmethod
    def read(cls, text: str) -> "Pace":
        """From ``0.7``, ``0`` or ``key``.

        Raises:
            TefudaError: it is written in another way.
        """
        if text.strip().lower() == KEY:
            return cls(None)
        if not re.fullmatch(r"\d+(\.\d*)?|\.\d+", text.strip()) or float(text) > MOST_SECONDS:
            raise TefudaError(f"pace: {text!r} is neither a number of seconds from 0 to {MOST_SECONDS:g} nor {KEY!r}")
        return cls(float(text))

    def __str__(self) -> str:
        return KEY if self.seconds is None else f"{self.seconds:g}"

    def wait(self, paused: Callable[[], object] = lambda: None) -> None:
        """Let a play stand. Any key goes on at once; space pauses, which ``paused`` is told, until another key."""
        if self.seconds == 0:
            return
        if pressed_key(self.seconds) == PAUSE and self.seconds is not None:
            paused()
            pressed_key(None)


if sys.platform == "win32":

    def pressed_key(seconds: float | None) -> str:
        """The key that is pressed within so many seconds; empty if none is. None waits for one."""
        end = None if seconds is None else monotonic() + seconds
        while not msvcrt.kbhit():
            if end is not None and monotonic() >= end:
                return ""
            sleep(0.02)
        return msvcrt.getwch()

else:

    def pressed_key(seconds: float | None) -> str:
        """The key that is pressed within so many seconds; empty if none is. None waits for one."""
        keyboard = sys.stdin.fileno()
        settings = termios.tcgetattr(keyboard)
        tty.setcbreak(keyboard, termios.TCSANOW)  # what was typed before is kept
        try:
            if not select.select([keyboard], [], [], seconds)[0]:
                return ""
            return os.read(keyboard, _KEY_BYTES).decode("utf-8", "replace")
        finally:
            termios.tcsetattr(keyboard, termios.TCSADRAIN, settings)
