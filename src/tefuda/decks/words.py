"""The words that stand on printed sheets."""

import tomllib
from functools import cache
from pathlib import Path


@cache
def _words() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))


def word(key: str, language: str, **fields: object) -> str:
    """A word of the printed sheets."""
    return _words()[key][language].format(**fields)
