"""Sap Ng Wu: every play there is, numbered once, with the cards it takes. A play is one kernel action.

| actions | plays |
|---|---|
| 0–83 | one to four cards of a face: ``4 * face + cards − 1`` |
| 84–467 | a combination: by strength, civil cards, then cards of military 1 and 2 |
| 468–483 | a supreme lead: ``4 * (12s − 1) + 24s − 1`` |
| 484, 485–500 | before play: laying nothing, or supreme cards numbered as the leads are |
| 501, 502, 503 | pass; stop; go on |
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.verbs import inlined, rule
from tefuda.games.sap_ng_wu.cards import COMBINATION_FACES, COPIES, FACES, TWELVE, TWENTY_FOUR

STRENGTHS = len(COMBINATION_FACES)
SHAPES = COPIES * ((COPIES + 1) ** 2 - 1)
"""Numbers (c, m1, m2) that a combination may have."""

SETS = 0
COMBINATIONS = SETS + FACES * COPIES
SUPREME_LEADS = COMBINATIONS + STRENGTHS * SHAPES
LAY_NONE = SUPREME_LEADS + COPIES * COPIES
LAYS = LAY_NONE + 1
PASS = LAYS + COPIES * COPIES
STOP, ON = PASS + 1, PASS + 2
ACTIONS = ON + 1

EIGHT = COPIES * COPIES - 1
"""Number of all eight supreme cards among the selections of supreme cards."""


@rule
def set_action(face: int, cards: int) -> int:
    """A single card, or this many (1–4) of the same face."""
    return face * COPIES + cards - 1


@rule
def combination_action(strength: int, c: int, m1: int, m2: int) -> int:
    """A combination of c civil cards (1–4) with m1 and m2 military ones (0–4, not both 0)."""
    return COMBINATIONS + strength * SHAPES + (c - 1) * (SHAPES // COPIES) + m1 * (COPIES + 1) + m2 - 1


@rule
def supreme_selection(twelves: int, twenty_fours: int) -> int:
    """The number of a selection of supreme cards (1–4 each), to be added to SUPREME_LEADS or LAYS."""
    return (twelves - 1) * COPIES + twenty_fours - 1


@rule
def is_set(action: int) -> bool:
    """Whether it is a single card or a set."""
    return action < COMBINATIONS


@rule
def is_combination(action: int) -> bool:
    """Whether it is a combination."""
    return COMBINATIONS <= action < SUPREME_LEADS


@rule
def is_supreme_lead(action: int) -> bool:
    """Whether it is a supreme lead."""
    return SUPREME_LEADS <= action < LAY_NONE


def _parts() -> list[list[tuple[int, int]]]:
    """The cards of each action, as (face, how many)."""
    parts: list[list[tuple[int, int]]] = [[] for _ in range(ACTIONS)]
    some = range(1, COPIES + 1)
    for face in range(FACES):
        for cards in some:
            parts[set_action(face, cards)] = [(face, cards)]
    for strength, faces in enumerate(COMBINATION_FACES.tolist()):
        for c in some:
            for m1 in range(COPIES + 1):
                for m2 in range(COPIES + 1):
                    if m1 + m2 > 0:
                        parts[combination_action(strength, c, m1, m2)] = list(zip(faces, (c, m1, m2), strict=True))
    for twelves in some:
        for twenty_fours in some:
            selection = supreme_selection(twelves, twenty_fours)
            parts[SUPREME_LEADS + selection] = [(TWELVE, twelves), (TWENTY_FOUR, twenty_fours)]
            parts[LAYS + selection] = parts[SUPREME_LEADS + selection]
    return [[(face, cards) for face, cards in each if cards] for each in parts]


PARTS = tuple(tuple(each) for each in _parts())
"""For Python callers: the cards of each action, as (face, how many)."""

MOST_PARTS = 3
PART_COUNT: NDArray[np.int8] = np.array([len(each) for each in PARTS], np.int8)
PART_FACE: NDArray[np.int8] = np.zeros((ACTIONS, MOST_PARTS), np.int8)
PART_CARDS: NDArray[np.int8] = np.zeros((ACTIONS, MOST_PARTS), np.int8)
"""No card of face 0 after the last part: who has no use for their number goes through all MOST_PARTS, which is faster
than to guess where they end."""
for _action, _each in enumerate(PARTS):
    for _k, (_face, _cards) in enumerate(_each):
        PART_FACE[_action, _k], PART_CARDS[_action, _k] = _face, _cards

SIZE: NDArray[np.int64] = PART_CARDS.sum(axis=1, dtype=np.int64)
"""Cards that each action takes."""


@inlined
def holds(counts: Any, action: int) -> bool:
    """Whether the cards of an action are among these (counts by face)."""
    enough = True
    for k in range(MOST_PARTS):
        enough &= counts[PART_FACE[action, k]] >= PART_CARDS[action, k]
    return enough
