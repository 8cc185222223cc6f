"""A game's own page with the form that opens a table, made from its description; house rules."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args
from urllib.parse import urlencode

from fastapi import HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tefuda.bots.players import LEVELS
from tefuda.engine.description import Description
from tefuda.engine.option import Option, OptionError, written
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.create_table import USUAL_LEVEL, create_table
from tefuda.server.http.error_answers import error_of
from tefuda.server.pages.drawings import OptionWords
from tefuda.server.pages.layout import Typed, page, page_text, router
from tefuda.server.pages.shown_game import OfAddress, ShownGame
from tefuda.server.store.port import HouseRules
from tefuda.server.table import request_types
from tefuda.server.table.callers import Refused
from tefuda.server.table.player_names import clean_name
from tefuda.table.reasons import say_line

# seconds for an answer among people, as the form names them
CLOCKS = {"none": None, "relaxed": 120, "quick": 30, "day": 86_400, "days": 3 * 86_400}

USUAL_CLOCK = "relaxed"

Company = Literal["bots", "friends", "anybody"]
"""With whom: bots take all other seats; friends come by invitation; anybody may come."""


@dataclass(frozen=True)
class TableForm:
    """Choices for a table, as they were typed."""

    seats: int
    # by name; those that were not in the form have their defaults
    options: Mapping[str, str] = field(default_factory=dict)
    level: str = USUAL_LEVEL  # of the bots, one of ``LEVELS``
    clock: str = USUAL_CLOCK  # among people, one of ``CLOCKS``
    chat: bool = False  # friends may write to each other
    # what is wrong, in the reader's language, by the option's name; under ``""`` what concerns several
    faults: Mapping[str, str] = field(default_factory=dict)


async def sent_fields(request: Request) -> dict[str, str]:
    """The fields that a form has sent. Of a name that stands twice the last counts, as switches need it."""
    async with request.form() as form:
        return {name: value for name, value in form.items() if isinstance(value, str)}


def read_form(game: Description, sent: Mapping[str, str], language: str) -> TableForm:
    """The form with its fields: seats, level, and options under ``set-<name>``."""
    seats = int(sent["seats"]) if sent.get("seats", "").isdecimal() else game.seats[0]
    seats = seats if seats in game.seats else game.seats[0]
    options = {name: sent[f"set-{name}"] for name in game.rules.option_by_name if f"set-{name}" in sent}
    level, clock = sent.get("level"), sent.get("clock")
    form = TableForm(
        seats, options, level if level in LEVELS else USUAL_LEVEL, clock if clock in CLOCKS else USUAL_CLOCK,
        "chat" in sent,
    )  # fmt: skip
    return replace(form, faults=_form_faults(game, form, language))


def _form_faults(game: Description, form: TableForm, language: str) -> dict[str, str]:
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
    chosen = {"game": game.name, "seats": form.seats, "options": form.options, "clock": CLOCKS[form.clock]}
    invited = company == "friends"
    whom = {"public": company == "anybody", "by_invitation": invited, "chat": form.chat and invited}
    return request_types.NewTable.model_validate({**chosen, **whom, "name": name, "bots": bots})


class OptionField(OptionWords):
    """An option as a form shows it, with the value that was typed, or the usual one."""

    def __init__(self, game: Description, option: Option, language: str, form: TableForm) -> None:
        super().__init__(game, option, language)
        self.name, self.rule, self.least, self.most = option.name, option.rule, option.least, option.most_at_table
        self.kind = "choice" if option.values else "switch" if isinstance(option.default, bool) else "number"
        self.values = [(word, self.said(word)) for word in option.values]
        self.default = written(option.default)
        self.value = form.options.get(option.name, self.default)
        self.fault = form.faults.get(option.name, "")
        self.is_changed = self.value != self.default


def option_fields(game: Description, form: TableForm, language: str) -> list[OptionField]:
    """All options of a game, as a form shows them."""
    return [OptionField(game, option, language, form) for option in game.rules.options]


# The page


@router.get("/games/{game}")
async def game_page(context: Context, game: OfAddress, rules: str = "", preset: str = "") -> HTMLResponse:
    """The page with a fresh form, or one that is filled in by house rules or by a preset."""
    if preset in game.served.presets:
        options = {name: written(value) for name, value in game.served.presets[preset]["options"].items()}
        return _game_page(game, TableForm(game.served.seats[0], options))
    if not rules:
        return _game_page(game, TableForm(game.served.seats[0]))
    saved, of = await find_rules(context, rules)
    sent = {"seats": str(saved.seats), **{f"set-{name}": written(value) for name, value in saved.options.items()}}
    return _game_page(game, read_form(game.served, sent if of.name == game.name else {}, context.language))


@router.post("/games/{game}")
async def open_table(context: Context, request: Request, game: OfAddress) -> Response:
    """Open a table and go there; a form with faults comes back as it was typed, with what is wrong.

    The button that sent the form says with whom (``with``)."""
    sent = await sent_fields(request)
    form = read_form(game.served, sent, context.language)
    company: Company = next((each for each in get_args(Company) if each == sent.get("with")), "bots")
    name = sent.get("name", "").strip()
    if form.faults:
        return _game_page(game, form, 422, name=name)
    try:
        name = name and clean_name(name)
    except Refused as refused:
        return _game_page(game, form, 422, name=name, name_fault=error_of(refused, context.language)["text"])
    if sent.get("with") == "save":
        return await _save_rules(game, form, sent.get("title", ""))
    if not game.is_ready:
        return RedirectResponse(f"/games/{game.name}/preparing?{urlencode(sent)}", 303)
    response = RedirectResponse("", 303)
    opened = await create_table(context, response, wanted_table(game.served, form, name or context.called, company))
    response.headers["location"] = f"/t/{opened.table}" + ("/invite" if company == "friends" else "")
    if name:
        await context.keep(response, replace(context.profile, typed=name))
    return response


async def _save_rules(game: ShownGame, form: TableForm, title: str) -> Response:
    """Save the choices of a form without faults under a title, and show them."""
    context = game.context
    try:
        context.must_be_heard()
        context.pay_for_table()
        name = clean_name(title)
    except Refused as refused:
        fault = error_of(refused, context.language)["text"]
        return _game_page(game, replace(form, faults={"": fault}), refused.status)
    options = {each.name: each.value for each in option_fields(game.served, form, context.language) if each.is_changed}
    key, now = secrets.token_hex(5), time.time_ns() // 1_000_000
    kept = HouseRules(key, now, context.guest, name, game.name, form.seats, options)
    await context.services.store.people.save_rules(kept)
    return RedirectResponse(f"/house-rules/{key}", 303)


def _game_page(
    game: ShownGame, form: TableForm, status: int = 200, name: str | None = None, name_fault: str = ""
) -> HTMLResponse:
    return page(
        game.context, "game.html", status, game.preview, game=game, typed=name, name_fault=name_fault, form=form,
        levels=LEVELS, clocks=CLOCKS, options=option_fields(game.served, form, game.context.language),
    )  # fmt: skip


@router.get("/games/{game}/players")
async def queue_page(context: Context, game: OfAddress) -> HTMLResponse:
    """Wait for players: the page's script waits in the queue as long as the page is open."""
    game.must_be_ready()
    return page(context, "queue.html", preview=game.preview, game=game, seats=game.served.seats[0])


# House rules


async def find_rules(context: RequestContext, key: str) -> tuple[HouseRules, ShownGame]:
    """House rules and their game. ``HTTPException`` if there are none (404), or their game is not served here."""
    found = await context.services.store.people.rules(key)
    game = found and context.services.compiler.games.get(found.game)
    if not found or not game:
        raise HTTPException(404)
    return found, ShownGame(context, game)


@router.get("/house-rules/{key}")
async def house_rules_page(context: Context, key: str) -> HTMLResponse:
    """The options that house rules change, in words, and a form to open a table by them."""
    rules, game = await find_rules(context, key)
    form = TableForm(rules.seats, {name: str(value) for name, value in rules.options.items()})
    return page(
        context,
        "house-rules.html",
        preview=replace(game.preview, text=game.title),
        rules=rules,
        game=game,
        changes=[each for each in option_fields(game.served, form, context.language) if each.is_changed],
        link=f"{context.origin}/house-rules/{key}",
        mine=rules.person is not None and rules.person == context.guest,
    )


@router.post("/house-rules/{key}/remove")
async def remove_rules(context: Context, key: str, sure: Typed = "") -> Response:
    """Delete them, if the reader has saved them."""
    guest = context.guest
    if guest is None or not sure or not await context.services.store.people.remove_rules(key, guest):
        return RedirectResponse(f"/house-rules/{key}", 303)
    return RedirectResponse("/me", 303)
