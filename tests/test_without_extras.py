"""The core alone plays, referees and trains; what needs an extra says in one line how to install it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.without_extras import core

TOP = Path(__file__).parent.parent


def run(*words: str, folder: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Tefuda without extras in a process of its own, its rules not compiled."""
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": str(TOP),
        "XDG_DATA_HOME": str(folder / "data"),
        "NO_COLOR": "1",
    }
    command = [sys.executable, "-m", "tests.without_extras", *words]
    return subprocess.run(
        command, env=environment, cwd=folder, input=typed, capture_output=True, encoding="utf-8", timeout=300
    )


def test_the_core_brings_no_server_database_or_fonts() -> None:
    heavy = {"fastapi", "starlette", "uvicorn", "sqlalchemy", "jinja2", "fonttools", "reportlab", "polars"}
    heavy |= {"matplotlib"}
    assert {"numba", "numpy", "rich", "typer"} <= core()
    assert not core() & heavy


@pytest.mark.deep
def test_the_core_plays_referees_and_reads_records(tmp_path: Path) -> None:
    for words in (
        ["games"],
        ["rules", "luk-fu", "LF-18"],
        ["rules", "kakkuri", "--about"],
        ["deck", "ma-diao"],
        ["play", "gong-zhu", "--auto", "--seed", "1", "--record", "deal.tfd"],
        ["replay", "deal.tfd"],
        ["match", "gong-zhu", "hints", "random", "random", "random", "--deals", "1"],
    ):
        done = run(*words, folder=tmp_path)
        assert done.returncode == 0, (words, done.stderr)
        assert done.stdout


def test_the_python_interface_and_research_need_no_extra(tmp_path: Path) -> None:
    program = """
import tefuda
for name in tefuda.__all__:
    getattr(tefuda, name)
from tefuda.research.vector import VectorEnv
from tefuda.testing import check_contract
VectorEnv("gong-zhu", 2).reset(seed=1)
"""
    done = run("-", folder=tmp_path, typed=program)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["serve", "--port", "0"],
            "tefuda: tefuda serve needs sqlalchemy: uv run --extra server tefuda serve --port 0\n",
        ),
        (["admin", "tables"], "tefuda: tefuda admin needs sqlalchemy: uv run --extra server tefuda admin tables\n"),
        (
            ["deck", "luk-fu", "-o", "luk-fu.pdf"],
            "tefuda: drawing or printing cards needs reportlab: "
            "uv run --extra decks tefuda deck luk-fu -o luk-fu.pdf\n",
        ),
        (
            ["deck", "luk-fu", "--svg", "cards"],
            "tefuda: drawing or printing cards needs fontTools: uv run --extra decks tefuda deck luk-fu --svg cards\n",
        ),
        (
            ["problems", "solve", "gong-zhu"],
            "tefuda: tefuda problems needs fsrs: uv run --extra problems tefuda problems solve gong-zhu\n",
        ),
        (
            ["lab", "report", "x"],
            "tefuda: tefuda lab needs Jinja2, matplotlib, polars, scipy, tomli-w: "
            "uv run --extra lab tefuda lab report x\n",
        ),
    ],
)
def test_what_needs_an_extra_names_it_in_one_line(tmp_path: Path, words: list[str], told: str) -> None:
    done = run(*words, folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


def test_an_installed_package_says_pips_command(tmp_path: Path) -> None:
    program = """
from pathlib import Path
from tefuda.engine import errors
errors.PROJECT = Path("nowhere")
try:
    import tefuda.client
except ImportError as error:
    print(error)
"""
    done = run("-", folder=tmp_path, typed=program)
    assert done.stdout == "tefuda.client needs httpx: pip install 'tefuda[client]'\n"
