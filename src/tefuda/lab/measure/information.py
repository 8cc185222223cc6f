"""What a mover cannot know: how uncertain it is where the cards are."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.record import Field, Holds, Visible

_DIMENSIONS = {Holds.CARDS: 1, Holds.COUNTS: 2}
"""Dimensions at most of a field that says in which hand or pile cards are; with more it also says when they came."""

_COPIES = 5
"""One more than the copies of a card in any pack."""


def card_fields(fields: Sequence[Field]) -> list[Field]:
    """The fields that say in which hand or pile cards are, and that somebody may not see."""
    return [
        each
        for each in fields
        if each.visible is not Visible.PUBLIC
        and each.holds in _DIMENSIONS
        and len(each.shape) <= _DIMENSIONS[each.holds]
    ]


def card_locations(worlds: NDArray[Any], fields: Sequence[Field], cards: int) -> NDArray[np.int64]:
    """Where each card is in each world.

    Args:
        worlds: records of shape (worlds,).
        fields: as ``card_fields`` gives them.
        cards: of the game, copies counted once.

    Returns:
        a number for each way of being placed, int64 of shape (worlds, cards).
    """
    found = np.zeros((len(worlds), cards), np.int64)
    for field in fields:
        held = worlds[field.name].reshape(len(worlds), -1) if field.holds is Holds.CARDS else worlds[field.name]
        if field.holds is Holds.COUNTS:
            held = held.reshape(len(worlds), -1, held.shape[-1])[:, :, :cards]
        for place in range(held.shape[1]):
            if field.holds is Holds.CARDS:
                here = held[:, place, None] >> np.arange(cards) & 1
            else:
                here = held[:, place].astype(np.int64)
            found[:, : here.shape[1]] = found[:, : here.shape[1]] * _COPIES + here
    return found


def entropy(locations: NDArray[np.int64]) -> float:
    """Bits that would tell where each card is, summed over the cards: an upper bound of log2 of the possible worlds.

    From the frequencies of a sample, with Miller's and Madow's correction for its size.

    Args:
        locations: int64 of shape (worlds, cards).
    """
    bits = 0.0
    for column in locations.T:
        _, counts = np.unique(column, return_counts=True)
        if len(counts) > 1:
            shares = counts / counts.sum()
            bits += float(-(shares * np.log2(shares)).sum() + (len(counts) - 1) / (2 * counts.sum() * np.log(2)))
    return bits
