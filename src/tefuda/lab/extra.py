"""What can be said of the laboratory without the packages that it needs (the extra ``lab``)."""

from importlib.util import find_spec
from pathlib import Path

import platformdirs

PACKAGES = ("polars", "scipy", "matplotlib")


def missing() -> list[str]:
    """The packages of the extra that are not installed."""
    return [name for name in PACKAGES if find_spec(name) is None]


def runs_folder() -> Path:
    """Where runs are kept unless the user names a folder."""
    return Path(platformdirs.user_data_dir("tefuda")) / "lab"
