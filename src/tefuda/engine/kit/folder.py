"""A game from its folder: the usual files, each with the usual names."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from tefuda.engine import verbs
from tefuda.engine.description import Description, Display, GameFiles, RuleSet, Setup
from tefuda.engine.errors import TefudaError
from tefuda.engine.kit import defaults, trick_game
from tefuda.engine.kit.state import DeclaredRecord
from tefuda.engine.kit.tricks import TrickState
from tefuda.engine.option import Option

BY_NET: Mapping[str, float] = {"net": 1, "race": 2, "prior": 0.1, "trust": 1, "depth": 1}
"""Settings of a search that asks whether the game's network could do better than its own first choice: the network
plays deals out."""


NEEDED: Mapping[str, tuple[verbs.AnyVerb, ...]] = {
    "rules": (verbs.deal, verbs.legal, verbs.apply),
    "scoring": (verbs.payoff, verbs.next_deal),
    "worlds": (verbs.imagine,),
    "hints": (verbs.advise,),
}
"""The verbs of which every game has a version, by the module where it is usually written."""


class IncompleteGameError(TefudaError, ImportError):
    """A game's folder lacks a file, or a file lacks a name or a verb; the message says which."""


def describe(
    package: str,
    *,
    rule_prefix: str,
    seats: tuple[int, ...],
    minutes: int = 0,
    difficulty: int = 0,
    rules_version: int = 1,
    decks: Sequence[str] = (),
    miniature_seats: tuple[int, ...] = (),
    search: Mapping[str, float] | None = None,
    search_with_net: Mapping[str, float] | None = None,
    unread: Sequence[str] = (),
    earlier_options: Mapping[int, Sequence[Option]] | None = None,
) -> Description:
    """The description of the game in a package, from its usual files (``games/gong_zhu`` is the example).

    ``PLACES`` says in which file each name is looked for. A game must have ``state.py`` (State, the words and number of
    its actions), ``rules.py`` and ``scoring.py`` with its versions of the verbs, ``worlds.py``, ``reasons.py`` and
    ``scene.py``; a game of tricks with ``WHY`` may leave out the last three. What else it leaves out stands in
    ``defaults.py`` or ``trick_game.py``; ``IncompleteGameError`` names a file, a name or a verb that is missing.

    Beside them lie the folders ``texts``, ``decks``, ``tours`` and ``scenarios``, ``net`` if a network has learned the
    game, and ``problems.jsonl`` if there are problems of it; ``presets.toml`` for known sets of its options.

    ``package`` is its ``__name__``; the game is called like its last part. ``rule_prefix`` is that of the rule numbers,
    such as ``GZ``; ``decks`` are the names of the deck files, the one of the game's home first, by default all of them
    by name. The other arguments are those of ``Description``."""
    folder = Folder(package)
    folder.module("rules")
    state, cards, pack = folder.get("State"), folder.get("CARD_WORDS"), folder.own("pack")
    if not hasattr(state, "RECORD"):
        raise IncompleteGameError(f"{package}: state.py: class State({state.__base__.__name__}) needs most_seats=…")
    notation = folder.own("NOTATION") or defaults.notation(folder.get("ACTION_WORDS"))
    pack = pack or (lambda state: np.arange(len(cards), dtype=np.int64))  # each card once, at every table
    folder.usual = defaults.given(cards, pack)
    optional = {"hints", "beliefs", "features", "incidents"}
    if not folder.has("hints"):
        verbs.implements(verbs.advise, state)(defaults.lowest(folder.get("ACTIONS")))
    if issubclass(state, TrickState):
        optional.add("worlds")
        if not folder.has("worlds"):
            verbs.implements(verbs.imagine, state)(trick_game.imagine_from(pack, state.RECORD, max(seats)))
        folder.usual |= trick_game.given(state, notation, folder.why())
    for module in ("worlds", "hints", "beliefs", "features", "incidents"):
        if folder.has(module) or module not in optional:
            folder.module(module)
    if state.RECORD not in verbs.mover.implementations:
        phases = next(each.of for each in state.FIELDS if each.name == "phase")
        if not phases:
            raise IncompleteGameError(f"{package}: rules.py has no version of mover")
        verbs.implements(verbs.mover, state)(defaults.mover_until(phases - 1))
    folder.check_verbs(state)
    said = folder.some("exclusions", "bounds", "wish", "interrupt") | {"values": state.VALUES}
    rules = RuleSet(rule_prefix, state.OPTIONS, pack, folder.get("why_not"), unit=folder.own("UNIT") or 1, **said)
    shown = folder.some("outcome", "settlement", "combination", "formed", "card_lines", "why_advised")
    shown |= {name: folder.get(name) for name in ("own_scene", "shared_scene", "events", "sheet")}
    display = Display(folder.get("FACES"), incidents=folder.get("INCIDENTS"), **shown)
    return Description(
        name=package.rpartition(".")[2].replace("_", "-"),
        rules_version=rules_version,
        seats=seats,
        minutes=minutes,
        difficulty=difficulty,
        miniature_seats=miniature_seats,
        fields=state.FIELDS,
        record=state.RECORD,
        cards=cards,
        actions=folder.get("ACTIONS"),
        notation=notation,
        rules=rules,
        setup=Setup(*map(folder.get, ("start_fault", "arrange", "position", "facts", "FACTS"))),
        display=display,
        files=folder.files(decks),
        search=search or {},
        search_with_net=search_with_net or search or {},
        unread=unread,
        features=folder.get("FEATURES"),
        earlier_options=earlier_options or {},
    )


PLACES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("State", "UNIT", "ACTION_WORDS"), ("state",)),
    "exclusions": ("state", "options"),
    "CARD_WORDS": ("cards", "plays", "state"),
    "ACTIONS": ("plays", "cards", "state"),
    **dict.fromkeys(("pack", "bounds"), ("scoring",)),
    "why_not": ("reasons",),
    "WHY": ("rules",),
    **dict.fromkeys(("own_scene", "shared_scene", "events", "FACES"), ("scene",)),
    **dict.fromkeys(("sheet", "outcome", "settlement"), ("sheet", "scene")),
    **dict.fromkeys(("start_fault", "arrange", "position", "facts", "FACTS"), ("positions",)),
    "NOTATION": ("words", "notation"),
    **dict.fromkeys(("card_lines", "combination", "formed"), ("words", "names")),
    **dict.fromkeys(("wish", "interrupt"), ("words", "wishes")),
    "why_advised": ("words", "advice"),
    "INCIDENTS": ("words", "incidents"),
    "FEATURES": ("features", "hints"),
}
"""For each name that a game gives, the modules in which it is looked for, in this order."""


Given = Any  #: an object that a game gives under a name; ``describe`` asks it to be of the type that belongs there


class Folder:
    """The modules and data files of a game's package."""

    def __init__(self, package: str) -> None:
        self._package = package
        self.usual: dict[str, Given] = {}
        self._path = Path(str(import_module(package).__file__)).parent

    def has(self, module: str) -> bool:
        """Tell if there is such a module."""
        return find_spec(f"{self._package}.{module}") is not None

    def module(self, name: str) -> ModuleType:
        """One of its modules."""
        if not self.has(name):
            raise IncompleteGameError(f"{self._package}: there is no {name}.py")
        return import_module(f"{self._package}.{name}")

    def own(self, name: str) -> Given:
        """The game's own object of this name; None if it gives none."""
        found = (getattr(self.module(module), name, None) for module in PLACES[name] if self.has(module))
        return next((each for each in found if each is not None), None)

    def get(self, name: str) -> Given:
        """The game's own object of this name, or what stands in for it (``usual``).

        ``IncompleteGameError`` if there is none; the message names the module that lacks it."""
        found = self.own(name)
        if found is not None or name in self.usual:
            return self.usual[name] if found is None else found
        module = next(filter(self.has, PLACES[name]), PLACES[name][0])
        self.module(module)
        raise IncompleteGameError(f"{self._package}: {module}.py has no {name}")

    def some(self, *names: str) -> dict[str, Given]:
        """The game's own objects of these names, as keywords."""
        return {name: found for name in names if (found := self.own(name)) is not None}

    def why(self) -> Mapping[str, str] | None:
        """The rules by which a game of tricks refuses a card; None if it has ``reasons`` of its own.

        Raises:
            IncompleteGameError: it has neither, or there is something that it has no rule for.
        """
        why = self.own("WHY")
        if why is None and not self.has("reasons"):
            raise IncompleteGameError(f"{self._package}: rules.py has no WHY, and there is no reasons.py")
        lacking = [each for each in trick_game.REFUSED if why is not None and each not in why]
        if lacking:
            raise IncompleteGameError(f"{self._package}: rules.py: WHY has no rule for {', '.join(lacking)}")
        return why

    def check_verbs(self, state: type[DeclaredRecord]) -> None:
        """``IncompleteGameError`` for the first verb of which the game has no version."""
        for module, each in NEEDED.items():
            for verb in each:
                if state.RECORD not in verb.implementations:
                    self.module(module)
                    raise IncompleteGameError(f"{self._package}: {module}.py has no version of {verb.__name__}")

    def files(self, decks: Sequence[str]) -> GameFiles:
        """Its data files."""
        if not (self._path / "texts" / "en.toml").exists():
            raise IncompleteGameError(f"{self._package}: there is no texts/en.toml")
        found = sorted((self._path / "decks").glob("*.toml"))
        named = tuple(self._path / "decks" / f"{name}.toml" for name in decks)
        tours = tuple(sorted((self._path / "tours").glob("*.toml")))
        others = ("net", "problems.jsonl", "presets.toml", "tiny.toml")
        net, problems, presets, tiny = (path if (path := self._path / name).exists() else None for name in others)
        scenarios = tuple(sorted((self._path / "scenarios").glob("*.toml")))
        return GameFiles(self._path / "texts", named or tuple(found), tours, net, problems, scenarios, presets, tiny)
