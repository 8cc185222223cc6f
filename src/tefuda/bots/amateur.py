"""``amateur:forgets=50,haste=9``: rates plays as the game's network does, and errs as people do who are new to it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.net import LEAST_TRUST, NetBot
from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.record import Holds, Rng
from tefuda.engine.rng import below, chance
from tefuda.table.view import View

_SETTING = re.compile(r"(forgets)=(\d\d?|100)|(haste|greed)=(\d{1,3})|(habit)=(.+)", re.ASCII)
STEPS = 1 << 16  #: that a random number is drawn in


@dataclass(frozen=True)
class Mistakes:
    """Mistakes of a player."""

    forgets: int = 0  #: percentage of what is over and in sight no more that does not come to mind at a choice
    haste: int = 0  #: by how much any play it makes may be worse than the best, in hundredths of the network's unit
    greed: int = 0  #: by how much a play seems better if it takes the lead, in the same unit
    habit: str = ""  #: a play that is always made where it may be, such as ``expose:none``

    @classmethod
    def read(cls, text: str) -> "Mistakes":
        """Read ``forgets=50,habit=expose:none``; ``TefudaError`` for another setting or number."""
        made: dict[str, Any] = {}
        for part in text.split(","):
            if not (found := _SETTING.fullmatch(part)):
                known = "forgets=50 (at most 100), haste=9, greed=5 (at most 999), habit=expose:none"
                raise TefudaError(f"amateur has no setting {part!r}; it has {known}")
            name, value = filter(None, found.groups())
            made[name] = value if name == "habit" else int(value)
        return cls(**made)


class AmateurBot:
    """Chooses among the plays that are nearly as good as the best; errors are those of ``NetBot``."""

    name = "amateur"

    def __init__(self, mistakes: Mistakes) -> None:
        self.mistakes, self._net = mistakes, NetBot()

    def warm(self, view: View) -> None:
        """Load the network; ``TefudaError`` for a habit that is no play of the game."""
        words = [view.game.notation.plays(view.array, [action])[0] for action in range(view.game.actions)]
        if (habit := self.mistakes.habit) and habit not in words:
            raise TefudaError(f"{view.game.name}: no play is called {habit!r}{nearest(habit, words)}")
        self._net.warm(view)

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """Choose by habit, or else what seems best of what is near the best."""
        haste, greed, habit = self.mistakes.haste / 100, self.mistakes.greed / 100, self.mistakes.habit
        for action in legal:
            if len(legal) == 1 or (habit and view.game.notation.plays(view.array, [action])[0] == habit):
                return action
        network = self._net.network(view)
        if len(near := near_best(network.ratings(view, rng, legal), legal, haste)) == 1 or not haste:
            return near[0]
        recalled = recall(view, self.mistakes.forgets, rng) if self.mistakes.forgets else view
        seems = network.ratings(recalled, rng, near)[near] + [greed and greed * takes_lead(view, each) for each in near]
        weights = np.cumsum(np.exp(2 * (seems - seems.max()) / haste))
        return near[int((weights <= below(rng, STEPS) / STEPS * weights[-1]).sum())]


def near_best(ratings: NDArray[np.float32], legal: Sequence[int], haste: float) -> list[int]:
    """List the action rated best and those near it; it alone where the network leaves all to the rules of thumb."""
    behind = ratings[legal].max() - ratings[legal]
    allowed = haste if behind.max() > 2 * LEAST_TRUST else 0
    return [action for action, less in zip(legal, behind, strict=True) if less <= allowed]


def takes_lead(view: View, action: int) -> bool:
    """Tell if an action wins the trick so far, or leaves its player to lead."""
    states = view.array.copy()
    verbs.apply(states[0], action)
    winning = (after := View(view.game, states, view.seat)).scene.winning
    return (winning if winning >= 0 else after.mover) == view.seat


def recall(view: View, forgets: int, rng: Rng) -> View:
    """Copy a view without this percentage of what its seat has to remember; what lies on the table it sees."""
    words, states = view.game.cards, view.array.copy()
    seen = {word for seat in view.scene.seats for word in seat.played.rpartition(":")[2].split("+")}
    seen |= {word for seat in view.scene.seats for pile in seat.piles for word in pile.cards}
    lost = draw_each(rng, forgets, len(words)) & [word not in seen for word in words]
    for field in view.game.fields:
        told = states[field.name]
        if field.past and field.holds is Holds.CARDS:
            told &= ~(lost << np.arange(len(words))).sum()
        elif field.past and field.holds is Holds.COUNTS:
            told[..., lost] = 0
        elif field.past and field.holds is Holds.BITS:
            members = draw_each(rng, forgets, told.size * field.of).reshape(*told.shape, field.of)
            told &= ~(members << np.arange(field.of)).sum(-1).astype(told.dtype)
        elif field.past:
            told[draw_each(rng, forgets, told.size).reshape(told.shape)] = field.start
    return View(view.game, states, view.seat)


def draw_each(rng: Rng, percent: int, count: int) -> NDArray[np.bool_]:
    """Draw so many switches, each true this often in a hundred."""
    return np.array([chance(rng, percent) for _ in range(count)], np.bool_)
