"""Bots by name: those that packages announce, what is said where one cannot be had, and what none may answer."""

import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tefuda
from tefuda.bots import players
from tefuda.bots.players import BotError, RandomBot, bot, choose_play
from tefuda.engine.errors import TefudaError
from tefuda.lab.play.match import Match
from tefuda.research.evaluation import evaluate


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
    with pytest.raises(TefudaError, match=r"there are: random, .*, search, mine, theirs.*did you mean 'mine'"):
        bot("min")


def test_without_openspiel_its_adapter_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [name for name in sys.modules if name.startswith("tefuda.research.openspiel")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspiel", None)  # as if it were not installed
    with pytest.raises(TefudaError, match=r"tefuda.research.openspiel needs pyspiel: uv run --extra openspiel …"):
        import_module("tefuda.research.openspiel")


class Answering:
    """Answers as other people's bots do when they are wrong."""

    def __init__(self, answer: Callable[[list[int]], Any]) -> None:
        self.answer = answer

    def choose(self, view: Any, legal: Any, rng: Any) -> Any:
        return self.answer(legal)


class Minus(Answering):
    """No action, as other libraries write it; as an index it is the last of all."""

    def __init__(self) -> None:
        super().__init__(lambda legal: -1)


def boom(legal: list[int]) -> int:
    raise KeyError("hand\nor more")


def clearing(legal: Any) -> int:
    legal.clear()
    return -1


WRONG = {
    "answered -1, which is not legal; legal: ": lambda legal: -1,
    "answered 9999, which is not legal": lambda legal: 9999,
    "answered 0, which is not legal": lambda legal: 0,  # an index into them
    r"answered \d+\.0, which is not a whole number": lambda legal: float(legal[0]),
    "answered True, which is not a whole number": lambda legal: True,
    "answered None, which is not a whole number": lambda legal: None,
    "answered 'SQ', which is not a whole number": lambda legal: "SQ",
    r"answered -1, which is not legal; legal: 52": clearing,
    "raised KeyError: 'hand.nor more'": boom,
}


@pytest.mark.parametrize("told", WRONG)
def test_only_a_legal_action_is_ever_made(told: str) -> None:
    deal = tefuda.load("gong-zhu").deal(seed=1)
    before = deal.array.tobytes()
    with pytest.raises(BotError, match=rf"^bot tests.bots.test_players:Answering, seat \d, play 1 of the deal: {told}"):
        choose_play(Answering(WRONG[told]), deal, seed=0)
    assert (deal.history, deal.array.tobytes()) == ([], before)


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.array])
def test_any_whole_number_is_an_action(kind: Any) -> None:
    deal = tefuda.load("gong-zhu").deal(seed=1)
    assert choose_play(Answering(lambda legal: kind(legal[0])), deal, seed=0) == deal.history[0][1]


def in_gymnasium(bad: str) -> None:
    pytest.importorskip("gymnasium", reason="gymnasium is left out: uv sync --extra gymnasium")
    from tefuda.research.gymnasium import SeatEnv

    env = SeatEnv("gong-zhu", opponents=bad, seat=0)
    observation, _ = env.reset(seed=1)
    for _ in range(2):
        observation, *_ = env.step(int(observation["action_mask"].argmax()))


WAYS: dict[str, Callable[[str], object]] = {
    "a deal": lambda bad: choose_play(bot(bad), tefuda.load("gong-zhu").deal(seed=1), 0),
    "an evaluation": lambda bad: evaluate(bot(bad), "gong-zhu", deals=1),
    "Gymnasium": in_gymnasium,
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_seat_a_bot_refuses_what_is_not_legal(way: str) -> None:
    with pytest.raises(
        BotError, match=r"^bot tests.bots.test_players:Minus, seat \d.*: answered -1, which is not legal"
    ):
        WAYS[way](f"{__name__}:Minus")


@pytest.mark.slow
def test_a_match_says_the_same_and_goes_on() -> None:
    sinner, *_ = Match(tefuda.load("gong-zhu"), [f"{__name__}:Minus", *["random"] * 3], 1, 0).play().entries
    assert "answered -1, which is not legal; legal: " in sinner.faults[0]


@pytest.mark.slow
def test_a_bot_in_the_present_folder_is_found(tmp_path: Path) -> None:
    """By the command too, whose own folder is another; Python adds the present one only for ``python -m``."""
    source = "class Lowest:\n    def choose(self, view, legal, rng):\n        return legal[0]\n"
    (tmp_path / "mybot.py").write_text(source, encoding="utf-8")
    code = "import sys; sys.path.remove(''); from tefuda.bots.players import bot; bot('mybot:Lowest')"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
