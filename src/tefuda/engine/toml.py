"""Files that people write: TOML."""

import tomllib
from pathlib import Path
from typing import Any

from tefuda.engine.errors import TefudaError


def read(path: Path, fault: type[TefudaError] = TefudaError) -> dict[str, Any]:
    """What a file says.

    Args:
        path: of the file.
        fault: the error to raise.

    Raises:
        TefudaError: it cannot be read, or is not TOML, in one line that names it.
    """
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise fault(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise fault(f"{path}: not TOML: {error}") from error
