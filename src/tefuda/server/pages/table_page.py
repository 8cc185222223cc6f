"""A table: the frame that scripts fill, and what can be done without them; the page in its place when its rules are
known no more; the invitation to it."""

from itertools import zip_longest
from typing import Any
from urllib.parse import urlencode, urlsplit

from fastapi import Response
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup

from tefuda.bots.players import LEVELS
from tefuda.decks import data
from tefuda.engine.description import Description
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.server.http.assets import scripts_of
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.create_table import need_cookies
from tefuda.server.pages.drawings import deck_address, deck_choices
from tefuda.server.pages.layout import Compressed, Preview, Typed, page, router
from tefuda.server.pages.shown_game import ShownGame, game_of_table, preparing_page
from tefuda.server.settings import ip_of
from tefuda.server.table import commands, replays, table_messages
from tefuda.server.table.callers import Caller, Refused, token_hash
from tefuda.server.table.player_names import notation_text, seat_names
from tefuda.server.table.request_types import Join
from tefuda.server.table.table_messages import past_state
from tefuda.server.table.table_state import OUTSIDER, TableState
from tefuda.table.reasons import say_line

TABLE_SCRIPT = "js/table/play.js"  # the script that a table that is played at begins with

NOT_NEEDED = ("rules", "teach", "options", "why", "events", "forced", "captions", "sheet", "cards")
"""Sections of a game's texts that the server writes out, or that other pages show."""


@router.get("/t/{table}")
async def table_page(context: Context, table: str, invite: str = "") -> Response:
    """The table; without scripts who sits there, and how to sit down."""
    game = await game_of_table(context, table)
    game.must_be_ready()
    services = context.services
    state = (await services.tables.get(table)).state
    if state.past is not None:
        return past_page(context, state)
    if _waits_for_search(context, state):
        return preparing_page(game, search=True)
    if state.settings["invite"] and state.is_host(context.caller):
        invite = services.identity.invitation(table)  # for the host to send again
    may_sit, push = _may_sit(context, state, invite), services.notices.push
    shown = page(
        context,
        "table.html",
        preview=table_preview(context, state),
        table=table,
        invite=invite,
        seats=table_messages.seat_states(state),
        game=game_data(game, state, invite or None)
        | {"may_sit": may_sit, "host": _host_name(state), "called": context.called}
        | {"minutes": game.served.minutes, "tour": next((each["address"] for each in game.tours), "")}
        | {"formed": _formed(game.served, state), "push": push and push.key, "mail": services.notices.mail is not None},
        texts=texts_data(game, "table", "banter", "keys", "phrases", "report", "review", "settings", "shuffle"),
        tours=game.tours[:1] if sum(not chair.bot for chair in state.chairs) == 1 else [],  # alone, one has the time
        scripts=scripts_of(TABLE_SCRIPT),
    )
    # What a host may send on is a secret, which what an address brings along could betray: see ``Compressed``.
    return shown if state.settings["invite"] else Compressed(shown)


def _may_sit(context: RequestContext, state: TableState, invite: str) -> list[int]:
    """The seats that the reader may take while they are free: none without the invitation that a table asks for; in a
    game whose cards they have seen, their own."""
    asked, seen = state.settings["invite"], state.seen_by(context.caller) if state.begun else None
    if asked is not None and asked != _invitation_hash(invite) and not state.is_host(context.caller):
        return []
    return list(range(len(state.chairs))) if seen is None else [seen]


def _invitation_hash(invite: str) -> str | None:
    """The hash of what an address brings along as an invitation; None if it is none."""
    try:
        return token_hash(invite)
    except Refused:
        return None


def _host_name(state: TableState) -> str:
    """The name of the host, as they sit at their table; empty if they do not."""
    host = Caller(**state.settings["host"])
    return next((each.name for each in state.chairs if each.person and host.is_one(each.guest, each.token)), "")


def table_preview(context: RequestContext, state: TableState, picture: str = "", query: str = "") -> Preview:
    """A link to a table, or to its replay, as other sites show it."""
    free = len(state.free_seats())
    names = context.text("wording.comma").join(
        name for name, chair in zip(seat_names(state, context.language), state.chairs, strict=True) if chair.taken
    )
    key = "free" if free and state.phase == "waiting" else "sitting"
    picture = picture or f"/t/{state.name}/preview"
    return Preview(context.text(f"preview.{key}", names=names, free=free), picture, query)


def _waits_for_search(context: RequestContext, state: TableState) -> bool:
    """True if the first bot to play would keep everybody waiting."""
    searches = any((chair.bot or "").startswith("search") for chair in state.chairs)
    return searches and not state.begun and not context.services.compiler.search_is_ready(state.game.name)


@router.post("/t/{table}/join")
async def join_table(
    context: Context, table: str, name: Typed = "", seat: Typed = "", invite: Typed = ""
) -> Response:  # fmt: skip
    """Take a seat by a form, as it was typed."""
    if not (await game_of_table(context, table)).is_ready:
        return RedirectResponse(f"/t/{table}/joining?{urlencode({'name': name, 'seat': seat, 'invite': invite})}", 303)
    caller = context.caller
    need_cookies(context, caller)
    response = RedirectResponse(f"/t/{table}", 303)
    if caller.guest is None:
        caller = context.services.identity.welcome(response)
    if seat and not (seat.isdecimal() and len(seat) < 4):
        raise Refused("no_such_seat", 422, last="…")
    # Not validated as the API's bodies are: whatever is typed is refused by the command, in words.
    typed = {"name": name or context.called, "seat": int(seat) if seat else None, "invite": invite or None}
    arguments = Join.model_construct(None, **typed, face=context.profile.face)
    await context.carry_out(table, commands.join, arguments, caller)
    return response


@router.get("/t/{table}/joining")
async def joining_page(context: Context, table: str) -> Response:
    """The page for a reader who has sent that form while the game is being compiled: it sends the form again."""
    game = await game_of_table(context, table)
    return preparing_page(game, form=context.connection.query_params, action=f"/t/{table}/join")


def game_data(game: ShownGame, table: TableState, invite: str | None = None) -> dict[str, object]:
    """Data that the scripts need from the start; see ``js/table/game.js``."""
    home, description, language = game.served, game.in_own_deck, game.context.language
    return {
        "table": table.name,
        "name": description.name,
        "title": game.title,
        "language": language,
        "unit": description.rules.unit,
        "cards": {word: _card(description, table, word, language) for word in description.display.faces},
        "pack": [home.cards[card] for card in sorted(table.game.pack.tolist())],
        "size": data.load(description).size if description.files.decks else (5, 7),
        "decks": deck_choices(description, language),
        "renamed": {} if description is home else data.renamed(data.load(home), data.load(description), language),
        "sprite": deck_address(description, "cards", language),
        "marked": deck_address(description, "marked", language),
        "back": deck_address(description, "back", language),
        "rules": f"/games/{description.name}/rules",
        "bots": {level: game.context.text(f"new.level.{level}") for level in LEVELS},
        "phrases": commands.phrases(home),
        "invite": invite,
        "after": max(0, table.began - 1) if table.deal else table.seq,  # what comes while the page loads is told too
    }


def _card(description: Description, table: TableState, word: str, language: str) -> dict[str, object]:
    """A card as it is written, its name and how that is read, and what a player should know of it."""
    name, reading = data.name_and_reading(description, word, language)
    lines = description.display.card_lines(table.game.template[0], word)
    return {
        "text": data.name_in_sentence(description, word, language),
        "name": name,
        "reading": reading,
        "rank": description.display.faces[word].rank,
        "about": [say_line(description, line, language, spell=notation_text(description, language)) for line in lines],
    }


def _formed(description: Description, table: TableState) -> dict[str, list[str]]:
    """The plays that hands can form at a table, by the text that says what it is called."""
    found: dict[str, list[str]] = {}
    for word in description.display.formed(table.game.template[0]):
        found.setdefault(description.display.combination(word), []).append(word)
    return found


def texts_data(game: ShownGame, *sections: str) -> dict[str, dict[str, str]]:
    """The texts that scripts need: the page's in these sections, and the game's."""
    page_texts = catalogue(TEXTS, game.context.language).under("page")
    return {
        "page": {key: text for key, text in page_texts.items() if key.partition(".")[0] in (*sections, "wording")},
        "game": game.texts.without(*NOT_NEEDED),
    }


# The invitation: opening its link takes no seat, so previews of it do no harm


@router.get("/t/{table}/invite")
async def invitation_page(context: Context, table: str) -> Response:
    """The invitation, for the host of a table; others are sent to the table."""
    game = await game_of_table(context, table)
    game.must_be_ready()
    state = (await context.services.tables.get(table)).state
    if not state.is_host(context.caller) or state.settings["invite"] is None:
        return RedirectResponse(f"/t/{table}", 303)
    link = f"/t/{table}?invite={context.services.identity.invitation(table)}"
    return page(context, "invite.html", game=game, free=len(state.free_seats()), **link_data(context, link))


def link_data(context: RequestContext, path: str) -> dict[str, Any]:
    """Values of a page with a link to another device: the link, a drawing of it, and whether it leads nowhere there."""
    import segno  # not at the start of the server, which should not wait for it

    link = context.origin + path
    code = segno.make(link, error="m").svg_inline(scale=1, border=2, omitsize=True, svgclass="qr", lineclass=None)
    qr = Markup(code)  # noqa: S704 - drawn from an address of ours
    host = urlsplit(context.origin).hostname or ""
    address = ip_of(host)
    return {"link": link, "qr": qr, "only_here": address.is_loopback if address else host == "localhost"}


# A table whose rules this version does not know


def past_page(
    context: RequestContext, table: TableState, session: int | None = None, deal: int | None = None
) -> HTMLResponse:
    """The page in place of the table and of its replay: who sat there, the points, and what was played, in words.
    Shows the last session and its first deal by default."""
    language = context.language
    may_read = table.settings["spectators"] != "none" or table.may_see(context.caller) != OUTSIDER
    assert table.past is not None
    deals = table.past.shown(session) if may_read else []
    number = min(deal or 1, len(deals))
    known, names = past_state(table, language), seat_names(table, language)
    return page(
        context, "past.html", table=table.name, game=ShownGame(context, table.game.description), notice=known["text"],
        points=list(zip_longest(names, known["totals"])), session=session or table.session, sessions=table.session,
        deals=len(deals), number=number,
        plays=replays.past_story(table, number, session, language)["plays"] if deals else [],
    )  # fmt: skip
