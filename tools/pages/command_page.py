"""A Sphinx extension: the page of all commands, from what each says at ``--help``.

It is written into ``docs/reference/commands.md`` when a build begins; git ignores it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PATH = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"

HEAD = """# Commands

What each command says at `--help`. In a clone, write `uv run` before a command.
"""

HELP = re.compile(r"^(Options:\n +-h, --help .*\n*| +-h, --help .*\n?)", re.MULTILINE)
"""The option that every command has, with the title above it if there is no other."""


def write_page(_app: Any) -> None:
    """Write the page, if it has changed."""
    from typer.main import get_command

    from tefuda.cli.app import app

    text = "\n".join([HEAD, *described("tefuda", get_command(app), None)])
    if not PATH.exists() or PATH.read_text("utf-8") != text:
        PATH.write_text(text, "utf-8")


def described(name: str, command: Any, parent: Any) -> Iterator[str]:
    """A command's help, and that of the commands below it."""
    context = command.make_context(name, ["--help"], parent=parent, resilient_parsing=True)
    context.max_content_width = context.terminal_width = 96
    if parent is not None:
        said = HELP.sub("", command.get_help(context)).rstrip()
        yield f"## `{context.command_path}`\n\n```text\n{said}\n```\n"
    for each in command.list_commands(context) if hasattr(command, "list_commands") else ():
        yield from described(each, command.get_command(context, each), context)


def setup(app: Any) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("builder-inited", write_page)
    return {"parallel_read_safe": True}
