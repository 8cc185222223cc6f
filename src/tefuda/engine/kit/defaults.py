"""What a game has that does not write its own: small games need no positions.py, sheet.py and notation.py."""

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from tefuda.engine.kit.positions import PositionError
from tefuda.engine.kit.session import following_of, received_by
from tefuda.engine.kit.words import sheet_line
from tefuda.engine.notation import OneActionNotation
from tefuda.engine.sentence import Sentence

FACTS = ("totals", "over")


def notation(words: Sequence[str]) -> OneActionNotation:
    """How plays are written that are one action each, by the actions' words."""
    return OneActionNotation(words, example=", ".join(words))


def arrange(state: Any, fields: Mapping[str, Any]) -> NDArray[Any] | None:
    """The deal of a scenario names the order of the whole pack (``deck``), or a seed.

    Raises:
        PositionError: hands are given.
    """
    raise PositionError(f"{next(iter(fields))}: this game reads no hands; give the order of the whole pack as deck")


def position(state: Any, fields: Mapping[str, Any]) -> None:
    """A moment is reached by plays from a deal.

    Raises:
        PositionError: always.
    """
    raise PositionError("position: this game has none; give a deal, and the moves that lead to the moment")


def start_fault(state: Any) -> str | None:
    """What is wrong with a state before dealing, in one line; None if a deal can begin from it."""
    return "deals, finished: no deal follows this one" if state.deals < 0 or state.finished else None


def facts(state: Any) -> dict[str, Any]:
    """Totals now, and whether the session is over."""
    following = following_of(state)
    now = state if following is None else following
    return {
        "totals": [int(points) for points in now.totals[: int(state.seats)]],
        "over": following is not None and bool(following.finished),
    }


def sheet(state: Any, seat: int) -> list[Sentence]:
    """The payoff, in one line: ``sheet.received`` of the game's catalogue."""
    return [sheet_line("received", received_by(state)[seat])]
