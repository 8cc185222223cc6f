"""The screen before a decision fits the window."""

import io

import pytest
from rich.console import Console

from tefuda.cli.decision import PROMPT_LINES, DecisionPrompt, Plays
from tefuda.cli.draw import Artist
from tefuda.engine.texts import LANGUAGES
from tefuda.table.deal import Deal
from tefuda.table.game import load

HEIGHT = 24


def lead() -> Deal:
    """The fullest table there is: a hand of 28 to lead from, cards won and laid."""
    hands = [
        "66 66 44 44 44 13 13 55 55 33 33 22 22 56 56 46 16 15 45 26 34 34 14 14 36 25 25 23",
        "66 11 11 44 13 55 33 22 56 46 46 16 15 45 45 26 26 34 24 12 36 36 35 25 23 23",
        "66 11 11 13 55 33 22 56 46 16 16 15 15 45 26 34 24 24 14 14 36 35 35 35 25 23",
    ]
    return load("sap-ng-wu").position({"hands": hands})


def shown(deal: Deal, language: str, groups: int, told: int, height: int = HEIGHT) -> list[str]:
    console = Console(file=io.StringIO(), width=80, height=height, force_terminal=True, color_system=None)
    artist = Artist(deal.game.description, language, ["You", "Bot 1", "Bot 2"], console)
    plays = Plays([], [f"{number} 34+34+{number}" for number in range(groups)], ["  pass"])
    scene = deal.view(0).scene
    tables = [artist.table(scene, 0, deal.mover, "title", rows=rows) for rows in (False, True)]
    hand, ranks = artist.hand(scene, deal.legal()), [artist.reference(scene), ""]
    DecisionPrompt(artist).arrange(tables, ranks, hand, plays, told)
    written = console.file
    assert isinstance(written, io.StringIO)
    return written.getvalue().splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("groups", [0, 1, 12, 80])
@pytest.mark.parametrize("told", [0, 3, 40])
def test_it_fits_24_lines(language: str, groups: int, told: int) -> None:
    assert len(shown(lead(), language, groups, told)) <= HEIGHT - PROMPT_LINES


def test_plays_that_do_not_fit_are_counted() -> None:
    lines = shown(lead(), "en", 80, 3)
    more = next(line for line in lines if "more plays" in line)
    listed = sum(line.count("34+34+") for line in lines)
    assert f"{80 - listed} more plays" in more
    assert listed > 4


def test_a_tall_window_shows_the_ranks_too() -> None:
    assert any("heaven-nine" in line for line in shown(lead(), "en", 4, 0, height=60))
    assert not any("heaven-nine" in line for line in shown(lead(), "en", 4, 0))
