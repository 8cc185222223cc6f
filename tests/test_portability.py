"""Nothing that Tefuda imports or names unasked is missing on macOS or Windows, and every file's encoding is named.

Linux is where the tests run; this reads the sources for what would fail elsewhere."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
WORKERS = TOP / "src/tefuda/cli/workers.py"
"""Loaded only where a system can fork."""

SOURCES = sorted({*(TOP / "src").rglob("*.py")} - {WORKERS})

# fmt: off
ONLY_POSIX = {
    "crypt", "curses", "fcntl", "grp", "nis", "ossaudiodev", "posix", "pty", "pwd", "readline", "resource", "spwd",
    "syslog", "termios", "tty",
}
"""Modules that Python on Windows lacks."""

ATTRIBUTES = {
    "os": {
        "chown", "fchmod", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgrouplist", "getloadavg", "getpgid",
        "getuid", "killpg", "mkfifo", "nice", "openpty", "pread", "pwrite", "sched_getaffinity", "sched_setaffinity",
        "setpgid", "setsid", "setuid", "sysconf", "uname", "wait", "wait3",
    },
    "signal": {
        "SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH", "alarm",
        "pause",
    },
    "socket": {"AF_UNIX", "SO_EXCLUSIVEADDRUSE", "SO_REUSEPORT", "TCP_KEEPIDLE"},
    "select": {"epoll", "kqueue", "poll"},
}
"""Names that one of the systems lacks, by module."""
# fmt: on


def guarded(tree: ast.Module) -> set[ast.AST]:
    """What stands in a ``try`` that catches an error of importing, or under a question about the system."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try):
            caught = {name for handler in node.handlers if handler.type for name in ast.unparse(handler.type).split()}
            if any("ImportError" in name or "ModuleNotFoundError" in name for name in caught):
                found |= {below for part in node.body for below in ast.walk(part)}
        elif isinstance(node, ast.If) and ("platform" in ast.unparse(node.test) or "hasattr" in ast.unparse(node.test)):
            found |= set(ast.walk(node))
    return found


def faults(text: str) -> Iterator[str]:
    """What in a source would fail on another system."""
    tree = ast.parse(text)
    safe = guarded(tree)
    for node in ast.walk(tree):
        if node in safe:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] in ONLY_POSIX)
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module.partition(".")[0] in ONLY_POSIX:
                yield node.module
            names = ATTRIBUTES.get(node.module, set())
            yield from (f"{node.module}.{alias.name}" for alias in node.names if alias.name in names)
        elif isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES.get(ast.unparse(node.value), set()):
            yield ast.unparse(node)


def test_workers_are_loaded_only_where_a_system_can_fork() -> None:
    (path,) = (path for path in SOURCES if "tefuda.cli.workers" in path.read_text("utf-8"))
    text = path.read_text("utf-8")
    assert text.index('if not hasattr(os, "fork"):') < text.index("    from tefuda.cli.workers import")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(TOP / "src")))
def test_a_source_asks_before_it_uses_what_a_system_may_lack(path: Path) -> None:
    assert list(faults(path.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import fcntl", ["fcntl"]),
        ("def f():\n    from pwd import getpwnam", ["pwd"]),
        ("import signal\nsignal.signal(signal.SIGHUP, f)", ["signal.SIGHUP"]),
        ("from os import getuid", ["os.getuid"]),
        ("try:\n    import readline\nexcept ImportError:\n    readline = None", []),
        ("import sys\nif sys.platform != 'win32':\n    import resource", []),
        ("import signal\nsignal.signal(signal.SIGINT, f)", []),
    ],
)
def test_what_would_fail_is_found(text: str, found: list[str]) -> None:
    assert list(faults(text)) == found


@pytest.mark.slow
def test_files_are_read_and_written_as_utf_8_whatever_the_system_prefers(tmp_path: Path) -> None:
    """Python warns where an encoding is left to the system; ruff (PLW1514) reads the sources for the same."""
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "NUMBA_DISABLE_JIT": "1", "LC_ALL": "C"}
    options = ["-X", "warn_default_encoding", "-W", "error::EncodingWarning:tefuda"]
    for words in (["games"], ["rules", "kakkuri", "--lang", "ja"], ["deck", "luk-fu"]):
        command = [sys.executable, *options, "-m", "tefuda", *words]
        done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
