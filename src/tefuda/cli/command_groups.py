"""Groups of commands: loaded on first use, and described in the words of people who type, not those of Python."""

import ast
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

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

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Function], Function]:
        """Make the decorated function a command."""
        return super().command(name, cls=_Command, **settings)


class LazyGroup(_Group):
    """A group whose commands are imported on first use: to list them, none is.

    Attributes:
        declared: by name, in the order in which they are listed: the module whose ``app`` has the command, alone, as a
            group or as one of several; and the first sentence of its help.
    """

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
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in self.declared.items()])


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
