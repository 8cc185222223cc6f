"""The tested versions stand where ``uv`` reads them, and where ``pip`` does.

``constraints.txt`` is what people edit; ``python -m tests.test_constraints`` copies it into ``pyproject.toml``."""

import re
import tomllib
from importlib.metadata import distributions
from pathlib import Path

from packaging.requirements import Requirement

TOP = Path(__file__).parent.parent
PROJECT, FILE = TOP / "pyproject.toml", TOP / "constraints.txt"
BLOCK = re.compile(r"^constraint-dependencies = \[\n.*?^\]\n", re.MULTILINE | re.DOTALL)


def pinned() -> list[str]:
    """The lines of ``constraints.txt``, such as ``numba==0.68.1``."""
    return [line for line in FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")]


def test_uv_and_pip_install_the_same_versions() -> None:
    settings = tomllib.loads(PROJECT.read_text("utf-8"))["tool"]["uv"]
    assert settings["constraint-dependencies"] == pinned(), "copy them: uv run python -m tests.test_constraints"


def test_what_is_installed_is_what_was_tested() -> None:
    versions = {re.sub(r"[-_.]+", "-", each.name).lower(): each.version.partition("+")[0] for each in distributions()}
    versions.pop("setuptools", None)  # ``python -m venv`` brings its own
    for wanted in map(Requirement, pinned()):
        version = str(wanted.specifier).removeprefix("==")
        if wanted.marker is None or wanted.marker.evaluate():  # others are for other Pythons
            assert versions.get(wanted.name, version) == version, wanted.name


def main() -> None:
    """Copy the tested versions."""
    block = "constraint-dependencies = [\n" + "".join(f'  "{line}",\n' for line in pinned()) + "]\n"
    PROJECT.write_text(BLOCK.sub(lambda _: block, PROJECT.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
