"""The form by which a table is opened, made from the game's description."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from fastapi import Request

from tefuda.bots.levels import LEVELS
from tefuda.engine.description import Description
from tefuda.engine.option import Option, OptionError
from tefuda.server.pages.frame import page_text
from tefuda.server.table import request_types
from tefuda.server.table.player_names import notation_text
from tefuda.table.reasons import say_all, say_line

USUAL_LEVEL = "easy"

CLOCKS = {"none": None, "relaxed": 120, "quick": 30}
"""Seconds for an answer among people, as the form names them."""

USUAL_CLOCK = "relaxed"

Company = Literal["bots", "friends", "anybody"]
"""With whom: bots take all other seats; friends come by invitation; anybody may come."""


@dataclass(frozen=True)
class TableForm:
    """What somebody has chosen, as it was typed.

    Attributes:
        seats: how many players.
        options: by name; those that were not in the form have their defaults.
        level: of the bots, one of ``LEVELS``.
        clock: among people, one of ``CLOCKS``.
        faults: what is wrong, in the reader's language, by the option's name; under ``""`` what concerns several.
    """

    seats: int
    options: Mapping[str, str] = field(default_factory=dict)
    level: str = USUAL_LEVEL
    clock: str = USUAL_CLOCK
    faults: Mapping[str, str] = field(default_factory=dict)


async def sent_fields(request: Request) -> dict[str, str]:
    """The fields that a form has sent. Of a name that stands twice the last counts, as switches need it."""
    async with request.form() as form:
        return {name: value for name, value in form.items() if isinstance(value, str)}


def read(game: Description, sent: Mapping[str, str], language: str) -> TableForm:
    """The form with its fields: seats, level, and options under ``set-<name>``."""
    seats = int(sent["seats"]) if sent.get("seats", "").isdecimal() else game.seats[0]
    seats = seats if seats in game.seats else game.seats[0]
    options = {name: sent[f"set-{name}"] for name in game.rules.option_by_name if f"set-{name}" in sent}
    level, clock = sent.get("level"), sent.get("clock")
    form = TableForm(
        seats, options, level if level in LEVELS else USUAL_LEVEL, clock if clock in CLOCKS else USUAL_CLOCK
    )
    return replace(form, faults=_faults(game, form, language))


def _faults(game: Description, form: TableForm, language: str) -> dict[str, str]:
    faults = {}
    for name, value in form.options.items():
        option = game.rules.option_by_name[name]
        try:
            option.check_at_table(value)
        except OptionError:
            faults[name] = page_text(language, "new.bad_number", least=option.least, most=f"{option.most_at_table:,}")
    if faults:
        return faults
    try:
        game.template(form.seats, form.options)
    except OptionError as error:
        return {"": say_line(game, error.line, language) if error.line else str(error)}
    return {}


def wanted_table(game: Description, form: TableForm, name: str, company: Company) -> request_types.NewTable:
    """The table that a form asks for, as the API takes it."""
    bots = [form.level] * (form.seats - 1) if company == "bots" else []
    return request_types.NewTable.model_validate(
        {
            "game": game.name,
            "seats": form.seats,
            "options": form.options,
            "name": name,
            "bots": bots,
            "public": company == "anybody",
            "by_invitation": company == "friends",
            "clock": CLOCKS[form.clock],
        }
    )


def template_values(game: Description, form: TableForm, language: str) -> dict[str, Any]:
    """What the template of the form is made of."""
    return {
        "wish": form,
        "levels": list(LEVELS),
        "clocks": list(CLOCKS),
        "seats": sorted(game.seats),
        "options": [_option(game, option, form, language) for option in game.rules.options],
        "changed": bool(form.faults) or any(differs(game, *each) for each in form.options.items()),
    }


def _option(game: Description, option: Option, form: TableForm, language: str) -> dict[str, Any]:
    texts = say_all(game, f"options.{option.name}", language, notation_text(game, language))
    return {
        "name": option.name,
        "kind": "choice" if option.values else "switch" if isinstance(option.default, bool) else "number",
        "label": texts.get("label", option.name),
        "help": texts["help"],
        "rule": option.rule,
        "value": form.options.get(option.name, _typed(option.default)),
        "default": _typed(option.default),
        "values": [(word, texts.get(f"values.{word}", word)) for word in option.values],
        "least": option.least,
        "most": option.most_at_table,
        "fault": form.faults.get(option.name, ""),
    }


def differs(game: Description, name: str, value: str) -> bool:
    """Whether an option, as a form sends it, is not the usual one."""
    return value != _typed(game.rules.option_by_name[name].default)


def _typed(value: object) -> str:
    """A value as the form sends it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
