"""Tefuda: play, learn, print, measure and research East Asian card games that are close to being forgotten.

Games: ``load``, ``list_games``, ``options``, ``OptionHelp``, ``Game``. At the table: ``Session``, ``Deal``, ``View``,
``Reason``, ``Record``. In words: ``view_text``, ``rules_text``, ``parse_play``. Bots: ``bot``, ``Bot``,
``choose_play``, ``advice``, ``play_match``, ``MatchResult``. Errors: ``TefudaError``, from which all others derive,
``UnknownGameError``, ``OptionError``, ``PositionError``, ``NotationError``, ``IllegalPlay``, ``BotError``,
``RecordError``, ``ProofError``.

Example:
    >>> import tefuda
    >>> deal = tefuda.load("gong-zhu", exposing=False).deal(seed=7)
    >>> deal.play(deal.legal()[0])
    >>> deal
    <Deal of gong-zhu, 4 seats: 1 play made, seat 3 to move>
"""

from typing import Any as _Any

import lazy_loader as _lazy

_imported, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)


def __getattr__(name: str) -> _Any:
    """Import what a name stands for when it is first used: ``tefuda --help`` need not wait for the engine."""
    if name not in __all__:
        raise AttributeError(f"module 'tefuda' has no attribute {name!r}")
    return _imported(name)
