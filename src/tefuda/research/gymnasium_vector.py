"""One seat against bots at many tables at once, as a vector environment of Gymnasium.

    import gymnasium
    import tefuda.research.gymnasium                      # registers tefuda/GongZhu-v1 and the others

    envs = gymnasium.make_vec("tefuda/GongZhu-v1", num_envs=1024, opponents="hints")
    observations, infos = envs.reset(seed=1)
    actions = policy(observations["observation"], observations["action_mask"])
    observations, rewards, terminations, truncations, infos = envs.step(actions)

It is ``tefuda.research.vector.VectorEnv`` with the interface that other libraries expect; the moves are made in
compiled code. Where a deal ends, the same step brings the first observation of the next (``AutoresetMode.SAME_STEP``),
unless ``autoreset_mode`` says otherwise."""

import secrets
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tefuda.bots.net import Network
from tefuda.engine.errors import TefudaError
from tefuda.engine.objective import Reward
from tefuda.engine.option import Value
from tefuda.research.arguments import as_actions, as_game, as_opponents, check_seat, check_word, refuse_options
from tefuda.research.single_deal import Episode, Info, Observed
from tefuda.research.vector import Batch, VectorEnv
from tefuda.table.game import Game

import gymnasium  # isort: skip - single_deal says which extra is missing
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

Refusal = Literal["raise", "replace"]


class SeatVectorEnv(gymnasium.vector.VectorEnv[Observed, NDArray[np.int64], NDArray[np.float32]]):
    """One seat of every table learns, the others are bots.

    Observations are as of ``SeatEnv``: ``observation`` int8 of shape (num_envs, numbers), what the seat sees, and
    ``action_mask`` int8 of shape (num_envs, actions). Rewards are float32: at the end of a deal what the seat receives,
    or its gain, in the game's smallest unit; else 0. ``infos["seat"]`` says which seat learns. Where a deal has ended,
    ``infos["final_info"]`` has ``rewards`` and ``payoffs``, of every seat, and ``infos["final_obs"]`` what the learner
    saw last; in the other modes ``rewards`` and ``payoffs`` stand in ``infos`` itself, and the observation is the last
    one. The mask of a last observation allows every action, so that no policy divides by zero. A deal in which the seat
    has nothing to decide is played, and not reported. ``TefudaError`` for a game, bot, seat or option that does not
    exist, or a bot that cannot play many tables at once.

    Args:
        game, reward, seats, options: as of ``SeatEnv``.
        num_envs: tables.
        opponents: ``random``, ``hints``, ``net``, ``net:FOLDER`` or a ``Network``: one for all other seats, or one for
            each, in their order after the learner's seat.
        seat: the learner's; by default seat i modulo the number of seats at table i.
        illegal: what an illegal action does: ``raise`` is an error and changes nothing at any table, ``replace`` makes
            a random legal one.
        autoreset_mode: ``SameStep``, ``NextStep`` (the step after the end of a deal ignores its action and deals) or
            ``Disabled`` (``reset`` with ``options={"reset_mask": ends}`` deals).
        copy: whether what is returned may be kept; without, the next call overwrites it.
        threads: by default as many as there are cores, but fewer where each would have few tables.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        opponents: str | Network | Sequence[str | Network] = "random",
        seat: int | None = None,
        *,
        illegal: Refusal = "raise",
        reward: Reward = "payoff",
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        threads: int | None = None,
        seats: int | None = None,
        **options: Value,
    ) -> None:
        found = as_game(game, seats, options)
        mode = str(getattr(autoreset_mode, "value", autoreset_mode))
        check_word("autoreset_mode", mode, [each.value for each in AutoresetMode])
        self.autoreset_mode = AutoresetMode(mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        check_word("illegal", illegal, get_args(Refusal))
        check_seat(seat, found.seats, "all in turn")
        own = 0 if seat is None else seat
        if not isinstance(opponents, str | Network | Sequence):
            raise TefudaError(f"opponents: {opponents!r} is neither the name of a bot nor a list of bots")
        others = as_opponents(opponents, found.seats - 1)
        bots = {(own + place) % found.seats: bot for place, bot in enumerate(others, 1)}
        self.raw = VectorEnv(
            found, num_envs, reward=reward, bots=bots, rotate=seat is None, finished=True, fresh=copy, threads=threads
        )
        self._over = np.zeros(num_envs, np.bool_)  # where a deal is over and the next is not there yet
        self._places = np.arange(num_envs)
        self._seats = self.raw.learners.argmax(1)
        self._viewers = self._seats.astype(np.int8)
        self._replaces = illegal == "replace"
        single = Episode(found, "raise", reward)
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = single.observation_space(), single.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Info | None = None
    ) -> tuple[Observed, Info]:
        """Deal at every table, or of the option ``reset_mask``, bool of shape (num_envs,), alone. The seed is that of
        all deals to come, or one for each table alone; it is drawn at random where it is None. ``TefudaError`` if a
        seed is no whole number from 0, or there is not one for each table; the mask has another type or shape or is
        False everywhere; there are other options."""
        refuse_options(options, "reset_mask")
        where = None if not options else _reset_mask(options["reset_mask"], self.num_envs)
        super().reset(seed=seed if isinstance(seed, int) else None)
        given: int | NDArray[np.int64] | None = None
        if isinstance(seed, int):
            given = seed
        elif seed is not None:  # one for each table, in Gymnasium's way of writing them; None stands for any
            given = np.array([secrets.randbits(62) if each is None else each for each in seed])
        batch = self.raw.reset(given) if where is None else self.raw.deal_again(where, given)
        self._over = np.zeros(self.num_envs, np.bool_) if where is None else self._over & ~where
        return self._observations(batch), self._infos()

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observed, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Make the learner's action at every table, whole numbers of shape (num_envs,); the bots then move, up to the
        learner's next one. ``TefudaError`` if ``reset`` has not been called, or an action is not legal and illegal
        actions are errors; nothing has changed then."""
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            raise TefudaError(f"table {self._over.argmax()}: the deal is over; reset it with a reset_mask first")
        same_step = self.autoreset_mode is AutoresetMode.SAME_STEP  # then no table ever waits
        batch = self.raw.step(self._legal(actions) if self._replaces else actions, None if same_step else self._over)
        ends = batch.ends.copy()
        if not same_step:
            self._over = ends.copy()
        rows = np.flatnonzero(ends)
        last, received = self.raw.show_finished(rows, self._viewers)
        infos, rewards = self._infos(), np.zeros(self.num_envs, np.float32)
        if len(rows):
            rewards = batch.rewards[self._places, self._seats]
            payoffs = np.zeros(batch.rewards.shape, np.float64)
            payoffs[rows] = received
            told = {"rewards": batch.rewards.copy(), "_rewards": ends, "payoffs": payoffs, "_payoffs": ends}
            infos |= self._final(rows, ends, last, told) if same_step else told
        return self._observations(batch, last), rewards, ends.copy(), np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now; bool of shape (num_envs, actions)."""
        return self.raw.masks | self._over[:, None]

    def close_extras(self, **kwargs: object) -> None:
        """End the threads."""
        self.raw.close()

    def _observations(self, batch: Batch, last: NDArray[np.int8] | None = None) -> Observed:
        """Observations of the learner; ``last`` are those of deals that are over while the next is not there yet."""
        seen, masks, over = batch.observations, batch.masks.view(np.int8), self._over.any()
        if over:
            masks = masks.copy()  # what is legal at the tables that wait is asked for again
            rows = np.flatnonzero(self._over)
            seen[rows] = self.raw.show_finished(rows, self._viewers)[0] if last is None else last
            masks[rows] = 1
        return {"observation": seen, "action_mask": masks}

    def _final(self, rows: NDArray[np.int64], ends: NDArray[np.bool_], last: NDArray[np.int8], told: Info) -> Info:
        """Part of ``infos`` about deals that have ended where the next ones are there already."""
        final, mask = np.full(self.num_envs, None, object), np.ones(self.raw.actions, np.int8)
        final[rows] = [{"observation": seen, "action_mask": mask} for seen in last]
        return {"final_obs": final, "_final_obs": ends, "final_info": told, "_final_info": ends}

    def _infos(self) -> Info:
        return {"seat": self._seats.copy(), "_seat": np.ones(self.num_envs, np.bool_)}

    def _legal(self, actions: ArrayLike) -> NDArray[np.int64]:
        """The actions, with a random legal one for each that is illegal; ``TefudaError`` if these are no actions."""
        chosen = as_actions(actions, self.num_envs)
        unknown = np.flatnonzero(((chosen < 0) | (chosen >= self.raw.actions)) & ~self._over)
        if len(unknown):
            table = unknown[0]
            raise TefudaError(f"table {table}: action {chosen[table]} is not one of 0 to {self.raw.actions - 1}")
        chosen = np.where(self._over, 0, chosen)
        legal = self.raw.masks[self._places, chosen]
        return chosen if legal.all() else np.where(legal, chosen, self.raw.sample())


def _reset_mask(given: object, tables: int) -> NDArray[np.bool_]:
    if not isinstance(given, np.ndarray) or given.dtype != np.bool_ or given.shape != (tables,):
        found = f"{given.dtype} of shape {given.shape}" if isinstance(given, np.ndarray) else repr(given)
        raise TefudaError(f"reset_mask: {found}; a NumPy array of bool of shape ({tables},) is wanted")
    if not given.any():
        raise TefudaError("reset_mask: it is False everywhere; at least one table is wanted")
    return given
