"""A Sphinx extension: the planes of every game's observations at a table of the usual size.

The page is written into ``docs/planes.md`` when a build begins; git ignores it."""

from itertools import groupby
from pathlib import Path
from typing import Any

from tefuda import games, load
from tefuda.table.planes import Observation

HEAD = """# Planes

What each number of an observation means: the planes of every game, at a table
of the usual number of seats with the default options. How planes are made, and what is left out, is in
[research.md](research.md).
"""


def spans(last: str) -> str:
    """Every place of ``rows[3][7]`` as the range that ends there."""
    field, *places = last.replace("]", "").split("[")
    return field + "".join(f"[0…{place}]" if place != "0" else "[0]" for place in places)


def table(name: str) -> str:
    """One game's planes as Markdown."""
    game = load(name)
    observation = Observation(game)
    title = f"## {name}, {game.seats} seats: {observation.size} numbers"
    lines = [title, "", "| planes | numbers | meaning |", "| --- | ---: | --- |"]
    for _, group in groupby(observation.planes, key=lambda plane: plane.name.partition("[")[0]):
        planes = list(group)
        numbers = f"{len(planes)} × {planes[0].size}" if len(planes) > 1 else str(planes[0].size)
        lines.append(f"| `{spans(planes[-1].name)}` | {numbers} | {planes[0].meaning} |")
    return "\n".join(lines)


def page() -> str:
    """The whole page."""
    return "\n\n".join([HEAD.rstrip(), *map(table, games.names())]) + "\n"


def write_page(_app: Any) -> None:
    """Write the page."""
    (Path(__file__).parents[2] / "docs" / "planes.md").write_text(page(), "utf-8")


def setup(app: Any) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("builder-inited", write_page)
    return {"parallel_read_safe": True}
