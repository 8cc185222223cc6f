"""The one base of all errors that bad input causes, and what finds or explains them: reasons of files, known words."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from operator import index
from typing import Any


class TefudaError(ValueError):
    """Bad input from outside: a word, file, option or number. The message is one clear line that names it."""


def file_fault(error: OSError) -> str:
    """Which file cannot be read or written and why, such as ``deal.tfd: No such file or directory``."""
    if isinstance(error, FileExistsError):  # where a folder was to be made
        return f"{error.filename}: not a folder"
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename is not None else reason


def whole(value: Any) -> int | None:
    """A whole number, NumPy's too, as an int; None if it is something else, such as ``True`` or ``3.0``."""
    try:
        return None if isinstance(value, bool) else index(value)
    except TypeError:
        return None


def nearest(word: str, known: Sequence[str] | Mapping[str, Any]) -> str:
    """``"; did you mean …?"`` with the known word most like this one, in whatever case, or nothing: ends a message."""
    folded = {each.casefold(): each for each in known}
    found = get_close_matches(word.casefold(), list(folded), 1, cutoff=0.5)
    return f"; did you mean {folded[found[0]]!r}?" if found else ""
