"""Tours as the page shows them: a step that waits for a play lets the reader make it."""

from pathlib import Path

import pytest

from tefuda import games
from tefuda.server.table import tour_steps
from tefuda.table import tour

TOURS = [path for name in games.names() for path in games.description(name).files.tours]


@pytest.mark.parametrize("path", TOURS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_step_that_waits_for_a_play_offers_all_of_them(path: Path) -> None:
    """Also where a table would answer by itself, as for a drop at any time in Kakkuri."""
    steps = tour_steps.steps(tour.load(path), "en", "Ann")
    for step in steps:
        deal = step["states"][-1]["deal"]
        if step["plays"]:
            assert deal is not None
            assert not deal["answered"]
            assert set(step["plays"]) <= set(deal["legal"])
