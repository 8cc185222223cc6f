"""Tefuda: play, learn, print, measure and research East Asian card games that are close to being forgotten."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tefuda.engine.description import OptionError
    from tefuda.engine.errors import TefudaError
    from tefuda.engine.kit.positions import PositionError
    from tefuda.engine.notation import NotationError
    from tefuda.table.deal import Deal
    from tefuda.table.game import Game, load
    from tefuda.table.reasons import IllegalPlay, Reason
    from tefuda.table.session import Session

_HOMES = {
    "Deal": "tefuda.table.deal",
    "Game": "tefuda.table.game",
    "IllegalPlay": "tefuda.table.reasons",
    "NotationError": "tefuda.engine.notation",
    "OptionError": "tefuda.engine.description",
    "PositionError": "tefuda.engine.kit.positions",
    "Reason": "tefuda.table.reasons",
    "Session": "tefuda.table.session",
    "TefudaError": "tefuda.engine.errors",
    "load": "tefuda.table.game",
}

__all__ = [
    "Deal",
    "Game",
    "IllegalPlay",
    "NotationError",
    "OptionError",
    "PositionError",
    "Reason",
    "Session",
    "TefudaError",
    "load",
]


def __getattr__(name: str) -> Any:
    """Import the engine only when it is used: ``tefuda --help`` need not wait for it."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("tefuda")
    raise AttributeError(f"module 'tefuda' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
