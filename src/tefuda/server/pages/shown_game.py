"""A game as pages show it to a reader, and whether it can be played yet: until it is compiled, another page waits."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse

from tefuda.bots.problem import of_day, problems_of
from tefuda.engine.description import Description
from tefuda.engine.rulebook import background
from tefuda.engine.texts import catalogue
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.pages.drawings import deck_address
from tefuda.server.pages.layout import Preview, home_of, page, router, served_game


class ShownGame:
    """A game in a reader's language and with the deck that they have chosen; templates read it.

    Attributes:
        served: the game as it is served; ``name`` is what addresses call it.
        title: the name that people call it by.
        native: the name in its home; its ``reading`` is empty where everybody can read it.
        summary: the game in a sentence or two.
        home: the language of its own terms.
        unit: the head of a column of points: counters, stakes; points where the game says nothing.
        preview: a link to the game as other sites show it.
    """

    def __init__(self, context: RequestContext, served: Description) -> None:
        self.context, self.served, self.name = context, served, served.name
        self.texts = texts = catalogue(served.files.texts, context.language)
        self.title, self.native, self.home = texts("title"), texts("native"), home_of(served)
        self.reading = texts("reading") if "reading" in texts else ""
        self.summary = texts("summary" if "summary" in texts else "about")
        self.unit = texts("unit") if "unit" in texts else context.text("replay.points")
        self.preview = Preview(self.summary, f"/games/{self.name}/preview")

    @property
    def in_own_deck(self) -> Description:
        """The game with the reader's deck before its others: for what is drawn, and nothing else."""
        return self.context.in_own_deck(self.served)

    @property
    def players(self) -> str:
        """The numbers of players, such as ``3–5``."""
        counts = sorted(self.served.seats)
        if len(counts) > 1 and counts[-1] - counts[0] == len(counts) - 1:
            return f"{counts[0]}–{counts[-1]}"
        return ", ".join(map(str, counts))

    @property
    def picture(self) -> str | None:
        """The address of a picture of some cards; None of a game without any."""
        return deck_address(self.in_own_deck, "picture", self.context.language)

    @property
    def has_history(self) -> bool:
        """True if there is a page about its origin."""
        return bool(background(self.served, self.context.language))

    @property
    def tours(self) -> list[dict[str, str]]:
        """The addresses and titles of its tours."""
        tours, language = self.context.services.tours.of(self.served), self.context.language
        titles = {name: tour.title[tour.language(language)] for name, tour in tours.items()}
        return [{"address": f"/games/{self.name}/tour/{name}", "title": title} for name, title in titles.items()]

    @property
    def problem_of_today(self) -> str:
        """The address of the problem of the day, by universal time; empty of a game without problems."""
        known = problems_of(self.served)
        return f"/games/{self.name}/problems/{of_day(known, today()).name}" if known else ""

    @property
    def is_ready(self) -> bool:
        """True if the game is compiled."""
        return self.context.services.compiler.is_ready(self.name)

    @property
    def waiting(self) -> int:
        """The number of people who wait for others here, as far as this process knows."""
        return len(self.context.services.queues.get(self.name, ()))

    def must_be_ready(self, **form: Any) -> None:
        """Send the page that waits in place of the one asked for (``NotCompiled``), unless the game is compiled.

        ``form`` is sent when it is; see ``preparing_page``."""
        if not self.is_ready:
            raise NotCompiled(preparing_page(self, **form))


def today() -> date:
    """The day, by universal time."""
    return datetime.now(UTC).date()


async def _game_of_address(context: Context, game: str) -> ShownGame:
    """The game that a page's address names. ``HTTPException`` if it is not served here (404)."""
    return ShownGame(context, served_game(context, game))


OfAddress = Annotated[ShownGame, Depends(_game_of_address)]  # the game that a page's address names, ``/games/{game}/…``


def shown_games(context: RequestContext) -> list[ShownGame]:
    """All games that are served, the easiest first."""
    games = sorted(context.services.compiler.games.values(), key=lambda game: (not game.difficulty, game.difficulty))
    return [ShownGame(context, game) for game in games]


async def game_of_table(context: RequestContext, table: str) -> ShownGame:
    """The game of a table."""
    services = context.services
    return ShownGame(context, services.compiler.description(await services.tables.game_name(table)))


# While a game is being compiled: the page goes on by itself, and without scripts asks again


class NotCompiled(Exception):  # noqa: N818 - no error
    """A game is not compiled yet: ``page`` is shown in place of the one asked for."""

    def __init__(self, page: HTMLResponse) -> None:
        self.page = page


async def wait_for_rules(_: Request, error: Exception) -> HTMLResponse:
    """The page that waits."""
    assert isinstance(error, NotCompiled)
    return error.page


def preparing_page(
    game: ShownGame, *, search: bool = False, form: Mapping[str, str] | None = None, action: str = ""
) -> HTMLResponse:
    """The page in the place of one that needs the rules of a game, which is compiled before others from now on; with
    ``search`` also the search of its bots. When all is ready the form is sent to ``action``, by default to open a
    table of the game; without a form the same page is asked for again."""
    game.context.services.compiler.compile_first(game.name, search=search)
    return page(
        game.context, "preparing.html", game=game, search=search, form=form, action=action or f"/games/{game.name}",
        progress=_progress(game, search=search),
    )  # fmt: skip


@router.get("/games/{game}/prepared")
async def compiling_progress(game: OfAddress, search: bool = False) -> dict[str, object]:
    """The progress of a game's compilation, for the page's script."""
    return _progress(game, search=search)


@router.get("/games/{game}/preparing")
async def preparing_again(game: OfAddress) -> HTMLResponse:
    """The page for a reader who has sent the form of a new table: it keeps what they chose, and sends it again."""
    return preparing_page(game, form=game.context.connection.query_params)


def _progress(game: ShownGame, *, search: bool) -> dict[str, object]:
    """The progress of a game's compilation."""
    compiler = game.context.services.compiler
    done, steps = compiler.progress(game.name)
    return {"ready": compiler.search_is_ready(game.name) if search else game.is_ready, "done": done, "steps": steps}
