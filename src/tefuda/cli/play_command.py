"""``tefuda play``: a game against bots in the terminal."""

import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated

from typer import Option

import tefuda
from tefuda.cli.chosen import command, game_with, language_of, prepare
from tefuda.cli.parameters import BOTS, Commands, GameName, Language, Preset, Seats, Settings, one_of
from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import TEXTS, catalogue

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


@app.command()
def play(
    game: GameName,
    seats: Seats = None,
    settings: Settings = None,
    preset: Preset = None,
    seed: Annotated[int | None, Option(min=0, help="The same seed deals the same cards.")] = None,
    auto: Annotated[bool, Option("--auto", help="Let a bot play your seat too: one deal, printed.")] = False,
    resume: Annotated[bool, Option("--resume", help="Go on with the game that was interrupted.")] = False,
    record: Annotated[Path | None, Option(help="Where to keep the record (.tfd).")] = None,
    bots: OtherPlayers = "hints",
    pace: PlayPace = "0.7",
    language: Language = None,
) -> None:
    """Play a game against bots in the terminal."""
    from tefuda.cli import saves
    from tefuda.cli.terminal import Keep, TellingPace, Terminal

    language = language_of(language)
    tefuda.bot(bots)
    speed = TellingPace.read(pace)
    path = record or (saves.latest(game) if resume else saves.default_path(game))
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
    from rich.console import Console

    from tefuda.cli.decision import ask

    try:
        session = resumed(game, path, language)
    except TefudaError:  # it is finished, or cannot be read: it is put aside
        return None
    begun = f"{datetime.fromtimestamp(path.stat().st_mtime):%Y-%m-%d %H:%M}"
    try:
        answer = ask(Console(highlight=False), catalogue(TEXTS, language)("play.resume_asked", when=begun), [])
    except EOFError:
        sys.exit(0)
    return None if answer.lower().startswith("n") else session


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
