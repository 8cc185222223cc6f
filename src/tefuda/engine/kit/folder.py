"""A game from its folder: the usual files, each with the usual names."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from tefuda.engine.description import Description, Display, GameFiles, RuleSet, Setup
from tefuda.engine.kit import defaults
from tefuda.engine.option import Option

BY_NET: Mapping[str, float] = MappingProxyType({"net": 1, "race": 2, "prior": 0.1, "trust": 1, "depth": 1})
"""Settings of a search that asks whether the game's network could do better than its own first choice: the network
plays deals out."""


class IncompleteGameError(ImportError):
    """A game's folder lacks a file, or a file lacks a name; the message says which."""


def describe(
    package: str,
    *,
    rule_prefix: str,
    seats: tuple[int, ...],
    rules_version: int = 1,
    decks: Sequence[str] = (),
    miniature_seats: tuple[int, ...] = (),
    search: Mapping[str, float] | None = None,
    search_with_net: Mapping[str, float] | None = None,
    unread: Sequence[str] = (),
    earlier_options: Mapping[int, Sequence[Option]] | None = None,
) -> Description:
    """The description of the game in a package, from its usual files (``games/gong_zhu`` is the example).

    | file | must have | may have |
    |---|---|---|
    | state.py | State (``engine/kit/state.py``) | UNIT |
    | state.py, or cards.py where there is one | CARD_WORDS | |
    | state.py, or plays.py where there is one | ACTIONS | |
    | options.py, if there is one | | exclusions |
    | scoring.py | pack | bounds |
    | notation.py, or state.py with the words of its actions (ACTION_WORDS) | NOTATION | |
    | reasons.py | why_not | |
    | positions.py, if there is one | start_fault, arrange, position, facts, FACTS | |
    | scene.py | scene, events, FACES | |
    | sheet.py, if there is one | sheet | settlement |
    | names.py, if there is one | | card_lines, combination |
    | wishes.py, if there is one | | wish, interrupt |
    | advice.py, if there is one | | why_advised |
    | incidents.py, if there is one | INCIDENTS, and its version of their verb | |
    | features.py, if there is one | FEATURES, its version of ``features`` | |
    | worlds.py, hints.py | versions of their verbs | |
    | beliefs.py, if there is one | its version of ``believe`` | |

    Beside them lie the folders ``texts``, ``decks``, ``tours`` and ``scenarios``, ``net`` if a network has learned the
    game, and ``problems.jsonl`` if there are problems of it.

    Args:
        package: its ``__name__``; the game is called like its last part.
        rule_prefix: of the rule numbers, such as ``GZ``.
        seats: numbers of players, the usual one first.
        rules_version: raised when a change makes an old record play differently.
        decks: names of the deck files, the one of the game's home first; by default all, by name.
        miniature_seats: numbers of players of its miniature, if it has one (``Description.miniature``).
        search: settings of the search bot, where they differ from the usual ones.
        search_with_net: the same at tables that the game's network knows.
        unread: fields that networks do not read.
        earlier_options: of each older version of the rules, the options that it was the last to have in this form.

    Raises:
        IncompleteGameError: a file or a name is missing.
    """
    folder = Folder(package)
    for verbs in ("rules", "worlds", "hints", *filter(folder.has, ["beliefs"])):
        folder.module(verbs)
    state = folder.get("state", "State")
    rules = RuleSet(
        prefix=rule_prefix,
        options=state.OPTIONS,
        pack=folder.get("scoring", "pack"),
        why_not=folder.get("reasons", "why_not"),
        **folder.some("options", exclusions="exclusions"),
        **folder.some("scoring", bounds="bounds"),
        **folder.some("state", unit="UNIT"),
        **folder.some("wishes", wish="wish", interrupt="interrupt"),
    )
    cards = folder.get("cards" if folder.has("cards") else "state", "CARD_WORDS")
    setup = Setup(
        start_fault=folder.own("positions", "start_fault", defaults),
        arrange=folder.get("positions", "arrange") if folder.has("positions") else defaults.arrange(cards, rules.pack),
        position=folder.own("positions", "position", defaults),
        facts=folder.own("positions", "facts", defaults),
        fact_names=folder.own("positions", "FACTS", defaults),
    )
    display = Display(
        faces=folder.get("scene", "FACES"),
        scene=folder.get("scene", "scene"),
        events=folder.get("scene", "events"),
        sheet=folder.own("sheet", "sheet", defaults),
        **folder.some("sheet", outcome="outcome", settlement="settlement"),
        **folder.some("names", combination="combination", card_lines="card_lines"),
        **folder.some("advice", why_advised="why_advised"),
        **folder.some("incidents", incidents="INCIDENTS"),
    )
    return Description(
        name=package.rpartition(".")[2].replace("_", "-"),
        rules_version=rules_version,
        seats=seats,
        miniature_seats=miniature_seats,
        fields=state.FIELDS,
        record=state.RECORD,
        cards=cards,
        actions=folder.get("plays" if folder.has("plays") else "state", "ACTIONS"),
        notation=folder.get("notation", "NOTATION")
        if folder.has("notation")
        else defaults.notation(folder.get("state", "ACTION_WORDS")),
        rules=rules,
        setup=setup,
        display=display,
        files=folder.files(decks),
        search=search or {},
        search_with_net=search_with_net or search or {},
        unread=unread,
        features=folder.get("features", "FEATURES") if folder.has("features") else (),
        earlier_options=earlier_options or {},
    )


class Folder:
    """The modules and data files of a game's package."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._path = Path(str(import_module(package).__file__)).parent

    def has(self, module: str) -> bool:
        """Whether there is such a file."""
        return find_spec(f"{self._package}.{module}") is not None

    def module(self, name: str) -> Any:
        """One of its modules."""
        if not self.has(name):
            raise IncompleteGameError(f"{self._package}: there is no {name}.py")
        return import_module(f"{self._package}.{name}")

    def get(self, module: str, name: str) -> Any:
        """What a module calls by this name."""
        found = getattr(self.module(module), name, None)
        if found is None:
            raise IncompleteGameError(f"{self._package}: {module}.py has no {name}")
        return found

    def own(self, module: str, name: str, usual: ModuleType) -> Any:
        """What a module calls by this name; the usual one if the game has no such module."""
        return self.get(module, name) if self.has(module) else getattr(usual, name)

    def some(self, module: str, **names: str) -> dict[str, Any]:
        """Those of these that a module has, if there is such a module: values by keyword."""
        found = self.module(module) if self.has(module) else None
        return {key: getattr(found, name) for key, name in names.items() if hasattr(found, name)}

    def files(self, decks: Sequence[str]) -> GameFiles:
        """Its data files."""
        if not (self._path / "texts" / "en.toml").exists():
            raise IncompleteGameError(f"{self._package}: there is no texts/en.toml")
        found = sorted((self._path / "decks").glob("*.toml"))
        named = tuple(self._path / "decks" / f"{name}.toml" for name in decks)
        tours = tuple(sorted((self._path / "tours").glob("*.toml")))
        net, problems = (
            path if path.exists() else None for path in (self._path / "net", self._path / "problems.jsonl")
        )
        scenarios = tuple(sorted((self._path / "scenarios").glob("*.toml")))
        return GameFiles(self._path / "texts", named or tuple(found), tours, net, problems, scenarios)
