"""Games of packages that are not installed, announced as if they were."""

import os
from pathlib import Path

LEDUC_POKER = Path(__file__).parent.parent / "examples" / "leduc_poker"


def announce(folder: Path, name: str, module: str) -> None:
    """Make a folder that announces a game wherever it is on Python's path.

    Args:
        folder: that there is.
        name: of the game.
        module: where its description is, as ``GAME``.
    """
    about = folder / f"{module.replace('.', '_')}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[tefuda.games]\n{name} = {module}:GAME\n", encoding="utf-8")


def with_leduc_poker(folder: Path) -> dict[str, str]:
    """An environment in which processes know the game of the tutorial.

    Its rules are plain Python there, since compiling them takes longer than playing."""
    announce(folder, "leduc-poker", "leduc_poker")
    return {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": f"{folder}{os.pathsep}{LEDUC_POKER}"}
