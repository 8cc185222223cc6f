"""Files that appear whole or not at all, in the place of an earlier one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole(path: Path, mark: str = ".new") -> Iterator[Path]:
    """Yield where to write: a file beside ``path``, which then takes its name; where that fails nothing stays behind.

    Args:
        path: of the file; what is there and no file, such as ``/dev/stdout``, is written to as it is.
        mark: ends the name of the file meanwhile.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    path = path.resolve()
    fresh = path.with_name(path.name + mark)
    try:
        yield fresh
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
