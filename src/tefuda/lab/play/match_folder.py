"""A match kept on disk while it is played: it resumes where it was interrupted, and every game can be replayed.

The folder holds ``match.jsonl`` and a record (``.tfd``) of every game. The file's first line says what is played; each
finished deal appends a line.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.engine.errors import TefudaError, file_fault
from tefuda.lab.play.bot_games import MatchBlock

FILE = "match.jsonl"


class MatchFolder:
    """One match's folder.

    Args:
        path: created if it does not exist.
        identity: what is played, as plain data; a folder of another match is refused.

    Raises:
        TefudaError: the folder holds another match, or cannot be written.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self.path = path
        self._lines = path / FILE
        head = json.dumps(identity, sort_keys=True, ensure_ascii=False)
        try:
            path.mkdir(parents=True, exist_ok=True)
            if not self._lines.exists():
                self._lines.write_text(head + "\n", "utf-8")
            found = self._lines.read_text("utf-8").split("\n")
        except OSError as error:
            raise TefudaError(f"{file_fault(error)}; name another folder by --save") from error
        if found[0] != head:
            raise TefudaError(f"{path}: it holds another match; name another folder, or delete it")
        if found[-1]:  # a line cut short by whatever ended the run
            self._lines.write_text("\n".join(found[:-1]) + "\n", "utf-8")
        self._kept = found[1:-1]

    def blocks(self) -> Iterator[MatchBlock]:
        """The deals played earlier, each a block, in their order."""
        for line in self._kept:
            deal = json.loads(line)
            yield MatchBlock(
                np.array([deal["points"]], np.int64),
                np.array([deal["counts"]], np.int64),
                np.array(deal["seconds"], np.float64),
                deal["faults"],
                luck=np.array([deal["luck"]]) if "luck" in deal else None,
            )

    def add(self, number: int, block: MatchBlock) -> None:
        """Keep one more deal. Its games are written first, so no deal counts whose games are missing."""
        for rotation, text in enumerate(block.records):
            (self.path / f"deal-{number + 1:05}-{rotation + 1}.tfd").write_text(text, "utf-8")
        deal = {
            "points": block.points[0].tolist(),
            "counts": block.counts[0].tolist(),
            "seconds": [round(float(seconds), 6) for seconds in block.seconds],
            "faults": block.faults,
        }
        if block.luck is not None:
            deal["luck"] = block.luck[0].tolist()
        with self._lines.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(deal, ensure_ascii=False) + "\n")


def delete_match(path: Path) -> None:
    """Delete what a match has left in a folder, and the folder if nothing else is in it."""
    for file in (*path.glob("deal-*.tfd"), path / FILE):
        file.unlink(missing_ok=True)
    with suppress(OSError):
        path.rmdir()
