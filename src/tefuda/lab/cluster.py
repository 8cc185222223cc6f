"""Playing the blocks of an experiment on a Ray cluster.

Each block is a task. A task whose process or node dies is begun again at another; only a block that has come back is
written down, by whoever asked for it, so none is lost and none counts twice.
"""

import json
import logging
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from filelock import FileLock

from tefuda.engine import cache, compilation
from tefuda.engine.errors import TefudaError
from tefuda.lab.experiment import Experiment, experiment
from tefuda.lab.working import Block, Worker

LIVES = 20
"""How often a block is begun again whose process has died; where so many have died of it, it is the block's fault."""

LOCAL = {"worker_niceness": 0, "worker_register_timeout_seconds": 300}
"""Ray gives what it starts the least of a processor, and gives up on it after a minute: too little where it is busy."""

SLOW = 60.0
"""Seconds without any process of the cluster at work after which that is said."""

PATIENCE = 10.0
"""Seconds in which a machine answers that there is one."""


class Cluster:
    """A place: a Ray cluster.

    Args:
        given: the experiment.
        address: ``local``, one that is started here and ends with the context; ``auto``, the one that this machine
            belongs to; ``HOST:6379``, one that it belongs to by name; ``ray://HOST:10001``, one elsewhere.
        processes: of a local one, as many as there are cores if it is None.
        say: is told in a line what else is worth knowing.

    Raises:
        TefudaError: Ray is not installed; the address is written in another way; nothing answers there.
    """

    def __init__(
        self,
        given: Experiment,
        address: str,
        processes: int | None = None,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        if find_spec("ray") is None:
            raise TefudaError("--ray needs Ray: uv run --extra lab --extra ray tefuda lab run …")
        if address == "auto":
            address = _own_cluster()
        if address != "local":
            _see_that_it_answers(address)
            os.environ.setdefault("RAY_NUM_REDIS_GET_RETRIES", "1")  # else what is no cluster is asked for ten minutes
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"  # else, below `uv run`, it sends a project without extras
        import ray

        logging.getLogger("ray").setLevel(logging.ERROR)
        self._ray, self._address = ray, address
        local = {"num_cpus": processes, "include_dashboard": False, "_system_config": LOCAL}
        try:
            ray.init(address, log_to_driver=False, logging_level="ERROR", **(local if address == "local" else {}))
        except Exception as error:  # Ray's own are of many kinds
            raise TefudaError(f"--ray {address}: {_line(error)}") from error
        self._task = ray.remote(num_cpus=1, max_retries=LIVES)(_play)
        self._given = given.name, json.dumps(given.as_file()), sources()
        self._say, self._first = say, ray.remote(num_cpus=1, max_retries=LIVES)(_nothing).remote()

    @property
    def processes(self) -> int:
        return int(self._ray.cluster_resources().get("CPU", 0))

    def begin(self, numbers: range) -> Any:
        return self._task.remote(*self._given, numbers)

    def end(self, begun: Any) -> Block:
        """Wait for a block.

        Raises:
            TefudaError: it cannot be played there.
        """
        if self._first is not None:
            self._wait_for_a_process(begun)
        try:
            block: Block = self._ray.get(begun)
            return block
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, TefudaError):
                raise TefudaError(f"--ray {self._address}: {error.cause}") from error
            raise
        except self._ray.exceptions.RayError as error:
            raise TefudaError(f"--ray {self._address}: {_line(error)}; the same command goes on") from error

    def _wait_for_a_process(self, begun: Any) -> None:
        """Say once if for long no process of the cluster has begun anything: Ray itself waits without a word."""
        if not self._ray.wait([self._first, begun], timeout=SLOW)[0]:
            logs = _own_folder() / "session_latest" / "logs"
            self._say(
                f"--ray {self._address}: for {SLOW:.0f} seconds no process of the cluster has begun to play. "
                f"Either all are busy, or none can start: then Ray writes why on the node, in {logs / 'raylet.err'}. "
                "Going on waiting."
            )
        self._first = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ray.shutdown()  # which ends its tasks


def _own_folder() -> Path:
    """Where Ray keeps what it knows of this machine, and its logs."""
    return Path(os.environ.get("RAY_TMPDIR", "/tmp"), "ray")  # noqa: S108 - Ray's own


def _own_cluster() -> str:
    """The address of the cluster that this machine belongs to, where Ray keeps it."""
    kept = _own_folder() / "ray_current_cluster"
    address = os.environ.get("RAY_ADDRESS") or (kept.read_text("utf-8").strip() if kept.is_file() else "")
    if not address:
        raise TefudaError(
            "--ray auto: this machine belongs to no Ray cluster; start one (ray start), or use --ray local"
        )
    return address


def _see_that_it_answers(address: str) -> None:
    """Ask at an address, since Ray itself waits for minutes."""
    try:
        parts = urlsplit(address if address.startswith("ray://") else f"ray://{address}")
        where = parts.hostname, parts.port
    except ValueError:
        where = None, None
    host, port = where
    if not host or not port or parts.path:
        raise TefudaError(f"--ray {address}: write auto, local, HOST:6379 or ray://HOST:10001")
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except OSError as error:
        raise TefudaError(f"--ray {address}: nothing answers there: {error.strerror or error}") from error


def _line(error: Exception) -> str:
    """Of the many that Ray says, the first line; where that announces a traceback, its last one."""
    first, *others = [*filter(None, map(str.strip, str(error).splitlines())), type(error).__name__]
    return others[-2] if "Traceback" in first and len(others) > 1 else first


def sources() -> str:
    """What a process must have in common with whoever asks it to play: this package, its sources, and Python."""
    return f"{version('tefuda')} {cache.key()}"


def _nothing() -> None:
    """The first task: that it was done says that the cluster's processes start."""


def _play(name: str, plain: str, asked: str, numbers: range) -> Block:
    """A block, in a process of the cluster.

    Raises:
        TefudaError: another Tefuda, or another Python, is installed there.
    """
    if asked != sources():
        raise TefudaError(f"{socket.gethostname()} has another Tefuda or Python; every node needs the same")
    return _worker(name, plain).play(numbers)


@lru_cache(1)
def _worker(name: str, plain: str) -> Worker:
    """Of this process, for all blocks of an experiment."""
    given = experiment(name, json.loads(plain))
    with suppress(OSError):  # where nothing can be kept, every process compiles for itself
        _compile_once(given)
    return Worker(given)


def _compile_once(given: Experiment) -> None:
    """Compile what is missing on this machine: whoever comes first plays a deal, the others wait for that."""
    what = f"lab-{given.digest()}"
    if compilation.is_warm(given.description, what):
        return
    cache.folder().mkdir(parents=True, exist_ok=True)
    with FileLock(cache.folder() / "lab.lock"):
        if not compilation.is_warm(given.description, what):
            Worker(given).play(range(1))
            compilation.mark(given.description, what)
