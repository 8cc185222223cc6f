"""Files that are read whole and written whole, and JSON that says one thing to every reader."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

MOST_BYTES = 64 * 1024 * 1024  #: the most bytes of a file; the longest records have a hundredth of it


def read_text(path: Path, fault: Callable[[str], Exception]) -> str:
    """The text of a file in UTF-8, without the mark that some editors put at its beginning.

    Raises what ``fault`` makes if there is no such file, or it cannot be read, is too long, or is no text."""
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


@contextmanager
def whole(path: Path, mark: str = ".new") -> Iterator[Path]:
    """Yield where to write: a file beside ``path``, with ``mark`` at the end of its name, which then takes its name;
    where that fails nothing stays behind. What is there and no file, such as ``/dev/stdout``, is written to as it
    is."""
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


JsonObject = dict[str, object]
"""An object of JSON: its values are what JSON knows, and each reader asks for the kind that it needs."""


def load_json(text: str | bytes) -> Any:
    """Read a JSON text. ``ValueError`` if it is not JSON, or another reader could take it for something else;
    ``RecursionError`` if it is nested too deeply."""
    return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)


def _once(pairs: Iterable[tuple[str, object]]) -> JsonObject:
    found: JsonObject = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{key!r} stands twice")
        found[key] = value
    return found


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")
