"""The laboratory: duplicate matches, datasets, and experiments with their reports.

To follow one experiment from its file to its report, read these in order; each imports only those before it:

1. ``play/runner.py``: ``DealRunner`` plays deals, compiled where it can (``play/python_game.py`` where it cannot)
2. ``experiment_file.py``: ``read`` makes an ``Experiment`` of the file
3. ``measure/rows.py``: ``deal_rows`` makes a table of what was played, ``measure/figures.py`` figures of the table
4. ``runs.py``: ``Worker.play`` plays a block of deals in every arm; ``Run.play`` keeps the blocks and joins them
5. ``report/findings.py``: ``find`` computes every number of the report
6. ``report/sentences.py``: ``summary`` says what they answer
7. ``report/page.py``: ``write`` writes the pages

``measure/decisions.py`` joins in at 3 where an experiment examines single decisions. Matches (``play/match.py``) and
datasets (``dataset.py``) are jobs as experiments are: ``jobs.py`` plays their pieces here, in other processes, or on a
Ray cluster. docs/lab.md is for users. Matches need no extra, all else needs ``lab``."""

from importlib.util import find_spec
from pathlib import Path

import platformdirs

PACKAGES = {"jinja2": "Jinja2", "matplotlib": "matplotlib", "polars": "polars", "scipy": "scipy", "tomli_w": "tomli-w"}
"""Modules of the extra, and their packages' names."""


def missing_packages() -> list[str]:
    """The packages of the extra that are not installed."""
    return [package for module, package in PACKAGES.items() if find_spec(module) is None]


def runs_folder() -> Path:
    """The folder of the runs, unless the user names another."""
    return Path(platformdirs.user_data_dir("tefuda")) / "lab"
