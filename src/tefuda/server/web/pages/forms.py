"""The form by which a table is opened, made from the game's description."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import parse_qsl

from fastapi import Request

from tefuda.engine.description import Description, Option, OptionError
from tefuda.server.events.notation_text import wording
from tefuda.server.web import schemas
from tefuda.server.web.pages.frame import said
from tefuda.table.reasons import say_all, say_line

LEVELS = {"beginner": "random", "easy": "hints", "strong": "search:100ms", "strongest": "search:500ms"}
"""How strong bots play, by the words that people choose from."""

USUAL_LEVEL = "easy"

Company = Literal["bots", "friends", "anybody"]
"""With whom: bots take all other seats; friends come by invitation; anybody may come."""


@dataclass(frozen=True)
class TableForm:
    """What somebody has chosen, as it was typed.

    Attributes:
        seats: how many players.
        options: by name; those that were not in the form have their defaults.
        level: of the bots, a key of ``LEVELS``.
        faults: what will not do, in the reader's language, by the option's name; under ``""`` what concerns several.
    """

    seats: int
    options: Mapping[str, str] = field(default_factory=dict)
    level: str = USUAL_LEVEL
    faults: Mapping[str, str] = field(default_factory=dict)


def read(game: Description, typed: Mapping[str, str], language: str) -> TableForm:
    """The wish that a form has sent: seats, level, and options under ``set-<name>``."""
    seats = int(typed["seats"]) if typed.get("seats", "").isdecimal() else game.seats[0]
    seats = seats if seats in game.seats else game.seats[0]
    options = {name: typed[f"set-{name}"] for name in game.rules.option_by_name if f"set-{name}" in typed}
    level = typed.get("level", USUAL_LEVEL)
    wish = TableForm(seats, options, level if level in LEVELS else USUAL_LEVEL)
    return TableForm(wish.seats, wish.options, wish.level, _faults(game, wish, language))


def _faults(game: Description, wish: TableForm, language: str) -> dict[str, str]:
    faults = {}
    for name, value in wish.options.items():
        option = game.rules.option_by_name[name]
        try:
            option.number(value)
        except OptionError:
            faults[name] = said(language, "new.bad_number", least=option.least, most=f"{option.most:,}")
    if faults:
        return faults
    try:
        game.template(wish.seats, wish.options)
    except OptionError as error:
        return {"": say_line(game, error.line, language) if error.line else str(error)}
    return {}


def order(game: Description, wish: TableForm, name: str, company: Company) -> schemas.NewTable:
    """The wish as it is asked of the API."""
    bots = [LEVELS[wish.level]] * (wish.seats - 1) if company == "bots" else []
    return schemas.NewTable.model_validate(
        {
            "game": game.name,
            "seats": wish.seats,
            "options": wish.options,
            "name": name,
            "bots": bots,
            "public": company == "anybody",
            "by_invitation": company == "friends",
        }
    )


def shown(game: Description, wish: TableForm, language: str) -> dict[str, Any]:
    """What the template of the form is made of."""
    return {
        "wish": wish,
        "levels": list(LEVELS),
        "seats": sorted(game.seats),
        "options": [_option(game, option, wish, language) for option in game.rules.options],
        "changed": bool(wish.faults) or any(_differs(game, *each) for each in wish.options.items()),
    }


def _option(game: Description, option: Option, wish: TableForm, language: str) -> dict[str, Any]:
    texts = say_all(game, f"options.{option.name}", language, wording(game, language))
    return {
        "name": option.name,
        "kind": "choice" if option.values else "switch" if isinstance(option.default, bool) else "number",
        "label": texts.get("label", option.name),
        "help": texts["help"],
        "rule": option.rule,
        "value": wish.options.get(option.name, _written(option.default)),
        "default": _written(option.default),
        "values": [(word, texts.get(f"values.{word}", word)) for word in option.values],
        "least": option.least,
        "most": option.most,
        "fault": wish.faults.get(option.name, ""),
    }


def _differs(game: Description, name: str, value: str) -> bool:
    return value != _written(game.rules.option_by_name[name].default)


def _written(value: object) -> str:
    """A value as the form sends it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


async def typed(request: Request) -> dict[str, str]:
    """What a form has sent; of a name that stands twice the last counts, as switches need it."""
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace"), keep_blank_values=True))
