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


def number_of(given: Mapping[str, Any], key: str, default: int, least: int) -> int:
    """The whole number that stands under a key.

    Raises:
        TefudaError: it is below ``least``, or no whole number.
    """
    number: int = value_of(given, key, int, default)
    if number < least:
        raise TefudaError(f"{key}: {number} is below {least}")
    return number
