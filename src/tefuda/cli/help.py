"""What ``--help`` prints: the words of people who type, and not those of Python."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

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
        """The line of usage: ``GAME``, ``[RULE]``, ``FILE…``."""
        pieces: list[str] = super().collect_usage_pieces(ctx)  # type: ignore[misc]
        return [re.sub(r"[{[]?[{[](\S*?)[]}][]}]?(\.\.\.)?$", _usage, piece) for piece in pieces]

    def get_short_help_str(self, limit: int = 45) -> str:
        """The first sentence, whole."""
        text = " ".join((getattr(self, "help", None) or "").split())
        return re.split(r"(?<=[.?]) ", text, maxsplit=1)[0]


class _Command(_Plain, TyperCommand):
    pass


class _Group(_Plain, TyperGroup):
    pass


class Commands(typer.Typer):
    """Commands; where none of them is named the help is printed.

    Args:
        settings: of ``typer.Typer``.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(cls=_Group, no_args_is_help=True, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Function], Function]:
        """Make the decorated function a command."""
        return super().command(name, cls=_Command, **settings)


def _value(parameter: Any, kind: str) -> str:
    """What stands for a value: ``NUMBER``, ``FILE``, ``FOLDER``, or an option's own name; an argument is its own."""
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
