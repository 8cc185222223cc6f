"""Groups of commands, loaded on first use and described in plain words; arguments and options that several take.

For what the Tab key offers in a shell, packages and their texts are asked, nothing of which is imported: Tab answers at
once."""

import ast
import builtins
import inspect
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, ClassVar, TypeVar, cast

import typer
from typer import Argument, Option
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from tefuda.engine.texts import LANGUAGES

Function = TypeVar("Function", bound=Callable[..., Any])

_TYPE = re.compile(r" <([^>]*)>(?:\.\.\.)?$")
_RANGE = re.compile(r"(; )?([\d.e-]+<=?x([<>]=?[\d.e-]+)?|x[<>]=?[\d.e-]+)(?=\])")
_BRACKETS = re.compile(r"\s*\[\]$")
_DEFAULT = re.compile(r"\[default: \((.*?)\)")


class _Plain:
    """Formats the help of a command."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options, and below a group its commands."""
        command: Any = self
        parts: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for parameter in command.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                typed = _TYPE.search(record[0])
                name = _TYPE.sub("", record[0]) + (_value(parameter, typed[1]) if typed else "")
                parts[parameter.param_type_name].append((name, _plain(record[1])))
        for kind, records in parts.items():
            if records:
                with formatter.section(f"{kind.capitalize()}s"):
                    formatter.write_dl(records)
        if isinstance(self, TyperGroup):
            command.format_commands(ctx, formatter)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the line of usage: ``GAME``, ``[RULE]``, ``FILE…``."""
        pieces: list[str] = super().collect_usage_pieces(ctx)  # type: ignore[misc]
        return [re.sub(r"[{[]?[{[](\S*?)[]}][]}]?(\.\.\.)?$", _usage, piece) for piece in pieces]

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the first sentence, whole."""
        text = " ".join((getattr(self, "help", None) or "").split())
        return re.split(r"(?<=[.?]) ", text, maxsplit=1)[0]


class _Command(_Plain, TyperCommand):
    pass


class _Group(_Plain, TyperGroup):
    pass


class Commands(typer.Typer):
    """Commands with settings of ``typer.Typer``; where none of them is named the help is printed."""

    def __init__(self, **settings: Any) -> None:
        plain = {"rich_markup_mode": None, "pretty_exceptions_enable": False, "add_completion": False}
        super().__init__(**{"cls": _Group, "no_args_is_help": True, **plain, **settings})

    def command(self, name: str | None = None, *, example: str = "", **settings: Any) -> Callable[[Function], Function]:
        """Make the decorated function a command; its help ends with an example, the words after ``tefuda``."""
        return super().command(name, cls=_Command, epilog=f"Example: tefuda {example}", **settings)


class LazyGroup(_Group):
    """A group whose commands are imported on first use: to list them, none is.

    ``declared`` has by name, in the order in which they are listed, the module whose ``app`` has the command, alone, as
    a group or as one of several; and the first sentence of its help. ``panels`` are the headings of the list, each with
    the name of the first command below it."""

    panels: ClassVar[Mapping[str, str]] = {}
    declared: ClassVar[Mapping[str, tuple[str, str]]] = {}

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: dict[str, Any] = dict.fromkeys(self.declared)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import a command; None if there is none of this name."""
        if cmd_name not in self.declared:
            return None
        module = import_module(self.declared[cmd_name][0])
        if sys.flags.optimize > 1:
            _restore_docstrings(module)
        found = get_command(module.app)
        return getattr(found, "commands", {}).get(cmd_name, found)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands by what is declared."""
        names = list(self.declared)
        starts = [*map(names.index, self.panels.values()), len(names)]
        for panel, (start, end) in zip(self.panels, pairwise(starts), strict=True):
            with formatter.section(panel):
                formatter.write_dl([(name, self.declared[name][1]) for name in names[start:end]])


class _Later:
    """A module, or a package of such modules, that is imported when something of it is first used."""

    def __init__(self, name: str, *, is_package: bool = False) -> None:
        self._name, self._is_package = name, is_package

    def __getattr__(self, name: str) -> Any:
        if self._is_package:
            return _Later(f"{self._name}.{name}")
        return getattr(import_module(self._name), name)


@contextmanager
def later() -> Iterator[None]:
    """Let ``from package import module`` import the module when something of it is first used: to show help, none is.
    Names in annotations may be imported so too."""
    usual = builtins.__import__
    builtins.__import__ = lambda name, *_: cast(ModuleType, _Later(name, is_package=True))
    try:
        yield
    finally:
        builtins.__import__ = usual


def _restore_docstrings(module: ModuleType) -> None:
    """Read from the source what commands say at ``--help``, which ``python -OO`` leaves out."""
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.FunctionDef):
            getattr(module, node.name).__doc__ = ast.get_docstring(node)


def _value(parameter: Any, kind: str) -> str:
    """Return what stands for a value: ``NUMBER``, ``FILE``, ``FOLDER`` or the option's name; nothing for arguments."""
    if parameter.param_type_name == "argument":
        return ""
    if kind.startswith(("int", "float", "list[int")):
        return " NUMBER"
    if kind == "path":
        return " FOLDER" if "folder" in parameter.help.lower() else " FILE"
    return f" {max(parameter.opts, key=len).removeprefix('--').upper()}"


def _plain(about: str) -> str:
    return _DEFAULT.sub(r"[default: \1", _BRACKETS.sub("", _RANGE.sub("", about)))


def _usage(found: re.Match[str]) -> str:
    name, whole = found[1], found[0]
    more = "" if "…" in name or not found[2] else "…"
    return f"[{name}{more}]" if whole.startswith("[") else f"{name}{more}"


# Arguments and options that several commands take, and what Tab offers for them

ENGLISH = f"texts/{LANGUAGES[0]}.toml"  # below a game's folder

GAMES = "tefuda.games"
"""As ``engine.cache`` has it; like the words below, those of modules that take seconds to import (tested)."""

BOTS = ("random", "hints", "amateur", "net", "search", "beginner", "easy", "strong", "strongest")
PAPERS = ("a4", "letter")
SIZES = ("life", "large", "bridge", "poker", "poker-us", "mini", "tarot", "jumbo")
PRINTERS = ("thegamecrafter", "makeplayingcards")
LAYERS = ("traditional", "index", "accessible", "all")


def one_of(words: Iterable[str]) -> Callable[[str], list[str]]:
    """Make what completes a word of a list."""
    known = tuple(words)

    def complete(begun: str) -> list[str]:
        return [word for word in known if word.startswith(begun)]

    return complete


def game_names(begun: str) -> list[str]:
    """List the games whose names begin so."""
    return sorted({entry.name for entry in entry_points(group=GAMES) if entry.name.startswith(begun)})


def rule_numbers(context: typer.Context, begun: str) -> list[str]:
    """List the rules of the game that is named before."""
    return [number for number in _data(context, ENGLISH).get("rules", {}) if number.startswith(begun)]


def option_names(context: typer.Context, begun: str) -> list[str]:
    """List the options of the game that is named before, ready for a value; behind that, the values of a choice."""
    options, (name, equals, _) = _data(context, ENGLISH).get("options", {}), begun.partition("=")
    words = [f"{name}={value}" for value in options.get(name, {}).get("values", ())] if equals else options
    return [word if equals else f"{word}=" for word in words if word.startswith(begun)]


def preset_names(context: typer.Context, begun: str) -> list[str]:
    """List the presets of the game that is named before."""
    return [name for name in _data(context, "presets.toml") if name.startswith(begun)]


def _data(context: typer.Context, file: str) -> dict[str, Any]:
    """Read a file of the game that is named before; nothing if there is none."""
    # Behind an option without its value, nothing has been read of the line.
    game = context.params.get("game") or next(iter(context.args), "")
    for entry in entry_points(group=GAMES, name=game):
        package, *below = entry.module.split(".")
        spec = find_spec(package)
        for place in spec.submodule_search_locations or () if spec else ():
            path = Path(place, *below, file)
            if path.exists():
                return tomllib.loads(path.read_text("utf-8"))
    return {}


def game_called(context: typer.Context, word: str | None) -> str | None:
    """Return the name of the game that people call so; TefudaError if there is none."""
    if word is None or context.resilient_parsing or word in game_names(word):
        return word
    from tefuda.games import called

    return called(word)


def games_called(context: typer.Context, words: list[str] | None) -> list[str] | None:
    """Return the names of several games."""
    return words and [name for word in words if (name := game_called(context, word)) is not None]


def folded(word: str | None) -> str | None:
    """Return a word of a list in small letters, as it stands there."""
    return word and word.casefold()


# How the values of arguments and options are completed and read: a game's name, several, a word of a list
A_GAME: dict[str, Any] = {"autocompletion": game_names, "callback": game_called}
SEVERAL_GAMES: dict[str, Any] = {"autocompletion": game_names, "callback": games_called}


def a_word_of(words: Iterable[str]) -> dict[str, Any]:
    """Return how one of these words is completed and read, which may be written in capitals."""
    return {"autocompletion": one_of(words), "callback": folded}


GameName = Annotated[str, Argument(help="Name of the game, such as gong-zhu or 拱猪.", metavar="GAME", **A_GAME)]
Layers = Annotated[
    str, Option(help="Layers: traditional, index, accessible, joined by commas, or all.", **a_word_of(LAYERS))
]
Paper = Annotated[str | None, Option(help="a4 or letter.", show_default="a4", **a_word_of(PAPERS))]
Size = Annotated[
    str | None,
    Option(
        help="life, large, bridge (2¼ × 3½ in), poker (63 × 88 mm), poker-us, mini, tarot or jumbo.",
        show_default="life",
        **a_word_of(SIZES),
    ),
]
Colour = Annotated[
    str | None,
    Option("--back-colour", help="black, red, blue or green (implies --backs).", show_default="black", callback=folded),
]
Printer = Annotated[str | None, Option("--for", help="Write a ZIP as this printer wants it.", **a_word_of(PRINTERS))]
RecordFile = Annotated[Path, Argument(help="A record (.tfd).", metavar="FILE")]
Seats = Annotated[int | None, Option("--seats", help="Number of players.")]
Settings = Annotated[
    list[str] | None,
    Option(
        "--set",
        help="Set an option of the rules; may be repeated.",
        metavar="OPTION=VALUE",
        autocompletion=option_names,
    ),
]
Preset = Annotated[
    str | None, Option(help="A known set of options, as in tefuda rules GAME --presets.", autocompletion=preset_names)
]
Plain = Annotated[bool, Option("--plain", help="Line by line, as in pipes and small or dumb terminals.")]
Seed = Annotated[int, Option("--seed", min=0, help="The same seed deals the same cards.")]
Language = Annotated[
    str | None,
    Option(
        "--lang",
        help="en, ja, zh-Hant or zh-Hans.",
        metavar="LANGUAGE",
        show_default="the system's",
        autocompletion=one_of(LANGUAGES),
    ),
]
AsJson = Annotated[bool, Option("--json", help="Print the result as JSON.")]
RayAddress = Annotated[
    str | None,
    Option(
        "--ray",
        help="Play on a Ray cluster: auto, HOST:6379 or ray://HOST:10001; local starts one here.",
        metavar="ADDRESS",
    ),
]
