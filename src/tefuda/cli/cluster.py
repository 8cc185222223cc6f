"""The option ``--ray``: what every command that plays on a Ray cluster has in common."""

from typing import TYPE_CHECKING, Annotated

import typer

from tefuda.engine.errors import TefudaError

if TYPE_CHECKING:
    from rich.console import Console

    from tefuda.lab.jobs import LabJob
    from tefuda.lab.ray_cluster import RayCluster

RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray",
        help="Play on a Ray cluster: auto, HOST:6379 or ray://HOST:10001; local for one started here.",
        metavar="ADDRESS",
    ),
]


def check_count(ray: str | None, option: str, count: int | None) -> None:
    """Check that an option that says how many games are played at a time fits ``--ray``.

    Raises:
        TefudaError: it does not: only a cluster started here takes a number.
    """
    if ray not in (None, "local") and count is not None:
        raise TefudaError(f"{option} {count}: with --ray {ray} the cluster's cores decide how many play")


def connect(job: "LabJob", address: str, processes: int | None, console: "Console") -> "RayCluster":
    """The Ray cluster at an address, for a job; to find it, or to start one, can take half a minute.

    Args:
        job: what will be played.
        address: as ``--ray`` gives it.
        processes: of a cluster started here; None for as many as there are cores.
        console: where waiting is shown.

    Raises:
        TefudaError: Ray is not installed; the address is malformed; nothing answers there.
    """
    from tefuda.cli.long_command import announce
    from tefuda.lab.ray_cluster import RayCluster

    def say(line: str) -> None:
        console.print(line, style=None, markup=False)

    announce(console, f"Looks for the Ray cluster {address}, or starts it; that can take half a minute.")
    with console.status(f"Ray: {address}"):
        return RayCluster(job, address, processes, say)
