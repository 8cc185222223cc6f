"""One seat at each of many tables against bots, as Gymnasium's own kind of vector environment.

    import gymnasium
    import tefuda.research.gymnasium

    envs = gymnasium.make_vec("tefuda/GongZhu-v1", num_envs=1024, opponents="hints", reward="gain")
    observations, info = envs.reset(seed=1)
    actions = envs.sample()                                # legal ones, at random; or chosen by info["action_mask"]
    observations, rewards, terminations, truncations, info = envs.step(actions)

Behind it is ``vector.VectorEnv``: nothing happens in Python for a single table.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.net import Network
from tefuda.engine.errors import TefudaError
from tefuda.engine.objective import Reward
from tefuda.research.play import Observed, Play
from tefuda.research.vector import VectorEnv
from tefuda.table.game import Game, load

import gymnasium  # isort: skip - play says which extra is missing
from gymnasium.vector import AutoresetMode  # isort: skip
from gymnasium.vector.utils import batch_space  # isort: skip

Stepped = tuple[Observed, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class SeatVectorEnv(gymnasium.vector.VectorEnv):
    """One seat at each of many tables of a game, the others bots: ``SeatEnv`` many times over.

    Observations, actions and rewards are those of ``SeatEnv``, batched. ``info`` has ``action_mask`` (bool) and
    ``seat``, and where a deal has ended ``payoffs``, what every seat received; the key with an underscore before it
    says where. An observation after which the action does not matter allows every action, so that no policy divides by
    zero.

    Args:
        num_envs: how many tables.
        game: by name, or with seats and options (``tefuda.load``).
        opponents: ``random``, ``hints``, ``net``, ``net:FOLDER`` or a ``Network``: one kind for all other seats, or one
            for each, in their order after the learner's seat.
        seat: the learner's at every table; by default seat 0 at the first table, seat 1 at the second, and so on.
        autoreset_mode: as Gymnasium defines them: ``NextStep``, the default (the step after the end of a deal ignores
            its action and deals), ``SameStep`` (the next deal is there at once, ``info["final_obs"]`` and
            ``info["final_info"]`` tell of the last one), or ``Disabled`` (``reset`` with ``reset_mask`` deals).
        reward: ``payoff`` or ``gain``.
        skip_forced: make an action at once if it is the only legal one.
        copy: give every batch arrays of its own. False is faster: the next call overwrites the observations.
        threads: as of ``VectorEnv``.
        seats, options: of a game given by name, as ``tefuda.load`` takes them.

    Raises:
        TefudaError: an argument is out of range, or a bot thinks table by table; ``vectorization_mode="sync"`` has
            every bot.
    """

    def __init__(
        self,
        num_envs: int,
        game: Game | str,
        opponents: str | Network | Sequence[str | Network] = "random",
        seat: int | None = None,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        reward: Reward = "payoff",
        skip_forced: bool = False,
        copy: bool = True,
        threads: int | None = None,
        seats: int | None = None,
        **options: Any,
    ) -> None:
        try:
            self._mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = ", ".join(mode.value for mode in AutoresetMode)
            raise TefudaError(f"autoreset_mode: {autoreset_mode!r} is not one of {modes}") from None
        play = Play(load(game, seats, **options) if isinstance(game, str) else game)
        players = play.game.seats
        if seat is not None and (type(seat) is not int or not 0 <= seat < players):
            raise TefudaError(f"seat: there is no seat {seat!r}; seats are 0 to {players - 1}, None for all in turn")
        several = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        bots: list[Any] = list(opponents) if several else [opponents] * (players - 1)  # type: ignore[arg-type]
        if len(bots) != players - 1:
            raise TefudaError(f"opponents: {len(bots)} bots; {players - 1} are wanted, or one kind for all")
        first = seat or 0
        self.tables = VectorEnv(
            play.game,
            num_envs,
            bots={(first + 1 + k) % players: each for k, each in enumerate(bots)},
            rotate=seat is None,
            reward=reward,
            skip_forced=skip_forced,
            finished=True,
            threads=threads,
        )
        self.num_envs, self._copy = num_envs, copy
        self.metadata = {"render_modes": [], "autoreset_mode": self._mode}
        self.single_observation_space, self.single_action_space = play.observation_space(), play.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation = play.observation
        self._seat = self.tables.learners.argmax(axis=1).astype(np.int8)
        self._rows = np.arange(num_envs)
        self._everywhere = np.ones(num_envs, np.bool_)
        self._over = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Deal at every table, or where ``options["reset_mask"]`` says so.

        Args:
            seed: of the first table, the second having the next number and so on; or one for each table. A table
                without one goes on with its own random numbers.
            options: ``reset_mask``, bool of shape (num_envs,); nothing else is read.

        Raises:
            TefudaError: wrong seeds, or a mask of another type or shape, or one that is False everywhere.
        """
        seeds = self._seeds(seed)
        where = _reset_mask((options or {}).get("reset_mask"), self.num_envs)
        if where is None:
            self.tables.reset_some(seeds)
            self._over[:] = False
        else:
            rows = np.flatnonzero(where).tolist()
            self.tables.reset_some([seeds[row] for row in rows], rows)
            self._over[rows] = False
        return self._look()

    def step(self, actions: Any) -> Stepped:
        """Make the learner's action at every table; the bots then move, up to its next one or the end of the deal.

        Raises:
            TefudaError: an action is not legal, the actions have another type or shape, or with autoreset disabled
                a deal is over.
        """
        if self._mode is AutoresetMode.DISABLED and self._over.any():
            row = int(self._over.argmax())
            raise TefudaError(f"table {row}: the deal is over; reset it (options={{'reset_mask': …}}) first")
        waits = self._over if self._mode is AutoresetMode.NEXT_STEP else None
        batch = self.tables.step(actions, waits)
        ends = batch.ends.copy()
        rewards = batch.rewards[self._rows, self._seat].astype(np.float64)
        if self._mode is not AutoresetMode.SAME_STEP:
            self._over = ends.copy()
        rows = np.flatnonzero(ends)
        last, received = self.tables.show_finished(rows, self._seat)
        observed, info = self._look(last)
        if len(rows):
            payoffs = np.zeros((self.num_envs, self.tables.seats), np.float64)
            payoffs[rows] = received
            told: dict[str, Any] = {"payoffs": payoffs, "_payoffs": ends}
            info |= self._final(rows, ends, last, told) if self._mode is AutoresetMode.SAME_STEP else told
        return observed, rewards, ends.copy(), np.zeros(self.num_envs, np.bool_), info

    def sample(self) -> NDArray[np.int64]:
        """A random legal action for every table."""
        return self.tables.sample()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now; bool of shape (num_envs, actions)."""
        return self.tables.batch().masks | self._over[:, None]

    def close_extras(self, **_: Any) -> None:
        """End the threads."""
        self.tables.close()

    def _look(self, last: NDArray[Any] | None = None) -> tuple[Observed, dict[str, Any]]:
        """What the learner sees and may do; ``last`` is what it saw where a deal is over and none is dealt yet."""
        batch = self.tables.batch()
        observations, masks = batch.observations, batch.masks
        over = self._over.any()
        if self._copy:
            observations = observations.copy()
        if self._copy or over:
            masks = masks.copy()
        if over:
            rows = np.flatnonzero(self._over)
            masks[rows] = True
            observations[rows] = self.tables.show_finished(rows, self._seat)[0] if last is None else last
        info = {"action_mask": masks, "_action_mask": self._everywhere, "seat": self._seat, "_seat": self._everywhere}
        return {"observation": observations, "action_mask": masks.view(np.int8)}, info

    def _final(
        self, rows: NDArray[np.int64], ends: NDArray[np.bool_], last: NDArray[Any], told: dict[str, Any]
    ) -> dict[str, Any]:
        """What ``info`` says of the deals that have ended where the next ones are there already."""
        mask = np.ones(self.tables.actions, np.int8)
        final = np.full(self.num_envs, None, object)
        for row, each in zip(rows.tolist(), last, strict=True):
            final[row] = {"observation": each, "action_mask": mask}
        about = {**told, "seat": self._seat, "_seat": ends}
        return {"final_obs": final, "_final_obs": ends, "final_info": about, "_final_info": ends}

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int | np.integer):
            return range(int(seed), int(seed) + self.num_envs)
        if not isinstance(seed, Sequence) or isinstance(seed, str) or len(seed) != self.num_envs:
            raise TefudaError(f"seed: {seed!r} is neither one whole number nor a list of {self.num_envs}")
        return list(seed)


def _reset_mask(given: Any, tables: int) -> NDArray[np.bool_] | None:
    if given is None:
        return None
    if not isinstance(given, np.ndarray) or given.dtype != np.bool_ or given.shape != (tables,):
        found = f"{given.dtype} of shape {given.shape}" if isinstance(given, np.ndarray) else repr(given)
        raise TefudaError(f"reset_mask: {found}; a NumPy array of bool of shape ({tables},) is wanted")
    if not given.any():
        raise TefudaError("reset_mask: it is False everywhere; at least one table is wanted")
    return given
