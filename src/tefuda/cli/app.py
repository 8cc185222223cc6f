"""The ``tefuda`` command: its subcommands, and how errors are told.

Commands import the engine only when they run, so that ``--help`` answers at once.
"""

import ast
import gc
import inspect
import os
import signal
import sys
import warnings
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer

from tefuda.cli import admin, bots, completion, data, lab, problems, streams
from tefuda.cli.arguments import AsJson, GameName, Language, Seats, Settings, folded, games_called
from tefuda.cli.exit_status import INTERRUPTED
from tefuda.cli.help import Commands
from tefuda.engine.errors import TefudaError, file_fault
from tefuda.engine.extras import needed_by

app = Commands(
    name="tefuda",
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


BAD_INPUT = 2


def print_version(asked: bool) -> None:
    """Print the version, if it is asked for, and stop."""
    if asked:
        from tefuda.version import __version__

        sys.stdout.write(f"tefuda {__version__}\n")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=print_version, is_eager=True)
    ] = False,
) -> None:
    """Play, learn, print and measure East Asian card games that are close to being forgotten."""


@app.command()
def play(
    game: GameName,
    seats: Seats = None,
    settings: Settings = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="The same seed deals the same cards.")] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Let a bot play your seat too: one deal, printed.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the game that was interrupted.")] = False,
    record: Annotated[Path | None, typer.Option("--record", help="Where to keep the record (.tfd).")] = None,
    bots: Annotated[
        str,
        typer.Option(
            "--bots",
            help="How well the others play: beginner, easy, strong, strongest; or a bot: hints, net, search:500ms …",
            autocompletion=completion.bots,
        ),
    ] = "hints",
    pace: Annotated[
        str, typer.Option("--pace", help="Seconds between the plays of the others; 0 for none, key to press a key.")
    ] = "0.7",
    language: Language = None,
) -> None:
    """Play a game against bots in the terminal."""
    from tefuda.cli import play as command

    command.run(game, seats, settings or [], seed, auto, resume, record, language, bots, pace)


@app.command()
def serve(
    host: Annotated[
        str, typer.Option("--host", help="Address to listen at; 0.0.0.0 for everybody in the network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 for any that is free.")] = 8000,
    db: Annotated[
        str | None,
        typer.Option(
            "--db",
            help="Where tables are kept: sqlite:///FILE or postgresql://USER@HOST/DATABASE; or set TEFUDA_DB.",
        ),
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            help="Serve this game only; may be repeated.",
            metavar="GAME",
            autocompletion=completion.game_names,
            callback=games_called,
        ),
    ] = None,
    origin: Annotated[
        str | None, typer.Option("--origin", help="The address people type, such as https://cards.example.")
    ] = None,
    tours: Annotated[
        Path | None, typer.Option("--tours", help="Folder of tours of your own (docs/tours.md).", metavar="FOLDER")
    ] = None,
    club: Annotated[
        str | None, typer.Option("--club", help="Name of your club: it gets a page (/club).", metavar="NAME")
    ] = None,
    passkeys: Annotated[
        bool,
        typer.Option("--passkeys", help="Let people keep who they are with a passkey; needs --origin."),
    ] = False,
    laboratory: Annotated[
        Path | None,
        typer.Option("--lab", help="Folder of the runs that /lab shows, instead of your own.", metavar="FOLDER"),
    ] = None,
    pace: Annotated[float, typer.Option("--pace", help="Seconds that bots wait before they play.")] = 0.8,
    thinkers: Annotated[int, typer.Option("--thinkers", min=1, max=256, help="Threads in which bots search.")] = 2,
    rate: Annotated[
        float,
        typer.Option(
            "--rate",
            help="Requests a second that one address may make; 0 lifts all limits but that of all connections.",
        ),
    ] = 50.0,
    level: Annotated[str, typer.Option("--log", help="What is logged: debug, info, warning or error.")] = "warning",
    metrics: Annotated[bool, typer.Option("--metrics", help="Answer Prometheus at /metrics.")] = False,
    metrics_at: Annotated[
        str | None,
        typer.Option(
            "--metrics-at",
            help="Answer Prometheus at an address of its own, such as 127.0.0.1:9100.",
            metavar="ADDRESS",
        ),
    ] = None,
    proxies: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy",
            help="Address or network of a proxy, which says for whom it asks; may be repeated. By default 127.0.0.1.",
            envvar="TEFUDA_TRUSTED_PROXIES",
            show_envvar=False,
            metavar="ADDRESS",
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser, where there is a screen.")
    ] = True,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=256, help="Processes that serve; each table is driven by one.")
    ] = 1,
    wait: Annotated[
        float,
        typer.Option("--wait", min=0, help="Seconds to wait for a server to stop whose place this one takes."),
    ] = 0,
    private_host: Annotated[
        str | None,
        typer.Option(
            "--private-host",
            help="Of no use any more: servers on one PostgreSQL do not reach each other.",
            metavar="ADDRESS",
        ),
    ] = None,
) -> None:
    """Serve tables to browsers and programs, over HTTP and WebSocket."""
    gc.disable()  # loading drops nothing, and looking for it takes a quarter of the time; the server begins it again
    with needed_by("tefuda serve", "server"):
        from tefuda.cli import serve as command

    options = command.ServeOptions(host, port, db, level, metrics, browser, workers, private_host, wait)
    settings = command.server_settings(
        games=names or (),
        lab=laboratory,
        rate=rate,
        proxies=proxies or (),
        metrics_at=metrics_at,
        tours=tours,
        club=club,
        passkeys=passkeys,
        origin=origin,
        pace=pace,
        thinkers=thinkers,
    )
    command.run(options, settings)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A record (.tfd).", metavar="FILE")],
    seat: Annotated[int, typer.Option("--seat", help="Show only what this seat could see; -1 shows all.")] = -1,
    language: Language = None,
    as_json: AsJson = False,
) -> None:
    """Step through a recorded game."""
    from tefuda.cli import replay as command

    command.run(file, seat, language, as_json)


@app.command()
def review(
    file: Annotated[Path, typer.Argument(help="A record (.tfd).", metavar="FILE")],
    seat: Annotated[int, typer.Option("--seat", min=0, help="Whose decisions are judged.")] = 0,
    deal: Annotated[
        int | None, typer.Option("--deal", min=1, help="Review this deal only.", show_default="all")
    ] = None,
    language: Language = None,
    as_json: AsJson = False,
) -> None:
    """Say where a recorded game was won and lost. It tells luck from plays that gave something away."""
    from tefuda.cli import review as command

    command.run(file, seat, deal, language, as_json)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="A record (.tfd) of deals that were shuffled fairly.", metavar="FILE")],
    commitments: Annotated[
        list[str] | None,
        typer.Option(
            "--commitment",
            help="What you were shown before a deal; may be repeated.",
            metavar="HEX",
            show_default=False,
        ),
    ] = None,
    receipt: Annotated[
        Path | None,
        typer.Option(
            "--receipt",
            help="What your program or browser kept from before the deals.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    chain: Annotated[
        Path | None,
        typer.Option(
            "--chain",
            help="The table's chain of commitments (JSON), saved before the deals.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Verify a recorded game: recompute its shuffle and replay its plays."""
    from tefuda.cli import verify as command

    command.run(file, commitments or [], receipt, chain, as_json)


@app.command()
def rules(
    game: GameName,
    number: Annotated[
        str | None,
        typer.Argument(
            help="Number of one rule, such as GZ-8.", metavar="[RULE]", autocompletion=completion.rule_numbers
        ),
    ] = None,
    about: Annotated[bool, typer.Option("--about", help="Where the game comes from, and its words.")] = False,
    language: Language = None,
    as_json: AsJson = False,
) -> None:
    """Show a game's rules, one of them, or where the game comes from."""
    from tefuda.cli import rules as command

    command.run(game, number, about, language, as_json)


@app.command()
def check(
    files: Annotated[
        list[Path], typer.Argument(help="Scenario files or tours (.toml), or folders of them.", metavar="FILE…")
    ],
    as_json: AsJson = False,
) -> None:
    """Run scenario files, and play tours through. A scenario is a position, moves, and what must be true."""
    from tefuda.cli import check as command

    raise typer.Exit(command.run(files, as_json))


app.add_typer(bots.app)
app.add_typer(data.app, name="data")
app.add_typer(lab.app, name="lab")
app.add_typer(problems.app, name="problems")
app.add_typer(admin.app, name="admin")


@app.command()
def deck(
    game: GameName,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Print to this file (.pdf).")] = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Folder for a file of each card, and the sprite.")] = None,
    sheet: Annotated[Path | None, typer.Option("--sheet", help="All cards side by side in this file (.svg).")] = None,
    name: Annotated[str, typer.Option("--deck", help="Another deck of the game, such as western for kakkuri.")] = "",
    layers: Annotated[
        str,
        typer.Option(
            "--layers",
            help="traditional, index and accessible, joined by commas; or all.",
            autocompletion=completion.layers,
            callback=folded,
        ),
    ] = "traditional,index",
    language: Language = None,
    cards: Annotated[
        Path | None,
        typer.Option("--cards", help="Folder for single cards: PNG (300 dpi) and SVG with bleed, for printers."),
    ] = None,
    box: Annotated[Path | None, typer.Option("--box", help="A tuck box to cut out, in this file (.pdf).")] = None,
    paper: Annotated[
        str | None,
        typer.Option(
            "--paper", help="a4 or letter.", show_default="a4", autocompletion=completion.papers, callback=folded
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(
            "--size",
            help="life, large, bridge (2¼ × 3½ in), poker (63 × 88 mm), poker-us, mini, tarot or jumbo.",
            show_default="life",
            autocompletion=completion.sizes,
            callback=folded,
        ),
    ] = None,
    bleed: Annotated[
        float | None, typer.Option("--bleed", help="Millimetres beyond the cut of --cards.", show_default="3")
    ] = None,
    thickness: Annotated[
        float | None, typer.Option("--thickness", help="Of a card, in millimetres, for --box.", show_default="0.32")
    ] = None,
    gutter: Annotated[
        bool, typer.Option("--gutter/--shared-cuts", help="A strip between cards, or cuts shared.")
    ] = False,
    backs: Annotated[bool, typer.Option("--backs", help="Backs for printing on both sides (long edge).")] = False,
    saving: Annotated[bool, typer.Option("--ink-saving", help="Backs in outline (and --backs).")] = False,
    colour: Annotated[
        str | None,
        typer.Option(
            "--back-colour", help="black, red, blue or green (and --backs).", show_default="black", callback=folded
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List a game's cards, draw them, or print them and their box."""
    from tefuda.cli import deck as command

    files = command.Files(output, svg, sheet, cards, box)
    style = command.style(layers, language, printed=files == command.Files() and not as_json)
    sheets = command.Sheets(paper, size, bleed, thickness, gutter, backs, saving, colour)
    with needed_by("drawing or printing cards", "decks"):
        command.run(game, name, style, files, sheets, as_json)


@app.command()
def games(language: Language = None, as_json: AsJson = False) -> None:
    """List the games."""
    from tefuda.cli import rules as command

    command.list_games(language, as_json)


def main() -> None:
    """Run a command. Bad input ends in one line on standard error and exit status 2."""
    streams.set_up()
    Interrupts.watch()
    if sys.flags.optimize > 1:
        restore_docstrings()
    warnings.showwarning = warn
    try:
        status: Any = app(sys.argv[1:], prog_name="tefuda", standalone_mode=False)
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
    """Whether Ctrl-C has been pressed: what Numba was compiling then fails when it is called again, however late."""

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


def restore_docstrings() -> None:
    """Read from the sources what commands say at ``--help``, which ``python -OO`` leaves out."""
    for module in (sys.modules[__name__], admin, bots, data, lab, problems):
        for node in ast.parse(inspect.getsource(module)).body:
            if isinstance(node, ast.FunctionDef):
                getattr(module, node.name).__doc__ = ast.get_docstring(node)


def warn(message: Warning | str, *_: object, **__: object) -> None:
    """Show a warning as one line."""
    sys.stderr.write(f"tefuda: {message}\n")


def fail(message: str) -> NoReturn:
    """Say what is wrong with the input, and stop."""
    sys.stderr.write(f"tefuda: {message}\n")
    sys.exit(BAD_INPUT)
