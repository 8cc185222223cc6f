"""``tefuda play``: a game against bots in the terminal, and ``tefuda mcp``: tables for agents."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

import tefuda
from tefuda.cli import rules_command
from tefuda.cli.chosen import command, game_with, language_of, prepare
from tefuda.cli.parameters import A_GAME, BOTS, Commands, Language, Plain, Preset, Seats, Settings, later, one_of
from tefuda.cli.standard_streams import fills_screen
from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import TEXTS, catalogue

with later():
    from tefuda import games as every_game
    from tefuda.bots import problem
    from tefuda.cli import course, decision, problems, saves, table_talk
    from tefuda.cli.full_screen import screens, table
    from tefuda.engine.description import Description
    from tefuda.table import tour

app = Commands()

OtherPlayers = Annotated[
    str,
    Option(
        help="How well the others play: beginner, easy, strong, strongest; or a bot: hints, net, search:500ms …",
        autocompletion=one_of(BOTS),
    ),
]


@app.command(example="play gong-zhu --preset taiwan --bots strong")
def play(
    game: Annotated[str | None, Argument(help="The game; asked for by default.", metavar="[GAME]", **A_GAME)] = None,
    seats: Seats = None,
    settings: Settings = None,
    preset: Preset = None,
    seed: Annotated[int | None, Option(min=0, help="The same seed deals the same cards.")] = None,
    auto: Annotated[bool, Option("--auto", help="Let a bot play your seat too: one deal, printed.")] = False,
    resume: Annotated[bool, Option("--resume", help="Go on with the game that was interrupted.")] = False,
    record: Annotated[Path | None, Option(help="Where to keep the record (.tfd).")] = None,
    bots: OtherPlayers = "hints",
    pace: Annotated[str, Option(help="Seconds between the others' plays; 0 for none, key to press a key.")] = "0.7",
    guided: Annotated[bool, Option("--tour", help="Be shown the game first, step by step.")] = False,
    plain: Plain = False,
    language: Language = None,
) -> None:
    """Play a game against bots in the terminal."""
    from tefuda.cli.game_in_progress import GameInProgress, Keep

    language = language_of(language)
    full = not (plain or auto) and fills_screen()
    tefuda.bot(bots)
    speed = table_talk.TellingPace.read(pace)
    if full and game is None:
        table_of = partial(play, seats=seats, settings=settings, bots=bots, pace=pace, language=language)
        choose_from(language, partial(offers, language, table_of))
        return
    game = game or asked_game(language)
    path = record or (saved_game(game, language) if resume else saves.default_path(game))
    if record is not None and record.is_dir():
        raise TefudaError(f"--record {record}: it is a folder; name a file")
    if not resume and record is not None and record.exists():
        raise TefudaError(f"--record {record}: the file exists; go on with it by --resume, or name another")
    chosen = seats is not None or bool(settings) or preset is not None or seed is not None
    if resume and chosen:
        raise TefudaError("--resume goes on with the seats, options and seed the game began with; leave them out")
    session = (
        resumed(game, path, language) if resume else tefuda.Session(game_with(game, seats, settings, preset), seed)
    )
    prepare(session.game.description, language)
    if guided and not take_tour(session.game.description, language, full=full, pace=speed.seconds):
        return
    if not (resume or auto or record) and saves.is_begun(path):
        if not at_terminal():
            path = saves.aside(path)  # a script does not put aside the game that a person has in progress
        elif not chosen and (found := interrupted(game, path, language)):
            session, resume = found, True
    keep: Keep | None = None if auto and not record else "at once" if record or resume else "played"
    current = GameInProgress(session, path, bots, keep, auto=auto, resumed=resume)
    talk = table_talk.TableTalk(current, language, speed)
    try:
        table.FullScreenTable(current, language, speed).show() if full else table_talk.play_in_lines(talk)
    finally:
        talk.tell_saved()


def offers(language: str, play_game: Callable[..., None]) -> "Iterator[screens.Offer]":
    """List what may be played: games to go on with, all games, tours, and problems where they are installed."""
    words, names = catalogue(TEXTS, language), every_game.names()
    texts = {name: catalogue(every_game.description(name).files.texts, language) for name in names}
    for name in names:
        for path in resumable(name, language):
            said = words("full_screen.resume", game=texts[name]("title"), when=last_played(path))
            yield said, "", partial(play_game, name, resume=True, record=path)
    for name, own in texts.items():
        title, native = own("title"), own("native")
        both = title if native == title else words("play.titles", title=title, native=native)
        yield both, own("summary"), partial(play_game, name)
    menu = partial(choose_from, language)
    yield (
        words("full_screen.tours"),
        words("page.tour.offer_link"),
        partial(menu, partial(tours, language, play_game)),
    )
    if find_spec("fsrs"):
        yield words("page.problems.all"), words("page.problems.about"), partial(menu, partial(problem_sets, language))


def tours(language: str, play_game: Callable[..., None]) -> "Iterator[screens.Offer]":
    """List the tours of all games; a table of the game follows each that is taken to its end."""

    def take(game: "Description", number: int) -> None:
        if take_tour(game, language, number):
            play_game(game.name)

    for game in map(every_game.description, every_game.names()):
        for number, found in enumerate(map(tour.load, game.files.tours)):
            title = found.title[found.language(language)]
            yield title, catalogue(game.files.texts, language)("title"), partial(take, game, number)


def take_tour(game: "Description", language: str, number: int = 0, full: bool = True, pace: float | None = 0.7) -> bool:
    """Take a tour, at a pace of so many seconds a play; tell if the player stayed to its end."""
    if not game.files.tours:
        raise TefudaError(f"--tour: {game.name} has no tour")
    prepare(game, language)
    begin = partial(course.tour_course, tour.load(game.files.tours[number]), language, pace)
    return course.take(begin, language, full=full)


def problem_sets(language: str) -> "Iterator[screens.Offer]":
    """List each game's problems and its problem of the day."""
    for game in filter(problem.problems_of, map(every_game.description, every_game.names())):
        title = catalogue(game.files.texts, language)("title")
        solve = partial(problems.solve, game.name, language=language)
        yield title, "", solve
        yield (catalogue(TEXTS, language)("full_screen.today", game=title), "", partial(solve, today=True))


def choose_from(language: str, listed: "Callable[[], Iterator[screens.Offer]]") -> None:
    """Let the player choose what to do, again and again."""
    while choice := screens.Home(language, list(listed())).run():
        choice()


def at_terminal() -> bool:
    """Tell if a person sits there, and not a script."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def interrupted(game: str, path: Path, language: str) -> "tefuda.Session | None":
    """Return the game in progress, if there is one and the player wants to go on with it."""
    try:
        session = resumed(game, path, language)
    except TefudaError:  # it is finished, or cannot be read: it is put aside
        return None
    answer = answered(catalogue(TEXTS, language)("play.resume_asked", when=last_played(path)))
    return None if answer.lower().startswith("n") else session


def saved_game(game: str, language: str) -> Path:
    """Return the file of the game to resume; of several that are not finished the player chooses one."""
    paths = resumable(game, language)
    if len(paths) < 2 or not at_terminal():
        return next(iter(paths), saves.default_path(game))
    sys.stdout.write("".join(f"  {number}  {last_played(path)}\n" for number, path in enumerate(paths, 1)))
    answer = answered(catalogue(TEXTS, language)("play.which_resumed", count=len(paths))) or "1"
    if answer not in map(str, range(1, len(paths) + 1)):
        raise TefudaError(f"--resume: {answer!r} is not a number from 1 to {len(paths)}")
    return paths[int(answer) - 1]


def resumable(game: str, language: str) -> list[Path]:
    """Find the games that were begun and can be gone on with, the one in progress first."""
    paths = []
    for path in saves.begun(game):
        with suppress(TefudaError):
            resumed(game, path, language)
            paths.append(path)
    return paths


def last_played(path: Path) -> str:
    """Write when something was last played in a saved game."""
    return f"{datetime.fromtimestamp(path.stat().st_mtime):%Y-%m-%d %H:%M}"


def asked_game(language: str) -> str:
    """Ask which game is to be played; TefudaError where nobody sits."""
    names = every_game.names()
    if not at_terminal():
        raise TefudaError(f"name a game, as in {command('play', names[0])}; there are: {', '.join(names)}")
    rules_command.games(language)
    return every_game.called(answered(catalogue(TEXTS, language)("play.which_game"), names))


def answered(question: str, words: Sequence[str] = ()) -> str:
    """Ask something before a game begins; without an answer the command ends."""
    from rich.console import Console

    try:
        return decision.ask(Console(highlight=False), question, words)
    except EOFError:
        sys.exit(0)


def resumed(game: str, path: Path, language: str) -> "tefuda.Session":
    """Read a game that is to be gone on with; TefudaError if it is another's, finished or not there."""
    words = catalogue(TEXTS, language)
    if not path.exists():
        raise TefudaError(words("play.nothing_to_resume", game=game))
    saved = tefuda.Record.read(path)
    if saved.game != game:
        raise TefudaError(f"{path} is a game of {saved.game}, not of {game}")
    prepare(saved.load_game().description, language)
    session = saved.replay()
    if session.over:
        raise TefudaError(words("play.finished_already", file=path, command=command("replay", path)))
    return session


@app.command(example="mcp --http 8001")
def mcp(
    http: Annotated[int | None, Option(min=1, max=65535, help="Answer HTTP at /mcp on this port, not stdio.")] = None,
    bots: OtherPlayers = "hints",
    hints: Annotated[bool, Option("--hints/--no-hints", help="Let agents ask for hints.")] = True,
    language: Language = None,
) -> None:
    """Offer tables to agents, over the Model Context Protocol. They deal, look, play, and ask why not."""
    from tefuda.research.agent_tables import AgentTables, tool_server

    tefuda.bot(bots)
    server = tool_server(AgentTables(bots, language_of(language, printed=False)), hints)
    if http is None:
        server.run()
    else:
        server.run("streamable-http", port=http)
