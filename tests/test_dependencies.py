"""The page about dependencies names those of ``pyproject.toml``, each with the extras that bring it."""

import re
import tomllib
from pathlib import Path

TOP = Path(__file__).parent.parent
PAGE = TOP / "docs" / "project" / "dependencies.md"


def name_of(requirement: str) -> str:
    """The package of a requirement, such as ``psycopg[binary]>=3.2,<4``."""
    return re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-")


def rows(heading: str) -> list[list[str]]:
    """The rows of a section's table."""
    section = PAGE.read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_page_names_every_dependency_with_its_extras() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    assert [row[0] for row in rows("The core")] == sorted(map(name_of, project["dependencies"]))
    extras: dict[str, list[str]] = {}
    for extra, requirements in sorted(project["optional-dependencies"].items()):
        for name in map(name_of, requirements):
            if name != "tefuda":
                extras.setdefault(name, []).append(extra)
    assert {row[0]: row[1].split(", ") for row in rows("Extras")} == extras
    assert [row[0] for row in rows("Extras")] == sorted(extras)


def test_every_row_says_what_for_when_and_what_then() -> None:
    for row, width in [*((each, 4) for each in rows("The core")), *((each, 5) for each in rows("Extras"))]:
        assert len(row) == width
        assert all(row)
        assert re.search(r"\d, \d{4}-\d\d-\d\d( \([\w.]+\))?$|\.post\d, \d{4}-\d\d-\d\d$", row[-2]), row[0]
