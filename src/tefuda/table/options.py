"""What the options of a game are, in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from tefuda import games
from tefuda.engine.description import Description
from tefuda.engine.option import Option, Value
from tefuda.engine.texts import LANGUAGES
from tefuda.table.reasons import say_all


@dataclass(frozen=True, repr=False)
class OptionHelp:
    """An option of a game: a gap or variant of the rules that a table may decide.

    Attributes:
        name: as ``tefuda.load`` takes it.
        default: its usual value.
        rule: number of the rule that it touches.
        label: a few words.
        sentence: what it decides.
        values: what each value means, by value; a switch has True and False, a number no values.
        least, most: bounds of a number, which are included; None for switches and choices.
    """

    name: str
    default: Value
    rule: str
    label: str
    sentence: str
    values: Mapping[Value, str]
    least: int | None = None
    most: int | None = None

    def __repr__(self) -> str:
        return f"<Option {self.name}={self.default!r} [{self.rule}]: {self.sentence}>"


def options(game: str, language: str = LANGUAGES[0]) -> list[OptionHelp]:
    """The options of a game, in the order of its rules page.

    Args:
        game: name, such as ``"gong-zhu"``.
        language: of the sentences: ``en``, ``ja``, ``zh-Hant`` or ``zh-Hans``.

    Raises:
        UnknownGameError: there is no such game.
        TefudaError: there is no such language.

    Example:
        >>> import tefuda
        >>> tefuda.options("gong-zhu")[0]
        <Option partnership=False [GZ-22]: Four players play two against two, ...>
        >>> [option.name for option in tefuda.options("gong-zhu")][:2]
        ['partnership', 'five_deck']
    """
    description = games.description(game)
    return [explained(description, option, language) for option in description.rules.options]


def explained(game: Description, option: Option, language: str) -> OptionHelp:
    """An option with its sentences in this language."""
    texts = say_all(game, f"options.{option.name}", language)
    words: tuple[Value, ...] = (True, False) if isinstance(option.default, bool) else option.values
    number = not words
    return OptionHelp(
        name=option.name,
        default=option.default,
        rule=option.rule,
        label=texts["label"],
        sentence=texts["help"],
        values={word: texts.get(f"values.{word}", "") for word in words},
        least=option.least if number else None,
        most=option.most if number else None,
    )
