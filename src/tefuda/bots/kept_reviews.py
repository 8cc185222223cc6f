"""Reviews that were made before: files in the user's cache folder, each named after a hash of all it follows from."""

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tefuda.bots.contrast import Contrast
from tefuda.bots.holding import Holding
from tefuda.bots.judges import WORLDS
from tefuda.bots.review import PLAYOUTS, DealReview, Decision
from tefuda.bots.verdict import THINKING
from tefuda.engine import cache
from tefuda.engine.whole_file import whole
from tefuda.table.deal import Deal

MOST_KEPT = 5000
"""Files; those used longest ago go first. One takes some kilobytes."""


def _decision(told: dict[str, Any]) -> Decision:
    contrast, holding = told.pop("contrast"), told.pop("holding")
    return Decision(**told, contrast=contrast and Contrast(**contrast), holding=holding and Holding(**holding))


class KeptReviews:
    """The reviews that this user's programs have made, by the usual ``Reviewer``.

    What cannot be read or written counts as not kept: a review can be made again.

    Args:
        folder: where the files lie; in the user's cache folder by default.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or cache.root() / "reviews"

    def read(self, deal: Deal, seat: int) -> DealReview | None:
        """The review of a seat's deal; None if there is none from the present rules and search."""
        path = self._path(deal, seat)
        with suppress(OSError, ValueError, TypeError, KeyError):
            told = json.loads(path.read_bytes())
            os.utime(path)
            return DealReview(**{**told, "decisions": [_decision(each) for each in told["decisions"]]})
        return None

    def keep(self, deal: Deal, review: DealReview) -> None:
        """Keep the review of a deal."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with whole(self._path(deal, review.seat), f".{os.getpid()}") as file:
                file.write_text(json.dumps(asdict(review)), "utf-8")
            self._forget_oldest()

    def _path(self, deal: Deal, seat: int) -> Path:
        settings = f"{cache.key()} {THINKING.iterations} {WORLDS} {PLAYOUTS} {seat}\n"
        return self._folder / f"{hashlib.sha256((settings + deal.record()).encode()).hexdigest()}.json"

    def _forget_oldest(self) -> None:
        files = sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime)
        for path in files[:-MOST_KEPT]:
            path.unlink(missing_ok=True)
