"""Whose holding which card decides: of all hidden cards and hands, the one that explains best why what two plays are
compared by goes one way or the other.

It is read off the worlds in which both are played on (``bots/rollouts.py``), so it rests on the mover's view alone, and
named only where it explains much. Where plays are compared by what one brings more, the holding must make at least as
much of a difference as that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.contrast import SURE, Contrast, counted, incident_named, say_incident, say_number
from tefuda.bots.rollouts import Rollouts
from tefuda.engine.description import Description
from tefuda.engine.record import Holds
from tefuda.engine.texts import TEXTS, Spell, catalogue, percentage, signed, spelled, typed
from tefuda.table.reasons import name_seats

CLEAR = 4.5
"""Standard errors by which what comes must differ with the holding: among the some 300 pairs of cards and hands that
are tried, chance alone passes that in one of 500 comparisons."""

LEAST_LIKELY = 0.1
"""Share of the worlds in which a seat must hold the card, and in which it must not: else it is rare, or nearly sure."""

LEAST_DIFFERENCE = 0.25
"""Of an incident's shares with and without the card; of an amount, as a part of its mean."""

LEAST_PART = 0.15
"""Of the variance, which the holding must explain."""

SAME = 1e-9
"""Parts of the variance that differ by no more are the same but for rounding."""

HANDS = "hands"
"""The field of a game's state that says what each holds; where a game has none nothing is said."""


@dataclass(frozen=True)
class Holding:
    """What comes where a seat holds a card, and where it does not.

    Attributes:
        seat: which may hold it.
        card: its word.
        copies: so many of it, or more.
        share: of the worlds, in which that is so, 0 to 1.
        play, other: words of two plays. What comes, comes of ``play``.
        incident: the name of what comes; empty: ``play`` brings so much more than ``other``.
        number, other_number: where the seat holds the card and where not, in which share of the worlds the incident
            happens, 0 to 1; or the mean, if it is an amount or what a play brings more, as people count it.
    """

    seat: int
    card: str
    copies: int
    share: float
    play: str
    other: str
    incident: str
    number: float
    other_number: float


def find_holding(
    game: Description, rollouts: Rollouts, contrast: Contrast | None, play: str, other: str
) -> Holding | None:
    """The holding that explains best how it comes; None if none explains much.

    Args:
        game: which is played.
        rollouts: of two plays, the better one first.
        contrast: what tells them apart; what explains it is looked for, or, where there is none, what explains by how
            much one brings more than the other.
        play, other: their words.
    """
    if all(each.name != HANDS for each in game.fields):
        return None
    results, least = _results(game, rollouts, contrast)
    held = held_in(game, rollouts.worlds)
    found = _most_telling(held.reshape(len(held), -1).astype(np.float64), results, least)
    if found is None:
        return None
    k, column, share, number, other_number = found
    copies, seat, card = (int(each) for each in np.unravel_index(k, held.shape[1:]))
    plays = (other, play) if column else (play, other)
    incident = "" if contrast is None else contrast.incident
    return Holding(seat, game.cards[card], copies + 1, share, *plays, incident, number, other_number)


def _results(game: Description, rollouts: Rollouts, contrast: Contrast | None) -> tuple[NDArray[np.float64], float]:
    """What is to be explained, of shape (worlds, plays), and by how much it must differ with the holding.

    It is the incident after each of both plays, or, in one column, what the better one brings more.
    """
    if contrast is None:
        more, (mean, doubt) = rollouts.gains[:, :1] - rollouts.gains[:, 1:], rollouts.more
        return more / game.rules.unit, mean / game.rules.unit if mean > SURE * doubt else inf
    place = game.display.incidents.index(incident_named(game, contrast.incident))
    results = rollouts.incidents[:, :, place].astype(np.float64)
    return results, LEAST_DIFFERENCE * (results.mean() if game.display.incidents[place].amount else 1.0)


def held_in(game: Description, worlds: NDArray[Any]) -> NDArray[np.bool_]:
    """Who holds what.

    Args:
        game: which is played.
        worlds: records of shape (worlds,).

    Returns:
        bool of shape (worlds, copies, seats, cards): at ``[:, 0]`` whether a seat holds the card, at ``[:, 1]`` whether
        it holds two of it or more, and so on as far as anybody holds so many.
    """
    (field,) = (each for each in game.fields if each.name == HANDS)
    hands = worlds[HANDS]
    held: NDArray[np.bool_]
    if field.holds is Holds.COUNTS:
        held = hands[:, None] >= np.arange(1, hands.max() + 1)[:, None, None]
    else:
        held = (hands[:, None, :, None] >> np.arange(len(game.cards)) & 1).astype(np.bool_)
    return held


def _most_telling(
    held: NDArray[np.float64], results: NDArray[np.float64], least: float
) -> tuple[int, int, float, float, float] | None:
    """The column of ``held`` (worlds, holdings) that explains most of a column of ``results`` (worlds, plays).

    Returns:
        Both columns, the share of worlds with the holding, and the means of the results with it and without.
    """
    worlds, share = len(held), held.mean(0)
    likely = np.flatnonzero((share >= LEAST_LIKELY) & (share <= 1 - LEAST_LIKELY))
    if not len(likely):
        return None
    held, share = held[:, likely], share[likely, None]
    number, other_number = held.T @ results / (worlds * share), (1 - held).T @ results / (worlds * (1 - share))
    difference = number - other_number
    part = share * (1 - share) * difference**2 / np.maximum(results.var(0), 1e-12)  # its root: their correlation
    telling = (np.abs(difference) >= least) & (part >= LEAST_PART) & (part * worlds >= CLEAR**2)
    if not telling.any():
        return None
    # Where one of two hands must hold a card, either says the same: then the rarer holding is named.
    k, column = np.unravel_index(np.where(telling, part - SAME * share, -inf).argmax(), part.shape)
    return int(likely[k]), int(column), float(share[k, 0]), float(number[k, column]), float(other_number[k, column])


def say_holding(
    game: Description,
    holding: Holding,
    language: str,
    names: Sequence[str] = (),
    spell: Spell = typed,
    seat: int | None = None,
    frame: str = "hint",
) -> str:
    """The sentences of it; arguments as of ``say_contrast``."""
    texts = catalogue(TEXTS, language)
    result = (_say_incidents if holding.incident else _say_gains)(game, holding, language, seat)
    text = texts(
        f"{frame}.depends_copies" if holding.copies > 1 else f"{frame}.depends",
        name=f"#{holding.seat}", card=holding.card, copies=holding.copies, result=result,
    )  # fmt: skip
    return name_seats(spelled(text, spell), language, names)


def _say_incidents(game: Description, holding: Holding, language: str, seat: int | None) -> str:
    incident = incident_named(game, holding.incident)
    return catalogue(TEXTS, language)(
        "hint.if_held_amount" if incident.amount else "hint.if_held",
        share=percentage(holding.share), play=holding.play, what=say_incident(game, incident, language, seat),
        number=say_number(game, incident, holding.number, language),
        other_number=say_number(game, incident, holding.other_number, language),
    )  # fmt: skip


def _say_gains(game: Description, holding: Holding, language: str, seat: int | None) -> str:
    figures = (signed(round(10 * number), 10) for number in (holding.number, holding.other_number))
    more, other_more = (counted(game, figure, language) for figure in figures)
    return catalogue(TEXTS, language)(
        "hint.if_held_gain",
        share=percentage(holding.share), play=holding.play, other=holding.other, more=more, other_more=other_more,
    )  # fmt: skip
