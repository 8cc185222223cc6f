"""Sap Ng Wu: what a good club player would teach a beginner on the first evening."""

from typing import Any

import numpy as np

from tefuda.engine import verbs
from tefuda.engine.rng import below
from tefuda.engine.verbs import implements
from tefuda.games.sap_ng_wu.plays import ACTIONS
from tefuda.games.sap_ng_wu.rules import legal
from tefuda.games.sap_ng_wu.state import STATE


@implements(verbs.advise, STATE)
def advise(state: Any, rng: Any) -> int:
    """For now a random legal play."""
    out = np.empty(ACTIONS, np.int64)
    return out[below(rng, legal(state, out))]
