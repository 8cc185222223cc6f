"""``search``: a bot that plays by information-set Monte Carlo tree search (``tree_search``), for every game alike.

The worlds it draws from a view are what the literature calls determinizations; the rules of thumb that end its playouts
are a rule-based policy."""

import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from types import MappingProxyType
from typing import Any

import numpy as np

from tefuda.bots import play_estimates, search_tree, tree_search
from tefuda.bots.ending import compile_ending, solve_ending
from tefuda.bots.nested_search import roll_out_nested
from tefuda.bots.net import NetBot, is_learned
from tefuda.bots.play_estimates import ActionEstimate, try_actions
from tefuda.bots.search_tree import DEFAULT, SearchSettings
from tefuda.bots.tree_search import Search, new_search
from tefuda.engine import verbs
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.kit.folder import BY_NET
from tefuda.engine.rng import Rng, generator, generators
from tefuda.table.game import Game
from tefuda.table.view import View

NODES = 1 << 18  #: room of a tree; a search that fills it goes on without adding nodes
FIRST_CHUNK = 16  #: simulations before the clock is read for the first time
CLOCK_READINGS = 16  #: readings of the clock during a search, about
AT_LEAST_ONE = ("threads", "worlds", "patience", "depth")  #: searchSettings that cannot be 0
MOST_BUDGET = 10**9  #: largest number in a budget: compiled code counts nanoseconds in 64 bits

BY_HINTS: Mapping[str, float] = MappingProxyType({"net": 0})
"""Settings of a search that looks for plays worth judging, in hints, reviews and problems: the rules of thumb play the
deals out, which is so cheap that there are thousands of them."""

IN_HASTE: Mapping[str, float] = MappingProxyType({"net": 0, "race": 2, "prior": 0.1})
"""Settings where a network would play deals out, but the budget is short: the rules of thumb do, and its ratings of the
searcher's actions come first."""

ENOUGH, ENOUGH_MILLISECONDS = 100, 30
"""The shortest budget in which a network plays deals out unasked: simulations, and about as long on one core."""

_BUDGET = re.compile(r"(\d+)(ms|s|it)")


def read_settings(name: str, parts: Sequence[str], readers: Mapping[str, Callable[[str], Any]]) -> dict[str, Any]:
    """Read a bot's settings, each as ``setting=value``, by what reads its value; ``TefudaError`` for what is none."""
    given: dict[str, Any] = {}
    for setting, _, value in (part.partition("=") for part in parts):
        if setting not in readers:
            known = ", ".join(readers) + nearest(setting, readers)
            raise TefudaError(f"{name} has no setting {setting!r}; it has {known}")
        try:
            given[setting] = readers[setting](value)
        except ValueError:
            raise TefudaError(f"{name}: {setting}={value!r} is not a number") from None
    return given


@dataclass(frozen=True)
class Budget:
    """Time or simulations for each action.

    Example:
        >>> from tefuda.bots.search import Budget
        >>> Budget.read("2s")
        Budget(milliseconds=2000, iterations=0)
    """

    milliseconds: int = 0  #: of the clock; 0 if simulations are counted
    iterations: int = 0  #: simulations; 0 if the clock is read

    @classmethod
    def read(cls, text: str) -> "Budget":
        """Read ``100ms``, ``2s`` or ``2000it``; ``TefudaError`` if it is written in another way, or nothing."""
        found = _BUDGET.fullmatch(text)
        number = int(found[1]) if found else 0
        if not found or number == 0:
            raise TefudaError(f"budget: {text!r} is not written like 100ms, 2s or 2000it")
        if number > MOST_BUDGET:
            raise TefudaError(f"budget: {text!r} is more than {MOST_BUDGET:,}")
        if found[2] == "it":
            return cls(iterations=number)
        return cls(milliseconds=number * (1000 if found[2] == "s" else 1))

    @property
    def is_short(self) -> bool:
        """True if a network could play too few deals out."""
        return self.iterations < ENOUGH if self.iterations else self.milliseconds < ENOUGH_MILLISECONDS


DEFAULT_BUDGET = Budget(milliseconds=100)

PARTS = ("tefuda.bots.search:compile_search", "tefuda.bots.search:compile_worlds")
"""Parts that two processes compile before a first search (``tefuda.engine.compilation.Helper``)."""


def compile_search(game: Description) -> None:
    """Compile or load the search of a game, by a short one, and what its choices are explained with."""
    deal = Game(game).deal(0)
    SearchBot(Budget(iterations=1)).warm(deal.view(deal.mover))
    compile_worlds(game)
    roll_out_nested(game, deal.array, deal.mover, deal.legal_actions()[:1], (0,), 1, 1)


def compile_worlds(game: Description) -> None:
    """Compile what a search draws its worlds with, and what plays them on."""
    deal = Game(game).deal(0)
    view, world = deal.view(deal.mover), game.template()
    verbs.believe(view.record, generator(0), world[0])
    compile_ending(view.array)
    try_actions(game, deal.array, deal.mover, deal.legal_actions()[:1], (0,), 1)


class SearchBot:
    """A bot that searches as long as its budget says, then makes the best of the actions that are left in the race.

    Where the search cannot tell an action from the one that the rules of thumb advise, it makes the advised one.

    Args:
        budget: for each action.
        threads: trees that grow side by side, each from its own random numbers; their roots are added up. With one
            thread and a budget of iterations the same view and generator give the same action.
        settings: of the search (``SearchSettings``), where they differ from what suits the game.
    """

    name = "search"

    def __init__(
        self, budget: Budget = DEFAULT_BUDGET, threads: int = 1, settings: Mapping[str, float] = MappingProxyType({})
    ) -> None:
        self.budget, self.threads, self.settings = budget, threads, settings
        self._searches: dict[tuple[np.dtype[np.void], int, bool], list[Search]] = {}
        self._net = NetBot()

    @classmethod
    def read(cls, text: str) -> "SearchBot":
        """Read a budget, and settings if any (``2000it,hints=50,threads=2``); ``TefudaError`` for what is none."""
        budget, *rest = text.split(",")
        known = {"threads": 1, **DEFAULT._asdict()}
        given = read_settings("search", rest, {name: type(value) for name, value in known.items()})
        for name in given.keys() & AT_LEAST_ONE:
            if given[name] < 1:
                raise TefudaError(f"search: {name}={given[name]} is below 1")
        return cls(Budget.read(budget), int(given.pop("threads", 1)), given)

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """The most visited of ``legal``; at once if there is only one."""
        return legal[0] if len(legal) == 1 else self.think(view, rng)[0].action

    def warm(self, view: View) -> None:
        """Compile the search for the game of this view, by searching for a moment."""
        for each in self._searches_for(view):
            search_tree.clear(each.trees)
            tree_search.search(each, view.array, self.settings_for(view.game, view.record), generator(0), 1)

    def settings_for(self, game: Description, record: np.void) -> SearchSettings:
        """Settings for a table: the usual ones, over them those that suit the game, over them those of this bot."""
        learned = is_learned(game, record)
        suits = game.search
        if learned and self.settings.get("net", 1):
            suits = {**game.search, **BY_NET} if "net" in self.settings else game.search_with_net
            if suits.get("net") and "net" not in self.settings and self.budget.is_short:
                suits = {**game.search, **IN_HASTE}
        given = {**suits, **self.settings, **({} if learned else {"net": 0})}
        usual = DEFAULT._asdict()
        return SearchSettings(**{name: type(value)(given.get(name, value)) for name, value in usual.items()})

    def think(self, view: View, rng: Rng) -> list[ActionEstimate]:
        """Search from the mover's view; worlds and playouts draw from ``rng``. Every action tried: the one to make
        first, then the most visited."""
        settings = self.settings_for(view.game, view.record)
        ending = solve_ending(view.array, rng, settings.endings) if settings.endings else None
        if ending is not None and ending.exact:
            return play_estimates.ending_estimates(ending, int(verbs.advise(view.record, rng)))
        searches, rated = self._searches_for(view), settings.prior > 0 and is_learned(view.game, view.record)
        for each in searches:
            search_tree.clear(each.trees)
        if rated:
            bonus = settings.prior * self._net.network(view).ratings(view, rng)
            for each in searches:
                each.trees[0]["bonus"][:], each.trees[0]["rated"] = bonus, 1
        if len(searches) == 1:
            self._grow(searches[0], view, settings, rng)
        else:
            rngs = generators(int(rng[0]), len(searches))
            with ThreadPoolExecutor(len(searches)) as pool:
                list(pool.map(lambda search, own: self._grow(search, view, settings, own), searches, rngs))
        found = play_estimates.root_estimates([each.trees[0] for each in searches], settings.fading)
        return play_estimates.prefer_advised(found, settings.trust)

    def _searches_for(self, view: View) -> list[Search]:
        game, seats = view.game, int(view.record.seats)
        key = (game.record, seats, is_learned(game, view.array[0]))
        if key not in self._searches:
            network = self._net.network(view) if key[2] else None
            made = [new_search(game.record, game.actions, seats, NODES, network) for _ in range(self.threads)]
            self._searches[key] = made
        return self._searches[key]

    def _grow(self, search: Search, view: View, settings: SearchSettings, rng: Rng) -> None:
        """Search in a cleared tree until the budget is spent."""
        if self.budget.iterations:
            tree_search.search(search, view.array, settings, rng, -(-self.budget.iterations // self.threads))
            return
        begun, seconds = perf_counter(), self.budget.milliseconds / 1000
        chunk, done, passed = FIRST_CHUNK, 0, 0.0
        while passed < seconds:
            tree_search.search(search, view.array, settings, rng, chunk)
            done += chunk
            passed = perf_counter() - begun
            chunk = max(1, int(done / passed * min(seconds / CLOCK_READINGS, seconds - passed)))
