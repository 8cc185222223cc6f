"""One seat against bots at many tables at once, as a vector environment of Gymnasium.

    import gymnasium
    import tefuda.research.gymnasium                      # registers tefuda/GongZhu-v1 and the others

    envs = gymnasium.make_vec("tefuda/GongZhu-v1", num_envs=1024, opponents="hints")
    observations, infos = envs.reset(seed=1)
    actions = policy(observations["observation"], observations["action_mask"])
    observations, rewards, terminations, truncations, infos = envs.step(actions)

It is ``tefuda.research.vector.VectorEnv`` with the interface that other libraries expect; the moves are made in
compiled code. Where a deal ends, the same step brings the first observation of the next (``AutoresetMode.SAME_STEP``).
"""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.net import Network
from tefuda.engine.errors import TefudaError
from tefuda.engine.objective import Reward
from tefuda.research.play import Observed, Play
from tefuda.research.vector import Batch, VectorEnv
from tefuda.table.game import Game, load

import gymnasium  # isort: skip - play says which extra is missing
from gymnasium.vector.utils import batch_space

Refusal = Literal["raise", "replace"]


class SeatVectorEnv(gymnasium.vector.VectorEnv[Observed, NDArray[np.int64], NDArray[Any]]):
    """One seat of every table learns, the others are bots.

    Observations are as of ``SeatEnv``: ``observation`` int8 of shape (num_envs, numbers), what the seat sees, and
    ``action_mask`` int8 of shape (num_envs, actions). Rewards are float32: at the end of a deal what the seat receives,
    or its gain, in the game's smallest unit; else 0. ``infos["seat"]`` says which seat learns. Where a deal has ended,
    ``infos["final_info"]["rewards"]`` has the same for every seat. There is no ``final_obs``: deals end by
    termination, after which nothing is worth anything. A deal in which the seat has nothing to decide is played, and
    not reported.

    Args:
        game: by name, or with seats and options (``tefuda.load``).
        num_envs: tables.
        opponents: ``random``, ``hints``, ``net``, ``net:FOLDER`` or a ``Network``: one for all other seats, or one for
            each, in their order after the learner's seat.
        seat: the learner's; by default seat i modulo the number of seats at table i.
        illegal: what an illegal action does: ``raise`` is an error and changes nothing at any table, ``replace`` makes
            a random legal one.
        reward: ``payoff``, or ``gain``: the team's payoff less the mean of the others' (``engine/objective.py``).
        copy: whether what is returned may be kept; without, the next call overwrites it.
        threads: by default as many as there are cores, but fewer where each would have few tables.
        seats, options: of a game given by name, as ``tefuda.load`` takes them.

    Raises:
        TefudaError: a game, bot, seat or option that does not exist, or a bot that cannot play many tables at once.
    """

    metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        opponents: str | Network | Sequence[str | Network] = "random",
        seat: int | None = None,
        *,
        illegal: Refusal = "raise",
        reward: Reward = "payoff",
        copy: bool = True,
        threads: int | None = None,
        seats: int | None = None,
        **options: Any,
    ) -> None:
        found = load(game, seats, **options) if isinstance(game, str) else game
        if illegal not in get_args(Refusal):
            raise TefudaError(f"illegal: {illegal!r} is not one of {', '.join(get_args(Refusal))}")
        if seat is not None and (type(seat) is not int or not 0 <= seat < found.seats):
            raise TefudaError(
                f"seat: there is no seat {seat!r}; seats are 0 to {found.seats - 1}, None for all in turn"
            )
        own = 0 if seat is None else seat
        others = [opponents] * (found.seats - 1) if isinstance(opponents, str | Network) else list(opponents)
        if len(others) != found.seats - 1:
            raise TefudaError(f"opponents: {len(others)} bots; {found.seats - 1} are wanted, or one kind for all")
        bots = {(own + place) % found.seats: bot for place, bot in enumerate(others, 1)}
        self.raw = VectorEnv(found, num_envs, reward=reward, bots=bots, rotate=seat is None, threads=threads)
        self._places = np.arange(num_envs)
        self._seats = self.raw.learners.argmax(1)
        self._replaces, self._copies = illegal == "replace", copy
        single = Play(found, "raise", reward)
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = single.observation_space(), single.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Deal at every table.

        Args:
            seed: of all deals to come, one number or several together; drawn at random by default.
            options: none are known.

        Raises:
            TefudaError: the seed is no whole number from 0, nor several; there are options.
        """
        if options:
            raise TefudaError(f"options: {', '.join(options)}: there are none; every table deals again by itself")
        super().reset(seed=seed if isinstance(seed, int) else None)
        batch = self.raw.reset(None if seed is None else seed)
        return self._observations(batch), self._infos()

    def step(self, actions: Any) -> tuple[Observed, NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Make the learner's action at every table; the bots then move, up to the learner's next one.

        Args:
            actions: whole numbers of shape (num_envs,).

        Raises:
            TefudaError: ``reset`` has not been called, or an action is not legal and illegal actions are errors;
                nothing has changed then.
        """
        batch = self.raw.step(self._legal(actions) if self._replaces else actions)
        ends = batch.ends.copy()
        infos = self._infos()
        if ends.any():
            infos["final_info"] = {"rewards": batch.rewards.copy(), "_rewards": ends}
            infos["_final_info"] = ends
        rewards = batch.rewards[self._places, self._seats]
        return self._observations(batch), rewards, ends, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now; bool of shape (num_envs, actions)."""
        return self.raw.masks.copy()

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.raw.close()

    def _observations(self, batch: Batch) -> Observed:
        seen, masks = batch.observations, batch.masks.view(np.int8)
        return {"observation": seen.copy(), "action_mask": masks.copy()} if self._copies else {
            "observation": seen, "action_mask": masks
        }  # fmt: skip

    def _infos(self) -> dict[str, Any]:
        return {"seat": self._seats.copy(), "_seat": np.ones(self.num_envs, np.bool_)}

    def _legal(self, actions: Any) -> NDArray[np.int64]:
        """The same, with a random legal action for each that is illegal."""
        chosen = np.asarray(actions)
        known = (chosen >= 0) & (chosen < self.raw.actions)
        legal = known & self.raw.masks[self._places, np.where(known, chosen, 0)]
        return chosen if legal.all() else np.where(legal, chosen, self.raw.sample())
