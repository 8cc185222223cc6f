"""The verbs that every game implements, chosen by the type of its state record.

A *verb* is a generic function such as ``legal(state, out)``. A game writes ``@implements(legal, State)`` over its own
version, where ``State`` is the class that declares its record. Inside compiled code the choice is made while compiling
(Numba's ``overload`` on the record type): a generic kernel (playout, search, batch) costs nothing extra and, because it
mentions only module-level names, is cached on disk. Called from Python, or with ``NUMBA_DISABLE_JIT=1``, a verb looks
its implementation up by dtype. ``@rule`` compiles the helpers that implementations are made of.

A verb may also be chosen by the class of a named tuple: so ``play`` is told who decides, and what is noted on the way.
"""

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast

import numpy as np
from numba import config, from_dtype, njit, types
from numba.extending import overload
from numpy.typing import NDArray

from tefuda.engine import cache
from tefuda.engine.record import Ints, Rng, StateRecord

cache.use_for_compiled_code()

MOST_INCIDENTS = 12  #: that a game may name

UNCOMPILED = bool(config.DISABLE_JIT)
"""True where ``NUMBA_DISABLE_JIT=1``: rules run as plain Python, a few thousand times slower."""

Function = Callable[..., Any]
AnyFunction = TypeVar("AnyFunction", bound=Function)

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def rule(function: AnyFunction) -> AnyFunction:
    """Compile a function of plain numbers, records and arrays; cached on disk, runs without the GIL."""
    return _compiled(function)


def inlined(function: AnyFunction) -> AnyFunction:
    """A rule that becomes a part of each that calls it: for one that is handed an array at every move.

    An array is seven numbers to compiled code, which handed on twice or three times take longer than many a rule."""
    return _compiled(function, forceinline=True)


def generic(function: AnyFunction) -> AnyFunction:
    """A rule that takes named tuples of any class: kept on disk as a part of its callers alone.

    On its own it would be kept under the names of all those classes, and to find it would import their modules."""
    return _compiled(function, cache=False)


def _compiled(function: AnyFunction, **options: bool) -> AnyFunction:
    compiled = njit(**{"cache": True, "nogil": True, **options})(function)
    if not UNCOMPILED:
        if options.get("cache", True):
            cache.guard(compiled)
        resolve = compiled.get_call_template
        compiled.get_call_template = lambda args, kws: resolve(
            tuple(map(_plain, args)), {name: _plain(kind) for name, kind in kws.items()}
        )
    return cast(AnyFunction, compiled)


def _plain(kind: types.Type) -> types.Type:
    """The type as which compiled code passes an argument on: whole numbers as int64, whatever field they come from.

    Numba would compile every function again for each constant and each width of number that it is called with."""
    if isinstance(kind, types.IntEnumMember):
        return types.int64
    if isinstance(kind, types.Integer) and (kind.signed or kind.bitwidth < types.int64.bitwidth):
        return types.int64
    return types.unliteral(kind)


class Verb(Generic[Arguments, Result]):
    """A generic function with one implementation for each state record, or for each class of named tuples."""

    def __init__(self, signature: Callable[Arguments, Result]) -> None:
        self.__doc__, self.__name__ = signature.__doc__, signature.__name__
        self.parameters = list(inspect.signature(signature).parameters)
        self.implementations: dict[object, Function] = {}
        self.usual: Callable[Arguments, Result] | None = None
        """the version of games without one of their own"""

    if TYPE_CHECKING:

        def __call__(self, *arguments: Arguments.args, **named: Arguments.kwargs) -> Result: ...

    else:

        def __call__(self, first: StateRecord | tuple[object, ...], *rest: object) -> object:
            kind = type(first) if isinstance(first, tuple) else first.dtype
            return self.implementations[kind](first, *rest)

    def __repr__(self) -> str:
        return f"<verb {self.__name__}({', '.join(self.parameters)})>"


AnyVerb = Verb[..., Any]

OPTIONAL: list[AnyVerb] = []  #: the verbs that a game may leave out


def optional(signature: Callable[Arguments, Result]) -> Verb[Arguments, Result]:
    """Make a verb that a game may leave out: the decorated function is then its version."""
    verb = Verb(signature)
    verb.usual = signature
    OPTIONAL.append(verb)
    return verb


def implements(
    verb: AnyVerb, kind: np.dtype[np.void] | type, *, inlined: bool = False
) -> Callable[[AnyFunction], AnyFunction]:
    """Make the decorated function the version of ``verb`` for these states, or named tuples.

    Args:
        verb: one of those below, or of ``play``.
        kind: the class that declares the state (``engine/kit/state.py``), a record's dtype, or a class of named tuples.
        inlined: the version becomes a part of each that calls it; not for one that plays deals itself.

    Raises:
        TypeError: its parameters are not called what the verb calls them.
    """
    first = getattr(kind, "RECORD", kind)
    options = {"nogil": True, "forceinline": inlined}

    def register(function: AnyFunction) -> AnyFunction:
        names = list(inspect.signature(function).parameters)
        if names != verb.parameters:
            where = f"{function.__module__}.{function.__qualname__}"
            raise TypeError(f"{where}({', '.join(names)}) must take ({', '.join(verb.parameters)})")
        compiled = verb.implementations[first] = rule(function)
        if not UNCOMPILED:
            record_type = from_dtype(first) if isinstance(first, np.dtype) else None

            # strict=False: Numba would compare this typing function's parameter names with the implementation's.
            @overload(verb, strict=False, jit_options=options)  # type: ignore[untyped-decorator]
            def choose(given: types.Type, *rest: types.Type) -> Function | None:
                if record_type is None:
                    return function if getattr(given, "instance_class", None) is first else None
                return function if given == record_type else None

        return compiled

    return register


@Verb
def deal(state: StateRecord, deck: Ints) -> None:
    """Set the table from ``deck``, a permutation of the pack (int64 card numbers); options and totals stay.

    All chance comes in through ``deck`` and the record's ``chance`` field."""


@Verb
def mover(state: StateRecord) -> int:
    """The seat that acts now; −1 when the deal is over."""


@Verb
def legal(state: StateRecord, out: Ints) -> int:
    """Write the mover's legal action numbers, ascending, into ``out`` (int64) and return how many there are."""


@optional
def legal_set(state: StateRecord) -> int:
    """The mover's legal actions as a set (``bits``), or EMPTY where ``legal`` has to be asked.

    For games with fewer than 64 actions at some of their moments: to choose among them by chance is then much faster.
    """
    return 0


@Verb
def apply(state: StateRecord, action: int) -> None:
    """Make the mover's action; the caller guarantees that it is legal."""


@Verb
def payoff(state: StateRecord, out: Ints) -> None:
    """Write what each seat receives for the deal into ``out`` (int64), in the game's smallest unit."""


@optional
def team(state: StateRecord, seat: int) -> int:
    """A number that partners share: payoffs of a team are those of each of its members."""
    return seat


@optional
def incidents(state: StateRecord, seat: int, out: Ints) -> None:
    """Write what became of a seat in a finished deal: for each of the game's incidents (``Display.incidents``) 1 if it
    happened, or its amount, into ``out`` (int64 of shape (MOST_INCIDENTS,), all 0 before)."""


@Verb
def next_deal(state: StateRecord, following: StateRecord) -> None:
    """Fill ``following`` from a finished deal with options and what carries over; it is then ready for ``deal``."""


@Verb
def imagine(view: StateRecord, rng: Rng, state: StateRecord) -> None:
    """Fill ``state`` with a world drawn at random from those that agree with all that ``view`` knows."""


@optional
def believe(view: StateRecord, rng: Rng, state: StateRecord) -> None:
    """``imagine``, but so that what the others did makes sense as a rule, though the rules do not ask it of them.

    Every such world agrees with ``view`` too."""
    imagine(view, rng, state)


@Verb
def advise(state: StateRecord, rng: Rng) -> int:
    """The rule of thumb: one legal action for the mover, from what the mover may know (a view is enough)."""


@optional
def features(state: StateRecord, advised: int, action: int, out: NDArray[np.int8]) -> bool:
    """Write what a network is told of one of the mover's actions, where rules of thumb advise ``advised``.

    ``out`` is int8, as long as the features that the game names. A view is enough. False, and nothing written, where
    the advised action should be made. The networks of a game that leaves this out read planes."""
    return False


@optional
def listed(state: StateRecord, action: int) -> int:
    """The action by which ``legal`` lists this one of the mover's.

    Where cards are equal, ``legal`` lists one of the actions that differ only in which of them is used; ``apply`` makes
    any, and so the record keeps which card it was. The same action where it is listed itself, or is not legal."""
    return action


@optional
def disguise(state: StateRecord, action: int) -> int:
    """The action that others are shown: the mover's action itself, or one number for all that look alike to them."""
    return action


def has_equal_cards(record: np.dtype[np.void]) -> bool:
    """True if the game of this record lists one action for several (``listed``)."""
    implementation = listed.implementations[record]
    return getattr(implementation, "py_func", implementation) is not listed.usual


@Verb
def contradictions(view: StateRecord, slots: tuple[Ints, ...], events: Ints) -> int:
    """The number of events that could not have happened with the cards in these slots; for games that draw worlds with
    ``worlds.draw``."""
