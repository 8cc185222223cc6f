"""Kernels of ``planes``: views written as numbers, plane by plane, as the rows of a layout say, for all games alike."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload
from numpy.typing import NDArray

from tefuda.engine import bits
from tefuda.engine.raw import store_bits, store_eight
from tefuda.engine.verbs import inlined, rule

Words = NDArray[np.int64]
Numbers = NDArray[np.int8 | np.float32]

NO_LIMIT = 1 << 62

WIDEST = 63  #: members of a set (``bits``)
ROWS = 128  #: views that are written together

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
    """Write observations, every number of them; planes that the layout leaves out are 0.

    Args:
        views: int64 of shape (n, words), the bytes of records as ``observe`` makes them.
        layout: ``Observation.layout``, by ascending START.
        most: the largest number that ``out`` takes, 0 for no limit.
        out: int8 or float32 of shape (n, numbers), written.
    """
    for first in range(0, len(views), ROWS):
        encode_some(views[first : first + ROWS], layout, seats, most, out[first : first + ROWS])


@rule
def encode_some(views: Words, layout: Words, seats: int, most: int, out: Numbers) -> None:
    """Write observations of a few views: first all bits at once, since memory takes long rows best from end to end."""
    viewers, found = viewers_of(views), np.empty(len(views), np.int64)
    words = np.empty((len(views), -(-out.shape[1] // 64)), np.int64)
    write_bits(views, viewers, layout, seats, most, False, words)
    mark_all(words, out)
    for k in range(len(layout)):
        plane = layout[k]
        if plane[HOW] == COUNTS:
            write_counts(views, viewers, plane, seats, out)
        elif plane[HOW] == NUMBER:
            read(views, viewers, place_of(plane), seats, found)
            write_numbers(found, plane[SCALE], most, out, plane[START])


@rule
def pack_all(views: Words, layout: Words, seats: int, most: int, out: Words) -> None:
    """Write packed observations: a byte for each number of NUMBER and COUNTS, a bit for all others.

    Arguments are those of ``encode_all``, but START is a bit of the row, and ``out`` int64 of shape (n, words)."""
    write_bits(views, viewers_of(views), layout, seats, most, True, out)


@rule
def viewers_of(views: Words) -> Words:
    """The seat that looks, of each view: the first field. −1, a spectator, counts seats from seat 0."""
    viewers = np.empty(len(views), np.int64)
    for i in range(len(views)):
        viewers[i] = max(number_at(views[i], 0, 1), 0)
    return viewers


@rule
def write_bits(
    views: Words, viewers: Words, layout: Words, seats: int, most: int, with_numbers: bool, out: Words
) -> None:
    """Write rows of bits, every word of them: 0 where the layout has nothing.

    NUMBER and COUNTS have a byte for each number, or are left out. Each word is put together in ``pending``, and
    written once."""
    found, pending, done = np.empty(len(views), np.int64), np.zeros(len(views), np.int64), 0
    for k in range(len(layout)):
        plane = layout[k]
        is_number = plane[HOW] in (NUMBER, COUNTS)
        if is_number and not with_numbers:
            continue
        width = 8 if is_number else 1
        for first in range(0, plane[SIZE], WIDEST // width):
            count = min(plane[SIZE] - first, WIDEST // width)
            tell(views, viewers, plane, (first, count), seats, most, found)
            done = pour(found, plane[START] + width * first, width * count, pending, done, out)
    write_words(pending, done, out.shape[1], out)


@inlined
def pour(found: Words, start: int, count: int, pending: Words, done: int, out: Words) -> int:
    """Add sets of ``count`` bits, at most 63, to the rows, from bit ``start`` on; return how many words are done."""
    done, shift, mask = write_words(pending, done, start >> 6, out), start & 63, bits.span(0, count)
    for i in range(len(found)):
        pending[i] |= (found[i] & mask) << shift
    if start + count >> 6 > done:
        done = write_words(pending, done, done + 1, out)
        for i in range(len(found)):
            pending[i] = (found[i] & mask) >> 1 >> (63 - shift)  # what did not fit; a shift by 64 would be none
    return done


@inlined
def write_words(pending: Words, done: int, end: int, out: Words) -> int:
    """Write the words before ``end`` that are not done: the pending one, then 0; return how many are done."""
    for word in range(done, end):
        for i in range(len(pending)):
            out[i, np.uint64(word)] = pending[i]
            pending[i] = bits.EMPTY
    return max(done, end)


@inlined
def tell(views: Words, viewers: Words, plane: Words, part: tuple[int, int], seats: int, most: int, out: Words) -> None:
    """Read what a part of a plane, its first number and how many, tells of each view: a set, or numbers as bytes."""
    how, place, (first, count) = plane[HOW], place_of(plane), part
    if how == MEMBERS:
        for i in range(len(views)):
            out[i] = series(views[i], plane)
    elif how == COUNTS:
        read_counts(views, viewers, place, part, seats, out)
    else:
        read(views, viewers, place, seats, out)
    if how == NUMBER:
        scale_all(out, plane[SCALE], most)
    elif how == BINARY:
        out += 1
    elif how == SEATS:
        for i in range(len(out)):
            out[i] = turned(out[i], viewers[i], seats)
    elif how in (ONE_OF, A_SEAT):
        for i in range(len(out)):
            kind = out[i] - first if how == ONE_OF else seat_before(out[i], viewers[i], seats)
            out[i] = bits.only(kind & 63) if 0 <= kind < count else bits.EMPTY


@inlined
def read_counts(
    views: Words, viewers: Words, place: "ValuePlace", part: tuple[int, int], seats: int, out: Words
) -> None:
    """Read small numbers that lie side by side, at most 8, the first in the lowest byte."""
    first, count = part
    for i in range(len(views)):
        at, told = where(viewers[i], place, seats), 0
        for n in range(count):
            told |= (number_at(views[i], at + (first + n) * place.width, place.width) & 255) << 8 * n
        out[i] = told


@inlined
def scale_all(numbers: Words, scale: int, most: int) -> None:
    """Divide numbers by their scale, rounded, and keep them within ±most."""
    for i in range(len(numbers)):
        scaled = numbers[i] if scale == 1 else int(np.rint(numbers[i] / scale))
        numbers[i] = min(max(scaled, -most), most)


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


@inlined
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
def series(view: Words, plane: Words) -> int:
    """Set of the cards of a series, whose places lie side by side; −1 is none."""
    width, offset, places = plane[WIDTH], plane[OFFSET], plane[SCALE]
    members = bits.EMPTY
    for n in range(places):
        members |= only_or_none(number_at(view, offset + n * width, width))
    return members


@rule
def only_or_none(number: int) -> int:
    """Set of this number alone; empty for −1."""
    return bits.only(max(number, 0)) if number >= 0 else bits.EMPTY


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


def mark_all(words: Words, out: Numbers) -> None:
    """Write the bits of each row of words as numbers, 1 or 0."""
    for i in range(len(words)):
        for k in range(words.shape[1]):
            mark(words[i, k], out[i], 64 * k, min(64, out.shape[1] - 64 * k))


@overload(mark_all, strict=False)  # type: ignore[untyped-decorator]
def _mark_all(words: types.Type, out: types.Type) -> Callable[..., None]:
    if out.dtype != types.int8:
        return mark_all

    def mark_many(words: Words, out: Numbers) -> None:
        whole = out.shape[1] // 64
        for i in range(len(words)):
            for k in range(whole):
                store_bits(out[i], 64 * k, words[i, k])
            if whole < words.shape[1]:
                mark(words[i, whole], out[i], 64 * whole, out.shape[1] - 64 * whole)

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


@rule
def seat_before(seat: int, viewer: int, seats: int) -> int:
    """A seat counted from the viewer; −1 for nobody."""
    return seat if seat < 0 else seat - viewer if seat >= viewer else seat - viewer + seats
