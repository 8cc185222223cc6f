"""Exact answers in the small: how exploitable the bots are, beside CFR+ by two solvers.

    uv run --all-extras python -m bench.exact                                # half an hour; writes docs/exact/
    uv run --all-extras python -m bench.exact --games gong-zhu-miniature   # one table of them

A small game is a miniature or a tiny game, whole: all deals from the first action to the last. Or it is the end of a
deal: the rules of thumb play the deal of a seed until so many actions are left; what everybody has seen stays, and the
cards that nobody has seen are dealt anew, in so many ways, each as likely. Its whole tree fits in memory.
``tefuda.research.tree`` counts what the best answers gain over a policy and solves the game by CFR+; OpenSpiel does
both in C++. The two must agree about every information set and every policy.

Policies are kept in the cache folder, so a program that was stopped goes on where it was."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyspiel
from bench.openspiel_tree import SAME, DisagreementError, OpenSpielTree
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tefuda.bots.players import bot
from tefuda.engine import cache
from tefuda.engine.objective import Reward
from tefuda.engine.option import Value
from tefuda.engine.record import duplicate
from tefuda.games import description
from tefuda.research import openspiel
from tefuda.research.openspiel.game_parameters import rules_of
from tefuda.research.openspiel.nodes import WorldsNode
from tefuda.research.tree import END, Floats, GameTree, solve
from tefuda.table.deal import Deal

FOLDER = Path(__file__).parents[1] / "docs" / "exact"

MORE_HINTS = 4
"""Rules of thumb take little time: they are asked so many times as often as a search."""


@dataclass(frozen=True)
class SmallGame:
    """A game whose tree fits in memory.

    Attributes:
        game: which.
        parameters: as OpenSpiel's game takes them.
        budgets: simulations of the searches.
    """

    game: str
    parameters: Mapping[str, Value]
    budgets: tuple[int, ...]

    @cached_property
    def tree(self) -> GameTree:
        """The whole tree."""
        rules = rules_of(self.game, self.parameters)
        start = rules.start
        assert isinstance(start, WorldsNode), f"{rules} begins with the whole pack"
        return GameTree([Deal(rules.game, duplicate(each.states)) for each in start.worlds], start.counts, rules.reward)

    def twin(self) -> OpenSpielTree:
        """The same in OpenSpiel."""
        game = pyspiel.load_game(openspiel.short_name(self.game), self.parameters)
        return OpenSpielTree(self.tree, game.new_initial_state())

    def size(self) -> str:
        """What it is, and how large."""
        tree = self.tree
        which = f"All {len(tree.levels[0]):,} deals that differ, from the first action to the last"
        if "last" in self.parameters:
            last, seed, worlds = (self.parameters[name] for name in ("last", "seed", "worlds"))
            which = f"The last {last} actions of the deal of seed {seed}; the unseen cards may lie in {worlds} ways"
        return (
            f"{which}. {len(tree.mover):,} states, {int((tree.mover == END).sum()):,} of them ends; "
            f"{len(tree.deals):,} information sets, {self.choices:,} of them with a choice."
        )

    @property
    def choices(self) -> int:
        """Information sets with a choice."""
        return int((self.tree.legal.sum(axis=1) > 1).sum())


def ending(game: str, last: int, worlds: int, seed: int) -> SmallGame:
    """The end of a deal."""
    return SmallGame(game, {"last": last, "worlds": worlds, "seed": seed}, (30, 300))


def whole(game: str, reward: Reward) -> SmallGame:
    """A miniature for two. The reward must make it zero-sum: then the value of the game is one number."""
    return SmallGame(game, {"reward": reward}, (100, 1000))


SMALL = (
    whole("gong-zhu-miniature", "gain"),
    whole("sap-ng-wu-miniature", "payoff"),
    ending("gong-zhu", last=8, worlds=64, seed=5),
    ending("luk-fu", last=6, worlds=16, seed=1),
    ending("ma-diao", last=8, worlds=64, seed=1),
)

TINY_GAMES = (
    whole("gong-zhu-tiny", "gain"),
    *(whole(f"{game}-tiny", "payoff") for game in ("kakkuri", "luk-fu", "ma-diao", "sap-ng-wu")),
)

Step = Callable[[], object]


def kept(small: SmallGame, name: str, number: int, steps: int, make: Callable[[Step], Floats]) -> Floats:
    """A policy made with a progress bar of so many steps, or the one that was made before.

    Args:
        small: the game.
        name, number: what tells its policies apart.
        steps: of the bar.
        make: makes it; is given what to call after each step.
    """
    rules = rules_of(small.game, small.parameters)
    path = cache.folder() / "exact" / f"{rules} {name} {number}.npy".replace(" ", "-").replace(":", "-")
    if not path.exists():
        columns = (TextColumn(f"{small.game} {name}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True)) as bar:
            task = bar.add_task("", total=steps)
            policy = make(lambda: bar.advance(task))
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path.with_suffix(".part.npy"), policy)
        path.with_suffix(".part.npy").rename(path)
    found: Floats = np.load(path)
    return found


def bots_of(small: SmallGame, times: int) -> Iterator[tuple[str, int]]:
    """Bots by name, and how often each is asked at each information set."""
    yield "hints", MORE_HINTS * times
    if description(small.game).files.net is not None:
        yield "net", 1
    for budget in small.budgets:
        yield f"search:{budget}it", times


def policies(small: SmallGame, twin: OpenSpielTree, iterations: int, times: int) -> Iterator[tuple[str, Floats]]:
    """What the bots do at every information set, then what the solvers found: ours, OpenSpiel's."""
    tree = small.tree
    yield "random", tree.uniform()
    for name, asked in bots_of(small, times):
        player = bot(name)
        yield name, kept(small, name, asked, len(tree.deals), lambda step: tree.policy_of(player, asked, step))  # noqa: B023
    solvers: dict[str, Callable[[Step], Floats]] = {
        "CFR+ (`tefuda.research.tree`)": lambda step: solve(tree, iterations, step),
        "OpenSpiel's CFR+": lambda step: twin.solve(iterations, step),
    }
    for name, make in solvers.items():
        yield f"{name}, {iterations} iterations", kept(small, name.split()[0], iterations, iterations, make)


@dataclass(frozen=True)
class Row:
    """A policy: its name, what is left to exploit of it, and what a deal is worth to seat 0 if all follow it."""

    name: str
    exploitability: float
    value: float


def rows(small: SmallGame, iterations: int, times: int) -> Iterator[Row]:
    """Every policy, as both programs count it.

    Raises:
        DisagreementError: they do not count the same.
    """
    tree, twin = small.tree, small.twin()
    for name, policy in policies(small, twin, iterations, times):
        ours, theirs = tree.exploitability(policy), twin.exploitability(policy)
        if abs(ours - theirs) > SAME:
            raise DisagreementError(f"{small.game}, {name}: we count {ours}, OpenSpiel {theirs}")
        yield Row(name, ours, float(tree.value(policy)[0]))


def page(small: SmallGame, found: list[Row]) -> str:
    """The table in Markdown; of a zero-sum game of two its value too."""
    lines = [small.size(), "", "| policy | exploitability |", "|---|---:|"]
    lines += [f"| {row.name} | {row.exploitability:.3f} |" for row in found]
    if small.tree.seats == 2:
        ours, theirs = found[-2:]
        agree_on_value(ours, theirs)
        lines += ["", f"Seat 0 gains {ours.value:.2f} by our solution and {theirs.value:.2f} by OpenSpiel's."]
    return "\n".join([*lines, ""])


def tiny_page(found: Sequence[tuple[SmallGame, list[Row]]]) -> str:
    """One table of all tiny games in Markdown."""
    policies = [row.name for row in found[0][1]]
    names = ["game", "seats", "deals", "information sets", "with a choice", "worth to seat 0", *policies]
    lines = [f"| {' | '.join(names)} |", "|---" + "|---:" * (len(names) - 1) + "|"]
    for small, policy_rows in found:
        tree, (*_, ours, theirs) = small.tree, policy_rows
        if tree.seats == 2:
            agree_on_value(ours, theirs)
        counts = [tree.seats, len(tree.levels[0]), len(tree.deals), small.choices]
        cells = [*(f"{count:,}" for count in counts), f"{ours.value:.2f}".replace("-", "−")]
        lines.append(
            f"| {' | '.join([f'`{small.game}`', *cells, *(f'{row.exploitability:.3f}' for row in policy_rows)])} |"
        )
    return "\n".join([*lines, ""])


def agree_on_value(ours: Row, theirs: Row) -> None:
    """Two solutions of a zero-sum game of two are worth the same, but for what is left to exploit of them.

    Raises:
        DisagreementError: they are not.
    """
    if abs(ours.value - theirs.value) > 2 * (ours.exploitability + theirs.exploitability):
        raise DisagreementError(f"the value of the game: {ours}, {theirs}")


def main() -> None:
    """Solve, and write the tables."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [*(small.game for small in SMALL), "tiny"]
    asked.add_argument("--games", nargs="+", default=names, choices=names, metavar="GAME", help="all by default")
    asked.add_argument("--iterations", type=int, default=200, help="of the solvers (200)")
    asked.add_argument("--times", type=int, default=5, help="how often a search is asked at each moment (5)")
    asked.add_argument("--to", type=Path, default=FOLDER, help="folder of the tables (default docs/exact)")
    given = asked.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    for small in SMALL:
        if small.game in given.games:
            print(f"{small.game}: {small.size()}", flush=True)
            written = page(small, list(rows(small, given.iterations, given.times)))
            (given.to / f"{small.game}.txt").write_text(written, "utf-8")
            print(written, flush=True)
    if "tiny" in given.games:
        found = [(small, list(rows(small, given.iterations, given.times))) for small in TINY_GAMES]
        (given.to / "tiny.txt").write_text(tiny_page(found), "utf-8")
        print(tiny_page(found), flush=True)


if __name__ == "__main__":
    main()
