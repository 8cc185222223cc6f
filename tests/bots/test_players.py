"""Bots by name: those that packages announce, and what is said where one cannot be had."""

from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import pytest

from tefuda.bots import players
from tefuda.bots.players import RandomBot, bot
from tefuda.engine.errors import TefudaError


def announced(rest: str) -> RandomBot:
    if rest != "fast:3":
        raise TefudaError(f"there is no announced bot {rest!r}")
    return RandomBot()


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = EntryPoints(
        [
            EntryPoint("mine", f"{__name__}:announced", players.ANNOUNCED),
            EntryPoint("theirs", "tefuda_package_that_is_not_installed:bot", players.ANNOUNCED),
        ]
    )

    def found(**wanted: Any) -> EntryPoints:
        return entries.select(**wanted)

    monkeypatch.setattr(players, "entry_points", found)


@pytest.mark.usefixtures("packages")
def test_packages_announce_bots() -> None:
    assert isinstance(bot("mine:fast:3"), RandomBot)
    with pytest.raises(TefudaError, match="there is no announced bot 'slow'"):
        bot("mine:slow")


@pytest.mark.usefixtures("packages")
def test_a_bot_whose_package_lacks_something_says_what() -> None:
    with pytest.raises(TefudaError, match="bot 'theirs:x': No module named 'tefuda_package_that_is_not_installed'"):
        bot("theirs:x")
    with pytest.raises(TefudaError, match=r"there are: random, hints, net, search, mine, theirs.*did you mean 'mine'"):
        bot("min")


def test_without_openspiel_its_bot_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [name for name in sys.modules if name.startswith("tefuda.research.openspiel")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspiel", None)  # as if it were not installed
    with pytest.raises(TefudaError, match=r"tefuda.research.openspiel needs pyspiel: uv run --extra openspiel …"):
        bot("openspiel:ismcts:100ms")
