"""Games in progress on disk: written play by play, found again by ``--resume``."""

import os
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import IO

import platformdirs

from tefuda.engine.errors import TefudaError, file_fault
from tefuda.engine.files import whole
from tefuda.table import record_lines
from tefuda.table.game import Session


def default_path(game: str) -> Path:
    """Return where the game in progress is kept unless ``--record`` says otherwise."""
    return platformdirs.user_data_path("tefuda") / f"{game}.tfd"


def is_begun(path: Path) -> bool:
    """Tell if something was played in the game of this file."""
    return path.exists() and '"play"' in path.read_text("utf-8", errors="replace")


def begun(game: str) -> list[Path]:
    """Find the games that may be resumed: the one in progress, then those that were put aside, the latest first."""
    path = default_path(game)
    others = sorted(path.parent.glob(f"{game}-{'[0-9]' * 8}-{'[0-9]' * 6}*{path.suffix}"), reverse=True)
    return list(filter(is_begun, [path, *others]))


def aside(path: Path) -> Path:
    """Find a free name beside a file, with the time in it."""
    stem = f"{path.stem}-{datetime.now():%Y%m%d-%H%M%S}"
    names = (path.with_name(f"{stem}{more}{path.suffix}") for more in chain([""], count(-2, -1)))
    return next(name for name in names if not name.exists())


def check(path: Path) -> None:
    """Check that there is a folder in which a game can be kept; TefudaError if it cannot be written to."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _fault(error) from error
    if not os.access(path.parent, os.W_OK):
        raise TefudaError(f"{path.parent}: cannot be written; name another file by --record")


def _fault(error: OSError) -> TefudaError:
    return TefudaError(f"{file_fault(error)}; name another file by --record")


class Journal:
    """A record file that grows with the game; TefudaError if it cannot be written.

    It is created with its folder. Unless it holds this very session (``replacing``), a game in it is put aside, at
    ``kept``."""

    def __init__(self, path: Path, session: Session, players: list[str], *, replacing: bool) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with whole(path) as fresh:  # beside the old file first: a cut between the two loses neither
                fresh.write_text(session.record(players), "utf-8")
                self.kept = None if replacing or not is_begun(path) else path.rename(aside(path))
            self._file: IO[str] = path.open("a", encoding="utf-8")
        except OSError as error:
            raise _fault(error) from error
        self._deals = len(session.deals)
        self._plays = len(session.deal.history) if session.deals else 0
        self._paid = bool(session.deals) and session.deal.over

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def catch_up(self, session: Session) -> None:
        """Add what has been played since the last call."""
        if len(session.deals) > self._deals:
            self._deals, self._plays, self._paid = len(session.deals), 0, False
            record_lines.append(self._file, record_lines.deal_head(session.deal, self._deals))
        for seat, word in session.deal.history[self._plays :]:
            record_lines.append(self._file, record_lines.play_line(seat, word))
            self._plays += 1
        if session.deal.over and not self._paid:
            record_lines.append(self._file, {"payoff": session.deal.payoff()})
            self._paid = True
