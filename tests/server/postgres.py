"""A private PostgreSQL for tests: a cluster in a temporary folder, reached through a socket file."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MISSING = "PostgreSQL left out: it needs the program (apt-get install postgresql) and the extra postgres"


def programs() -> Path | None:
    """The folder of ``initdb`` and ``pg_ctl``."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    found = str(debian[-1]) if debian else shutil.which("initdb")
    return Path(found).resolve().parent if found else None


class Cluster:
    """A PostgreSQL server of our own.

    Attributes:
        url: of its database.
    """

    def __init__(self, folder: Path) -> None:
        place = programs()
        assert place is not None
        self.folder, self._programs = folder, place
        # PostgreSQL refuses to run as root.
        self._user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        if os.geteuid() == 0:
            shutil.chown(folder, self._user)
        self.url = f"postgresql://{self._user}@/postgres?host={folder}"
        self._run("initdb", "-D", str(folder / "data"), "--auth", "trust", "--no-sync", "--no-instructions")

    def start(self) -> None:
        settings = f"-k {self.folder} -c listen_addresses='' -c max_connections=100"
        self._run(
            "pg_ctl", "-D", str(self.folder / "data"), "-l", str(self.folder / "log"), "-w", "-o", settings, "start"
        )

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", self._user, "--", *command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder)


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A running server, gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="tefuda-pg-", dir="/tmp"))  # the path of a socket file must be short
    folder.chmod(0o755)
    server = Cluster(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
