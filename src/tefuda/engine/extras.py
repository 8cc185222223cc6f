"""Packages that need not be installed (the extras of ``pyproject.toml``), and how to install one that is missing."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tefuda.engine.errors import TefudaError

PROJECT = Path(__file__).parents[3]
"""The clone that the package runs from, if it runs from one."""


class MissingPackageError(TefudaError, ModuleNotFoundError):
    """What was asked for needs packages that are not installed; the message says how to install them.

    Args:
        feature: which needs them, as users write it: ``tefuda serve``.
        packages: that are missing.
        extras: which bring them.
    """

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

    Raises:
        MissingPackageError: a package that is not ours cannot be found.
    """
    try:
        yield
    except MissingPackageError:
        raise
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "tefuda"):
            raise
        raise MissingPackageError(feature, package, *extras) from None
