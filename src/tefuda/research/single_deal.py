"""One deal at a time, for the adapters to Gymnasium and PettingZoo: what a seat observes, and what an action does."""

from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex, get_args

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import rng
from tefuda.engine.errors import TefudaError, needed_by, whole
from tefuda.engine.objective import Reward, seat_worths
from tefuda.research.arguments import as_game, check_word
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.planes import MOST_INT8, Observation
from tefuda.table.view_text import view_text

with needed_by("tefuda.research.gymnasium", "gymnasium"):
    from gymnasium import spaces

__all__ = ["Episode", "Illegal", "Observed", "spaces"]

Illegal = Literal["end", "replace", "raise"]
"""Effect of an illegal action. ``end``: the deal ends, and the seat that made the action gets the game's least payoff.
``replace``: a random legal action is made instead. ``raise``: it is an error."""

Observed = dict[str, NDArray[np.int8]]  #: ``observation``, and ``action_mask``

Info = dict[str, Any]  #: arrays and numbers that an environment tells beside observations, by name


class Episode:
    """Deals of one game, one after the other. ``TefudaError`` if the game, the treatment of illegal actions or the
    reward is not known; a number that stands for no action is an error whatever ``illegal`` says.

    Attributes:
        observation: how views become arrays.
        deal: the deal in progress or finished.
        spoilt_by: the seat whose illegal action has ended the deal; −1 if none has.
    """

    def __init__(self, game: Game | str, illegal: Illegal = "end", reward: Reward = "payoff") -> None:
        check_word("illegal", illegal, get_args(Illegal))
        self.game = as_game(game)
        self.observation = Observation(self.game)
        self.illegal, self._worths = illegal, seat_worths(self.game.template[0], reward)
        self.deal: Deal
        self.spoilt_by, self._is_dealt = -1, False

    def begin(self, seed: Sequence[int]) -> None:
        """Deal."""
        self.deal = self.game.deal(seed)
        self.spoilt_by, self._is_dealt = -1, True
        self._rng = rng.generator((*seed, 1))

    @property
    def over(self) -> bool:
        """True if the deal is finished, or an illegal action has ended it."""
        return self.deal.over or self.spoilt_by >= 0

    def act(self, action: SupportsIndex | None) -> None:
        """Make the mover's action. ``TefudaError`` if nothing is dealt, the deal is over, or this is not in the action
        space; it is not legal, and illegal actions are errors."""
        if not self._is_dealt or self.over:
            what = "the deal is over" if self._is_dealt else "nothing is dealt"
            raise TefudaError(f"{what}: call reset() before step()")
        chosen, actions = whole(action), self.game.description.actions
        if chosen is None:
            raise TefudaError(f"action: {action!r} is not a whole number")
        if not 0 <= chosen < actions:
            raise TefudaError(f"action: {chosen} is not one of 0 to {actions - 1}, the actions of {self.game.name}")
        legal = self.deal.legal_actions()
        if chosen in legal:
            self.deal.act(chosen)
        elif self.illegal == "end":
            self.spoilt_by = self.deal.mover
        elif self.illegal == "replace":
            self.deal.act(legal[rng.below(self._rng, len(legal))])
        else:
            raise TefudaError(
                f"action {action!r} is not legal for seat {self.deal.mover}; "
                f"legal (see action_mask): {', '.join(map(str, legal))}"
            )

    def rewards(self) -> list[float]:
        """Each seat's payoff of a deal that is over, or its gain, in the game's smallest unit; 0 before."""
        return list(map(float, np.array(self.payoffs()) @ self._worths))

    def payoffs(self) -> list[float]:
        """Each seat's payoff of a deal that is over, in the game's smallest unit; 0 before."""
        if self.spoilt_by >= 0:
            bounds = self.game.description.rules.bounds
            least = -1 if bounds is None else bounds(self.game.template[0]).least
            return [float(least) if seat == self.spoilt_by else 0.0 for seat in range(self.game.seats)]
        return [float(points) for points in self.deal.payoff()] if self.deal.over else [0.0] * self.game.seats

    def observe(self, seat: int) -> Observed:
        """A seat's view and legal actions: none, if it is not to act."""
        mask = np.zeros(self.game.description.actions, np.int8)
        if seat == self.deal.mover and not self.over:
            mask[self.deal.legal_actions()] = 1
        return {"observation": self.observation.encode(self.deal.view(seat).array)[0], "action_mask": mask}

    def observation_space(self) -> spaces.Dict:
        """The space of ``observe``."""
        return spaces.Dict(
            observation=spaces.Box(-MOST_INT8, MOST_INT8, (self.observation.size,), np.int8),
            action_mask=spaces.Box(0, 1, (self.game.description.actions,), np.int8),
        )

    def action_space(self) -> spaces.Discrete:
        """The kernel's actions; ``action_mask`` says which are legal."""
        return spaces.Discrete(self.game.description.actions)

    def text(self, seat: int) -> str:
        """Text of a seat's view, and of how the deal ended."""
        if not self._is_dealt:
            raise TefudaError("nothing is dealt: call reset() before render()")
        text = view_text(self.deal.view(seat))
        if self.spoilt_by >= 0:
            return f"{text}\n\nended by an illegal action of seat {self.spoilt_by}"
        return f"{text}\n\nover: {self.deal.payoff()}" if self.deal.over else text
