"""Commands are imported on first use: the list of them knows what each says, and loads none."""

import subprocess
import sys
from typing import Any

import pytest
from typer.main import get_command

from tefuda.cli.app import Tefuda, app


@pytest.mark.parametrize("name", Tefuda.declared)
def test_the_list_says_of_a_command_what_it_says_itself(name: str) -> None:
    group: Any = get_command(app)
    command = group.get_command(None, name)
    assert command.get_short_help_str() == Tefuda.declared[name][1]
    assert group.list_commands(None) == list(Tefuda.declared)


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
