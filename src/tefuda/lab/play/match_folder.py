"""A match kept on disk while it is played: it resumes where it was interrupted, and every game can be replayed.

The folder holds ``match.jsonl`` and a record (``.tfd``) of every game. The file's first line says what is played; each
finished deal appends a line. What was played is the same on every machine, unless bots think by the clock. How long the
bots thought is not, and lies in ``times.jsonl``, a line each deal.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path

import numpy as np

from tefuda.engine.errors import TefudaError, file_fault
from tefuda.engine.files import whole
from tefuda.lab.play.runner import MatchBlock

FILE, TIMES = "match.jsonl", "times.jsonl"


class MatchFolder:
    """One match's folder, created if it does not exist; ``identity`` says, as plain data, which match.

    Raises:
        TefudaError: the folder holds another match, or cannot be written.
    """

    def __init__(self, path: Path, identity: Mapping[str, object]) -> None:
        self.path = path
        self._lines, self._times = path / FILE, path / TIMES
        head = json.dumps(identity, sort_keys=True, ensure_ascii=False)
        try:
            path.mkdir(parents=True, exist_ok=True)
            if not self._lines.exists():
                self._lines.write_text(head + "\n", "utf-8")
                self._times.unlink(missing_ok=True)
            found = self._lines.read_text("utf-8").split("\n")
        except OSError as error:
            raise TefudaError(f"{file_fault(error)}; name another folder by --save") from error
        if found[0] != head:
            raise TefudaError(f"{path}: it holds another match; name another folder, or delete it")
        if found[-1]:  # a line cut short by whatever ended the run
            _write(self._lines, found[:-1])
        self._kept = found[1:-1]
        times = self._times.read_text("utf-8").split("\n")[:-1] if self._times.exists() else []
        self._seconds = times[: len(self._kept)]  # the file keeps no line of a deal that does not count
        _write(self._times, self._seconds)

    def blocks(self) -> Iterator[MatchBlock]:
        """The deals played earlier, each a block, in their order."""
        for line, seconds in zip_longest(self._kept, self._seconds):
            deal = json.loads(line)
            yield MatchBlock(
                np.array([deal["points"]], np.int64),
                np.array([deal["counts"]], np.int64),
                np.zeros(len(deal["faults"])) if seconds is None else np.array(json.loads(seconds), np.float64),
                deal["faults"],
                luck=np.array([deal["luck"]]) if "luck" in deal else None,
            )

    def add(self, number: int, block: MatchBlock) -> None:
        """Keep one more deal. It counts once the line of what was played is there, which is written last."""
        for rotation, text in enumerate(block.records):
            (self.path / f"deal-{number + 1:05}-{rotation + 1}.tfd").write_text(text, "utf-8")
        deal = {"points": block.points[0].tolist(), "counts": block.counts[0].tolist(), "faults": block.faults}
        if block.luck is not None:
            deal["luck"] = block.luck[0].tolist()
        _append(self._times, [round(float(seconds), 6) for seconds in block.seconds])
        _append(self._lines, deal)


def _write(path: Path, lines: list[str]) -> None:
    with whole(path) as file:
        file.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def _append(path: Path, what: object) -> None:
    with path.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(what, ensure_ascii=False) + "\n")


def delete_match(path: Path) -> None:
    """Delete what a match has left in a folder, and the folder if nothing else is in it."""
    for file in (*path.glob("deal-*.tfd"), path / FILE, path / TIMES):
        file.unlink(missing_ok=True)
    with suppress(OSError):
        path.rmdir()
