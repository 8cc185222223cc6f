"""Ma Diao: how a payment arose, line by line."""

from typing import Any

from tefuda.engine.description import Line


def sheet(state: Any, seat: int) -> list[Line]:
    """What the deal brings this seat, and why."""
    return []
