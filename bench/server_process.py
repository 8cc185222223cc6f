"""A server in a process of its own, and what it uses of the machine."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serving(*options: str, db: str | None = None) -> Iterator[tuple[str, int]]:
    """``tefuda serve`` with these options, on a fresh SQLite file where no database is named; its address and process.

    Its modules are compiled, as those of an installed program are."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tefuda", "serve", "--port", "0", "--no-browser", *options]
        command += ["--db", db or f"sqlite:///{folder}/tables.db"]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
            assert server.stderr is not None
            found = re.search(r"http://[^/ ]+", server.stderr.readline())
            assert found is not None
            try:
                yield found[0], server.pid
            finally:
                server.terminate()


def memory(process: int) -> float:
    """MiB that a process has in memory."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text(encoding="utf-8"))
    return int(found[1]) / 1024 if found else 0.0


def cpu_seconds(process: int) -> float:
    """What a process has used of the cores."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def family(process: int) -> list[int]:
    """The workers of a server that has some; else the server itself."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    return [int(child) for child in children] or [process]


def shared_memory(processes: Iterable[int]) -> float:
    """MiB that processes have in memory together, with what they share counted once (PSS)."""
    total = 0
    for process in processes:
        found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8"), re.M)
        total += int(found[1]) if found else 0
    return total / 1024
