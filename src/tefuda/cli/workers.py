"""``tefuda serve --workers``: processes forked from one that has loaded the rules, which keeps them alive.

They listen at one socket and share the memory of what was loaded. Another is put in the place of one that ends, or that
gives no sign of life for ``HUNG_AFTER`` seconds. SIGHUP replaces all of them."""

import gc
import multiprocessing
import signal
import time
from collections.abc import Callable
from logging import getLogger
from multiprocessing.connection import wait

from tefuda.engine.errors import TefudaError

HUNG_AFTER = 6.0
"""Seconds without a sign of life after which a worker is killed: it may hold the lock of an SQLite file."""

LOOK_EVERY = 0.25  # seconds between looks at the workers
START_AGAIN = 1.0  # seconds from one start of a worker to the next in its place, if it ends at once

Beat = Callable[[], None]  # a worker's sign of life

Serve = Callable[[int, Beat], None]
"""Serves as the worker of this number until told to stop; calls the second argument every second."""

log = getLogger("tefuda.server")

_fork = multiprocessing.get_context("fork")


class ServerWorker:
    """One process; ``slot`` is its number, which the one in its place gets too."""

    def __init__(self, slot: int, serve: Serve) -> None:
        self.slot, self.began = slot, time.monotonic()
        self._beat = _fork.RawValue("d", 0.0)
        self.process = _fork.Process(target=self._run, args=(serve,), name=f"worker {slot}")
        self.process.start()

    @property
    def serves(self) -> bool:
        """True as soon as it has given a sign of life."""
        return bool(self._beat.value)

    @property
    def hangs(self) -> bool:
        """True if it has given none for too long."""
        return self.serves and time.monotonic() - self._beat.value > HUNG_AFTER

    def _run(self, serve: Serve) -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        serve(self.slot, self._give_sign)

    def _give_sign(self) -> None:
        self._beat.value = time.monotonic()


class Workers:
    """So many processes of a server; ``ready`` is called as soon as all serve, each has ``stop_within`` s to stop."""

    def __init__(self, count: int, serve: Serve, ready: Callable[[], None], stop_within: float) -> None:
        self._count, self._serve, self._ready, self._stop_within = count, serve, ready, stop_within
        self._workers: dict[int, ServerWorker] = {}  # by their numbers
        self._old: list[ServerWorker] = []  # that serve until those in their places do
        self._is_ready = self._is_stopping = self._is_to_replace = False

    def run(self) -> None:
        """Keep the processes alive until told to stop; TefudaError if one of the first ends before it serves."""
        gc.collect()
        gc.freeze()  # what is loaded by now is shared: collections would write to it
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: setattr(self, "_is_stopping", True))
        signal.signal(signal.SIGHUP, lambda *_: setattr(self, "_is_to_replace", True))
        self._workers = {slot: ServerWorker(slot, self._serve) for slot in range(self._count)}
        try:
            while not self._is_stopping:
                wait([worker.process.sentinel for worker in self._all()], LOOK_EVERY)
                if not self._is_stopping:  # Ctrl-C ends the workers too
                    self._look()
        finally:
            self._stop()

    def _all(self) -> list[ServerWorker]:
        return [*self._workers.values(), *self._old]

    def _look(self) -> None:
        if self._is_to_replace:
            self._is_to_replace = False
            self._old += self._workers.values()
            self._workers = {slot: ServerWorker(slot, self._serve) for slot in self._workers}
        for worker in self._all():
            if worker.hangs:
                log.warning("a worker hangs, and is killed")
                worker.process.kill()
        for slot, worker in self._workers.items():
            if not worker.process.is_alive():
                self._put_another(slot, worker)
        for old in [old for old in self._old if self._workers[old.slot].serves]:
            old.process.terminate()
        self._old = [old for old in self._old if old.process.is_alive()]
        if not self._is_ready and all(worker.serves for worker in self._workers.values()):
            self._is_ready = True
            self._ready()

    def _put_another(self, slot: int, ended: ServerWorker) -> None:
        """Put another worker in the place of one that has ended."""
        if not self._is_ready:
            raise TefudaError(f"--workers: a process has ended before it served (status {ended.process.exitcode})")
        log.warning("a worker has ended: another takes its place")
        if time.monotonic() - ended.began < START_AGAIN:
            time.sleep(START_AGAIN)
        self._workers[slot] = ServerWorker(slot, self._serve)

    def _stop(self) -> None:
        until = time.monotonic() + self._stop_within
        for worker in self._all():
            worker.process.terminate()
        for worker in self._all():
            worker.process.join(max(0.0, until - time.monotonic()))
            worker.process.kill()
            worker.process.join()
