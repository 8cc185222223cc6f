"""Kernels of ``planes``: views written as numbers, plane by plane, as the rows of a layout say, for all games alike."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload
from numpy.typing import NDArray

from tefuda.engine import bits
from tefuda.engine.raw import store_bits, store_eight
from tefuda.engine.verbs import rule

Words = NDArray[np.int64]
Numbers = NDArray[np.int8 | np.float32]

NO_LIMIT = 1 << 62

WIDEST = 63  #: members of a set (``bits``)

EIGHT_BITS: NDArray[np.int64] = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(np.int8).view(np.int64).ravel()
"""The bits of a byte, each as a byte of its own."""
EIGHT_BITS.setflags(write=False)

# Columns of a layout: how the plane is written; the byte where its value begins, or that of seat 0; bytes from one seat
# to the next (0: not one a seat); which seat, counted from the observer; bytes of a number; where the plane begins; its
# numbers; by what a number is divided, or of how many places a set is gathered.
HOW, OFFSET, STRIDE, SEAT, WIDTH, START, SIZE, SCALE = range(8)

# HOW
NUMBER, COUNTS, ONE_OF, BITS, A_SEAT, SEATS, BINARY, MEMBERS = range(8)


@rule
def encode_all(views: Words, layout: Words, seats: int, most: int, out: Numbers) -> None:
    """Write observations, plane by plane, every number of them.

    Args:
        views: int64 of shape (n, words), the bytes of records as ``observe`` makes them.
        layout: ``Observation.layout``, by ascending START.
        most: the largest number that ``out`` takes, 0 for no limit.
        out: int8 or float32 of shape (n, numbers), written.
    """
    viewers, found = np.empty(len(views), np.int64), np.empty(len(views), np.int64)
    for i in range(len(views)):  # the first field; −1, a spectator, counts seats from seat 0
        viewers[i] = max(number_at(views[i], 0, 1), 0)
    for k in range(len(layout)):
        plane = layout[k]
        how, start, size = plane[HOW], plane[START], plane[SIZE]
        if how == COUNTS:
            write_counts(views, viewers, plane, seats, out)
            continue
        tell(views, viewers, plane, seats, found)
        if how == NUMBER:
            write_numbers(found, plane[SCALE], most, out, start)
        elif is_wide(plane):
            write_kinds(found, out, start, size)
        else:
            mark_all(found, out, start, size)


@rule
def pack_all(views: Words, layout: Words, seats: int, most: int, out: Words) -> None:
    """Write packed observations: a byte for each number of NUMBER and COUNTS, a bit for all others.

    Arguments are those of ``encode_all``, but START is a bit of the row, and ``out`` int64 of shape (n, words), the
    last of which is for no plane."""
    viewers, found = np.empty(len(views), np.int64), np.empty(len(views), np.int64)
    for i in range(len(views)):
        viewers[i] = max(number_at(views[i], 0, 1), 0)
    out[:] = 0
    for k in range(len(layout)):
        plane = layout[k]
        how, start = plane[HOW], plane[START]
        if how == COUNTS:
            put_counts(views, viewers, plane, seats, out)
            continue
        tell(views, viewers, plane, seats, found)
        for i in range(len(views)):
            if how == NUMBER:
                scaled = found[i] if plane[SCALE] == 1 else int(np.rint(found[i] / plane[SCALE]))
                put(out[i], start, min(max(scaled, -most), most) & 255)
            elif not is_wide(plane):
                put(out[i], start, found[i])
            elif found[i] >= 0:
                put(out[i], start + found[i], 1)


@rule
def put_counts(views: Words, viewers: Words, plane: Words, seats: int, out: Words) -> None:
    """Put small numbers side by side, a byte each."""
    start, size, place = plane[START], plane[SIZE], place_of(plane)
    for i in range(len(views)):
        at = where(viewers[i], place, seats)
        for n in range(size):
            put(out[i], start + 8 * n, number_at(views[i], at + n * place.width, place.width) & 255)


@rule
def put(row: Words, start: int, members: int) -> None:
    """Add a set to a row of bits, from bit ``start`` on, where all is 0 yet."""
    word, shift = np.uint64(start >> 6), start & 63
    row[word] |= members << shift
    row[word + np.uint64(1)] |= members >> 1 >> (63 - shift)  # what does not fit; a shift by 64 would be none


@rule
def tell(views: Words, viewers: Words, plane: Words, seats: int, out: Words) -> None:
    """Read what a plane tells of each view: a number, a kind where there are many, else a set."""
    how = plane[HOW]
    if how == MEMBERS:
        gather(views, plane, out)
    else:
        read(views, viewers, place_of(plane), seats, out)
    if how == BINARY:
        out += 1
    if how == A_SEAT or (how == ONE_OF and not is_wide(plane)):
        as_sets(out)
    if how in (A_SEAT, SEATS):
        turn(out, viewers, seats)


@rule
def is_wide(plane: Words) -> bool:
    """True if a plane tells one of more kinds than a set has members."""
    return bool(plane[HOW] == ONE_OF and plane[SIZE] > WIDEST)


def write_all(views: Words, layout: Words, seats: int, most: int, out: NDArray[Any]) -> None:
    """Write observations: packed by ``pack_all`` if ``out`` is int64, else by ``encode_all``."""
    (pack_all if out.dtype == np.int64 else encode_all)(views, layout, seats, most, out)


@overload(write_all, strict=False)  # type: ignore[untyped-decorator]
def _write_all(views: types.Type, layout: types.Type, seats: types.Type, most: types.Type, out: types.Type) -> Any:
    chosen = pack_all if out.dtype == types.int64 else encode_all
    return lambda views, layout, seats, most, out: chosen(views, layout, seats, most, out)


@rule
def list_all(view: Words, layout: Words, seats: int, most: int, places: Words, numbers: Numbers) -> int:
    """List the numbers of one observation that are not 0, and return how many; arguments are those of ``encode_all``.

    Args:
        view: int64 of shape (words,), the bytes of a record.
        places: int64 of shape (numbers,), written: their places in the observation.
        numbers: float32 of the same shape, written.
    """
    viewer = max(number_at(view, 0, 1), 0)
    n = 0
    for k in range(len(layout)):
        plane = layout[k]
        how, start, width = plane[HOW], plane[START], plane[WIDTH]
        at = where(viewer, place_of(plane), seats)
        if how == COUNTS:
            for card in range(plane[SIZE]):
                n = list_number(number_at(view, at + card * width, width), start + card, n, places, numbers)
        elif how == NUMBER:
            told = number_at(view, at, width)
            if plane[SCALE] > 1:
                told = int(np.rint(told / plane[SCALE]))
            n = list_number(min(max(told, -most), most), start, n, places, numbers)
        elif how == ONE_OF:
            kind = number_at(view, at, width)
            n = list_number(0 <= kind < plane[SIZE], start + kind, n, places, numbers)
        else:
            members = members_at(view, plane, at, viewer, seats)
            while members != bits.EMPTY:
                n = list_number(1, start + bits.lowest(members), n, places, numbers)
                members = bits.without_lowest(members)
    return n


@rule
def members_at(view: Words, plane: Words, at: int, viewer: int, seats: int) -> int:
    """Set that a plane tells, whose value begins at byte ``at``."""
    how = plane[HOW]
    if how == MEMBERS:
        return series(view, plane)
    found: int = number_at(view, at, plane[WIDTH])
    if how == BINARY:
        return found + 1
    if how == BITS:
        return found
    return turned(only_or_none(found) if how == A_SEAT else found, viewer, seats)


@rule
def list_number(number: int, place: int, n: int, places: Words, numbers: Numbers) -> int:
    """Write the ``n``-th number of a list and its place; return the next n, the same where the number is 0."""
    places[n], numbers[n] = place, number
    return n + (number != 0)


@rule
def read(views: Words, viewers: Words, place: "ValuePlace", seats: int, out: Words) -> None:
    """Read the number at a place of each view; the kinds of places are told apart once, outside the loops."""
    if place.stride == 0:
        for i in range(len(views)):
            out[i] = number_at(views[i], place.offset, place.width)
    elif place.width == 8:
        first, stride = place.offset >> 3, place.stride >> 3
        for i in range(len(views)):
            out[i] = views[i, np.uint64(first + stride * seat_after(viewers[i], place.seat, seats))]
    else:
        for i in range(len(views)):
            out[i] = number_at(views[i], where(viewers[i], place, seats), place.width)


@rule
def gather(views: Words, plane: Words, out: Words) -> None:
    """Read the set of the cards of a series in each view."""
    for i in range(len(views)):
        out[i] = series(views[i], plane)


@rule
def series(view: Words, plane: Words) -> int:
    """Set of the cards of a series, whose places lie side by side; −1 is none."""
    width, offset, places = plane[WIDTH], plane[OFFSET], plane[SCALE]
    members = bits.EMPTY
    for n in range(places):
        members |= only_or_none(number_at(view, offset + n * width, width))
    return members


@rule
def as_sets(numbers: Words) -> None:
    """Replace each number by the set of it alone."""
    for i in range(len(numbers)):
        numbers[i] = only_or_none(numbers[i])


@rule
def only_or_none(number: int) -> int:
    """Set of this number alone; empty for −1."""
    return bits.only(max(number, 0)) if number >= 0 else bits.EMPTY


@rule
def turn(sets: Words, viewers: Words, seats: int) -> None:
    """Turn sets of seats, so that they count from the viewer."""
    for i in range(len(sets)):
        sets[i] = turned(sets[i], viewers[i], seats)


@rule
def turned(members: int, viewer: int, seats: int) -> int:
    """Set of seats, counted from the viewer."""
    before: int = bits.section(members, 0, viewer)
    return bits.lowered(members, viewer) | before << (seats - viewer)


@rule
def write_numbers(numbers: Words, scale: int, most: int, out: Numbers, start: int) -> None:
    """Write each number divided by its scale, in one column."""
    limit = most if most > 0 else NO_LIMIT
    if scale == 1:
        for i in range(len(numbers)):
            out[i, start] = min(max(numbers[i], -limit), limit)
    elif most > 0:
        for i in range(len(numbers)):
            out[i, start] = min(max(np.rint(numbers[i] / scale), -limit), limit)
    else:
        for i in range(len(numbers)):
            out[i, start] = numbers[i] / scale


@rule
def write_counts(views: Words, viewers: Words, plane: Words, seats: int, out: Numbers) -> None:
    """Write small numbers side by side."""
    start, size, place = plane[START], plane[SIZE], place_of(plane)
    for i in range(len(views)):
        view, told, at = views[i], out[i], where(viewers[i], place, seats)
        for n in range(size):
            told[start + n] = number_at(view, at + n * place.width, place.width)


@rule
def write_kinds(kinds: Words, out: Numbers, start: int, size: int) -> None:
    """Write a single 1 for each kind, none for −1."""
    for i in range(len(kinds)):
        out[i, start : start + size] = 0
        out[i, start + max(kinds[i], 0)] = kinds[i] >= 0


def mark_all(sets: Words, out: Numbers, start: int, size: int) -> None:
    """Write a 1 for each member of a set, else a 0, in each row ``size`` numbers from ``start`` on."""
    for i in range(len(sets)):
        mark(sets[i], out[i], start, size)


@overload(mark_all, strict=False)  # type: ignore[untyped-decorator]
def _mark_all(sets: types.Type, out: types.Type, start: types.Type, size: types.Type) -> Callable[..., None]:
    """Write many bytes at a time where there is room; zeros may fall on later planes, which are written later."""
    if out.dtype != types.int8:
        return mark_all

    def mark_many(sets: Words, out: Numbers, start: int, size: int) -> None:
        if size > 8 and start + 64 <= out.shape[1]:
            for i in range(len(sets)):
                store_bits(out[i], start, sets[i])
        elif size <= 8 and start + 8 <= out.shape[1]:
            for i in range(len(sets)):
                store_eight(out[i], start, EIGHT_BITS[bits.section(sets[i], 0, 8)])
        else:
            for i in range(len(sets)):
                mark(sets[i], out[i], start, size)

    return mark_many


def mark(members: int, told: Numbers | NDArray[np.bool_], start: int, size: int) -> None:
    """Write a 1 for each member, else a 0, in ``size`` numbers of a row from ``start`` on, and nothing beyond."""
    for n in range(size):
        told[start + n] = bits.has(members, n)


@overload(mark, strict=False)  # type: ignore[untyped-decorator]
def _mark(members: types.Type, told: types.Type, start: types.Type, size: types.Type) -> Callable[..., None]:
    if told.dtype not in (types.int8, types.boolean):
        return mark

    def mark_eight(members: int, told: Numbers, start: int, size: int) -> None:
        for first in range(0, size - 7, 8):
            store_eight(told, start + first, EIGHT_BITS[bits.section(members, first, 8)])
        for n in range(size // 8 * 8, size):
            told[start + n] = bits.has(members, n)

    return mark_eight


class ValuePlace(NamedTuple):
    """A value's place in a view: the columns of its plane's row, read once for all views."""

    offset: int
    stride: int
    seat: int
    width: int


@rule
def place_of(plane: Words) -> "ValuePlace":
    """The ``ValuePlace`` of a plane."""
    return ValuePlace(plane[OFFSET], plane[STRIDE], plane[SEAT], plane[WIDTH])


@rule
def where(viewer: int, place: "ValuePlace", seats: int) -> int:
    """Byte of a view at which a plane's value begins."""
    at: int = place.offset + place.stride * seat_after(viewer, place.seat, seats)
    return at


@rule
def number_at(view: Words, at: int, width: int) -> int:
    """Whole number of ``width`` bytes at byte ``at``; records are aligned, so no field crosses a word."""
    unused = 64 - 8 * width
    word = np.uint64(at >> 3)  # unsigned: not to be counted from the end
    number: int = view[word] << (unused - 8 * (at & 7)) >> unused
    return number


@rule
def seat_after(seat: int, by: int, seats: int) -> int:
    """Seat ``by`` places after this one, for ``by`` from 0 to ``seats``."""
    return seat + by - seats if seat + by >= seats else seat + by
