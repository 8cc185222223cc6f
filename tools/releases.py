"""Writes the last release of each dependency into docs/project/dependencies.md.

uv run python -m tools.releases    # some seconds, with a network

uv resolves the names of ``pyproject.toml`` for every supported Python. The column *last release* gets the newest
version, the day on which its first file was uploaded and, in brackets, the newest that the ranges allow if it is
older."""

import argparse
import json
import re
import subprocess
import tempfile
import tomllib
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from packaging.version import Version

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "project" / "dependencies.md"
RELEASE = re.compile(r"^\d\S*, \d{4}-\d\d-\d\d( \(\d\S*\))?$")


def requirements() -> list[str]:
    """All that the project and its extras ask for, as ``pyproject.toml`` has it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = chain(project["dependencies"], *project["optional-dependencies"].values())
    return [each for each in asked if not each.startswith("tefuda[")]


def resolved(asked: list[str]) -> dict[str, Any]:
    """The lock file that uv writes for these requirements."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = {"name": "asked", "version": "0", "requires-python": project["requires-python"], "dependencies": asked}
    with tempfile.TemporaryDirectory() as folder:
        lines = [f"{key} = {json.dumps(value)}" for key, value in wanted.items()]
        Path(folder, "pyproject.toml").write_text("\n".join(["[project]", *lines]), "utf-8")
        if subprocess.run(["uv", "lock", "--quiet", "--project", folder], check=False).returncode:
            raise SystemExit("uv could not resolve the dependencies: see above")
        return tomllib.loads(Path(folder, "uv.lock").read_text("utf-8"))


def releases(lock: Mapping[str, Any]) -> dict[str, str]:
    """The newest version of each package of a lock file and its day: ``2.4.6, 2026-05-18``. Packages of which no
    upload is known are left out."""
    found: dict[str, tuple[Version, str]] = {}
    for package in lock["package"]:
        files = [*([package["sdist"]] if "sdist" in package else []), *package.get("wheels", [])]
        days = [file["upload-time"][:10] for file in files if "upload-time" in file]
        if days:
            each = (Version(package["version"]), min(days))
            found[package["name"]] = max(found.get(package["name"], each), each)
    return {name: f"{version}, {day}" for name, (version, day) in found.items()}


def compared(last: Mapping[str, str], allowed: Mapping[str, str]) -> dict[str, str]:
    """The last releases, those that the ranges do not allow with the version that they do: ``13.0.0, … (12.3.0)``."""
    return {
        name: each if allowed.get(name, each) == each else f"{each} ({allowed[name].partition(',')[0]})"
        for name, each in last.items()
    }


def with_releases(page: str, known: Mapping[str, str]) -> str:
    """The page with the releases in the last column but one of its tables; SystemExit if that of a row is unknown."""

    def row(line: str) -> str:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or not RELEASE.match(cells[-2]):
            return line
        if cells[0] not in known:
            raise SystemExit(f"{PAGE.name}: {cells[0]} is not in pyproject.toml, or its index tells no dates")
        return f"| {' | '.join([*cells[:-2], known[cells[0]], cells[-1]])} |"

    return "\n".join(row(line) for line in page.split("\n"))


def main() -> None:
    """Resolve, and write the page."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    before = PAGE.read_text("utf-8")
    asked = requirements()
    names = sorted({re.split(r"[^\w.-]", each)[0] for each in asked})
    after = with_releases(before, compared(releases(resolved(names)), releases(resolved(asked))))
    PAGE.write_text(after, "utf-8")
    changed = sum(old != new for old, new in zip(before.split("\n"), after.split("\n"), strict=True))
    print(f"{PAGE.relative_to(ROOT)}: {changed} rows changed")


if __name__ == "__main__":
    main()
