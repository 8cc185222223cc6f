"""A state is declared once: its fields, its dtype, its options and the type of ``s`` in rules follow."""

from enum import IntEnum

import numpy as np
import pytest

from tefuda.engine.kit.kept import BitSet, CardNumber, CardSet, PerSeat, Series
from tefuda.engine.kit.session import SessionState
from tefuda.engine.kit.state import Choice, field, option, option_of_parts
from tefuda.engine.record import COMMON, Field, Holds, Visible
from tefuda.games.gong_zhu.state import FirstLeader, State


class Pace(Choice):
    SLOW = 0
    VERY_FAST = 1, "presto"


class Extra(Choice):
    SIXTH = 0
    SEVENTH = 1


class Asked(IntEnum):
    PLAY = 0
    OVER = 1


class Small4(SessionState, most_seats=4):
    pace: Pace = option(Pace.VERY_FAST, "XX-1")
    doubled: bool = option(False, "XX-2")
    rounds: int = option(12, "XX-3", least=1, most=99)
    exceptions: int = option_of_parts(("usual",), Extra, "XX-4")
    own: PerSeat[int] = field("own points", carried=True, scale=10)
    phase: Asked = field("PLAY, OVER")
    hands: PerSeat[CardSet] = field("cards held", Visible.OWNER)
    rows: PerSeat[Series[CardNumber]] = field("cards in a row", length=3)
    suits: BitSet = field("suits", of=4)


def fields(state: type[SessionState]) -> dict[str, Field]:
    return {each.name: each for each in state.FIELDS}


def test_fields_come_in_the_order_of_records() -> None:
    names = [each.name for each in Small4.FIELDS]
    assert names == [
        *(each.name for each in COMMON),
        *("pace", "doubled", "rounds", "exceptions"),
        *("totals", "own", "deals", "finished"),
        *("phase", "turn", "hands", "rows", "suits"),
    ]


def test_how_a_number_is_kept_follows_from_its_annotation() -> None:
    by_name = fields(Small4)
    assert (by_name["hands"].type, by_name["hands"].shape, by_name["hands"].holds) == ("i8", (4,), Holds.CARDS)
    assert by_name["hands"].visible is Visible.OWNER
    assert (by_name["rows"].type, by_name["rows"].shape) == ("i1", (4, 3))
    assert (by_name["phase"].holds, by_name["phase"].of) == (Holds.KIND, 2)
    assert by_name["suits"].of == 4
    assert by_name["own"].carried
    assert by_name["rounds"].type == "i4"
    states = np.zeros(1, Small4.RECORD)
    state: Small4 = states[0]
    assert isinstance(state, Small4)
    state.hands[2] |= 5
    state.phase = Asked.OVER
    assert states["hands"].tolist() == [[0, 0, 5, 0]]
    assert states["phase"].tolist() == [Asked.OVER]


def test_options_follow_from_their_fields() -> None:
    options = {each.name: each for each in Small4.OPTIONS}
    assert (options["pace"].default, options["pace"].values, options["pace"].rule) == (
        "presto",
        ("slow", "presto"),
        "XX-1",
    )
    assert options["pace"].number("presto") == Pace.VERY_FAST
    assert options["doubled"].word(1) is True
    assert (options["rounds"].default, options["rounds"].least, options["rounds"].most) == (12, 1, 99)
    assert options["exceptions"].values == ("usual", "usual+sixth", "usual+seventh", "usual+sixth+seventh")
    assert options["exceptions"].number("seventh+usual") == 1 << Extra.SEVENTH


def test_an_annotation_that_says_nothing_is_refused() -> None:
    with pytest.raises(TypeError, match=r"name: <class 'str'> does not say how it is kept"):

        class Wrong(SessionState, most_seats=2):
            name: str = field("a word")


def test_choices_are_numbered_from_0() -> None:
    class Gap(Choice):
        ONE = 1
        TWO = 2

    with pytest.raises(TypeError, match="Gap: its members are not numbered from 0"):
        option(Gap.ONE, "XX-1")


def test_mypy_knows_the_fields_and_no_others() -> None:
    """mypy refuses an ``ignore`` that ignores nothing: these lines are errors to it."""
    state: State = np.zeros(1, State.RECORD)[0]
    cards: int = state.hands[0]
    first: FirstLeader = state.first_leader
    assert (cards, first) == (0, 0)
    with pytest.raises(AttributeError, match="no field 'handz'"):
        state.handz  # type: ignore[attr-defined] # noqa: B018
    with pytest.raises(AttributeError):
        FirstLeader.S3  # type: ignore[attr-defined] # noqa: B018
