"""One seat against bots, as a Gymnasium environment.

    import gymnasium
    import tefuda.research.gymnasium                      # registers tefuda/GongZhu-v1 and the others

    env = gymnasium.make("tefuda/GongZhu-v1", opponents="hints")
    observation, info = env.reset(seed=1)
    action = env.action_space.sample(observation["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)

An episode is one deal. Every step is an action of the learner's seat; the bots move between the steps."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tefuda import games
from tefuda.bots.players import Bot, choose_play
from tefuda.engine.objective import Reward
from tefuda.engine.option import Value
from tefuda.research.arguments import as_bots, as_game, check_seat, check_whole, refuse_options
from tefuda.research.single_deal import Episode, Illegal, Info, Observed
from tefuda.table.game import Game

import gymnasium  # isort: skip - single_deal says which extra is missing

MOST_SEED = 1 << 63

VECTOR = "tefuda.research.gymnasium_vector:SeatVectorEnv"  #: the class that ``gymnasium.make_vec`` makes


class SeatEnv(gymnasium.Env[Observed, int]):
    """One seat of a table, the others bots.

    Observations are what the seat sees (int8 planes, see ``tefuda.table.planes``) with ``action_mask``, the legal
    actions; ``info["seat"]`` says which seat it is. The reward comes at the end of the deal: what the seat receives, or
    its gain, in the game's smallest unit; ``info["payoffs"]`` then has what every seat receives. A deal in which the
    seat never comes to act (the sitter of some games) is dealt again. ``TefudaError`` for a game, bot, seat or option
    that does not exist.

    Args:
        game: by name, or with seats and options (``tefuda.load``).
        opponents: bots as ``tefuda match`` names them (``random``, ``hints``, ``search:100ms``, ``module:Class``) or
            made: one kind for all other seats, or one for each, in their order after the learner's seat.
        seat: the learner's; by default another at random in every deal.
        illegal: what an illegal action does: ``end`` ends the deal with the least payoff that the game has,
            ``replace`` makes a random legal one, ``raise`` is an error.
        reward: ``payoff``, or ``gain``: the team's payoff less the mean of the others' (``engine/objective.py``).
        render_mode: ``ansi`` for ``render()`` to return what the learner's seat sees as text.
        seats, options: of a game given by name, as ``tefuda.load`` takes them.

    The attribute ``observation`` names the planes of the observations."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium's own class attribute

    def __init__(
        self,
        game: Game | str,
        opponents: str | Bot | Sequence[str | Bot] = "random",
        seat: int | None = None,
        *,
        illegal: Illegal = "end",
        reward: Reward = "payoff",
        render_mode: str | None = None,
        seats: int | None = None,
        **options: Value,
    ) -> None:
        self._episode = Episode(as_game(game, seats, options), illegal, reward)
        players = self._episode.game.seats
        check_seat(seat, players, "any")
        self.observation = self._episode.observation
        self._given, self._seat = seat, 0
        self._bots = as_bots(opponents, players - 1)
        self._seed = 0
        self.render_mode = render_mode
        self.observation_space = self._episode.observation_space()
        self.action_space = self._episode.action_space()

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Observed, Info]:
        """Deal, and let the bots move up to the learner's first action. ``TefudaError`` if the seed is no whole number
        from 0, or there are ``options``: there are none."""
        refuse_options(options)
        super().reset(seed=None if seed is None else check_whole("seed", seed, 0))
        while True:
            self._seat = int(self.np_random.integers(self._episode.game.seats)) if self._given is None else self._given
            self._seed = int(self.np_random.integers(MOST_SEED))
            self._episode.begin((self._seed,))
            self._let_bots_move()
            if not self._episode.over:
                return self._look()

    def step(self, action: int) -> tuple[Observed, float, bool, bool, Info]:
        """Make the learner's action; the bots then move, up to the learner's next one or the end of the deal.
        ``TefudaError`` if the action is not in the action space; it is not legal, and illegal actions are errors;
        ``BotError`` if a bot raised an exception, or its answer is not legal."""
        self._episode.act(action)
        self._let_bots_move()
        observation, info = self._look()
        rewards = self._episode.rewards()
        if self._episode.over:
            info["payoffs"] = self._episode.payoffs()
        return observation, rewards[self._seat], self._episode.over, False, info

    def render(self) -> str | None:
        """Text of what the learner's seat sees and may play, with ``render_mode="ansi"``."""
        return self._episode.text(self._seat) if self.render_mode == "ansi" else None

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, as ``MaskablePPO`` of sb3-contrib asks for it."""
        return np.asarray(self._look()[0]["action_mask"], np.bool_)

    def _look(self) -> tuple[Observed, Info]:
        return self._episode.observe(self._seat), {"seat": self._seat}

    def _let_bots_move(self) -> None:
        deal = self._episode.deal
        while not self._episode.over and deal.mover != self._seat:
            choose_play(self._bots[(deal.mover - self._seat) % self._episode.game.seats - 1], deal, self._seed)


def environment_id(name: str) -> str:
    """Gymnasium's name of a game: ``tefuda/GongZhu-v1``, with the version of its rules."""
    words = "".join(word.capitalize() for word in name.split("-"))
    return f"tefuda/{words}-v{games.description(name).rules_version}"


def register() -> None:
    """Tell Gymnasium of every game there is; done when this module is imported."""
    for name in games.names():
        if (full_name := environment_id(name)) not in gymnasium.registry:
            entry = f"{SeatEnv.__module__}:{SeatEnv.__name__}"
            gymnasium.register(full_name, entry_point=entry, vector_entry_point=VECTOR, kwargs={"game": name})


register()
