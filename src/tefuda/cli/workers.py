"""``tefuda serve --workers``: processes forked from one that has loaded the rules, kept alive by gunicorn's arbiter.

They listen at one socket and share the memory of what was loaded. The arbiter puts another in the place of one that
dies, and kills one that does not move for ``HUNG_AFTER`` seconds. SIGHUP replaces all of them.
"""

import gc
import logging
import os
import secrets
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker

from tefuda.cli.server_process import STOP_WITHIN, Family

HUNG_AFTER = 6
"""Seconds without a sign of life after which a worker is killed: it may hold the lock of an SQLite file."""

Serve = Callable[[socket.socket, Family, Callable[[], bool]], None]
"""Serves at a socket as one of a family until stopped; the last argument is called ten times a second, and tells to
stop."""


class ServerLog(Logger):  # type: ignore[misc]
    """gunicorn's log, as lines of the server's own (``json_logs``)."""

    def setup(self, cfg: object) -> None:
        """Leave the handlers as they are."""
        self.error_log = logging.getLogger("gunicorn.error")
        self.access_log = logging.getLogger("gunicorn.access")

    def reopen_files(self) -> None:
        """There are none."""


class TableWorker(Worker):  # type: ignore[misc]
    """One of the processes.

    Attributes:
        name: of the process in the family.
    """

    app: "Workers"

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.name = secrets.token_hex(4)

    def init_signals(self) -> None:
        """Leave signals to the event loop."""
        for number in self.SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        signal.signal(signal.SIGWINCH, signal.SIG_IGN)
        signal.signal(signal.SIGQUIT, _end_in_peace)

    def run(self) -> None:
        """Serve until stopped, or until the arbiter is gone."""
        self.app.serve(self.sockets[0].sock, self.family, self._tick)

    @property
    def family(self) -> Family:
        """This process among the others."""
        return Family(self.app.folder, self.name, tuple(self.app.ended))

    def _tick(self) -> bool:
        self.notify()
        return bool(os.getppid() != self.ppid)


def _end_in_peace(_number: int, _frame: FrameType | None) -> None:
    os.kill(os.getpid(), signal.SIGTERM)


class RollingArbiter(Arbiter):  # type: ignore[misc]
    """gunicorn's, which stops old workers only when as many new ones serve: who is sent away has somewhere to go."""

    WORKERS: dict[int, TableWorker]

    def manage_workers(self) -> None:
        """Start workers that are missing, or stop the oldest; called every second."""
        newest = sorted(self.WORKERS.values(), key=lambda worker: worker.age)[-self.num_workers :]
        if len(self.WORKERS) <= self.num_workers or all(worker.family.sign.exists() for worker in newest):
            super().manage_workers()


class Workers(BaseApplication):  # type: ignore[misc]
    """The arbiter's application.

    Args:
        count: of the processes.
        listening: the number of the file of a bound socket, which is the arbiter's from now on.
        serve: what each of them does.
        ready: called when all is ready.

    Attributes:
        folder: of the family.
        ended: names of processes that have ended.
    """

    def __init__(self, count: int, listening: int, serve: Serve, ready: Callable[[], None]) -> None:
        self._count, self._listening, self.serve, self._ready = count, listening, serve, ready
        self.folder = Path(tempfile.mkdtemp(prefix="tefuda-"))
        self.ended: list[str] = []
        super().__init__()

    def load_config(self) -> None:
        """Set what differs from gunicorn's defaults."""
        for name, value in {
            "bind": [f"fd://{self._listening}"],
            "workers": self._count,
            "worker_class": TableWorker,
            "logger_class": ServerLog,
            "timeout": HUNG_AFTER,
            "graceful_timeout": STOP_WITHIN + 3,
            "control_socket_disable": True,
            "child_exit": self._child_exit,
            "when_ready": lambda _: self._ready(),
            "worker_tmp_dir": str(self.folder),
        }.items():
            self.cfg.set(name, value)

    def load(self) -> object:
        """There is no WSGI application: workers serve by themselves."""
        return self.serve

    def run(self) -> None:
        """Keep the processes alive until told to stop."""
        gc.collect()
        gc.freeze()  # what is loaded by now is shared: collections would write to it
        arbiter = os.getpid()
        try:
            RollingArbiter(self).run()
        finally:
            if os.getpid() == arbiter:
                shutil.rmtree(self.folder, ignore_errors=True)

    def _child_exit(self, _arbiter: Arbiter, worker: TableWorker) -> None:
        self.ended = [*self.ended[-100:], worker.name]
        worker.family.sign.unlink(missing_ok=True)
