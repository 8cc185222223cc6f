"""A deal as a PettingZoo environment: every seat an agent, one action at a time.

    from tefuda.research.pettingzoo import gong_zhu_v1

    table = gong_zhu_v1.env(expose_order="simultaneous")
    table.reset(seed=1)
    for agent in table.agent_iter():
        observation, reward, terminated, truncated, info = table.last()
        done = terminated or truncated
        table.step(None if done else table.action_space(agent).sample(observation["action_mask"]))

An observation is a mapping with ``observation``, the planes of the agent's view, and ``action_mask``. Each game has a
module, named with the version of its rules, of ``env``, ``raw_env`` and ``parallel_env``; the functions of this one
take any game, of other packages too."""

import secrets
import sys
from contextlib import suppress
from functools import cache, partial
from types import ModuleType
from typing import Any

from tefuda import games
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError, needed_by
from tefuda.engine.objective import Reward
from tefuda.engine.option import Value
from tefuda.research.arguments import as_game, check_whole, refuse_options
from tefuda.research.single_deal import Episode, Illegal, Info, Observed, spaces
from tefuda.table.game import Game

with needed_by("tefuda.research.pettingzoo", "pettingzoo"):
    from pettingzoo import AECEnv
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper


class DealEnv(AECEnv[str, Observed, int | None]):
    """One deal; agents ``player_0``, ``player_1`` … are the seats.

    Observations are what the seat sees (int8 planes, see ``tefuda.table.planes``) with ``action_mask``, the legal
    actions: none unless the seat is to act. Rewards come at the end of the deal: what each seat receives, in the game's
    smallest unit. ``TefudaError`` for a game or option that does not exist, a limit below 1.

    Args:
        game, reward, seats, options: as of ``tefuda.research.gymnasium.SeatEnv``.
        max_cycles: the deal is cut short before a seat acts more often than this; by default it is played out.
        max_actions: the deal is cut short after so many actions of all seats together.
        illegal: what an illegal action does: ``end`` ends the deal with the least payoff that the game has,
            ``replace`` makes a random legal one, ``raise`` is an error.
        render_mode: ``ansi`` for ``render()`` to return what the agent to act sees as text.

    The attribute ``observation`` names the planes of the observations."""

    def __init__(
        self,
        game: Game | str,
        *,
        max_cycles: int | None = None,
        max_actions: int | None = None,
        illegal: Illegal = "end",
        reward: Reward = "payoff",
        render_mode: str | None = None,
        seats: int | None = None,
        **options: Value,
    ) -> None:
        super().__init__()
        for name, limit in (("max_cycles", max_cycles), ("max_actions", max_actions)):
            if limit is not None:
                check_whole(name, limit, 1)
        self._episode = Episode(as_game(game, seats, options), illegal, reward)
        self.observation = self._episode.observation
        self.max_cycles, self.max_actions = max_cycles, max_actions
        self.render_mode = render_mode
        description = self._episode.game.description
        self.metadata = {"name": versioned(description), "render_modes": ["ansi"], "is_parallelizable": True}
        self.possible_agents = [f"player_{seat}" for seat in range(self._episode.game.seats)]
        self._seed, self._deals = secrets.randbits(63), 0
        self._acted: dict[str, int] = {}

    @cache  # noqa: B019 - PettingZoo asks for the same object every time; an environment and its spaces go together
    def observation_space(self, agent: str) -> spaces.Dict:
        """Space of the observations, the same for all agents."""
        return self._episode.observation_space()

    @cache  # noqa: B019
    def action_space(self, agent: str) -> spaces.Discrete:
        """Space of the actions, the same for all agents."""
        return self._episode.action_space()

    def reset(self, seed: int | None = None, options: Info | None = None) -> None:
        """Deal; without a seed, the next deal after the last. ``TefudaError`` if the seed is no whole number from 0, or
        there are ``options``; but one called ``options``, which PettingZoo's own test gives, does nothing."""
        refuse_options({name: value for name, value in (options or {}).items() if name != "options"})
        self._seed, self._deals = (self._seed, self._deals + 1) if seed is None else (check_whole("seed", seed, 0), 0)
        self._episode.begin((self._seed, self._deals))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._episode.deal.mover]
        self._acted = dict.fromkeys(self.agents, 0)
        self._skip_agent_selection = None

    def observe(self, agent: str) -> Observed:
        """Observation of an agent."""
        return self._episode.observe(self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Make the action of ``agent_selection``; ``None`` once the deal is over. ``TefudaError`` if the action is not
        in the action space; it is not legal, and illegal actions are errors."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._episode.act(action)
        self._acted[agent] += 1
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, self._episode.rewards(), strict=True))
        if self._episode.over:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.agents[self._episode.deal.mover]
            self.truncations = dict.fromkeys(self.agents, self._is_cut_short())
        self._accumulate_rewards()

    def _is_cut_short(self) -> bool:
        enough = self.max_cycles is not None and self._acted[self.agent_selection] >= self.max_cycles
        return enough or (self.max_actions is not None and sum(self._acted.values()) >= self.max_actions)

    def render(self) -> str | None:
        """Text of what the agent to act sees and may play, with ``render_mode="ansi"``."""
        seat = self.possible_agents.index(self.agent_selection)
        return self._episode.text(seat) if self.render_mode == "ansi" else None


def env(game: Game | str, **arguments: Any) -> OrderEnforcingWrapper:
    """A ``DealEnv`` that says what is wrong when its methods are called in another order than PettingZoo's."""
    return OrderEnforcingWrapper(DealEnv(game, **arguments))


def parallel_env(game: Game | str, *, max_cycles: int | None = None, **arguments: Any) -> Any:
    """Make an environment that takes the actions of all agents at once: at every step one of them counts. The deal is
    cut short after ``max_cycles`` steps; the other arguments are as for ``DealEnv``."""
    return turn_based_aec_to_parallel(env(game, max_actions=max_cycles, **arguments))


def versioned(game: Description) -> str:
    """Name a game as PettingZoo does: ``gong_zhu_v1``."""
    return f"{game.name.replace('-', '_')}_v{game.rules_version}"


for _game in games.names():
    with suppress(TefudaError):  # of another package that cannot be loaded: who asks for it is told
        _module = ModuleType(f"{__name__}.{versioned(games.description(_game))}", f"The environments of {_game}.")
        _made = {"env": env, "raw_env": DealEnv, "parallel_env": parallel_env}
        vars(_module).update({name: partial(each, _game) for name, each in _made.items()})
        sys.modules[_module.__name__] = globals()[_module.__name__.rpartition(".")[2]] = _module
