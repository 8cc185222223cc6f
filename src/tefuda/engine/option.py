"""Options: gaps and variants of the rules that a table may decide, with values as people write them."""

import re
from dataclasses import dataclass
from typing import Any

from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.sentence import Sentence

_SEPARATORS = re.compile(r"\s*[+,]\s*")

_SWITCH = {"true": 1, "on": 1, "yes": 1, "1": 1, "false": 0, "off": 0, "no": 0, "0": 0}
"""Words for a switch that is on or off."""

Value = bool | int | str  #: an option's value


def written(value: Value) -> str:
    """A value as people write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class OptionError(TefudaError):
    """An option, a value or a number of seats that the game does not have; the message is one clear line.

    Attributes:
        line: where values exclude each other, the same from the game's catalogue; else None.
    """

    def __init__(self, text: str, line: Sentence | None = None) -> None:
        super().__init__(text)
        self.line = line


class UnknownOptionError(OptionError, TypeError):
    """An option that the game does not have: to Python, a keyword argument that nobody expects.

    Attributes:
        option: its name.
    """

    def __init__(self, text: str, option: str = "") -> None:
        super().__init__(text)
        self.option = option


@dataclass(frozen=True)
class Option:
    """A gap or variant of the rules that a table may decide: a small integer in the record."""

    name: str  #: also the record's field
    default: Value  #: as people write it: ``True``/``False``, a word, or a number
    rule: str  #: number of the rule it touches
    #: the words of a choice, in the order of the integers that stand for them; empty for numbers and switches. A value
    #: of several parts (``declarer+only_old``) may be written with its parts in any order, or as a list.
    values: tuple[str, ...] = ()
    least: int = 0  #: the least that a number may be
    most: int = 1  #: and the most
    was_switch: bool = False  #: a choice that was a switch once: false still means its first value, true its second
    most_at_table: int = 0  #: the most with which people can play a game to its end; simulations may have more
    #: the integers that stand for the values, where they are not all from 0 on: a word that only an older version of
    #: the rules offered keeps its integer
    numbers: tuple[int, ...] = ()
    at_table: bool = True  #: false for a number that the rules name, which experiments change and tables do not
    field: str = ""  #: the record's, if that is not called like it
    place: int = 0  #: of a number in that field

    def __post_init__(self) -> None:
        if not self.most_at_table:
            object.__setattr__(self, "most_at_table", self.most)
        if not self.numbers:
            object.__setattr__(self, "numbers", tuple(range(len(self.values))))

    def number(self, value: Value) -> int:
        """The integer that stands for a value; ``OptionError`` if it is not one of the option's values."""
        several = self.values and isinstance(value, list | tuple)
        text = "+".join(map(str, value)) if several else str(value).strip()  # type: ignore[arg-type]
        if self.values:
            if text in self.values:
                return self.numbers[self.values.index(text)]
            if self.was_switch and text.lower() in _SWITCH:
                return _SWITCH[text.lower()]
            every = [frozenset(each.split("+")) for each in self.values]
            said = frozenset(_SEPARATORS.split(text)) | every[0].intersection(*every)  # what none lacks may be unsaid
            for number, parts in zip(self.numbers, every, strict=True):
                if parts == said:
                    return number
            known = ", ".join(self.values)
            raise OptionError(f"{self.name}: {text!r} is not one of {known}{nearest(text, self.values)}")
        if isinstance(self.default, bool):
            if text.lower() in _SWITCH:
                return _SWITCH[text.lower()]
            raise OptionError(f"{self.name}: {text!r} is neither true nor false")
        try:
            number = int(text)
        except ValueError:
            raise OptionError(f"{self.name}: {text!r} is not a whole number") from None
        if not self.least <= number <= self.most:
            raise OptionError(f"{self.name}: {number} is not from {self.least} to {self.most}")
        return number

    def check_at_table(self, value: Value) -> None:
        """Let a value pass with which people can play a game to its end; ``OptionError`` for another."""
        if not self.at_table:
            raise OptionError(f"{self.name}: experiments change it, and no table does")
        if not self.values and self.number(value) > self.most_at_table:
            most = self.most_at_table
            raise OptionError(f"{self.name}: a table cannot play a game of {value} to its end; {most} is the most")

    def number_in(self, state: Any) -> int:
        """The integer in a state."""
        return int(state[self.field or self.name].ravel()[self.place])

    def write(self, states: Any, number: int) -> None:
        """Write an integer into states."""
        states[self.field or self.name].reshape(len(states), -1)[:, self.place] = number

    def word(self, number: int) -> Value:
        """The value that an integer stands for."""
        if self.values:
            return self.values[self.numbers.index(number)]
        return bool(number) if isinstance(self.default, bool) else int(number)
