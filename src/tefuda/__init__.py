"""Tefuda: play, learn, print, measure and research East Asian card games that are close to being forgotten.

Games: ``load``, ``list_games``, ``options``, ``OptionHelp``, ``Game``. At the table: ``Session``, ``Deal``, ``View``,
``Reason``, ``Record``. Bots: ``bot``, ``Bot``, ``choose_play``, ``advice``, ``play_match``, ``MatchResult``. Errors:
``TefudaError``, from which all others derive, ``UnknownGameError``, ``OptionError``, ``PositionError``,
``NotationError``, ``IllegalPlay``, ``BotError``, ``RecordError``, ``ProofError``.

Example:
    >>> import tefuda
    >>> deal = tefuda.load("gong-zhu", exposing=False).deal(seed=7)
    >>> deal.play(deal.legal()[0])
    >>> deal
    <Deal of gong-zhu, 4 seats: 1 play made, seat 3 to move>
"""

import ast as _ast
from importlib import import_module as _import_module
from pathlib import Path as _Path
from typing import Any as _Any

_HOMES = {
    alias.name: f"tefuda.{node.module}"
    for node in _ast.parse(_Path(__file__).with_suffix(".pyi").read_text("utf-8")).body
    if isinstance(node, _ast.ImportFrom)
    for alias in node.names
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> _Any:
    """Import what a name stands for when it is first used: ``tefuda --help`` need not wait for the engine."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tefuda' has no attribute {name!r}")
    return globals().setdefault(name, getattr(_import_module(_HOMES[name]), name))


def __dir__() -> list[str]:
    return list(__all__)
