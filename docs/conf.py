"""The documentation site, built by Sphinx: ``uv run --group docs python -m tools.docs``.

Pages are Markdown (MyST) where people write them and reStructuredText where docstrings are collected. The rules of each
game are written into ``docs/games/`` at the start of a build, from the catalogues that ``tefuda rules`` reads; other
pages of the reference too (``tools/pages``). A warning is an error."""

import os
import re
import sys
from importlib.metadata import version as installed
from importlib.util import find_spec
from pathlib import Path

# Rules then are plain functions, whose signatures and docstrings autodoc finds; nothing is compiled.
os.environ["NUMBA_DISABLE_JIT"] = "1"
HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

project = "Tefuda"
author = "The authors of Tefuda"
copyright = "The authors of Tefuda; MIT licence"  # noqa: A001 - Sphinx reads this name
release = version = installed("tefuda")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "tools.pages.api_pages",
    "tools.pages.command_page",
    "tools.pages.game_pages",
    "tools.pages.planes_page",
    "tools.pages.search_words",
]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
# What ``import tefuda`` gives is described there and in its module; a link may lead to either.
suppress_warnings = ["ref.python"]

myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 4
myst_disable_syntax = ["footnote_ref"]  # regular expressions in reports, such as [^~], are none

default_role = "code"
highlight_language = "text"
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
# What other extras bring need not be installed to read docstrings.
extras = ("gymnasium", "open_spiel", "pettingzoo", "psycopg", "pyspiel", "ray", "reportlab", "torch")
autodoc_mock_imports = [name for name in extras if find_spec(name) is None]
napoleon_use_ivar = True
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = f"Tefuda {release}"
html_logo = html_favicon = "../src/tefuda/web/static/icon.svg"
html_static_path = ["_static", "../src/tefuda/web/static/fonts"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"footer_icons": [], "top_of_page_buttons": []}

OUTSIDE = {
    "bench/README.md": "/project/measurements.md",
    "CONTRIBUTING.md": "/project/contributing.md",
    "CHANGELOG.md": "/project/changelog.md",
    "CODE_OF_CONDUCT.md": "/project/conduct.md",
    "SECURITY.md": "/project/security.md",
}
"""Files of the repository above this folder that are pages of the site."""

_EXPERIMENT = re.compile(r"\]\(\.\./experiments/([\w-]+)/([\w-]+)\.toml\)")
_OUTWARD = re.compile(r"\]\((?:\.\./)+(" + "|".join(map(re.escape, OUTSIDE)) + r")")


def lead_inward(_app: object, page: str, source: list[str]) -> None:
    """Let links to those files lead to their pages, and answers of the laboratory to the reports that are there."""
    source[0] = _OUTWARD.sub(lambda found: f"]({OUTSIDE[found[1]]}", source[0])
    if page == "answers":
        source[0] = _EXPERIMENT.sub(lambda found: f"]({report_or_source(found[1], found[2])})", source[0])
        if reports := sorted(path.relative_to(HERE).with_suffix("") for path in HERE.glob("lab/*/report.md")):
            source[0] += "\n\n```{toctree}\n:hidden:\n\n" + "\n".join(map(str, reports)) + "\n```\n"


def report_or_source(game: str, name: str) -> str:
    """The report of an experiment where it has been played (``tools/laboratory.py``), else its file."""
    report = f"lab/{game}-{name}/report.md"
    return report if (HERE / report).exists() else f"../experiments/{game}/{name}.toml"


def setup(app: object) -> None:
    """Sphinx calls this."""
    app.connect("source-read", lead_inward)  # type: ignore[attr-defined]
