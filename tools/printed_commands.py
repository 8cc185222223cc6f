"""Run every command that README, CONTRIBUTING and the docs print, as printed.

    uv run --group commands python -m tools.printed_commands [WORDS]    those in which the words occur, by default all

A fenced block of the language ``sh`` holds commands, one a line; ``<!-- not run: why -->`` before it leaves it out.
Code in a sentence is a command if it begins with ``uv run`` and is whole, without ``…`` and placeholders. Where it is
``tefuda`` and the name of a command, there must be one.

The commands run in fresh clones of what is committed, at a terminal, with no package but those that they ask for. What
goes on for more than ``LIMIT`` seconds (a server, a game, a long match) is stopped as a person would, by Ctrl-C."""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from io import StringIO
from itertools import groupby
from pathlib import Path
from queue import SimpleQueue
from threading import Lock

import pexpect
from markdown_it import MarkdownIt

from tefuda import games

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "CONTRIBUTING.md", "bench/README.md", "docs/*.md", "docs/[!l]*/*.md")

LIMIT = 10.0
"""Seconds after which a command is stopped."""

CLONES = 3
"""Clones in which pages are read at once: most commands wait for a network, for Ctrl-C or for one core."""

PRESSES = 6
"""How often Ctrl-C is pressed at most, every ten seconds."""

PROMPT, PLAYS = " › ", 3
"""What a game asks with, and how many plays are made before it is stopped, so that there is one to resume."""

GAMES = 12
"""How many games are begun at most until one is kept."""

START = 60.0
"""Seconds until a game asks for a play: the others play at the pace of people."""

INSTALLED, INSTALL = r"Successfully installed|already satisfied: uv\b", 300.0
"""What pip says when it has installed what a command asks for, and seconds until then. Stopped before, it leaves
programs that cannot be run, which the next command takes for installed."""

PATIENCE = {"tools.docs": 400.0, "mypy": 200.0, "lint-imports": 60.0, "-m venv": 120.0}
"""Seconds for commands whose end matters, by words of theirs: half an environment has no pip."""

LEFT_OUT = {
    "--extra train": "PyTorch brings gigabytes",
    "--with torch": "PyTorch brings gigabytes",
    ".ci/run": "it runs this",
    "tools.printed_commands": "it is this",
}
"""Why some commands are not run, by words of theirs."""

RECORDS = ("FILE.tfd", "GAME.tfd")
"""What the pages call a record of the reader's: of three deals from a table in the browser."""

RECORDING = "from tests.table.fair import fair_record; open({name!r}, 'w').write(fair_record(deals=3))"
"""Python that writes one."""

PLACEHOLDER = re.compile(r"…|\[|<|\b(?!FILE\.tfd|GAME\.tfd|FOLDER)[A-Z]{3,}\b")
NOT_RUN = re.compile(r"<!-- not run: (.*) -->")


@dataclass(frozen=True)
class Command:
    """A command as a page prints it."""

    page: str
    line: str

    @property
    def home(self) -> str:
        """Name of the home of those who read its page."""
        return re.sub(r"\W", "-", self.page)

    @property
    def installs(self) -> str:
        """What it asks ``uv run`` to install."""
        found = re.match(r"uv run ((?:--(?:extra|group|with) \S+ )*)", self.line)
        return found[1] if found else ""

    @property
    def job(self) -> tuple[str, str]:
        """What it shares with the commands beside which it runs: what they ask to install, and their page."""
        return self.installs, self.page


@dataclass(frozen=True)
class Printed:
    """What pages print: commands to run, names of commands, and lines about commands that are left out."""

    commands: list[Command]
    names: list[str]
    left_out: list[str]


def printed(paths: Iterator[Path]) -> Printed:
    """Read pages; a command that stands on several is taken from the first."""
    found: dict[str, Command] = {}
    names, left_out = set(), []
    for path in paths:
        page, reason = str(path.relative_to(ROOT)), ""
        for token in MarkdownIt().enable("table").parse(path.read_text("utf-8")):
            written = [child.content for child in token.children or () if child.type == "code_inline"]
            names |= {code for code in written if re.fullmatch(r"tefuda( [a-z]+)+", code)}
            whole = [code for code in written if re.match(r"uv run \S", code) and not PLACEHOLDER.search(code)]
            if token.type == "fence":
                whole = lines(token.content) if token.info == "sh" else []
            for line in whole:
                if why := reason or next((why for words, why in LEFT_OUT.items() if words in line), ""):
                    left_out.append(f"{page}: {line} ({why})")
                else:
                    found.setdefault(line, Command(page, line))
            if token.type in ("html_block", "fence"):
                said = NOT_RUN.match(token.content)
                reason = said[1] if said else ""
    return Printed(list(found.values()), sorted(names), left_out)


def lines(block: str) -> list[str]:
    """The commands of a block, without its comments."""
    whole = block.replace("\\\n", " ").splitlines()
    return [line for line in (re.sub(r"(^|\s+)# .*", "", each).strip() for each in whole) if line]


class Clone:
    """A fresh clone with an environment of its own, and a place for the homes of those who type the commands."""

    def __init__(self, place: Path, compiled: Path, ports: Lock) -> None:
        self.folder = place / "tefuda"
        self._homes = place / "homes"
        self._compiled = compiled
        self._ports = ports
        self._cache = subprocess.check_output(["uv", "cache", "dir"], text=True).strip()
        subprocess.run(["git", "clone", "--quiet", ROOT, self.folder], check=True)

    def environment(self, home: str) -> dict[str, str]:
        """What somebody has who has activated the clone's environment, with a home of their own."""
        ours = ("UV_", "VIRTUAL_ENV", "PYTEST_", "NUMBA_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        place = self._homes / home
        place.mkdir(parents=True, exist_ok=True)
        return kept | {
            "BROWSER": "true",
            "HOME": str(place),
            "PATH": f"{self.folder / '.venv' / 'bin'}:{kept['PATH']}",
            "TERM": "xterm",
            "TEFUDA_CACHE_DIR": str(self._compiled),
            "UV_CACHE_DIR": self._cache,
            "XDG_DATA_HOME": str(place),
        }

    def must(self, *words: str) -> None:
        """Run what has to succeed before the commands can be judged.

        Raises:
            subprocess.CalledProcessError: it fails.
        """
        environment = self.environment("before")
        subprocess.run(words, check=True, cwd=self.folder, env=environment, stdout=subprocess.DEVNULL)

    def prepare(self) -> None:
        """Put there what the pages tell their readers to have: files, records, tours, a network."""
        for page in pages():
            for token in MarkdownIt().parse(page.read_text("utf-8")):
                _, _, name = token.info.partition(" ")
                if token.type == "fence" and re.fullmatch(r"\w+\.\w+", name):
                    (self.folder / name).write_text(token.content, "utf-8")
        for game in games.names():  # compiles, so that no command is stopped before it has begun
            self.must("uv", "run", "--quiet", "tefuda", "play", game, "--auto", "--seed", "1")
        for name in RECORDS:
            self.must("uv", "run", "--quiet", "python", "-c", RECORDING.format(name=name))
        files = games.description(games.names()[0]).files
        shutil.copytree(files.tours[0].parent, self.folder / "tours")
        shutil.copytree(str(files.net), self.folder / "FOLDER")

    def faults(self, commands: list[Command]) -> list[str | None]:
        """Run the commands of a page one after the other, as its reader does; what is wrong with each, if anything."""
        self.must("uv", "sync", "--quiet")  # without what other pages have installed
        return [self._alone(command) for command in commands]

    def _alone(self, command: Command) -> str | None:
        """Run it beside those of another page, but for two that want the same port."""
        if "tefuda play" in command.line:
            return self._played(command)
        if "serve" not in command.line:
            return self._fault(command)
        with self._ports:
            return self._fault(command)

    def _played(self, command: Command) -> str | None:
        """Begin a game, and another if none is kept: where cards are to be thrown, ``1`` is no play."""
        for _ in range(GAMES):
            fault = self._fault(command)
            if fault or any(Path(self.environment(command.home)["XDG_DATA_HOME"]).rglob("*.tfd")):
                break
        return fault

    def _fault(self, command: Command) -> str | None:
        said = StringIO()
        program = pexpect.spawn(
            "bash",
            ["-c", command.line],
            cwd=str(self.folder),
            env=self.environment(command.home),
            encoding="utf-8",
            codec_errors="replace",
        )
        program.logfile_read = said
        if "pip install" in command.line:
            program.expect([INSTALLED, pexpect.EOF, pexpect.TIMEOUT], timeout=INSTALL)
        for _ in range(PLAYS if "tefuda play" in command.line and "--auto" not in command.line else 0):
            if program.expect([PROMPT, pexpect.EOF, pexpect.TIMEOUT], timeout=START) != 0:
                break
            program.send("1\r")  # the first play of the list
        if program.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=patience(command)) == 0:
            program.close()
            return f"{said.getvalue()}\nexit status {program.exitstatus}" if program.exitstatus else None
        before, is_ours = said.getvalue(), re.search(r"\btefuda [a-z]", command.line)
        for _ in range(PRESSES):  # Python loses one that comes while a library calls it back
            program.sendintr()
            if program.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=10) == 0:
                break
        else:
            said.write("\nIt goes on after Ctrl-C.\nError: it had to be killed" if is_ours else "")
        program.close(force=True)
        # What is ours takes Ctrl-C well; a measurement may end by it as Python does.
        judged = said.getvalue() if is_ours else before
        return said.getvalue() if re.search(r"^\S*[Ee]rror\b.*:", judged, re.MULTILINE) else None


def patience(command: Command) -> float:
    """Seconds after which a command is stopped."""
    return next((seconds for words, seconds in PATIENCE.items() if words in command.line), LIMIT)


def pages() -> Iterator[Path]:
    """The pages that people read."""
    for pattern in PAGES:
        yield from sorted(ROOT.glob(pattern))


def run(found: Printed, words: str) -> dict[str, str]:
    """Run the commands, and look for those named if there are no ``words``; what was wrong, by page and command."""
    faults: dict[str, str] = {}
    # Linters come first, before other commands have written files, then what else takes minutes: so no clone is idle at
    # the end.
    long = {each.job for each in found.commands if patience(each) > LIMIT}
    order = lambda each: ("lint" not in each.installs, each.job not in long, *each.job)  # noqa: E731
    jobs = [list(each) for _, each in groupby(sorted(found.commands, key=order), key=order)]
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(CLONES) as pool:
        ports, free = Lock(), SimpleQueue[Clone]()
        compiled = Path(os.environ.get("TEFUDA_CACHE_DIR", Path(place, "compiled")))
        clones = [Clone(Path(place, str(number)), compiled, ports) for number in range(CLONES)]
        for clone, _ in zip(clones, pool.map(Clone.prepare, clones), strict=True):  # Numba knows code by its folder
            free.put(clone)

        def run_page(commands: list[Command]) -> list[str | None]:
            clone = free.get()
            try:
                return clone.faults(commands)
            finally:
                free.put(clone)

        for several, wrong in zip(jobs, pool.map(run_page, jobs), strict=True):
            print(f"{several[0].page}, with {several[0].installs or 'nothing more'}:", flush=True)
            for command, fault in zip(several, wrong, strict=True):
                print(f"  {'failed' if fault else 'ran'}: {command.line}", flush=True)
                if fault:
                    faults[f"{command.page}: {command.line}"] = fault
        for name in found.names if not words else ():
            if subprocess.run(
                ["uv", "run", "--quiet", *name.split(), "--help"], cwd=clones[0].folder, capture_output=True
            ).returncode:
                faults[name] = "there is no such command"
    return faults


def main() -> None:
    arguments = argparse.ArgumentParser(description="Run every command that the pages print, in a bare clone.")
    arguments.add_argument("words", nargs="*", help="of the commands to run; all by default")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # started in the background, commands would ignore it too
    words = " ".join(arguments.parse_args().words)
    found = printed(pages())
    found = replace(found, commands=[each for each in found.commands if words in each.line])
    if not found.commands:
        sys.exit(f"no page prints a command with {words!r}")
    faults = run(found, words)
    print(f"Left out, {len(found.left_out)} lines:", *found.left_out, sep="\n  ")
    for command, fault in faults.items():
        print(f"\n{command}\n{fault[-3000:]}")
    if faults:
        sys.exit(f"{len(faults)} commands failed")
    print(f"{len(found.commands)} passed, 0 failed")


if __name__ == "__main__":
    main()
