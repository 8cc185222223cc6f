"""What a bot is, and the bots by name."""

from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol

from tefuda.bots.search import SearchBot
from tefuda.engine import verbs
from tefuda.engine.description import nearest
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import Rng, below, generator
from tefuda.table.deal import Deal
from tefuda.table.view import View


class Bot(Protocol):
    """A player: given what one seat sees, it chooses one of the legal kernel actions."""

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """One of ``legal``, the ascending kernel actions of the seat whose view this is."""


class RandomBot:
    """Any legal action, each as likely."""

    name = "random"

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        return legal[below(rng, len(legal))]


class HintsBot:
    """The game's rules of thumb."""

    name = "hints"

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        return int(verbs.advise(view.record, rng))


BOTS = ("random", "hints", "search")

ANNOUNCED = "tefuda.bots"
"""The entry-point group in which packages announce bots: functions that make one from what follows the colon."""


def bot(spec: str) -> Bot:
    """A new bot.

    Args:
        spec: ``random``, ``hints``, ``search``, ``search:100ms``, ``search:2000it``; a bot that a package announces,
            such as ``openspiel:ismcts:100ms``; or ``module:Class`` for a class of your own, made without arguments.

    Raises:
        TefudaError: there is no such bot.
    """
    name, colon, rest = spec.partition(":")
    if name == "search":
        return SearchBot.read(rest) if colon else SearchBot()
    if spec == "random":
        return RandomBot()
    if spec == "hints":
        return HintsBot()
    for entry in entry_points(group=ANNOUNCED, name=name):
        return _announced(entry, rest, spec)
    if colon and name not in BOTS:
        return _imported(name, rest, spec)
    known = (*BOTS, *sorted(entry_points(group=ANNOUNCED).names))
    raise TefudaError(
        f"there is no bot {spec!r}{nearest(name, known)}; there are: {', '.join(known)}, search:100ms, search:2000it, "
        "and module:Class for your own"
    )


def _announced(entry: EntryPoint, rest: str, spec: str) -> Bot:
    try:
        made: Bot = entry.load()(rest)
    except ImportError as error:
        raise TefudaError(f"bot {spec!r}: {error}") from error
    return made


def _imported(module: str, name: str, spec: str) -> Bot:
    try:
        made: Any = getattr(import_module(module), name)()
    except Exception as error:
        raise TefudaError(f"bot {spec!r}: {type(error).__name__}: {error}") from error
    if not callable(getattr(made, "choose", None)):
        raise TefudaError(f"bot {spec!r}: it has no method choose(view, legal, rng)")
    return made  # type: ignore[no-any-return]


def choose_play(player: Bot, deal: Deal, seed: int) -> None:
    """Let a bot make the mover's whole play.

    Args:
        player: the bot.
        deal: not over.
        seed: of its choices; the same at the same moment of the same deal.
    """
    made = len(deal.history)
    while len(deal.history) == made:
        rng = generator((seed, made))
        deal.act(player.choose(deal.view(deal.mover), deal.legal_actions(), rng))


def advice(deal: Deal, seed: int = 0) -> str:
    """The play that the rules of thumb advise to the mover, as a word."""
    copy = deal.copy()
    choose_play(HintsBot(), copy, seed)
    return copy.history[-1][1]
