"""What the tests of every game have to be told of one game; it stands beside that game's own tests.

``tests/<game>/particulars.py`` holds it as ``PARTICULARS``. A game without that file is tested by what it says of
itself. Its golden records (``tests.golden``) stand in ``tests/<game>/golden/``, its scenarios in
``tests/<game>/scenarios/``, and those that readers of the rules see as examples in the game's own folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from tefuda.engine.option import Value
from tefuda.games import description
from tefuda.testing import Hooks

TESTS = Path(__file__).parent.parent


@dataclass(frozen=True)
class Recording:
    """A golden record: a session of this name, dealt from this seed."""

    name: str
    seed: int
    seats: int | None = None
    options: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Note:
    """What a card's note says in English, under these options."""

    card: str
    said: str
    options: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Particulars:
    """What the tests of every game cannot know of a game by themselves.

    Attributes:
        hooks: how an imagined world was dealt and played.
        scoring_only: options that change no play and nothing that anybody can know of the cards.
        beside_play: values of options that change only who sees what, or who sits where; a scenario cannot tell,
            tests of the game do.
        combinations: plays of several cards, and what they are called in English.
        without_name: plays that are not called anything.
        notes: of some cards.
        draws_always: the cards are drawn in the normal run too, and not only in the deep one.
        recordings: the golden records.
    """

    hooks: Hooks = field(default_factory=Hooks)
    scoring_only: frozenset[str] = frozenset()
    beside_play: frozenset[tuple[str, Value]] = frozenset()
    combinations: Mapping[str, str] = field(default_factory=dict)
    without_name: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    draws_always: bool = False
    recordings: tuple[Recording, ...] = ()


def folder(game: str) -> Path:
    """The folder of a game's own tests."""
    return TESTS / game.replace("-", "_")


@cache
def scenario_files(game: str) -> tuple[Path, ...]:
    """The scenario files of a game: those it ships as examples, and those beside its tests."""
    return (*description(game).files.scenarios, *sorted(folder(game).glob("scenarios/*.toml")))


@cache
def particulars(game: str) -> Particulars:
    """What stands beside the tests of a game."""
    package = f"tests.{game.replace('-', '_')}"
    if find_spec(package) is None or find_spec(f"{package}.particulars") is None:
        return Particulars()
    found: Particulars = import_module(f"{package}.particulars").PARTICULARS
    return found
