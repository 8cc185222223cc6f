"""Ma Diao: rules of thumb."""

from typing import Any

import numpy as np

from tefuda.engine import verbs
from tefuda.engine.verbs import implements
from tefuda.games.ma_diao.state import ACTIONS, STATE


@implements(verbs.advise, STATE)
def advise(state: Any, rng: Any) -> int:
    """The last legal action: declare and refuse if possible, throw the strongest card."""
    out = np.empty(ACTIONS, np.int64)
    return out[verbs.legal(state, out) - 1]
