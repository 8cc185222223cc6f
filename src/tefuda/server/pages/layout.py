"""Parts that all pages share: templates, the reader's language, links to rules, marks for words of other languages.

Templates lie in ``tefuda/web/templates``. Every page is a function under ``router``."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from markupsafe import Markup, escape
from pydantic import Field
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tefuda.engine.description import Description
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.games import UnknownGameError
from tefuda.server.http.assets import WEB
from tefuda.server.http.context import LANGUAGE_COOKIE, RequestContext
from tefuda.server.http.identity import YEAR
from tefuda.server.table import reports
from tefuda.server.table.request_types import EXACT

router = APIRouter(include_in_schema=False)  # every page is a function under it

Typed = Annotated[str, Form()]  # a field of a form

LEAST_COMPRESSED = 1000  # bytes; smaller answers are sent as they are


def page_text(language: str, key: str, **fields: object) -> str:
    """The text ``page.<key>`` in this language."""
    return catalogue(TEXTS, language)(f"page.{key}", **fields)


_templates = Environment(
    loader=FileSystemLoader(WEB / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True,
)  # fmt: skip
_templates.globals["say"] = pass_context(lambda context, key, **fields: page_text(context["language"], key, **fields))
_templates.policies["json.dumps_function"] = lambda value, **_: reports.encoded(value).decode()


@dataclass(frozen=True)
class Preview:
    """A link to a page as other sites show it: a sentence, after the page's title, and a picture by its address
    without the end, with a query."""

    text: str
    picture: str = "/preview"
    query: str = ""

    @property
    def address(self) -> str:
        """The picture's address: PNG, since few sites show SVG."""
        return f"{self.picture}.png" + (f"?{self.query}" if self.query else "")


def page(
    context: RequestContext, template: str, status: int = 200, preview: Preview | None = None, **values: object
) -> HTMLResponse:
    """A page in the reader's language. It makes a stranger a guest, and keeps the language that the address names.

    Every template has ``language`` and its ``own_name``, ``languages`` (code, own name and address of this page in it),
    the reader's ``profile`` and the name ``called``, ``static(name)``, ``say(key, **fields)`` for texts under ``page``,
    ``preview`` and the ``origin`` and ``address`` in it, and the filter ``foreign(home)`` for texts that hold words of
    other languages."""
    language, services, connection = context.language, context.services, context.connection
    text = _templates.get_template(template).render(
        language=language,
        profile=context.profile,
        called=context.called,
        own_name=catalogue(TEXTS, language)("language"),
        languages=[(code, catalogue(TEXTS, code)("language"), _address_in(connection, code)) for code in LANGUAGES],
        static=services.assets.path,
        preview=preview or Preview(context.text("lobby.lead")),
        origin=context.origin,
        address=connection.url.path,
        **values,
    )
    headers = {"cache-control": "no-cache, private", "content-language": language}
    response = HTMLResponse(text, status, {**headers, "vary": "cookie, accept-language"})
    if context.guest is None:
        services.identity.welcome(response)
    if "lang" in connection.query_params:
        response.set_cookie(LANGUAGE_COOKIE, language, YEAR, secure=services.identity.secure, samesite="lax")
    return response


def error_page(request: Request, status: int, text: str) -> Response:
    """Something went wrong, in a sentence."""
    return page(RequestContext(request, request.app.state.services), "error.html", status, text=text)


class Compressed(Response):
    """A response with much text, compressed if the browser can read that.

    Only for pages without secrets of their reader: what is compressed together with a secret can betray it."""

    def __init__(self, response: Response) -> None:
        self._compress = GZipMiddleware(response, minimum_size=LEAST_COMPRESSED)
        self.background = response.background

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._compress(scope, receive, send)


def linked(game: Description, text: str, rules: str = "") -> Markup:
    """A text, escaped before, in which the numbers of a game's rules are links to ``rules``, the address of the page
    with the rules; it is empty on that page itself."""
    numbered = catalogue(game.files.texts, LANGUAGES[0]).under("rules")

    def link(found: re.Match[str]) -> str:
        return f'<a href="{rules}#{found[0]}">{found[0]}</a>' if found[0] in numbered else found[0]

    return Markup(re.sub(rf"(?a:\b{game.rules.prefix}-\d+\b)", link, text))  # noqa: S704 - escaped before


def _address_in(connection: HTTPConnection, language: str) -> str:
    """This page's address with another language."""
    asked = [(name, value) for name, value in connection.query_params.multi_items() if name != "lang"]
    return f"{connection.url.path}?{urlencode([*asked, ('lang', language)])}"


def served_game(context: RequestContext, name: str) -> Description:
    """A game that is served here. ``HTTPException`` if it is not (404)."""
    compiler = context.services.compiler
    try:
        return compiler.description(name)
    except UnknownGameError as error:
        text = catalogue(TEXTS, context.language)("server.no_such_game", game=name, games=", ".join(compiler.games))
        raise HTTPException(404, text) from error


# Words of another language within a text, marked so that browsers read them aloud and draw them correctly

MOST_KEPT = 4096  # texts that are kept with their marks

_KANA, _HAN = "\u3040-\u30ff", "\u3400-\u9fff"

_JAPANESE = re.compile(f"[{_KANA}]")

_FOREIGN = {
    "en": re.compile(f"[{_KANA}{_HAN}]+"),
    # Of characters that both write, syllables beside them tell Japanese from Chinese: within quotation marks or
    # brackets all of a word, elsewhere the syllables alone.
    "zh": re.compile(f"(?<=[「“（])[{_HAN}]*[{_KANA}][{_KANA}{_HAN}]*(?=[」”），])|[{_KANA}]+(?:[{_HAN}][{_KANA}]+)*"),
}
"""By language: what in its texts is foreign. In Japanese texts nothing foreign can be told from Japanese."""


def home_of(game: Description) -> str:
    """The language of the game's own terms: Japanese if its name in its home holds kana, else Chinese."""
    return "ja" if _JAPANESE.search(catalogue(game.files.texts, LANGUAGES[0])("native")) else "zh"


@lru_cache(MOST_KEPT, typed=True)  # a text that is to be escaped is another than markup of the same letters
def marked(text: str, language: str, home: str) -> Markup:
    """A text with its foreign words marked; characters that Chinese and Japanese share are of the language ``home``."""
    foreign = _FOREIGN.get(language.partition("-")[0])
    if foreign is None:
        return escape(text)

    def mark(found: re.Match[str]) -> str:
        return f'<span lang="{"ja" if _JAPANESE.search(found[0]) else home}">{found[0]}</span>'

    return Markup(foreign.sub(mark, escape(text)))  # noqa: S704 - escaped before


_templates.filters["foreign"] = pass_context(lambda context, text, home: marked(text, context["language"], home))


# Numbers in addresses

From1 = Annotated[int, Field(ge=1, le=EXACT)]  # the number of a deal or of a session

Anywhere = Annotated[int, Field(ge=-EXACT, le=EXACT)]
"""A place among deals or plays; what comes of one before the first or after the last, the page decides."""
