"""The commands as ``docs/server.md`` lists them.

``python -m tests.server.command_table`` writes the list anew; a test fails while it is stale."""

from pathlib import Path
from typing import Any

from tefuda.server.table.commands import COMMANDS, Command
from tefuda.server.table.permission import Role

PAGE = Path(__file__).parents[2] / "docs/server.md"

BEGIN, END = "<!-- commands -->\n", "<!-- end of commands -->\n"

HEAD = "| `POST …/tables/TABLE/` | by | takes | is refused with |\n|---|---|---|---|\n"

BY = {Role.ANYBODY: "anybody", Role.SEATED: "a seat", Role.SEATED_OR_HOST: "a seat, the host", Role.HOST: "the host"}
"""Who may send a command; the page says once how others are refused."""


def written() -> str:
    """The list."""
    return HEAD + "".join(map(_row, COMMANDS.values()))


def with_table(text: str) -> str:
    """The page with the list in its place."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + written() + END + rest.partition(END)[2]


def _row(command: Command[Any]) -> str:
    takes = ", ".join(f"`{name}`" for name in command.arguments.model_fields)
    codes = (*(["closed"] if command.while_open else []), *command.refusals)
    socket = ", also over a socket" if command.by_socket else ""
    refusals = ", ".join(f"`{code}`" for code in codes)
    return f"| `{command.path}`{socket} | {BY[command.role]} | {takes} | {refusals} |\n"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")
