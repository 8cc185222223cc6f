"""State records: the dtype, who sees which bytes, and that records are equal where their bytes are."""

import weakref
from typing import Any

import numpy as np
import pytest

from tefuda.engine import views
from tefuda.engine.record import (
    COMMON,
    EVERYTHING,
    SPECTATOR,
    Field,
    Visible,
    duplicate,
    record_type,
    seen_type,
    view_masks,
)
from tefuda.engine.verbs import rule

SEATS = 3
FIELDS = (
    *COMMON,
    Field("phase", "i1", "public"),
    Field("hands", "i8", "the owner's", (SEATS,), Visible.OWNER),
    Field("piles", "i1", "the owner's, two numbers each", (SEATS, 2), Visible.OWNER),
    Field("held", "i1", "public, one a seat", (SEATS,)),
    Field("secret", "i4", "nobody's", visible=Visible.NOBODY),
)
RECORD = record_type(FIELDS)


def filled() -> Any:
    """A state without a zero in any field."""
    states = np.zeros(1, RECORD)
    for number, each in enumerate(FIELDS, 1):
        states[each.name] = np.arange(1, states[each.name].size + 1).reshape(states[each.name].shape) + 10 * number
    states["viewer"] = EVERYTHING
    return states


def test_fields_are_attributes_of_a_scalar() -> None:
    state = filled()[0]
    assert state.phase == state["phase"] == 41
    assert state.hands.tolist() == [51, 52, 53]


def test_a_seen_record_reads_each_field_once_and_is_dropped_with_its_fields() -> None:
    seen = filled().view(seen_type(RECORD))[0]
    assert (seen.phase, seen.hands.tolist()) == (41, [51, 52, 53])
    assert seen.hands is seen.hands
    assert seen.dtype == RECORD
    gone = weakref.ref(seen)
    del seen
    assert gone() is None


def test_the_dtype_is_aligned() -> None:
    assert RECORD.isalignedstruct
    layout = RECORD.fields
    assert layout is not None
    assert all(layout[each.name][1] % np.dtype(each.type).itemsize == 0 for each in FIELDS)


def test_a_name_cannot_stand_twice() -> None:
    with pytest.raises(ValueError, match="twice among seats, chance, seats"):
        record_type([Field("seats", "i1", ""), Field("chance", "i8", ""), Field("seats", "i1", "")])


def test_a_seat_sees_what_is_public_and_its_own() -> None:
    view = views_of(1)
    assert (view.viewer, view.phase, view.held.tolist()) == (1, 41, [71, 72, 73])
    assert view.hands.tolist() == [0, 52, 0]
    assert view.piles.tolist() == [[0, 0], [63, 64], [0, 0]]
    assert view.secret == view.chance == 0


def test_a_spectator_sees_what_is_public() -> None:
    view = views_of(SPECTATOR)
    assert (view.viewer, view.phase, view.held.tolist()) == (SPECTATOR, 41, [71, 72, 73])
    assert not view.hands.any()
    assert not view.piles.any()
    assert view.secret == view.chance == 0


def views_of(seat: int) -> Any:
    masks = view_masks(FIELDS, RECORD, SEATS)
    assert masks.shape == (SEATS + 1, RECORD.itemsize)
    assert set(np.unique(masks)) == {0, 255}
    blanked = filled().view(np.uint8) & masks[seat]
    view = blanked.view(RECORD)[0]
    view.viewer = seat
    return view


@rule
def observe_one(states: Any, i: int, seat: int, seen: Any) -> None:
    """A view, in compiled code."""
    views.observe(states[i], seat, seen[0])


def test_compiled_views_and_views_of_many_states_are_the_same() -> None:
    views.declare(RECORD, view_masks(FIELDS, RECORD, SEATS))
    states = np.repeat(filled(), SEATS + 1)
    seats = np.arange(SPECTATOR, SEATS)
    together, one = views.observe_all(states, seats), np.zeros(1, RECORD)
    for k, seat in enumerate(seats.tolist()):
        observe_one(states, k, seat, one)
        assert one.tobytes() == together[k].tobytes() == views_of(seat).tobytes()
        plain = np.zeros(1, RECORD)
        views.observe(states[k], seat, plain[0])
        assert plain.tobytes() == one.tobytes()


def test_a_duplicate_has_the_same_bytes() -> None:
    """States are compared, saved and hashed as bytes; NumPy's own copies leave old memory between the fields."""
    state = filled()
    for _ in range(20):
        used = [np.full(RECORD.itemsize, 255, np.uint8) for _ in range(20)]
        del used
        assert duplicate(state).tobytes() == state.tobytes()
    assert not np.shares_memory(duplicate(state), state)
