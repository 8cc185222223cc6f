"""Times as administrators read and write them; in the program, milliseconds since 1970."""

import re
from datetime import UTC, datetime
from time import time_ns

from tefuda.engine.errors import TefudaError

SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def written(milliseconds: int) -> str:
    """A time, in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def ago(length: str, option: str) -> int:
    """When that was; arguments and errors as of ``_milliseconds``."""
    return time_ns() // 1_000_000 - _milliseconds(length, option)


def ahead(length: str, option: str) -> int:
    """When that will be; arguments and errors as of ``_milliseconds``."""
    return time_ns() // 1_000_000 + _milliseconds(length, option)


def read_day(day: str, option: str) -> int:
    """When a day began in UTC; a time of day may follow it.

    Raises:
        TefudaError: it is no date; the message names the option.
    """
    try:
        moment = datetime.fromisoformat(day)
    except ValueError:
        raise TefudaError(f"{option} {day}: write a day, such as 2026-08-31") from None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def _milliseconds(length: str, option: str) -> int:
    """A length of time: ``90d``, ``12h``.

    Raises:
        TefudaError: it is none; the message names the option.
    """
    found = re.fullmatch(r"(\d{1,6})([mhdw])", length)
    if not found:
        raise TefudaError(f"{option} {length}: write a number with m, h, d or w, such as 90d")
    return int(found[1]) * SECONDS[found[2]] * 1000
