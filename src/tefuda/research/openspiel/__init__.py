"""The games in OpenSpiel: importing this registers each of them (``tefuda_gong_zhu`` …) with ``pyspiel``.

Their miniatures and tiny games too (``tefuda_gong_zhu_tiny`` …), which are small enough to be solved whole.

    import pyspiel
    import tefuda.research.openspiel
    game = pyspiel.load_game("tefuda_gong_zhu", {"players": 5})

``docs/openspiel.md`` says how chance, information states and cut-down deals are made.

Raises:
    MissingPackageError: OpenSpiel is not installed; the message says how to.
"""

from tefuda import games
from tefuda.engine.description import TINY
from tefuda.engine.errors import needed_by

with needed_by("tefuda.research.openspiel", "openspiel"):
    import pyspiel  # noqa: F401

from tefuda.research.openspiel.adapter import OpenSpielGame, OpenSpielObserver, OpenSpielState, register, short_name

__all__ = ["OpenSpielGame", "OpenSpielObserver", "OpenSpielState", "short_name"]

for _name in (*games.names(), *games.miniatures(), *games.miniatures(TINY)):
    register(_name)
