"""What ``--json`` prints: one document on standard output, for programs."""

import json
import sys
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any


def print_json(data: Any) -> None:
    """Print data; a dataclass becomes an object with its fields as keys. All is ASCII, as any terminal takes it."""
    sys.stdout.write(json.dumps(data, default=_plain, indent=2) + "\n")


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")
