"""The ``tefuda`` command: the list of its subcommands, each in a file of its own, and how errors are told."""

import os
import signal
import sys
import warnings
from collections.abc import Mapping
from contextlib import suppress
from types import FrameType
from typing import Annotated, ClassVar, NoReturn

import typer

from tefuda.cli import standard_streams
from tefuda.cli.parameters import Commands, LazyGroup
from tefuda.cli.standard_streams import BAD_INPUT, INTERRUPTED
from tefuda.engine.errors import TefudaError, file_fault


class Tefuda(LazyGroup):
    """The commands, each in a file of its own or with what is like it."""

    panels: ClassVar[Mapping[str, str]] = {
        "Play": "play", "Learn": "rules", "Print": "deck", "Host": "serve", "Research": "match"
    }  # fmt: skip
    declared: ClassVar[Mapping[str, tuple[str, str]]] = {
        "play": ("tefuda.cli.play_command", "Play a game against bots in the terminal."),
        "replay": ("tefuda.cli.replay", "Step through a recorded game."),
        "review": ("tefuda.cli.replay", "Say where a recorded game was won and lost."),
        "verify": ("tefuda.cli.verify", "Verify a recorded game: recompute its shuffle and replay its plays."),
        "cache": ("tefuda.cli.cache_command", "List what is kept on this machine, or clear what can be made again."),
        "rules": ("tefuda.cli.rules_command", "Show a game's rules, one of them, or where the game comes from."),
        "games": ("tefuda.cli.rules_command", "List the games."),
        "problems": ("tefuda.cli.problems", "Problems with one best play: what would you play?"),
        "check": ("tefuda.cli.rules_command", "Run scenario files, and play tours through."),
        "deck": ("tefuda.cli.deck", "List a game's cards, draw them, or print them and their box."),
        "serve": ("tefuda.cli.serve_command", "Serve tables to browsers and programs, over HTTP and WebSocket."),
        "doctor": ("tefuda.cli.serve_command", "Look for what keeps a server from working, and say what to do."),
        "admin": ("tefuda.cli.admin", "A host's tables, bans, people's data and backups."),
        "match": ("tefuda.cli.match_command", "Let bots play duplicate deals, seats rotated, and compare them."),
        "mcp": ("tefuda.cli.play_command", "Offer tables to agents, over the Model Context Protocol."),
        "lab": ("tefuda.cli.lab", "Experiments on rules, bots and seats, with intervals and pictures."),
        "train": ("tefuda.cli.train", "Train a network that plays a game (the bot net:FOLDER)."),
        "exploit": ("tefuda.cli.train", "Train a best response to a bot, and say what it gains against it."),
        "data": ("tefuda.cli.train", "Datasets of decisions as Parquet files, for any library."),
    }


app = Commands(
    name="tefuda",
    cls=Tefuda,
    help="Play, learn, print and measure East Asian card games that are close to being forgotten.",
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=True,
)


def print_version(asked: bool) -> None:
    """Print the version, if it is asked for, and stop."""
    if asked:
        from tefuda.version import __version__

        sys.stdout.write(f"tefuda {__version__}\n")
        raise typer.Exit


@app.callback()
def tefuda(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=print_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options that belong to no command."""


def main() -> None:
    """Run a command. Bad input ends in one line on standard error and exit status 2."""
    standard_streams.set_up()
    Interrupts.watch()
    warnings.showwarning = warn
    try:
        words = sys.argv[1:] or ["play"] * standard_streams.fills_screen()
        status: object = app(words, prog_name="tefuda", standalone_mode=False)
    except TefudaError as error:
        fail(str(error))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        fail(file_fault(error))
    except Exception as error:
        end_with(error)
    sys.exit(status if isinstance(status, int) else 0)


def end_with(error: Exception) -> NoReturn:
    """End as Typer asks for it; what is no error of the command line is a fault of the program."""
    kind = type(error).__name__
    if kind == "NoArgsIsHelpError":
        sys.stdout.write(f"{error.format_message()}\n")  # type: ignore[attr-defined]
        sys.exit(0)
    if kind == "Abort":
        if isinstance(error.__cause__, EOFError):  # of a file; prompts take care of Ctrl-D
            raise error.__cause__ from None
        sys.exit(INTERRUPTED)
    if not hasattr(error, "format_message"):
        if Interrupts.seen:
            sys.exit(INTERRUPTED)
        raise error
    # An unknown option, a missing argument: they know how to say themselves in one line.
    fail(error.format_message().replace("\n", " "))


class Interrupts:
    """Notes if Ctrl-C was pressed: what Numba was compiling then fails when it is called again, however late."""

    seen = False

    @classmethod
    def watch(cls) -> None:
        """Notice Ctrl-C, where it would interrupt."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            with suppress(ValueError):  # not in the main thread
                signal.signal(signal.SIGINT, cls._notice)

    @classmethod
    def _notice(cls, number: int, frame: FrameType | None) -> None:
        cls.seen = True
        signal.default_int_handler(number, frame)


def warn(message: Warning | str, *_: object, **__: object) -> None:
    """Show a warning as one line."""
    sys.stderr.write(f"tefuda: {message}\n")


def fail(message: str) -> NoReturn:
    """Say what is wrong with the input, and stop."""
    sys.stderr.write(f"tefuda: {message}\n")
    sys.exit(BAD_INPUT)
