"""A Sphinx extension: the reference of the Python interface, from the docstrings of the modules that there are.

The pages are written into ``docs/reference/api/`` when a build begins, one for each line of ``PAGES``, so that a module
that is added or renamed needs no change here; git ignores them."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NamedTuple

FOLDER = Path(__file__).parents[2] / "docs" / "reference" / "api"


class Chapter(NamedTuple):
    """A page of the reference: its title, what it is good for, and its modules; ``package.*`` stands for all within."""

    title: str
    about: str
    modules: tuple[str, ...]


PAGES = {
    "tefuda": Chapter(
        "tefuda",
        "Load a game, deal, ask what is legal and why not, play, read and write records. Start here.",
        ("tefuda",),
    ),
    "table": Chapter(
        "Tables, views and records",
        "What stands behind ``import tefuda``: one table in memory, without terminal, network or clock.",
        ("tefuda.table.*",),
    ),
    "bots": Chapter("Bots", "The players that come with Tefuda, and what yours must have.", ("tefuda.bots.*",)),
    "client": Chapter("Playing over the network", "A client for programs that play on a server.", ("tefuda.client",)),
    "research": Chapter(
        "For researchers",
        "Observations as planes, thousands of tables at once, Gymnasium, PettingZoo, OpenSpiel.",
        ("tefuda.research.*",),
    ),
    "lab": Chapter(
        "The laboratory",
        "Matches and experiments from Python.",
        (
            "tefuda.lab",
            *(f"tefuda.lab.{name}.*" for name in ("play", "measure", "report")),
            *(f"tefuda.lab.{name}" for name in ("dataset", "jobs", "runs")),
            "tefuda.lab.experiment", "tefuda.lab.experiment_file",
        ),
    ),
    "testing": Chapter(
        "Testing a game", "The contract suite that every game passes, for games in packages of their own too.",
        ("tefuda.testing",),
    ),
    "engine": Chapter(
        "Adding a game: the engine",
        "The verbs that a game implements, the kit that it is made from, card sets, random numbers, worlds.",
        ("tefuda.engine.*",),
    ),
}  # fmt: skip


def write_pages(_app: Any) -> None:
    """Write the pages that have changed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, chapter in PAGES.items():
        text, path = page(chapter), FOLDER / f"{name}.rst"
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def page(chapter: Chapter) -> str:
    """One page, as reStructuredText."""
    parts = [title(chapter.title, "="), chapter.about]
    for module in modules(chapter.modules):
        if len(chapter.modules) > 1 or chapter.modules[0].endswith("*"):
            parts.append(title(f"``{module}``", "-"))
        parts.append(f".. automodule:: {module}")
    return "\n\n".join(parts) + "\n"


def title(text: str, line: str) -> str:
    return f"{text}\n{line * len(text)}"


def modules(named: tuple[str, ...]) -> Iterator[str]:
    """The public modules that are meant: those of a package in the order of their names, inner packages too."""
    for name in named:
        yield from within(import_module(name[:-2])) if name.endswith(".*") else [name]


def within(package: ModuleType) -> Iterator[str]:
    """The public modules of a package."""
    for found in iter_modules(package.__path__, f"{package.__name__}."):
        if not found.name.rpartition(".")[2].startswith("_"):
            yield found.name
            if found.ispkg:
                yield from within(import_module(found.name))


def mark_code(_app: Any, _kind: str, _name: str, _value: Any, _options: Any, lines: list[str]) -> None:
    """Docstrings show code by indenting it and tables with bars; reStructuredText asks for two colons before both."""
    marked: list[str] = []
    code = -1  # how far the lines are indented at least while code goes on
    for number, line in enumerate(lines):
        if line.strip() and indent(line) < code:
            code = -1
        if code < 0 and line.startswith("|") and not (number and lines[number - 1].startswith("|")):
            marked += ["::", ""]
        marked.append(f"    {line}" if code < 0 and line.startswith("|") else line)
        below = lines[number + 2] if number + 2 < len(lines) else ""
        if (
            code < 0
            and is_prose(line)
            and not "".join(lines[number + 1 : number + 2]).strip()
            and indent(below) >= indent(line) + 4
        ):
            code = indent(below)
            marked += ["", " " * indent(line) + "::"]
    lines[:] = marked


def is_prose(line: str) -> bool:
    """Whether a line belongs to a paragraph, and not to a list, a field or a directive."""
    return bool(line.strip()) and not line.endswith("::") and not line.lstrip().startswith((":", "*", "-", "..", "1."))


def indent(line: str) -> int:
    """By how many spaces; -1 for an empty line."""
    return len(line) - len(line.lstrip()) if line.strip() else -1


def setup(app: Any) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-process-docstring", mark_code, priority=600)
    return {"parallel_read_safe": True}
