"""Jobs: what is played in pieces, in this process, in others of this machine or on a Ray cluster, with one result.

A job is sent to other processes, so it can be pickled; each process makes of it what plays. The pool has processes, not
threads: score sheets and bots that people write are plain Python, which runs in one thread at a time.

On a cluster each piece is a task, which Ray starts again elsewhere if its process or node dies. Only the process that
submitted the pieces writes down what they brought, once they have come back: none is lost and none counts twice."""

import hashlib
import logging
import multiprocessing
import multiprocessing.synchronize
import os
import pickle
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import lru_cache, partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from filelock import FileLock

from tefuda.engine import cache
from tefuda.engine.errors import MissingPackageError, TefudaError

AHEAD = 3  #: pieces handed out for each process, so that none waits until another is written down

Stop = threading.Event | multiprocessing.synchronize.Event  #: an event, of this process or of several

Piece = TypeVar("Piece", contravariant=True)
Result = TypeVar("Result", covariant=True)


class LabJob(Protocol[Piece, Result]):
    """A match, dataset or experiment as other processes get it."""

    @property
    def words(self) -> str:
        """Short description: jobs with the same words need the same compiled code."""

    def compile(self) -> None:
        """Compile what the pieces need; called once on each machine, before any of them is played there."""

    def player(self, stop: Stop) -> Callable[[Piece], Result]:
        """Make the function that plays a piece, once in each process; InterruptedError soon after ``stop`` is set."""


class Backend(AbstractContextManager["Backend"], Protocol):
    """Plays pieces of one job, several at a time; whatever was submitted ends with the context."""

    @property
    def processes(self) -> int:
        """Number of pieces that are played at a time, at this moment."""

    def submit(self, piece: object) -> Callable[[], Any]:
        """Have a piece played; the answer waits for the result."""


def played(job: LabJob[Piece, Result], pieces: Iterable[Piece], backend: Backend | None) -> Iterator[Result]:
    """Results of the pieces of a job, in their order; its backend, entered, plays a few of them ahead. None plays in
    this process, each piece when it is asked for."""
    if backend is None:
        yield from map(job.player(threading.Event()), pieces)
        return
    waiting: deque[Callable[[], Result]] = deque()
    for piece in pieces:
        waiting.append(backend.submit(piece))
        if len(waiting) >= AHEAD * max(1, backend.processes):
            yield waiting.popleft()()
    while waiting:
        yield waiting.popleft()()


class ProcessPool(AbstractContextManager["ProcessPool"]):
    """A backend: so many processes of this machine, started when they are needed."""

    def __init__(self, job: LabJob[Any, Any], processes: int) -> None:
        self.processes = processes
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(processes, context, _start_process, (job, self._stop))

    def submit(self, piece: object) -> Callable[[], object]:
        with _ctrl_c_held():
            return self._pool.submit(_play_in_pool, piece).result

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


_pool_player: Callable[[object], object]  # the player of a process of the pool


@contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Keep Ctrl-C from processes until they ignore it: it would end them in a traceback, as it does on Windows."""
    if posix := hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if posix:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _start_process(job: LabJob[Any, Any], stop: Stop) -> None:
    """Prepare a process of the pool: it leaves Ctrl-C to the process that started it, and ends when that ends."""
    global _pool_player
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
    _pool_player = job.player(stop)


def _play_in_pool(piece: object) -> object:
    return _pool_player(piece)


# On a Ray cluster


MOST_RETRIES = 20  #: restarts of a piece whose process died; where so many died, the piece is to blame
LABORATORY = Path(__file__).parent  #: sources that decide what a piece brings, beside those of ``engine.cache.key``

_LOCAL = {"worker_niceness": 0, "worker_register_timeout_seconds": 300}
"""By default Ray starts its processes at the lowest priority and gives up on them after a minute: too soon where the
processor is busy."""

SLOW_START = 60.0  #: seconds after which a message says that no process of the cluster has begun to play
CONNECT_WITHIN = 10.0  #: seconds within which a machine must answer


class RayCluster(AbstractContextManager["RayCluster"]):
    """A backend: a Ray cluster; TefudaError if Ray is not installed, the address malformed, or nothing answers there.

    Args:
        address: ``local`` starts a cluster here, which ends with the context; ``auto`` is the cluster that this machine
            belongs to; ``HOST:6379`` the same by name; ``ray://HOST:10001`` a cluster elsewhere.
        processes: of a local cluster; None for as many as there are cores.
        say: called with a line that the user should read.
    """

    def __init__(
        self,
        job: LabJob[Any, Any],
        address: str,
        processes: int | None = None,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        if find_spec("ray") is None:
            raise MissingPackageError("--ray", "Ray", "lab", "ray")
        if address == "auto":
            address = _own_cluster()
        if address != "local":
            _check_connection(address)
            # Else Ray asks for ten minutes where there is no cluster.
            os.environ.setdefault("RAY_NUM_REDIS_GET_RETRIES", "1")
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"  # else, below `uv run`, it sends a project without extras
        import ray

        logging.getLogger("ray").setLevel(logging.ERROR)
        self._ray, self._address = ray, address
        local = {"num_cpus": processes, "include_dashboard": False, "_system_config": _LOCAL}
        try:
            ray.init(address, log_to_driver=False, logging_level="ERROR", **(local if address == "local" else {}))
        except Exception as error:  # Ray raises many kinds
            raise self._error(_first_line(error)) from error
        remote = ray.remote(num_cpus=1, max_retries=MOST_RETRIES)
        self._task, self._job, self._sources = remote(_play), pickle.dumps(job), sources()
        self._say, self._first = say, remote(_do_nothing).remote()

    def _error(self, text: str) -> TefudaError:
        return TefudaError(f"--ray {self._address}: {text}")

    @property
    def processes(self) -> int:
        return int(self._ray.cluster_resources().get("CPU", 0))

    def submit(self, piece: object) -> Callable[[], object]:
        return partial(self.result, self._task.remote(self._job, self._sources, piece))

    def result(self, submitted: object) -> object:
        """Wait for what a piece brought; TefudaError if the cluster cannot play it."""
        if self._first is not None:
            self._wait_for_a_process(submitted)
        try:
            found: object = self._ray.get(submitted)
            return found
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, TefudaError):
                raise self._error(str(error.cause)) from error
            if "failed to import" in str(error.cause):
                reason, needs = str(error).strip().splitlines()[-1], "the same Tefuda, with the extras lab and ray"
                raise self._error(f"a node cannot run Tefuda ({reason}); every node needs {needs}") from error
            raise
        except self._ray.exceptions.RayError as error:
            raise self._error(f"{_first_line(error)}; the same command goes on") from error

    def _wait_for_a_process(self, submitted: object) -> None:
        """Say so, once, if no process of the cluster starts for long: Ray itself waits in silence."""
        if not self._ray.wait([self._first, submitted], timeout=SLOW_START)[0]:
            logs = _ray_folder() / "session_latest" / "logs"
            self._say(
                f"--ray {self._address}: for {SLOW_START:.0f} seconds no process of the cluster has begun to play. "
                f"Either all are busy, or none can start: then Ray writes why on the node, in {logs / 'raylet.err'}. "
                "Going on waiting."
            )
        self._first = None

    def __exit__(self, *_: object) -> None:
        self._ray.shutdown()  # which ends its tasks


def _ray_folder() -> Path:
    """The folder in which Ray keeps its logs, and the address of this machine's cluster."""
    return Path(os.environ.get("RAY_TMPDIR", "/tmp"), "ray")  # noqa: S108 - Ray's own


def _own_cluster() -> str:
    """The address of the cluster that this machine belongs to."""
    kept = _ray_folder() / "ray_current_cluster"
    address = os.environ.get("RAY_ADDRESS") or (kept.read_text("utf-8").strip() if kept.is_file() else "")
    if address:
        return address
    raise TefudaError("--ray auto: this machine belongs to no Ray cluster; start one (ray start), or use --ray local")


def _check_connection(address: str) -> None:
    """Check that something answers at an address, since Ray itself waits for minutes."""
    try:
        parts = urlsplit(address if address.startswith("ray://") else f"ray://{address}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port or parts.path:
        raise TefudaError(f"--ray {address}: write auto, local, HOST:6379 or ray://HOST:10001")
    try:
        socket.create_connection((host, port), CONNECT_WITHIN).close()
    except OSError as error:
        raise TefudaError(f"--ray {address}: nothing answers there: {error.strerror or error}") from error


def _first_line(error: Exception) -> str:
    """The first line of an error of Ray's; where that announces a traceback, the last line."""
    first, *others = [*filter(None, map(str.strip, str(error).splitlines())), type(error).__name__]
    return others[-2] if "Traceback" in first and len(others) > 1 else first


@lru_cache(1)
def sources() -> str:
    """All that the processes of a run must have in common: this package, its sources, Polars, which writes, Python."""
    digest = hashlib.sha256()
    for path in sorted(LABORATORY.rglob("*.py")):
        digest.update(path.read_bytes())
    polars = version("polars") if find_spec("polars") else "none"
    return f"{version('tefuda')} {cache.key()} {digest.hexdigest()[:16]} polars {polars}"


# Functions that run in the cluster's processes


def _do_nothing() -> None:
    """The first task: once it is done, the cluster's processes start."""


def _play(job: bytes, asked: str, piece: object) -> object:
    """Play a piece of a job; TefudaError if another Tefuda, or another Python, is installed there."""
    if asked != sources():
        raise TefudaError(f"{socket.gethostname()} has another Tefuda or Python; every node needs the same")
    return _player(job)(piece)


@lru_cache(1)
def _player(job: bytes) -> Callable[[object], object]:
    """The player of this process, for all pieces of a job."""
    made: LabJob[Any, Any] = pickle.loads(job)  # noqa: S301 - of the process that asked, which may run any code here
    with suppress(OSError):  # where nothing can be kept, every process compiles for itself
        _compile_once(made)
    return made.player(threading.Event())


def _compile_once(job: LabJob[Any, Any]) -> None:
    """Compile what is missing on this machine: the first process does, the others wait for it."""
    marker = cache.folder() / f"lab.{hashlib.sha256(job.words.encode()).hexdigest()[:12]}.compiled"
    marker.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(cache.folder() / "lab.lock"):
        if not marker.exists():
            job.compile()
            marker.touch()
