"""Letting OpenSpiel's C++ code draw worlds of a game written in Python.

Its ``ISMCTSBot`` calls ``State::ResampleFromInfostate``, which OpenSpiel 2.0 does not pass on to states written in
Python: for them it fails. ``Clone`` is passed on: it copies a state by copying its Python attributes. Both take the
state and return a new one, and arguments that a function does not read do no harm (Itanium C++ ABI, that is, everywhere
but on Windows). So a single state object can be given a table of virtual functions of its own, equal to its class's but
for one entry: to resample it is to clone it. What a clone of it holds, its ``Table`` decides. No other object changes.
"""

import ctypes
import sys
from functools import cache
from typing import Any

import pyspiel

from tefuda.engine.errors import TefudaError

_CLASS = "_ZTVN10open_spiel7PyStateE"
_CLONE = "_ZNK10open_spiel7PyState5CloneEv"
_RESAMPLE = (  # with GNU's and with LLVM's standard library
    "_ZNK10open_spiel5State21ResampleFromInfostateEiSt8functionIFdvEE",
    "_ZNK10open_spiel5State21ResampleFromInfostateEiNSt3__18functionIFdvEEE",
)

_HEAD = 2
"""Words of a table of virtual functions before its first function."""

_COPIED = 96
"""Words copied of it: more than it has."""

_Pointer = ctypes.c_void_p


def clone_to_resample(state: Any) -> None:
    """From now on, C++ code that resamples this state clones it.

    Args:
        state: an object whose class is derived from ``pyspiel.State`` in Python.

    Raises:
        TefudaError: this OpenSpiel is built in another way.
    """
    ours, theirs = _tables()
    values = _word(id(state) + object.__basicsize__)  # pybind11's; the first is the C++ object's address
    value = _word(values) if values else 0
    if not value or _word(value) != theirs:
        raise TefudaError(_unknown())
    _Pointer.from_address(value).value = ctypes.addressof(ours) + _HEAD * ctypes.sizeof(_Pointer)


@cache
def _tables() -> tuple[Any, int]:
    """A table of virtual functions in which resampling is cloning, and the address of the original's functions."""
    library = ctypes.CDLL(pyspiel.__file__)
    try:
        original = _address(library, _CLASS)
        resample = _address(library, *_RESAMPLE)
        words = (_Pointer * _COPIED).from_address(original)
        table = (_Pointer * _COPIED)(*words)
        table[list(words).index(resample)] = _address(library, _CLONE)
    except (ValueError, OSError) as error:
        raise TefudaError(_unknown()) from error
    return table, original + _HEAD * ctypes.sizeof(_Pointer)


def _address(library: ctypes.CDLL, *names: str) -> int:
    for name in names:
        try:
            return ctypes.addressof(ctypes.c_char.in_dll(library, name))
        except ValueError:
            continue
    raise ValueError(f"{names[0]} is not there")


def _word(address: int) -> int:
    return _Pointer.from_address(address).value or 0


def _unknown() -> str:
    version = getattr(pyspiel, "__version__", "of this version")
    return (
        f"the C++ ISMCTSBot of OpenSpiel {version} on {sys.platform} cannot be given worlds of a Python game; "
        "open_spiel.python.algorithms.ismcts plays too, more slowly"
    )
