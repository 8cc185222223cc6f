"""Options, values and numbers of seats that a game does not have are refused, and what it has is named."""

import re

import pytest

from tefuda.engine.option import Option, OptionError, Value
from tefuda.games import description, names
from tefuda.table.game import load

OPTIONS = [
    pytest.param(game, option, id=f"{game}-{option.name}")
    for game in names()
    for option in description(game).rules.options
]


def fault_of(option: Option) -> tuple[Value, str]:
    """A value just beyond the option's, and what is said of it."""
    if option.values:
        return "nobody", f"{option.name}: 'nobody' is not one of {', '.join(option.values)}"
    if isinstance(option.default, bool):
        return "maybe", f"{option.name}: 'maybe' is neither true nor false"
    return option.most + 1, f"{option.name}: {option.most + 1} is not from {option.least} to {option.most}"


@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_a_value_that_an_option_has_not_is_refused(game: str, option: Option) -> None:
    value, fault = fault_of(option)
    with pytest.raises(OptionError, match=re.escape(fault)):
        load(game, None, **{option.name: value})


@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_a_number_below_the_least_is_refused(game: str, option: Option) -> None:
    if option.values or isinstance(option.default, bool):
        value, fault = "", f"{option.name}: ''"
    else:
        value, fault = str(option.least - 1), f"{option.name}: {option.least - 1} is not from {option.least} to"
    with pytest.raises(OptionError, match=re.escape(fault)):
        load(game, None, **{option.name: value})


@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_an_option_that_is_misspelt_is_refused_and_the_right_one_named(game: str, option: Option) -> None:
    misspelt = option.name[:-2] + option.name[-1]
    with pytest.raises(OptionError, match=f"no option '{misspelt}'; did you mean '{option.name}'"):
        load(game, None, **{misspelt: option.default})


@pytest.mark.parametrize("game", names())
def test_a_number_of_seats_that_a_game_has_not_is_refused(game: str) -> None:
    seats = sorted(description(game).seats)
    with pytest.raises(OptionError, match=f"played by {' or '.join(map(str, seats))}, not by {seats[-1] + 1}"):
        load(game, seats[-1] + 1)
