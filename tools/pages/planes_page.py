"""A Sphinx extension: the planes of every game's observations at a table of the usual size.

The page is written into ``docs/planes.md`` when a build begins; git ignores it."""

from itertools import groupby
from pathlib import Path
from typing import Any

from tefuda import games, load
from tefuda.engine.record import Holds
from tefuda.table.planes import WRITINGS, Observation

HEAD = """# Planes

The [observations](research.md#observations) of every game, at a table of the usual number of seats with the default
options. A plane holds the number itself, unless a word in brackets says otherwise:
"""

WORDS = {holds: holds.name.lower() for holds in WRITINGS if holds is not Holds.NUMBER}
"""What stands beside a plane in place of how its numbers are written, which the page says once."""


def spans(last: str) -> str:
    """Every place of ``rows[3][7]`` as the range that ends there."""
    field, *places = last.replace("]", "").split("[")
    return field + "".join(f"[0…{place}]" if place != "0" else "[0]" for place in places)


def legend() -> str:
    """How each kind of plane is written."""
    return "\n".join(f"* *{word}*: {WRITINGS[holds][1]}" for holds, word in WORDS.items())


def shortened(meaning: str) -> str:
    """What a plane tells, with the word of ``WORDS`` that says how it is written; amounts keep what divides them."""
    for holds, word in WORDS.items():
        meaning = meaning.replace(f": {WRITINGS[holds][1]}", f" (*{word}*)")
    return meaning.replace(f": {WRITINGS[Holds.NUMBER][1]}", "")


def table(name: str) -> str:
    """One game's planes as Markdown."""
    game = load(name)
    observation = Observation(game)
    title = f"## {name}, {game.seats} seats: {observation.size} numbers"
    lines = [title, "", "| planes | numbers | meaning |", "| --- | ---: | --- |"]
    for _, group in groupby(observation.planes, key=lambda plane: plane.name.partition("[")[0]):
        planes = list(group)
        numbers = f"{len(planes)} × {planes[0].size}" if len(planes) > 1 else str(planes[0].size)
        lines.append(f"| `{spans(planes[-1].name)}` | {numbers} | {shortened(planes[0].meaning)} |")
    return "\n".join(lines)


def page() -> str:
    """The whole page."""
    return "\n\n".join([HEAD.rstrip(), legend(), *map(table, games.names())]) + "\n"


def write_page(_app: Any) -> None:
    """Write the page."""
    (Path(__file__).parents[2] / "docs" / "planes.md").write_text(page(), "utf-8")


def setup(app: Any) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("builder-inited", write_page)
    return {"parallel_read_safe": True}
