"""JSON that says one thing to every reader: no key stands twice, nothing is NaN, and nothing comes after it."""

import json
from collections.abc import Iterable
from typing import Any


def loads(text: str | bytes) -> Any:
    """Read a JSON text.

    Raises:
        ValueError: it is not JSON, or another reader could take it for something else.
        RecursionError: it is nested too deeply.
    """
    return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{key!r} stands twice")
        found[key] = value
    return found


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON")
