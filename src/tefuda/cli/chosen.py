"""Games and languages from what was typed: names, seats, ``--set option=value``; what a game's table needs compiled."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import tefuda
from tefuda.cli.standard_streams import can_show
from tefuda.engine.errors import PROJECT, TefudaError
from tefuda.engine.option import OptionError, Value
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue, closest

if TYPE_CHECKING:
    from tefuda.engine.description import Description

OWN_LANGUAGE = "TEFUDA_LANG"  # environment variable that chooses a language for Tefuda alone


def game_with(
    name: str, seats: int | None = None, settings: Sequence[str] | None = None, preset: str | None = None
) -> "tefuda.Game":
    """Return the game that was asked for; TefudaError for an unknown game, preset, option, value or number of seats."""
    from tefuda.games import description

    options: dict[str, Value] = {} if preset is None else {"preset": preset}
    for setting in settings or ():
        option, equals, value = setting.partition("=")
        if not equals:
            raise OptionError(f"--set {setting}: write it as option=value")
        if options.setdefault(option.strip(), value.strip()) != value.strip():
            raise OptionError(f"--set {setting}: {option.strip()} has been set to {options[option.strip()]} before it")
    return tefuda.Game(description(name), seats, options)


def prepare(game: "Description", language: str = "en") -> None:
    """Compile what a table of this game needs, if that has not been done since the last change of the sources."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from tefuda.engine import compilation

    if compilation.is_warm(game):
        return
    console, words = Console(stderr=True), catalogue(TEXTS, language)
    title = catalogue(game.files.texts, language)("title")
    with compilation.lock(game, waiting=lambda: console.print(words("compiling.waiting", game=title))):
        if compilation.is_warm(game):
            return
        console.print(words("compiling.why", game=title))
        done, label = TextColumn("{task.completed}/{task.total}"), TextColumn("{task.description}")
        with Progress(BarColumn(), done, TimeElapsedColumn(), label, console=console, transient=True) as progress:
            steps = compilation.steps(game)
            task = progress.add_task("", total=len(steps))
            for step, compile_it in steps:
                progress.update(task, description=step)
                compile_it()
                progress.advance(task)
        compilation.mark(game)


def rule_number(game: "Description", text: str) -> str | None:
    """Read the number of a rule in the ways people write it (``GZ-8``, ``gz8``, ``8``); None if it is none."""
    found = re.fullmatch(rf"(?:{game.rules.prefix}-?)?\s*(\d{{1,3}})", text.strip(), re.IGNORECASE | re.ASCII)
    return f"{game.rules.prefix}-{int(found[1])}" if found else None


def command(*words: str | Path) -> str:
    """Write a command to copy, of these words, to be run as this one was run."""
    in_clone = (PROJECT / "pyproject.toml").is_file()
    through_uv = "UV" in os.environ or (in_clone and shutil.which("tefuda") is None)
    line = ["uv", "run", "tefuda"] if through_uv else ["tefuda"]
    line += map(str, words)
    return subprocess.list2cmdline(line) if os.name == "nt" else shlex.join(line)


def language_of(tag: str | None, *, printed: bool = True) -> str:
    """Find the language of the texts that was asked for (``zh-Hant``, ``zh-TW``), or the system's, or English.

    TefudaError if there are no texts in it, or standard output, to which they are ``printed``, cannot show them."""
    language = _system_language() if tag is None else _language("--lang", tag)
    if not printed or can_show(language):
        return language
    reason = f"standard output in {sys.stdout.encoding} cannot show {language}; set PYTHONIOENCODING=utf-8"
    if tag is not None:
        raise TefudaError(f"--lang {tag}: {reason}")
    sys.stderr.write(f"tefuda: {reason}; here is English\n")
    return LANGUAGES[0]


def _system_language() -> str:
    """Find the language that the environment asks for; English if Tefuda has no texts in it."""
    if chosen := os.environ.get(OWN_LANGUAGE):
        return _language(OWN_LANGUAGE, chosen)
    tag = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return closest(re.split("[.@]", tag)[0]) or LANGUAGES[0]


def _language(where: str, tag: str) -> str:
    language = closest(tag)
    if language is None:
        raise TefudaError(f"{where}: there are no texts in {tag!r}; there are: {', '.join(LANGUAGES)}")
    return language
