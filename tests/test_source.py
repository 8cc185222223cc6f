"""The source reads as one text: a name has one meaning, and a docstring begins with a noun or a verb."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

import tefuda

SOURCE = Path(tefuda.__file__).parent

EVERY_PACKAGE = {"__init__", "__main__"}

FOR_GAMES = {"notation", "plays", "positions", "scene", "state", "worlds"}
"""Files that each game has, and with them those of the engine that games build theirs on: one meaning."""

MODULES_LEFT = {"errors", "reasons", "record", "rules", "words"}
"""Module names that still have two meanings; the list can only become shorter."""

STRICT = ("bots", "cli", "decks", "engine", "games", "lab", "research", "server", "table", "testing")
"""Packages whose docstrings all begin with a noun or a verb."""

NO_NOUN = re.compile(r"(Of|What|Whatever|Whether|How|Who|Whoever|Whom|Whose|Where|Wherever|The same|As)\b")


@cache
def sources() -> Mapping[Path, ast.Module]:
    """Every file, parsed."""
    return {path.relative_to(SOURCE): ast.parse(path.read_text("utf-8")) for path in sorted(SOURCE.rglob("*.py"))}


def meaning(path: Path) -> str:
    """The folder; of a game's file that of all games: they use a name in the same sense."""
    return "games" if path.parts[0] == "games" and len(path.parts) > 2 else str(path.parent)


def doubles(found: Iterator[tuple[str, str]]) -> dict[str, set[str]]:
    """Names with several meanings, by name."""
    meanings: dict[str, set[str]] = defaultdict(set)
    for name, place in found:
        meanings[name].add(place)
    return {name: places for name, places in meanings.items() if len(places) > 1}


def test_a_module_name_has_one_meaning() -> None:
    found = doubles((path.stem, meaning(path)) for path in sources() if path.stem not in EVERY_PACKAGE | FOR_GAMES)
    assert found.keys() <= MODULES_LEFT, {name: found[name] for name in found.keys() - MODULES_LEFT}


def test_a_class_name_has_one_meaning() -> None:
    found = doubles(
        (node.name, "games" if meaning(path) == "games" else str(path))
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert found == {}


def docstrings(tree: ast.Module) -> Iterator[str]:
    """The docstrings of a module, its classes and its functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


@pytest.mark.parametrize("package", STRICT)
def test_docstrings_begin_with_a_noun_or_a_verb(package: str) -> None:
    """``help()`` shows them without the name beside them."""
    files = {path: tree for path, tree in sources().items() if path.parts[0] == package}
    assert files
    assert [(str(path), text) for path, tree in files.items() for text in docstrings(tree) if NO_NOUN.match(text)] == []
