"""Play on a Ray cluster: the bytes of the same without one, though processes and nodes are killed meanwhile."""

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import Rng
from tefuda.table.view import View

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")


from tefuda.lab import jobs as cluster
from tefuda.lab.experiment_file import parse, read
from tefuda.lab.jobs import RayCluster
from tefuda.lab.runs import ExperimentJob, Run
from tests.cli.command import heed_interrupts
from tests.server.server_process import free_port

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is left out: uv sync --extra lab --extra ray")

PATIENCE = 600
"""Seconds until something that does not happen is a failure."""

ENVIRONMENT = {
    **os.environ,
    "NO_COLOR": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
    "RAY_worker_niceness": "0",
    "TEFUDA_TEST_HURRY": str(Path(tempfile.gettempdir(), f"tefuda-hurry-{secrets.token_hex(8)}")),
}
"""What the commands below run with: Ray's processes know each other by a token, which is not to lie in anybody's home,
its players do not wait for whatever else this machine does, and ``Slow`` is slow until a file is there."""

PAUSE = 0.04
"""Seconds a decision of ``Slow``: minutes a run, so that none ends while its processes still start."""


class Slow:
    """The first legal action, after a pause in the commands that the tests start until these need no longer last."""

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        hurry = os.environ.get("TEFUDA_TEST_HURRY")
        if hurry and not Path(hurry).exists():
            time.sleep(PAUSE)
        return legal[0]


@pytest.fixture
def hurry() -> Iterator[Path]:
    """The file that ends the pauses: a test makes it as soon as it has done what it does to a run."""
    made = Path(ENVIRONMENT["TEFUDA_TEST_HURRY"])
    yield made
    made.unlink(missing_ok=True)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An experiment that is played deal by deal in Python."""
    found = tmp_path / "why.toml"
    found.write_text(
        'question = "Why?"\ngame = "gong-zhu"\nbots = ["tests.lab.test_cluster:Slow", "hints"]\ndeals = 80\n'
        'measures = ["outcome"]\n[[arms]]\nname = "a"\n[[arms]]\nname = "b"\noptions = { exposing = false }\n',
        "utf-8",
    )
    return found


def asked() -> ExperimentJob:
    return ExperimentJob(parse("why", {"question": "Why?", "game": "gong-zhu", "deals": 4}))


def tefuda(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tefuda", *words]
    return subprocess.Popen(
        command,
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        preexec_fn=heed_interrupts,
    )


def run(file: Path, out: Path, *words: str) -> subprocess.Popen[str]:
    return tefuda("lab", "run", str(file), "-o", str(out), *words)


def kept(out: Path) -> int:
    """Blocks on disk."""
    return len(list(out.glob("parts/*.deals.parquet")))


def wait(process: subprocess.Popen[str], until: Callable[[], object]) -> None:
    """Wait for something to happen while a process goes on."""
    end = time.monotonic() + PATIENCE
    while not until():
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < end, [cmdline(each) for each in below(process.pid)]
        time.sleep(0.05)


def below(pid: int) -> Iterator[int]:
    """All processes that a process has started, and those that they have started."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            yield child
            yield from below(child)


def players(pid: int) -> list[int]:
    """The processes that play a block at this moment."""
    return [each for each in below(pid) if Path(f"/proc/{each}/cmdline").read_bytes().startswith(b"ray::_play")]


def same_as_here(file: Path, out: Path) -> bool:
    here = Run(out.with_name("here"), read(file))
    here.play(processes=1)
    return (out / "results.parquet").read_bytes() == here.results.read_bytes()


@needs_ray
@pytest.mark.deep
def test_killed_workers_lose_nothing_and_ctrl_c_neither(file: Path, tmp_path: Path, hurry: Path) -> None:
    out = tmp_path / "out"
    process = run(file, out, "--ray", "local", "--processes", "2")
    for blocks in (2, 5):
        wait(process, lambda blocks=blocks: kept(out) >= blocks and players(process.pid))  # type: ignore[misc]
        os.kill(players(process.pid)[0], signal.SIGKILL)
    wait(process, lambda: kept(out) >= 8)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said.count("Traceback")) == (130, 0), said
    assert any(line.endswith(f"tefuda lab run {file} --ray local") for line in said.splitlines())
    assert 8 <= kept(out) < 80
    hurry.touch()
    again = run(file, out, "--processes", "2")
    _, said = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, said
    assert same_as_here(file, out)


def start_node(*words: str) -> subprocess.Popen[str]:
    """A node that has started. Ray gives up on one whose helpers take above 15 seconds to start, which happens where
    much else runs; then another one takes its place."""
    few = "--include-log-monitor=false"
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus", "1", few, *words]
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        node = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert node.stdout is not None
        if any("Ray runtime started" in line for line in node.stdout):
            return node
        kill_all(node)
    pytest.fail(f"no node of Ray has started in {PATIENCE} seconds")


class Cluster:
    """Three nodes on this machine, a process each: a head, which is never killed, and two others."""

    def __init__(self) -> None:
        self.address = f"127.0.0.1:{free_port()}"
        port = self.address.rpartition(":")[2]
        head = ["--head", "--node-ip-address", "127.0.0.1", "--port", port]
        self.nodes = [start_node(*head, "--include-dashboard=false", "--no-monitor")]

    def complete(self) -> None:
        """Start the nodes that are missing."""
        while len(self.nodes) < 3:
            self.nodes.append(start_node("--address", self.address, "--node-ip-address", "127.0.0.1"))

    def kill_a_node(self) -> None:
        """Kill the last node and all that it plays."""
        kill_all(self.nodes.pop())


@pytest.fixture(scope="module")
def three_nodes() -> Iterator[Cluster]:
    made = Cluster()
    try:
        made.complete()
        yield made
    finally:
        for node in made.nodes:
            kill_all(node)


SLOW = "tests.lab.test_cluster:Slow"

COMMANDS = {
    "experiment": "lab run FILE -o OUT",
    "match": f"match gong-zhu {SLOW} hints hints random --deals 120 --seed 3 --save OUT",
    "data": f"data make gong-zhu --bot {SLOW} --bot hints --deals 420 --seed 3 --records -o OUT",
}
"""What is played on a cluster, in a folder OUT: with the pauses each goes on for minutes."""


def content(out: Path) -> dict[str, bytes]:
    """What a finished command has kept, but for how long it took, and where its report lies."""
    files = [path for path in out.rglob("*") if path.suffix in (".parquet", ".tfd", ".json", ".jsonl")]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in files if path.name != "times.jsonl"}


def pieces(out: Path) -> int:
    """What of it is on disk: blocks of an experiment, deals of matches, parts of a dataset."""
    lines = sum(path.read_bytes().count(b"\n") - 1 for path in out.rglob("match.jsonl"))
    return lines + len(list(out.rglob("*deals*.parquet")))


@needs_ray
@pytest.mark.deep
@pytest.mark.parametrize("what", COMMANDS)
def test_a_node_that_dies_loses_nothing(
    what: str, three_nodes: Cluster, file: Path, tmp_path: Path, hurry: Path
) -> None:
    def words(out: str) -> list[str]:
        return COMMANDS[what].replace("FILE", str(file)).replace("OUT", str(tmp_path / out)).split()

    three_nodes.complete()
    process = tefuda(*words("there"), "--ray", three_nodes.address)
    last = three_nodes.nodes[-1]
    wait(process, lambda: pieces(tmp_path / "there") >= 2 and players(last.pid))
    three_nodes.kill_a_node()
    hurry.touch()
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    alone = tefuda(*words("here"))
    _, said = alone.communicate(timeout=PATIENCE)
    assert alone.returncode == 0, said
    assert content(tmp_path / "there") == content(tmp_path / "here")
    assert len(content(tmp_path / "here")) > 1


def kill_all(node: subprocess.Popen[str]) -> None:
    """Kill a process and all that it has started, if they still run."""
    for each in [*below(node.pid), node.pid] if node.poll() is None else []:
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
    node.wait()
    if node.stdout is not None:
        node.stdout.close()


def cmdline(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


@pytest.mark.parametrize("address", ["here", "ray://", "ray://host", "host:many", "http://host:1/x"])
def test_an_address_of_another_form_is_named(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: name)
    with pytest.raises(TefudaError, match=f"--ray {address}: write auto, local, HOST:6379 or ray://HOST:10001"):
        RayCluster(asked(), address)


def test_where_nothing_answers_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: name)
    address = f"127.0.0.1:{free_port()}"
    with pytest.raises(TefudaError, match=f"--ray {address}: nothing answers there: Connection refused"):
        RayCluster(asked(), address)


def test_the_cluster_of_this_machine_is_asked_before_it_is_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: name)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    with pytest.raises(TefudaError, match="--ray auto: this machine belongs to no Ray cluster"):
        RayCluster(asked(), "auto")
    address = f"127.0.0.1:{free_port()}"
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "ray_current_cluster").write_text(address, "utf-8")
    with pytest.raises(TefudaError, match=f"--ray {address}: nothing answers there"):
        RayCluster(asked(), "auto")


def test_without_ray_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    with pytest.raises(TefudaError, match=r"--ray needs Ray: uv run --extra lab --extra ray …"):
        RayCluster(asked(), "local")


def cluster_of(said: list[str], works: bool) -> RayCluster:
    """A cluster whose processes start, or not, and whose blocks come in the end."""
    made = object.__new__(RayCluster)
    wait = lambda tasks, timeout: (tasks[:works], tasks[works:])  # noqa: E731
    made._ray = SimpleNamespace(
        wait=wait, get=lambda begun: begun, exceptions=SimpleNamespace(RayTaskError=(), RayError=())
    )
    made._address, made._say, made._first = "here:1", said.append, "first"
    return made


def test_where_no_process_starts_one_line_says_where_ray_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_TMPDIR", "/place")
    said: list[str] = []
    ours = cluster_of(said, works=False)
    blocks: list[object] = [ours.result("block"), ours.result("next")]
    assert blocks == ["block", "next"]
    assert len(said) == 1
    assert said[0].startswith("--ray here:1: for 60 seconds no process of the cluster has begun to play.")
    assert "/place/ray/session_latest/logs/raylet.err" in said[0]
    cluster_of(said, works=True).result("block")
    assert len(said) == 1


def test_a_node_with_other_sources_plays_nothing() -> None:
    with pytest.raises(TefudaError, match="has another Tefuda or Python"):
        cluster._play(b"", "0.0.1 fedcba9876543210", range(1))
