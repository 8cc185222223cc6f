"""Commands are imported on first use: the list of them knows what each says, and loads none."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from typer import Context
from typer.main import get_command

from tefuda.cli.app import Tefuda, app


@pytest.mark.parametrize("name", Tefuda.declared)
def test_the_list_says_of_a_command_what_it_says_itself(name: str) -> None:
    group: Any = get_command(app)
    command = group.get_command(None, name)
    assert command.get_short_help_str() == Tefuda.declared[name][1]
    assert group.list_commands(None) == list(Tefuda.declared)


def commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command below a group, with the words that name it."""
    for name in group.list_commands(None):
        found = group.get_command(None, name)
        below = (*words, name)
        yield from commands(found, below) if hasattr(found, "list_commands") else [(below, found)]


@pytest.mark.parametrize(
    ("words", "command"), [pytest.param(*each, id=" ".join(each[0])) for each in commands(get_command(app))]
)
def test_help_ends_with_an_example_that_the_command_understands(words: tuple[str, ...], command: Any) -> None:
    example, *typed = shlex.split(command.epilog.removeprefix("Example: "))
    assert command.epilog.startswith("Example: ")
    assert (example, *typed[: len(words)]) == ("tefuda", *words)
    context = command.make_context(words[-1], typed[len(words) :])
    assert command.get_help(context).endswith(command.epilog)


def test_the_list_has_every_command_once_below_its_panel() -> None:
    told: str = get_command(app).get_help(Context(get_command(app)))
    listed = re.findall(r"^  (\w+)  +[A-Z]", told.partition("\nPlay:\n")[2], re.MULTILINE)
    assert listed == list(Tefuda.declared)
    assert re.findall(r"^(\w+):$", told, re.MULTILINE) == ["Options", "Play", "Learn", "Print", "Host", "Research"]


def test_a_command_that_is_not_declared_is_none() -> None:
    group: Any = get_command(app)
    assert group.get_command(None, "solve") is None


@pytest.mark.parametrize("words", ["--help", "nonsense", "--version"])
def test_no_command_is_imported_before_it_is_used(words: str) -> None:
    program = (
        "import sys, tefuda.cli.app as app\n"
        f"sys.argv = ['tefuda', *{words.split()!r}]\n"
        "try:\n    app.main()\nexcept SystemExit:\n    pass\n"
        "loaded = {module for module, _ in app.Tefuda.declared.values()} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
