"""Arrays in compiled code."""

from typing import Any

from tefuda.engine.verbs import rule


@rule
def overwrite(out: Any, values: Any) -> None:
    """``out[:] = values``, which takes over a second to compile: its error would tell both shapes."""
    for k in range(len(out)):
        out[k] = values[k]
