"""Text files that people name: read whole, with what is wrong said in one line."""

from collections.abc import Callable
from pathlib import Path

MOST_BYTES = 64 * 1024 * 1024
"""How long a file may be. The longest records that were ever written here have a hundredth of it."""


def read_text(path: Path, fault: Callable[[str], Exception]) -> str:
    """The text of a file in UTF-8, without the mark that some editors put at its beginning.

    Args:
        path: of the file.
        fault: makes the error that is raised.

    Raises:
        Exception: of ``fault``: there is no such file, it cannot be read, is too long, or is no text.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise fault(f"{path}: {error.strerror}") from error
    except ValueError:  # a name that no file can have
        raise fault(f"{str(path)!r}: not the name of a file") from None
    if len(content) > MOST_BYTES:
        raise fault(f"{path}: longer than {MOST_BYTES // 1024**2} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise fault(f"{path}: not a text file") from None
