"""The command in this process, as a test types it."""

import signal
import subprocess
import sys
import warnings
from collections.abc import Mapping
from io import StringIO

import pytest

from tefuda.cli.app import main


def run(home: Mapping[str, str], *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The command in this process: its exit status and all that it has written."""
    out, err, status = StringIO(), StringIO(), 0
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_DATA_HOME", "COLUMNS", "NO_COLOR"):
            patch.setenv(name, home[name])
        for name, stream in (("stdin", StringIO(typed)), ("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, stream)
        patch.setattr(sys, "argv", ["tefuda", *words])
        patch.setattr(warnings, "showwarning", warnings.showwarning)
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
    return subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue())


def heed_interrupts() -> None:
    """For a process, before it starts: what runs in the background of a script inherits that they are ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
