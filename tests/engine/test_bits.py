"""Sets as bits do what Python's sets do, compiled and as plain Python, up to the 63rd member."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tefuda.engine import bits
from tefuda.engine.verbs import rule

LARGEST = 62
sets = st.sets(st.integers(0, LARGEST))
members = st.integers(0, LARGEST)
steady = settings(deadline=None, derandomize=True, database=None)


@rule
def measure(cards: int, out: Any) -> None:
    """What there is to count, compiled."""
    out[0] = bits.size(cards)
    out[1] = bits.lowest(cards) if cards != bits.EMPTY else -1
    out[2] = bits.highest(cards) if cards != bits.EMPTY else -1


@rule
def only_of_small(numbers: Any) -> int:
    """The set of a member that a record keeps in one byte, compiled."""
    return bits.only(numbers[0])


def plain(function: Any) -> Any:
    """The function as plain Python."""
    return getattr(function, "py_func", function)


def compiled(function: Any) -> Any:
    """The function as it is."""
    return function


both_forms = pytest.mark.parametrize("form", [compiled, plain])


@steady
@given(sets)
def test_size_lowest_and_highest(cards: set[int]) -> None:
    expected = [len(cards), min(cards, default=-1), max(cards, default=-1)]
    out = np.zeros(3, np.int64)
    measure(bits.of(cards), out)
    assert out.tolist() == expected
    plain(measure)(bits.of(cards), out)
    assert out.tolist() == expected


@both_forms
@steady
@given(cards=sets, others=sets)
def test_operations_on_two_sets(form: Any, cards: set[int], others: set[int]) -> None:
    left, right = bits.of(cards), bits.of(others)
    assert form(bits.without)(left, right) == bits.of(cards - others)
    assert form(bits.inside)(left, right) == (cards <= others)


@both_forms
@steady
@given(cards=sets, member=members)
def test_operations_on_a_member(form: Any, cards: set[int], member: int) -> None:
    left = bits.of(cards)
    assert form(bits.has)(left, member) == (member in cards)
    assert form(bits.only)(member) == bits.of({member})
    assert form(bits.below)(left, member) == bits.of(card for card in cards if card < member)
    assert form(bits.above)(left, member) == bits.of(card for card in cards if card > member)


@steady
@given(sets.filter(bool))
def test_members_one_by_one(cards: set[int]) -> None:
    ascending, left = sorted(cards), bits.of(cards)
    assert bits.members_of(left) == ascending
    assert bits.without_lowest(left) == bits.of(ascending[1:])
    assert [bits.nth(left, n) for n in range(len(ascending))] == ascending
    out = np.zeros(64, np.int64)
    assert bits.list_into(left, out) == len(ascending)
    assert out[: len(ascending)].tolist() == ascending


@both_forms
@pytest.mark.parametrize(("first", "count"), [(0, 0), (0, 1), (0, 63), (13, 13), (39, 13), (62, 1), (30, 0)])
def test_span(form: Any, first: int, count: int) -> None:
    assert form(bits.span)(first, count) == bits.of(range(first, first + count))


def test_the_empty_set() -> None:
    assert bits.of([]) == bits.EMPTY
    assert bits.members_of(bits.EMPTY) == []
    assert bits.list_into(bits.EMPTY, np.zeros(1, np.int64)) == 0


@both_forms
def test_a_member_kept_in_one_byte_does_not_overflow(form: Any) -> None:
    """``np.int8(1) << 40`` would be 0."""
    assert form(only_of_small)(np.array([40], np.int8)) == 1 << 40
    assert form(bits.has)(1 << 40, np.int8(40))
    assert form(bits.span)(np.int8(39), np.int8(13)) == bits.of(range(39, 52))
