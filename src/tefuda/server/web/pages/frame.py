"""What all pages share: templates, language, the guest's cookies, the files that pages load.

Templates lie in ``tefuda/web/templates``, styles and scripts in ``tefuda/web/static``. There is no build step: a file
is served as it is written, under a path that names a hash of all of them, so that browsers may keep it for ever.
"""

import gzip
import re
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlencode

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.types import Scope

import tefuda
from tefuda.engine.description import Description
from tefuda.engine.texts import LANGUAGES, catalogue
from tefuda.games import UnknownGameError
from tefuda.server.events import commands, outgoing
from tefuda.server.tables.live_tables import LiveTables
from tefuda.server.web.errors import LANGUAGE_COOKIE, language_of
from tefuda.server.web.identity import YEAR, Identity
from tefuda.server.web.pages import languages
from tefuda.table.reasons import TEXTS

WEB = Path(tefuda.__file__).parent / "web"

FOR_EVER = "public, max-age=31536000, immutable"
"""Of what lies under a name with a hash."""

NAME_COOKIE = "name"
"""Keeps the name that somebody has typed."""


def _hash_of_all(folder: Path) -> str:
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return digest.hexdigest()[:16]


class StaticAssets(StaticFiles):
    """Files under ``/static/HASH/…``; under another hash (a page from before an update) they must be asked for anew."""

    def __init__(self) -> None:
        super().__init__(directory=WEB / "static")
        self.hash = _hash_of_all(WEB / "static")

    def path(self, name: str) -> str:
        """The address of a file."""
        return f"/static/{self.hash}/{name}"

    async def get_response(self, path: str, scope: Scope) -> Response:
        found, _, name = path.partition("/")
        response = await super().get_response(name, scope)
        response.headers["cache-control"] = FOR_EVER if found == self.hash else "no-cache"
        return response


def install(app: FastAPI) -> None:
    """Serve the files that pages load, and let pages find them."""
    static = StaticAssets()
    app.state.static = static
    app.mount("/static", GZipMiddleware(static, minimum_size=1000))


def said(language: str, key: str, **fields: object) -> str:
    """The text ``page.<key>`` in this language."""
    return catalogue(TEXTS, language)(f"page.{key}", **fields)


@pass_context
def _say(context: Context, key: str, **fields: object) -> str:
    return said(context["language"], key, **fields)


_templates = Environment(
    loader=FileSystemLoader(WEB / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True,
)  # fmt: skip


@pass_context
def _foreign(context: Context, text: str, home: str) -> Markup:
    return languages.marked(text, context["language"], home)


_templates.globals["say"] = _say
_templates.filters["foreign"] = _foreign
_templates.policies["json.dumps_function"] = lambda value, **_: outgoing.written(value).decode()


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page in the reader's language; makes a guest of who is none, and keeps the language that the address names.

    Every template has ``language`` and its ``own_name``, ``languages`` (code, own name and address of this page in it),
    ``typed_name`` for forms, ``static(name)``, and ``say(key, **fields)`` for texts under ``page``, and the filter
    ``foreign(home)`` for texts that hold words of other languages.
    """
    language = language_of(request)
    text = _templates.get_template(template).render(
        language=language,
        typed_name=name_of(request),
        own_name=catalogue(TEXTS, language)("language"),
        languages=[(code, catalogue(TEXTS, code)("language"), _in_language(request, code)) for code in LANGUAGES],
        static=request.app.state.static.path,
        **context,
    )
    headers = {"cache-control": "no-cache, private", "content-language": language}
    response = HTMLResponse(text, status, {**headers, "vary": "cookie, accept-language"})
    identity: Identity = request.app.state.identity
    if identity.guest(request) is None:
        identity.welcome(response)
    if "lang" in request.query_params:
        response.set_cookie(LANGUAGE_COOKIE, language, YEAR, secure=identity.secure, samesite="lax")
    return response


def linked(game: Description, text: str, rules: str = "") -> Markup:
    """A text, escaped before, in which the numbers of a game's rules and the names of its options are links.

    Args:
        rules: address of the page with the rules; empty on that page itself.
    """
    numbered = catalogue(game.files.texts, LANGUAGES[0]).under("rules")

    def link(found: re.Match[str]) -> str:
        name = found[0]
        if name in game.rules.option_by_name:
            return f'<a href="{rules}#{name}"><code>{name}</code></a>'
        return f'<a href="{rules}#{name}">{name}</a>' if name in numbered else name

    # A word of one part, such as "fuwaru", may be the thing and not the option.
    options = "|".join(name for name in game.rules.option_by_name if "_" in name)
    return Markup(re.sub(rf"(?a:\b(?:{game.rules.prefix}-\d+|{options})\b)", link, text))  # noqa: S704 - escaped before


def packed(request: Request, response: Response) -> Response:
    """An answer with much text, compressed if the browser can read that."""
    response.headers.add_vary_header("accept-encoding")
    if "gzip" in request.headers.get("accept-encoding", ""):
        response.body = gzip.compress(bytes(response.body), 6)
        response.headers["content-encoding"] = "gzip"
        response.headers["content-length"] = str(len(response.body))
    return response


def name_of(request: Request) -> str:
    """The name under which somebody has last sat down; empty if nobody knows."""
    return unquote(request.cookies.get(NAME_COOKIE, ""))[: commands.MOST_NAME]


def keep_name(request: Request, response: Response, name: str) -> None:
    """Remember a name for the next form."""
    identity: Identity = request.app.state.identity
    response.set_cookie(NAME_COOKIE, quote(name), YEAR, secure=identity.secure, httponly=True, samesite="lax")


def _in_language(request: Request, language: str) -> str:
    """This page's address with another language."""
    asked = [(name, value) for name, value in request.query_params.multi_items() if name != "lang"]
    return f"{request.url.path}?{urlencode([*asked, ('lang', language)])}"


def game_of(request: Request, name: str) -> Description:
    """A game that is served here.

    Raises:
        HTTPException: it is not (404).
    """
    rooms: LiveTables = request.app.state.rooms
    try:
        return rooms.kitchen.description(name)
    except UnknownGameError as error:
        text = catalogue(TEXTS, language_of(request))(
            "server.no_such_game", game=name, games=", ".join(rooms.kitchen.games)
        )
        raise HTTPException(404, text) from error


def error_page(request: Request, status: int, text: str) -> Response:
    """Something went wrong, in a sentence."""
    return page(request, "error.html", status, text=text)
