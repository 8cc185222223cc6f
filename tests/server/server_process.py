"""Real servers for tests: ``tefuda serve`` in a process of its own."""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ENVIRONMENT = {**os.environ, "COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": ""}
"""Servers start as they do for their users, from compiled modules."""


class Served:
    """A server process.

    Attributes:
        url, port: where it listens.
        db: the address of its database.
        log: the file that it writes its log to.
    """

    def __init__(
        self,
        db: str,
        log: Path,
        *options: str,
        port: int = 0,
        module: str = "tefuda",
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.port = port or free_port()
        command = [
            sys.executable,
            "-m",
            module,
            "serve",
            "--db",
            db,
            "--port",
            str(self.port),
            "--pace",
            "0",
            "--rate",
            "0",
        ]
        self.db, self.log, self._log = db, log, log.open("ab")
        began = self._log.tell()
        self.process = subprocess.Popen(
            [*command, *options], stderr=self._log, env={**ENVIRONMENT, **(environment or {})}
        )
        until = time.monotonic() + 180
        while True:
            with log.open("rb") as lines:
                lines.seek(began)
                found = re.search(r"serves at (https?://[^/ ]+)", lines.read().decode())
            if found:
                self.url = f"http://127.0.0.1:{self.port}" if "--origin" in options else found[1]
                if self.answers():
                    return
            if self.process.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"the server does not start: {log.read_text(encoding='utf-8')}")
            time.sleep(0.02)

    def answers(self) -> bool:
        try:
            with urlopen(f"{self.url}/readyz", timeout=1):
                return True
        except (URLError, OSError):
            return False

    def memory(self) -> float:
        """MiB that the process has in memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024

    def end(self, number: int = signal.SIGTERM) -> int:
        """Stop the process, if it still runs; its exit status."""
        self.process.send_signal(number)
        status = self.process.wait(30)
        self._log.close()
        return status


def ports() -> Iterator[int]:
    """Ports that no other worker of these tests takes, and no system gives to a connection: those begin at 32,768."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    own = list(range(20_000 + worker % 16, 32_000, 16))
    random.SystemRandom().shuffle(own)
    return cycle(own)


PORTS = ports()


def free_port() -> int:
    """A port for a server that has to know beforehand where people find it."""
    while True:
        port = next(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("", port))
            return port


@contextmanager
def serving(
    db: str,
    log: Path,
    *options: str,
    port: int = 0,
    module: str = "tefuda",
    environment: Mapping[str, str] | None = None,
) -> Iterator[Served]:
    """A server, stopped afterwards."""
    server = Served(db, log, *options, port=port, module=module, environment=environment)
    try:
        yield server
    finally:
        server.end()


@contextmanager
def serving_passkeys(folder: Path) -> Iterator[Served]:
    """A server of Gong Zhu where browsers at ``localhost`` may add passkeys and sign in."""
    port = free_port()
    options = ("--game", "gong-zhu", "--passkeys", "--origin", f"http://localhost:{port}")
    with serving(f"sqlite:///{folder / 'tables.db'}", folder / "log", *options, port=port) as found:
        yield found
