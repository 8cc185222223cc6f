"""Tefuda: play, learn, print, measure and research East Asian card games that are close to being forgotten."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tefuda.table.deal import Deal
    from tefuda.table.game import Game, load
    from tefuda.table.reasons import IllegalPlay, Reason
    from tefuda.table.session import Session

_HOMES = {
    "Deal": "tefuda.table.deal",
    "Game": "tefuda.table.game",
    "IllegalPlay": "tefuda.table.reasons",
    "Reason": "tefuda.table.reasons",
    "Session": "tefuda.table.session",
    "load": "tefuda.table.game",
}

__all__ = ["Deal", "Game", "IllegalPlay", "Reason", "Session", "load"]


def __getattr__(name: str) -> Any:
    """Import the engine only when it is used: ``tefuda --help`` need not wait for it."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'tefuda' has no attribute {name!r}")
