"""``tefuda play``: a game against bots in the terminal."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

import tefuda
from tefuda.cli import rules_command
from tefuda.cli.chosen import command, game_with, language_of, prepare
from tefuda.cli.parameters import A_GAME, BOTS, Commands, Language, Preset, Seats, Settings, later, one_of
from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import TEXTS, catalogue

if TYPE_CHECKING:
    from tefuda import games as every_game
    from tefuda.cli import decision, saves
else:
    every_game, decision, saves = later("tefuda", "games", "cli.decision", "cli.saves")

app = Commands()

OtherPlayers = Annotated[
    str,
    Option(
        "--bots",
        help="How well the others play: beginner, easy, strong, strongest; or a bot: hints, net, search:500ms …",
        autocompletion=one_of(BOTS),
    ),
]
PlayPace = Annotated[
    str, Option("--pace", help="Seconds between the plays of the others; 0 for none, key to press a key.")
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
    pace: PlayPace = "0.7",
    plain: Annotated[bool, Option("--plain", help="Line by line, as it is by default.")] = False,
    language: Language = None,
) -> None:
    """Play a game against bots in the terminal."""
    from tefuda.cli.terminal import Keep, TellingPace, Terminal

    language = language_of(language)
    game = game or asked_game(language)
    tefuda.bot(bots)
    speed = TellingPace.read(pace)
    path = record or (saved_game(game, language) if resume else saves.default_path(game))
    if record is not None and record.is_dir():
        raise TefudaError(f"--record {record}: it is a folder; name a file")
    if not resume and record is not None and record.exists():
        raise TefudaError(f"--record {record}: the file exists; go on with it by --resume, or name another")
    chosen = seats is not None or bool(settings) or preset is not None or seed is not None
    if resume and chosen:
        raise TefudaError("--resume goes on with the seats, options and seed the game began with; leave them out")
    table = None if resume else game_with(game, seats, settings, preset)
    session = tefuda.Session(table, seed) if table else resumed(game, path, language)
    prepare(session.game.description, language)
    if not (resume or auto or record) and saves.is_begun(path):
        if not at_terminal():
            path = saves.aside(path)  # a script does not put aside the game that a person has in progress
        elif not chosen and (found := interrupted(game, path, language)):
            session, resume = found, True
    keep: Keep | None = None if auto and not record else "at once" if record or resume else "played"
    Terminal(session, path, language, auto, bots, keep, speed).run(resume)


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
    paths = []
    for path in saves.begun(game):
        with suppress(TefudaError):
            resumed(game, path, language)
            paths.append(path)
    if len(paths) < 2 or not at_terminal():
        return next(iter(paths), saves.default_path(game))
    sys.stdout.write("".join(f"  {number}  {last_played(path)}\n" for number, path in enumerate(paths, 1)))
    answer = answered(catalogue(TEXTS, language)("play.which_resumed", count=len(paths))) or "1"
    if answer not in map(str, range(1, len(paths) + 1)):
        raise TefudaError(f"--resume: {answer!r} is not a number from 1 to {len(paths)}")
    return paths[int(answer) - 1]


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
