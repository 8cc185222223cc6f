"""Writes docs/planes.md: the planes of every game's observations at a table of the usual size."""

from itertools import groupby
from pathlib import Path

from tefuda import games, load
from tefuda.research.planes import Observation

HEAD = """# Planes

After this page you know what each number of an observation means: game by game, at tables of the usual number of seats
and with the default options. `python docs/planes.py` writes it. [For researchers](research.md) says how planes are made, and what is left out.
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


if __name__ == "__main__":
    Path(__file__).with_name("planes.md").write_text(page(), "utf-8")
