"""The one base of all errors that bad input causes, and what finds or explains them.

Missing packages too: those that need not be installed are the extras of ``pyproject.toml``."""

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from operator import index
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[3]  #: the clone that the package runs from, if it runs from one


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


def nearest(word: str, known: Sequence[str] | Mapping[str, object]) -> str:
    """``"; did you mean …?"`` with the known word most like this one, in whatever case, or nothing: ends a message."""
    folded = {each.casefold(): each for each in known}
    found = get_close_matches(word.casefold(), list(folded), 1, cutoff=0.5)
    return f"; did you mean {folded[found[0]]!r}?" if found else ""


class MissingPackageError(TefudaError, ModuleNotFoundError):
    """A feature, as users write it (``tefuda serve``), needs packages that are not installed; the message says how to
    install them, by the extras that bring them."""

    def __init__(self, feature: str, packages: str, *extras: str) -> None:
        super().__init__(f"{feature} needs {packages}: {installation(*extras)}")


def installation(*extras: str) -> str:
    """The command that brings extras: in a clone it also runs again with them what was typed, else it is pip's."""
    if not (PROJECT / "pyproject.toml").is_file():
        return f"pip install 'tefuda[{','.join(extras)}]'"
    program = Path(sys.argv[0])
    again = "tefuda" in (program.stem, program.parent.name)  # the script, or ``python -m tefuda``
    typed = f"tefuda {shlex.join(sys.argv[1:])}" if again else "…"
    return f"uv run {' '.join(f'--extra {extra}' for extra in extras)} {typed}"


@contextmanager
def needed_by(feature: str, *extras: str) -> Iterator[None]:
    """Around imports, or around what imports: tell of a package that is missing by the extras that bring it.

    ``MissingPackageError`` if a package that is not ours cannot be found."""
    try:
        yield
    except MissingPackageError:
        raise
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "tefuda"):
            raise
        raise MissingPackageError(feature, package, *extras) from None
