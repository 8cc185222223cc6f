"""Looking up the keys of an experiment's file, with errors that name what is wrong."""

from collections.abc import Mapping, Sequence
from typing import Any

from tefuda.engine.description import nearest
from tefuda.engine.errors import TefudaError


def check_keys(given: Mapping[str, Any], keys: Sequence[str], where: str) -> None:
    """See that no other keys are there.

    Args:
        where: said before the error.

    Raises:
        TefudaError: one is.
    """
    for key in given:
        if key not in keys:
            raise TefudaError(f"{where}there is no key {key!r}{nearest(key, keys)}")


KINDS = {str: "a text", list: "a list", dict: "a table", bool: "true or false", int: "a whole number"}


def value_of(given: Mapping[str, Any], key: str, kind: type, default: Any = None) -> Any:
    """What stands under a key.

    Raises:
        TefudaError: nothing, though there is no default; or something of another kind.
    """
    value = given.get(key, default)
    if value is None:
        raise TefudaError(f"{key} is missing")
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TefudaError(f"{key}: {value!r} is not {KINDS[kind]}")
    return value


def number_of(given: Mapping[str, Any], key: str, default: int, least: int, most: int) -> int:
    """The whole number that stands under a key.

    Raises:
        TefudaError: it is below ``least`` or above ``most``, or no whole number.
    """
    number: int = value_of(given, key, int, default)
    if number < least:
        raise TefudaError(f"{key}: {number} is below {least}")
    if number > most:
        raise TefudaError(f"{key}: {number} is above {most:,}")
    return number


def line_of(given: Mapping[str, Any], key: str, most: int) -> str:
    """The text that stands under a key, as reports show it: one line.

    Raises:
        TefudaError: it is empty or longer than ``most`` characters, or holds a line break or a bar (Markdown's tables).
    """
    text: str = value_of(given, key, str)
    if not text.strip() or len(text) > most or not text.isprintable() or "|" in text:
        shown = text if len(text) <= most else f"{text[:20]}…"
        raise TefudaError(f"{key}: {shown!r} is not one line of 1 to {most} characters without |")
    return text
