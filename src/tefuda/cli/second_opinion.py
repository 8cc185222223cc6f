"""What a search says of the hint: whether it agrees, and what it found of each play."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from tefuda.bots.search import PlayEstimate
from tefuda.engine.notation import NotationError
from tefuda.table.deal import Deal

MOST_PLAYS = 7
"""Plays of which a person is told."""

SURE = 2.0
"""Standard errors by which another play must be better before that is said."""

LEAST_SHARE = 0.01
"""Of all simulations, below which a play's mean says nothing: the search has turned away from it."""


@dataclass(frozen=True)
class SecondOpinion:
    """A search's view of a hint.

    Attributes:
        code: of the text (``play.<code>``): ``search_agrees``, ``search_as_good``, ``search_better`` or
            ``search_doubts``.
        fields: of that text.
        plays: the play to make first, the hint among them; after these two the most tried.
        counted: the plays among them that were tried often enough for figures.
    """

    code: str
    fields: Mapping[str, str]
    plays: Sequence[PlayEstimate]
    counted: frozenset[str]


def listed(deal: Deal, play: str) -> str:
    """The word by which the legal plays list a play: ``~3`` for three cards face down."""
    try:
        return deal.word(deal.game.description.notation.actions(deal.array, play)[0])
    except NotationError:
        return play


def second_opinion(hint: str, found: Sequence[PlayEstimate]) -> SecondOpinion:
    """Compare a hint with what a search found.

    Args:
        hint: as the legal plays list it.
        found: the play that the search would make first, then the most tried (``estimate_plays``).
    """
    first = found[0]
    own = next((each for each in found if each.play == hint), PlayEstimate(hint, 0, 0.0, 0.0, 0.0, 0.0))
    tries = sum(each.visits for each in found)
    counted = frozenset(each.play for each in found if each.judged and each.visits >= LEAST_SHARE * tries)
    fields = {"play": first.play}
    if own.play == first.play:
        code = "search_agrees"
    elif own.play not in counted or first.play not in counted:
        code = "search_doubts"
    elif first.worth - own.worth <= SURE * sqrt(first.doubt + own.doubt):
        code = "search_as_good"
    else:
        code, fields = "search_better", {**fields, "gain": f"{first.worth - own.worth:.1f}"}
    top = [own, first] if code == "search_as_good" else [first, own]
    rest = [each for each in found if each.play not in (own.play, first.play)]
    return SecondOpinion(code, fields, [*dict.fromkeys(top), *rest][:MOST_PLAYS], counted)
