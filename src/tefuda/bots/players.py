"""Bots by name, and the protocol that they follow.

A bot is handed a view, which the literature calls an observation or information state, and chooses an action; ``hints``
is a rule-based policy."""

import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

import numpy as np

from tefuda.bots.amateur import AmateurBot, Mistakes
from tefuda.bots.net import NetBot, is_learned
from tefuda.bots.search import SearchBot
from tefuda.engine import verbs
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError, nearest, whole
from tefuda.engine.rng import Rng, below, chance, generator
from tefuda.table.deal import Deal
from tefuda.table.view import View


class Bot(Protocol):
    """A player: from what one seat may know it chooses a legal action. Any class with this method is a bot.

    A method ``warm(view)``, if there is one, is called once before a match, to load or compile what the first move
    would wait for. With an attribute ``reads_told = True`` its views have the play so far, in words; ``time_limit`` is
    the number of seconds that it may take in a match, if it needs more than others.

    Example:
        >>> class FirstBot:
        ...     def choose(self, view, legal, rng):
        ...         return legal[0]
        >>> import tefuda
        >>> deal = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
        >>> tefuda.choose_play(FirstBot(), deal, seed=0)
        'SA'
    """

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """Choose the action of a view's seat, one of ``legal``.

        Args:
            view: of the mover.
            legal: the mover's legal kernel actions, ascending, at least one.
            rng: to draw from, with ``tefuda.engine.rng.below(rng, n)``: the bot then plays the same again.
        """


class BotError(TefudaError):
    """A bot has raised an exception, or its answer is no legal action; the message names the bot and the moment.

    Attributes:
        fault: of the bot, such as ``answered -1, which is not legal``.
    """

    def __init__(self, text: str, fault: str = "") -> None:
        super().__init__(text)
        self.fault = fault


class RandomBot:
    """Makes any legal action, each as likely."""

    name = "random"

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """Draw one of ``legal``, each with the same probability."""
        return legal[below(rng, len(legal))]


class HintsBot:
    """Plays by the game's rules of thumb (``hints.py``), a rule-based policy.

    In a percentage of the decisions, ``slip``, it overlooks them, as beginners do, and makes any legal action."""

    name = "hints"

    def __init__(self, slip: int = 0) -> None:
        self.slip = slip

    @classmethod
    def read(cls, text: str) -> "HintsBot":
        """Read its setting: ``slip=20``; ``TefudaError`` for another, or no percentage."""
        name, _, value = text.partition("=")
        if name != "slip":
            raise TefudaError(f"hints has no setting {name!r}; it has slip, a percentage: hints:slip=20")
        if not (value.isascii() and value.isdecimal() and int(value) <= 100):
            raise TefudaError(f"hints: slip={value!r} is not a whole percentage from 0 to 100")
        return cls(int(value))

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """Choose by the rules of thumb, or slip."""
        if self.slip and len(legal) > 1 and chance(rng, self.slip):  # draws nothing where it never slips
            return legal[below(rng, len(legal))]
        return int(verbs.advise(view.record, rng))


# Levels for people: names for the strength of bots, and the bot that stands for each in a game. A game's file
# ``levels.toml`` lists them from the weakest on, each with its measured gain over the one below.

LEVELS = ("beginner", "easy", "strong", "strongest")  #: from the weakest


@dataclass(frozen=True)
class Level:
    """A level in a game."""

    #: specs; the first that knows the table plays. A network may not know it, nor a search in which it plays deals out
    #: (``net=1``); every other bot does.
    bots: Sequence[str]
    gain: float | None = None  #: over the level below, a deal
    margin: float | None = None  #: half of the 95% interval of that
    deals: int = 0  #: duplicate deals that it was measured by


USUAL: Mapping[str, Level] = {
    "beginner": Level(("hints:slip=25",)),
    "easy": Level(("hints",)),
    "strong": Level(("search:100it",)),
    "strongest": Level(("search:1000it",)),
}
"""The levels of a game that has measured none."""


@cache
def levels(game: Description) -> Mapping[str, Level]:
    """Read the levels of a game, the weakest first."""
    file = game.files.texts.parent / "levels.toml"
    if not file.exists():
        return USUAL
    return {name: Level(**entry) for name, entry in tomllib.loads(file.read_text("utf-8")).items()}


def level_spec(level: str, game: Description, record: np.void) -> str:
    """Choose the bot that stands for one of ``LEVELS``, at the table of a view's or state's record."""
    *choices, last = levels(game)[level].bots
    return next((spec for spec in choices if is_learned(game, record) or not asks_network(spec)), last)


def asks_network(spec: str) -> bool:
    """Tell if this bot needs a network that has learned to play at the table."""
    return spec == "net" or spec.partition(":")[0] == AmateurBot.name or "net=1" in spec.split(",")


class LevelBot:
    """Plays at a level for people as the bot that stands for it in the game."""

    def __init__(self, level: str) -> None:
        self.name = self.level = level
        self._bots: dict[str, Bot] = {}

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """Let that bot choose."""
        return self._bot(view).choose(view, legal, rng)

    def warm(self, view: View) -> None:
        """Let that bot compile or load what the first move would wait for."""
        warm_bot(self._bot(view), view)

    def _bot(self, view: View) -> Bot:
        spec = level_spec(self.level, view.game, view.record)
        if spec not in self._bots:
            self._bots[spec] = bot(spec)
        return self._bots[spec]


BOTS = ("random", "hints", "amateur", "net", "search")

MOST_TOLD = 12  #: the most legal actions that an error lists

ANNOUNCED = "tefuda.bots"
"""The entry-point group in which packages announce bots: functions that make one from what follows the colon."""


def bot(spec: str) -> Bot:
    """Make a bot from its spec, for one seat or several; ``TefudaError`` if there is no such bot.

    Args:
        spec: a level: ``beginner``, ``easy``, ``strong`` or ``strongest``; ``random``; ``hints``, or ``hints:slip=20``,
            which errs in 20% of its decisions; ``amateur:haste=9``, which errs as people do; ``search``,
            ``search:100ms``, ``search:2000it``; ``net`` for the network that comes with a game, ``net:FOLDER`` for one
            of yours; a bot that a package announces, such as ``never:drop``; ``llm:URL,model=NAME`` for a language
            model; ``mcp:URL`` or ``mcp:COMMAND`` for an agent; or ``module:Class`` of yours, made without arguments.

    Example:
        >>> import tefuda
        >>> deal = tefuda.load("gong-zhu", exposing=False).deal(seed=7)
        >>> word = tefuda.choose_play(tefuda.bot("hints"), deal, seed=0)
        >>> deal.history == [(2, word)]
        True
        >>> tefuda.bot("hint")
        Traceback (most recent call last):
        tefuda.engine.errors.TefudaError: there is no bot 'hint'; there are: ...; did you mean 'hints'?
    """
    name, colon, rest = spec.partition(":")
    if name == "search":
        return SearchBot.read(rest) if colon else SearchBot()
    if name == "net":
        return NetBot(Path(rest) if colon else None)
    if spec == "random":
        return RandomBot()
    if name == "hints":
        return HintsBot.read(rest) if colon else HintsBot()
    if name == "amateur":
        return AmateurBot(Mistakes.read(rest) if colon else Mistakes())
    if spec in LEVELS:
        return LevelBot(spec)
    for entry in entry_points(group=ANNOUNCED, name=name):
        try:
            announced: Bot = entry.load()(rest)
        except ImportError as error:
            raise TefudaError(f"bot {spec!r}: {error}") from error
        return announced
    if colon and name not in BOTS:
        return _imported(name, rest, spec)
    known = (*BOTS, *sorted(entry_points(group=ANNOUNCED).names), *LEVELS)
    raise TefudaError(
        f"there is no bot {spec!r}; there are: {', '.join(known)}, search:100ms, search:2000it, net:FOLDER, "
        f"and module:Class for your own{nearest(name, known)}"
    )


def _imported(module: str, name: str, spec: str) -> Bot:
    try:
        if not {"", here := str(Path.cwd())} & set(sys.path):
            sys.path.append(here)  # the command ``tefuda`` begins with its own folder only
        made = getattr(import_module(module), name)()
    except Exception as error:
        raise TefudaError(f"bot {spec!r}: {type(error).__name__}: {error}") from error
    if not callable(getattr(made, "choose", None)):
        raise TefudaError(f"bot {spec!r}: it has no method choose(view, legal, rng)")
    return made  # type: ignore[no-any-return]


def ask(player: Bot, view: View, legal: Sequence[int], rng: Rng, moment: str) -> int:
    """Ask a bot for its action; every bot is asked here, so that nothing but a legal action is ever made.

    The arguments are those of ``Bot.choose``, and the moment in words. ``BotError`` if the bot raised an exception (the
    cause), or answered with something else than one of ``legal``."""
    try:
        chosen = player.choose(view, list(legal), rng)
    except TefudaError as error:
        raise _fault(player, moment, str(error)) from error
    except Exception as error:  # a bot of another package may raise anything
        raise _fault(player, moment, f"raised {type(error).__name__}: {error}") from error
    action = whole(chosen)
    if action is None:
        raise _fault(player, moment, f"answered {chosen!r}, which is not a whole number")
    if action not in legal:
        some = ", ".join(map(str, legal[:MOST_TOLD])) + (", …" if len(legal) > MOST_TOLD else "")
        raise _fault(player, moment, f"answered {action}, which is not legal; legal: {some}")
    return action


def warm_bot(player: Bot, view: View) -> None:
    """Let a bot compile or load what its first move would wait for, if it has something to."""
    if warm := getattr(player, "warm", None):
        warm(view)


def _fault(player: Bot, moment: str, fault: str) -> BotError:
    name = getattr(player, "name", "") or f"{type(player).__module__}:{type(player).__qualname__}"
    fault = " ".join(fault.split())  # messages of other packages may have several lines
    return BotError(f"bot {name}, {moment}: {fault}", fault)


def choose_play(player: Bot, deal: Deal, seed: int) -> str:
    """Let a bot choose the mover's play, and make it on the deal; return it as a word.

    The play is made: give it ``deal.copy()`` to learn what the bot would play. A play may take several actions.

    Args:
        deal: not over; the play is made on it.
        seed: of the bot's choices: the same seed at the same moment of the same deal gives the same play.

    Raises:
        TefudaError: the deal is over.
        BotError: the bot raised an exception, or its answer is not legal; no play has been made.

    Example:
        >>> import tefuda
        >>> deal, hints = tefuda.load("gong-zhu").deal(seed=24), tefuda.bot("hints")
        >>> while not deal.over:
        ...     word = tefuda.choose_play(hints, deal, seed=24)
        >>> deal
        <Deal of gong-zhu, 4 seats: ... plays made, over, payoff [...]>
    """
    if deal.over:
        raise TefudaError("the deal is over")
    made = len(deal.history)
    while len(deal.history) == made:
        rng = generator((seed, made))
        moment = f"seat {deal.mover}, play {made + 1} of the deal"
        view = deal.view(deal.mover, told=getattr(player, "reads_told", False))
        deal.act(ask(player, view, deal.legal_actions(), rng, moment))
    return deal.history[-1][1]


def advice(deal: Deal, seed: int = 0) -> str:
    """Return the play that the rules of thumb advise to the mover, as a word; ``TefudaError`` if the deal is over.

    Args:
        deal: not over; it is not changed, and only the mover's view is read.
        seed: of what the rules of thumb leave to chance.

    Example:
        >>> import tefuda
        >>> tefuda.advice(tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]}))
        'H2'
    """
    return choose_play(HintsBot(), deal.copy(), seed)
