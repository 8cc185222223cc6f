"""Short texts in frames of WebSocket (RFC 6455, 5.2), as nearly all messages come and go."""

from functools import lru_cache

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # compiled where that is installed

_TEXT = 0x81
"""Opens the only frame of a text."""

_MASKED = 0x80
"""Stands beside the length in frames from clients."""

_SHORT = 126
"""Shorter texts have their length in one byte; this in its place says that two bytes follow, the next that eight do."""

_HEADS = [bytes((_TEXT, length)) for length in range(_SHORT)]


@lru_cache(4)  # what several are told goes to one after the other
def frame_of(text: bytes) -> bytes:
    """The frame in which a server sends a text."""
    length = len(text)
    if length < _SHORT:
        return _HEADS[length] + text
    if length < 1 << 16:
        return bytes((_TEXT, _SHORT)) + length.to_bytes(2, "big") + text
    return bytes((_TEXT, _SHORT + 1)) + length.to_bytes(8, "big") + text


def text_in(data: bytes) -> bytes | None:
    """The text, if this is exactly one frame, of a short text from a client; else None."""
    size = len(data)
    if not 6 <= size < 6 + _SHORT or data[0] != _TEXT or data[1] != _MASKED + size - 6:
        return None
    return apply_mask(data[6:], data[2:6])
