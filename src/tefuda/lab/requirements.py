"""Requirements of the laboratory, told without the packages of its extra (``lab``)."""

from importlib.util import find_spec
from pathlib import Path

import platformdirs

PACKAGES = {
    "jinja2": "Jinja2",
    "matplotlib": "matplotlib",
    "polars": "polars",
    "scipy": "scipy",
    "tomli_w": "tomli-w",
}
"""Modules of the extra, and their packages' names."""


def missing_packages() -> list[str]:
    """The packages of the extra that are not installed."""
    return [package for module, package in PACKAGES.items() if find_spec(module) is None]


def runs_folder() -> Path:
    """The folder of the runs, unless the user names another."""
    return Path(platformdirs.user_data_dir("tefuda")) / "lab"
