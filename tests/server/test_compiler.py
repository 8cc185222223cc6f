"""Games are compiled in a process of their own, which says what it does; the server then loads what that has kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tefuda.engine import verbs

SCRIPT = """
from tefuda.server.live.compiler import GameCompiler
told = []
compiler = GameCompiler(["gong-zhu"], lambda *step: told.append(step))
compiler.compile_all()
assert [done for _, _, done, _ in told[:3]] == [0, 1, 2], told
print(compiler.progress("gong-zhu"))
"""


@pytest.mark.skipif(verbs.UNCOMPILED, reason="nothing is compiled")
@pytest.mark.deep
def test_what_another_process_compiles_is_told_and_loaded(tmp_path: Path) -> None:
    """From nothing: the second time all is found on disk."""
    environment = {**os.environ, "TEFUDA_CACHE_DIR": str(tmp_path)}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, timeout=500, check=False
        )
        assert done.returncode == 0, done.stderr
        assert list(tmp_path.rglob("gong-zhu.page.compiled"))
