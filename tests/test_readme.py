"""The README's Python runs as written, and the commands that it names exist."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def test_the_python_snippets_run_as_written() -> None:
    results = doctest.testfile(str(README), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


def test_the_commands_exist() -> None:
    named = set(re.findall(r"uv run (?:--\w+ \S+ )*tefuda (\w+)", README.read_text("utf-8")))
    listed = subprocess.run(
        [sys.executable, "-m", "tefuda", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert len(named) > 10
    assert all(re.search(rf"^\s+{name}\b", listed, re.MULTILINE) for name in named), named
