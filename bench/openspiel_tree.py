"""A game tree of ours as a game of OpenSpiel's own: what its C++ code says of policies, and how it solves the game.

The game goes to OpenSpiel in Gambit's format, made from the states of ``tefuda.research.openspiel``. (OpenSpiel's own
exporter takes hours for a quarter of a million of them.) On the way each state is held against the node of our tree:
who acts, what is legal, what is paid, and which moments are one information set."""

from collections.abc import Callable, Iterator
from itertools import starmap
from typing import Any

import numpy as np
import pyspiel

from tefuda.research.tree import END, Floats, GameTree

SAME = 1e-6
"""Points by which two counts of one thing may differ."""


class DisagreementError(Exception):
    """OpenSpiel says something else than we do; the message says of what."""


def agree(what: str, ours: object, theirs: object) -> None:
    """Go on only if both are the same.

    Raises:
        DisagreementError: they are not.
    """
    if ours != theirs:
        raise DisagreementError(f"{what}: we say {ours}, OpenSpiel {theirs}")


class OpenSpielTree:
    """A tree in OpenSpiel. Policies are arrays as ``GameTree`` has them.

    Args:
        tree: ours.
        start: the start of the same game in ``tefuda.research.openspiel``, where chance chooses one of its deals.

    Attributes:
        game: in C++.

    Raises:
        DisagreementError: the two are not the same.
    """

    def __init__(self, tree: GameTree, start: pyspiel.State) -> None:
        self._tree = tree
        self._deals = tree.levels[0].tolist()
        self._numbers: list[dict[int, int]] = [{} for _ in range(tree.seats)]
        self._moments: dict[tuple[int, str], int] = {}
        lines = list(self._lines(start))
        agree("information sets", len(tree.deals), len(self._moments))
        self.game = pyspiel.load_efg_game("\n".join(lines))
        self._names = [""] * len(tree.deals)
        self._ids: list[list[int]] = [[]] * len(tree.deals)
        begun = self.game.new_initial_state()
        for deal, choice in zip(self._deals, begun.legal_actions(), strict=True):
            self._find_names(deal, begun.child(choice))

    # To OpenSpiel

    def _lines(self, start: pyspiel.State) -> Iterator[str]:
        """The game in Gambit's format; actions are called by our numbers of them."""
        outcomes = start.chance_outcomes()
        agree("deals", len(self._deals), len(outcomes))
        yield f'EFG 2 R "" {{ {_quoted(range(self._tree.seats))} }}'
        yield f'c "" 1 "" {{ {" ".join(starmap(_outcome, outcomes))} }} 0'
        for deal, (choice, _) in zip(self._deals, outcomes, strict=True):
            yield from self._lines_from(deal, start.child(choice))
        yield ""

    def _lines_from(self, node: int, state: pyspiel.State) -> Iterator[str]:
        tree, moment = self._tree, int(self._tree.moment[node])
        agree("the end", moment == END, state.is_terminal())
        if moment == END:
            agree("what is paid", tree.payoffs[node].tolist(), state.returns())
            yield f't "" {node + 1} "" {{ {" ".join(map(repr, state.returns()))} }}'
            return
        seat, legal = int(tree.mover[node]), self._legal(moment)
        agree("who acts", seat, state.current_player())
        agree("what is legal", legal, state.legal_actions())
        agree("information set", moment, self._moments.setdefault((seat, state.information_state_string()), moment))
        number = self._numbers[seat].setdefault(moment, len(self._numbers[seat]) + 1)
        yield f'p "" {seat + 1} {number} "" {{ {_quoted(legal)} }} 0'
        for after, action in zip(self._after(node, moment), legal, strict=True):
            yield from self._lines_from(after, state.child(action))

    def _legal(self, moment: int) -> list[int]:
        legal: list[int] = self._tree.actions[self._tree.legal[moment]].tolist()
        return legal

    def _after(self, node: int, moment: int) -> list[int]:
        after: list[int] = self._tree.children[node, self._tree.legal[moment]].tolist()
        return after

    def _find_names(self, node: int, state: pyspiel.State) -> None:
        """What the game in C++ calls information sets, and the numbers it gives their actions."""
        moment = int(self._tree.moment[node])
        if moment == END:
            return
        if not self._names[moment]:
            ids = {int(state.action_to_string(each)): each for each in state.legal_actions()}
            self._names[moment] = state.information_state_string()
            self._ids[moment] = [ids[action] for action in self._legal(moment)]
        for after, action in zip(self._after(node, moment), self._ids[moment], strict=True):
            self._find_names(after, state.child(action))

    def told(self, policy: Floats) -> pyspiel.Policy:
        """A policy of ours as OpenSpiel's."""
        chances = [row[legal].tolist() for row, legal in zip(policy, self._tree.legal, strict=True)]
        pairs = (list(zip(*each, strict=True)) for each in zip(self._ids, chances, strict=True))
        return pyspiel.TabularPolicy(dict(zip(self._names, pairs, strict=True)))

    # From OpenSpiel

    def heard(self, policy: pyspiel.Policy) -> Floats:
        """A policy of OpenSpiel's as ours."""
        found = np.zeros(self._tree.legal.shape)
        for moment, (name, ids) in enumerate(zip(self._names, self._ids, strict=True)):
            chances = dict(policy.action_probabilities(name))
            found[moment, self._tree.legal[moment]] = [chances[each] for each in ids]
        return found

    def exploitability(self, policy: Floats) -> float:
        """What the best answers gain, on average over the seats: ``GameTree.exploitability``."""
        gain: float = pyspiel.nash_conv(self.game, self.told(policy))
        return gain / self._tree.seats

    def solve(self, iterations: int, progress: Callable[[], object] = lambda: None) -> Floats:
        """A policy by OpenSpiel's CFR+."""
        solver = pyspiel.CFRPlusSolver(self.game)
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
            progress()
        return self.heard(solver.average_policy())


def _quoted(numbers: Any) -> str:
    return " ".join(f'"{number}"' for number in numbers)


def _outcome(number: int, chance: float) -> str:
    return f'"{number}" {chance!r}'
