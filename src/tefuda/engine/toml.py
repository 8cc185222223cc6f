"""Files that people write: TOML, read so that every error names file, place and key, and says what was expected.

``read`` opens a file as a ``Table``. Its methods give typed values or raise the table's own kind of error, in one line
such as ``tours/mine.toml: step 2: play: 3 is not a list of words``. What a key may hold often depends on the game that
another key names, and the message is what people work with: that is why this is not left to a library of models."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.files import read_text

Kind = TypeVar("Kind")

_KINDS: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table of keys and values",
}


def read(path: Path, fault: type[TefudaError] = TefudaError) -> "Table":
    """Read a file in UTF-8. Of the kind ``fault`` are the errors here and those of the table's methods: here if it
    cannot be read, or is not TOML, in one line that names it."""
    text = read_text(path, fault)
    try:
        return Table(tomllib.loads(text), str(path), fault)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise fault(f"{path}: not TOML: {error}") from error


class Table(dict[str, Any]):
    """A table of a TOML file: a dictionary whose methods check what stands under a key.

    Each method takes a key and, where the key may be absent, a default. Without a default an absent key is an error.

    Args:
        values: keys with plain values, as ``tomllib`` reads them.
        place: where the table stands, such as ``mine.toml: step 2``; errors begin with it. Empty for none.
        fault: the kind of error to raise.

    Example:
        >>> table = Table({"deals": 300, "names": ["Ann", "Bo"]}, "mine.toml")
        >>> table.number("deals", least=1)
        300
        >>> table.words("names")
        ['Ann', 'Bo']
        >>> table.text("names")
        Traceback (most recent call last):
        tefuda.engine.errors.TefudaError: mine.toml: names: ['Ann', 'Bo'] is not a text
    """

    def __init__(self, values: Mapping[str, object], place: str = "", fault: type[TefudaError] = TefudaError) -> None:
        super().__init__(values)
        self.place, self._fault = place, fault

    # Errors

    def error(self, message: str) -> TefudaError:
        """An error at this place, to be raised."""
        return self._fault(f"{self.place}: {message}" if self.place else message)

    def only(self, keys: Iterable[str]) -> "Table":
        """Refuse any other key than these, with the nearest of them; the table itself."""
        known = list(keys)
        for key in self:
            if key not in known:
                raise self.error(f"there is no key {key!r}{nearest(key, known)}")
        return self

    @contextmanager
    def errors_named(self, key: str = "") -> Iterator[None]:
        """Errors raised in this block name this place, and the key if one is given; those that do already, pass."""
        try:
            yield
        except TefudaError as error:
            if isinstance(error, self._fault) and self.place and str(error).startswith(f"{self.place}: "):
                raise
            raise self.error(f"{key}: {error}" if key else str(error)) from error

    # Values

    def value(self, key: str, kind: type[Kind], default: Kind | None = None) -> Kind:
        """A value of one of TOML's own kinds: str, int, float, bool, list or dict."""
        value = self.get(key, default)
        if value is None:
            raise self.error(f"{key} is missing")
        if kind is float and type(value) is int:
            return cast(Kind, float(value))
        if type(value) is not kind:
            raise self.error(f"{key}: {value!r} is not {_KINDS[kind]}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """A text that is not blank."""
        text = self.value(key, str, default)
        if key in self and not text.strip():
            raise self.error(f"{key}: {text!r} is empty")
        return text

    def number(self, key: str, default: int | None = None, least: int | None = None, most: int | None = None) -> int:
        """A whole number within bounds, which are included."""
        number = self.value(key, int, default)
        if least is not None and number < least:
            raise self.error(f"{key}: {number} is below {least}")
        if most is not None and number > most:
            raise self.error(f"{key}: {number} is above {most:,}")
        return number

    def words(self, key: str, default: Iterable[str] = (), *, alone: bool = False) -> list[str]:
        """A list of texts; with ``alone`` a single text may stand for a list of one."""
        value = self.get(key, list(default))
        words = [value] if alone and isinstance(value, str) else value
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise self.error(f"{key}: {value!r} is not a list of words")
        return list(words)

    # Tables within

    def table(self, key: str) -> "Table":
        """A table ``[key]``; one without keys if it is absent."""
        return self._within(self.value(key, dict, {}), key)

    def tables(self, key: str) -> list["Table"]:
        """The tables ``[[key]]``, at least one; their places are counted from 1, such as ``step 2``."""
        value = self.get(key)
        if not isinstance(value, list) or not value or not all(isinstance(each, dict) for each in value):
            raise self.error(f"it has no [[{key}]]")
        return [self._within(each, f"{key} {number}") for number, each in enumerate(value, 1)]

    def _within(self, values: Mapping[str, object], place: str) -> "Table":
        return Table(values, f"{self.place}: {place}" if self.place else place, self._fault)
