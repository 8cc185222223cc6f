"""Words that every game writes: cards, whose turn it is, what a line of a sheet counts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.kit.session import SessionState
from tefuda.engine.record import StateRecord
from tefuda.engine.sentence import Refusal, Sentence
from tefuda.engine.texts import signed


def words_of(cards: int, words: Sequence[str]) -> tuple[str, ...]:
    """The words of the cards of a set, by number."""
    return tuple(words[card] for card in bits.members_of(cards))


def out_of_turn(state: SessionState, seat: int, rules: Mapping[Any, str] | str) -> Refusal | None:
    """The refusal of a seat that is not on turn, by the rule that says whose turn it is (by phase, if that differs)."""
    if seat == state.turn:
        return None
    rule = rules if isinstance(rules, str) else rules[int(state.phase)]
    return Refusal(rule, "not_your_turn", {"seat": f"#{state.turn}"})


def legal_words(state: StateRecord, words: Sequence[str]) -> tuple[str, ...]:
    """The legal plays of a game in which every play is one action, of these words."""
    out = np.empty(len(words) + 1, np.int64)
    return tuple(words[action] for action in out[: verbs.legal(state, out)].tolist())


def sheet_line(code: str, points: int, unit: int = 1, **fields: str) -> Sentence:
    """A line of a score sheet, a text under ``sheet``, with points in the smallest unit."""
    return Sentence(f"sheet.{code}", {"points": signed(int(points), unit), **fields})
