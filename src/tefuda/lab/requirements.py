"""What can be said of the laboratory without the packages that it needs (the extra ``lab``)."""

from importlib.util import find_spec
from pathlib import Path

import platformdirs

PACKAGES = {
    "choix": "choix",
    "jinja2": "Jinja2",
    "matplotlib": "matplotlib",
    "polars": "polars",
    "scipy": "scipy",
    "tomli_w": "tomli-w",
}
"""Modules of the extra, and what their packages are called."""


def missing_packages() -> list[str]:
    """The packages of the extra that are not installed."""
    return [package for module, package in PACKAGES.items() if find_spec(module) is None]


def runs_folder() -> Path:
    """Where runs are kept unless the user names a folder."""
    return Path(platformdirs.user_data_dir("tefuda")) / "lab"
