"""The page about dependencies names those of ``pyproject.toml``, each with the extras that bring it."""

import re
import tomllib
from pathlib import Path

import pytest
from tools.releases import RELEASE, compared, releases, with_releases

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
        assert RELEASE.match(row[-2]), row[0]


LOCK = """
[[package]]
name = "numpy"
version = "2.4.6"
wheels = [{ upload-time = "2026-05-18T23:37:14Z" }]

[[package]]
name = "numpy"
version = "2.10.0"
sdist = { upload-time = "2026-11-16T00:10:00Z" }
wheels = [{ upload-time = "2026-11-15T23:50:00Z" }, {}]

[[package]]
name = "ours"
version = "0.3.0"
"""


def test_a_release_is_the_newest_version_with_the_day_of_its_first_file() -> None:
    assert releases(tomllib.loads(LOCK)) == {"numpy": "2.10.0, 2026-11-15"}


def test_what_the_ranges_allow_stands_in_brackets_where_it_is_older() -> None:
    last = {"pillow": "13.0.0, 2026-10-16", "numpy": "2.10.0, 2026-11-15"}
    allowed = {"pillow": "12.3.0, 2026-07-01", "numpy": "2.10.0, 2026-11-15"}
    assert compared(last, allowed) == last | {"pillow": "13.0.0, 2026-10-16 (12.3.0)"}


def test_releases_are_written_into_their_column_alone() -> None:
    page = "| package | last release | if it stopped |\n|---|---|---|\n| numpy | {} | Fortran |\n"
    known = {"numpy": "2.10.0, 2026-11-15"}
    assert with_releases(page.format("2.4.6, 2026-05-18"), known) == page.format("2.10.0, 2026-11-15")
    assert with_releases(page.format("2.4.6, 2026-05-18 (2.3.0)"), known) == page.format("2.10.0, 2026-11-15")
    with pytest.raises(SystemExit, match="numpy is not in"):
        with_releases(page.format("2.4.6, 2026-05-18"), {})
