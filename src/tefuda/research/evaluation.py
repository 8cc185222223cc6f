"""How much a policy gains against a bot, by duplicate deals: the same decks for the policy in every seat.

    from tefuda.research.evaluation import evaluate

    print(evaluate(policy, "gong-zhu", against="hints", deals=500))     # +12.3 ± 4.5

Each deal is played once for every team, which the policy then plays while the bot plays the others. Decks and random
numbers are those of ``tefuda match``. All games of a block are played side by side, so the policy answers for many
tables in one call.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.net import NetBot, Network
from tefuda.bots.players import Bot, ask, bot
from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.estimates import Estimate, estimate
from tefuda.engine.objective import gain_weights, teams_of
from tefuda.engine.playout import HINTS, MOST_ACTIONS, RANDOM, is_among
from tefuda.engine.rng import Rng, below
from tefuda.engine.verbs import rule
from tefuda.engine.views import observe
from tefuda.research.arguments import as_game
from tefuda.table.game import Game, numbered_deals
from tefuda.table.planes import Observation
from tefuda.table.view import View

BLOCK = 512
"""Deals that are played side by side."""

COMPILED = {"random": RANDOM, "hints": HINTS}
"""The bots that play in compiled code."""

Policy = Callable[[NDArray[np.int8], NDArray[np.bool_]], Any]
"""From observations of shape (tables, numbers) and masks of shape (tables, actions), an action for every table."""


class Player(Protocol):
    """Who answers for the rows of a block whose turn it is."""

    def answer(self, block: "Block", rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """An action for each of these rows."""


class Block:
    """Deals played side by side; axis 0 is the row.

    Attributes:
        states: records.
        rngs: generators, shape (rows, 1).
        views: of the seats to act.
        masks: their legal actions.
    """

    def __init__(self, game: Game, states: NDArray[Any], rngs: NDArray[np.uint64]) -> None:
        self.game, self.states, self.rngs = game, states, rngs
        self.views = np.zeros_like(states)
        self.movers = np.zeros(len(states), np.int64)
        self.masks = np.zeros((len(states), game.description.actions), np.bool_)
        self._legal = np.zeros(MOST_ACTIONS, np.int64)

    def play(self, players: Sequence[Player], seated: NDArray[np.int64]) -> NDArray[np.int64]:
        """To the end; who sits where is int64 of shape (rows, seats). The payoffs, of the same shape."""
        payoffs = np.zeros((len(self.states), self.game.seats), np.int64)
        while look(self.states, self.movers, self.masks, self.views, self._legal, payoffs):
            running = np.flatnonzero(self.movers >= 0)
            turn = seated[running, self.movers[running]]
            chosen = np.full(len(self.states), -1, np.int64)
            for k, player in enumerate(players):
                rows = running[turn == k]
                if len(rows):
                    chosen[rows] = player.answer(self, rows)
            self._check(chosen, running)
            make(self.states, chosen)
        return payoffs

    def _check(self, chosen: NDArray[np.int64], running: NDArray[np.int64]) -> None:
        actions = chosen[running]
        within = (actions >= 0) & (actions < self.masks.shape[1])
        wrong = np.flatnonzero(~(within & self.masks[running, np.where(within, actions, 0)]))
        if len(wrong):
            raise TefudaError(f"the policy chose action {actions[wrong[0]]}, which is not legal there")


class CompiledPlayer:
    """``random`` or ``hints``."""

    def __init__(self, policy: int) -> None:
        self._policy = policy

    def answer(self, block: Block, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """An action for each of these rows."""
        chosen = np.zeros(len(rows), np.int64)
        answer_all(block.states, block.rngs, rows, self._policy, np.zeros(MOST_ACTIONS, np.int64), chosen)
        return chosen


class PolicyPlayer:
    """A policy, for all rows in one call."""

    def __init__(self, policy: Policy, observation: Observation) -> None:
        self._policy, self._observation = policy, observation

    def answer(self, block: Block, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """An action for each of these rows."""
        chosen = np.asarray(self._policy(self._observation.encode(block.views[rows]), block.masks[rows]))
        if chosen.shape != (len(rows),) or chosen.dtype.kind not in "iu":
            raise TefudaError(
                f"the policy returned {chosen.dtype} of shape {chosen.shape}; "
                f"whole numbers of shape ({len(rows)},) are wanted"
            )
        return chosen.astype(np.int64)


class NetworkPlayer:
    """A network, for all rows in one call."""

    def __init__(self, network: Network) -> None:
        self._network, self._hints = network, CompiledPlayer(HINTS)

    def answer(self, block: Block, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """An action for each of these rows."""
        network = self._network
        advised = self._hints.answer(block, rows) if network.asks else None
        return network.answer_all(block.views[rows], block.masks[rows], advised)


class BotPlayer:
    """A bot, row by row."""

    def __init__(self, player: Bot) -> None:
        self._bot = player

    def answer(self, block: Block, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """An action for each of these rows."""
        game, chosen = block.game.description, []
        for row in rows:
            view = View(game, block.states[row : row + 1], int(block.movers[row]))
            legal = np.flatnonzero(block.masks[row]).tolist()
            chosen.append(ask(self._bot, view, legal, block.rngs[row], f"seat {view.seat}"))
        return np.array(chosen, np.int64)


class PolicyBot:
    """A policy as a bot, for matches and tables: one observation in, one action out.

    Args:
        policy: as ``evaluate`` takes it.
        options: names of the game's options that its observations tell too.

    Example:
        >>> import numpy as np
        >>> import tefuda
        >>> first = PolicyBot(lambda observations, masks: np.argmax(masks, 1))
        >>> deal = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
        >>> tefuda.choose_play(first, deal, seed=0)
        'H2'
    """

    def __init__(self, policy: Policy, options: Sequence[str] = ()) -> None:
        self._policy, self._options = policy, options
        self._observations: dict[tuple[str, int], Observation] = {}

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """What the policy answers."""
        key = (view.game.name, int(view.record.seats))
        if key not in self._observations:
            self._observations[key] = Observation(Game(view.game, key[1]), self._options)
        mask = np.zeros((1, view.game.actions), np.bool_)
        mask[0, legal] = True
        chosen: int = np.asarray(self._policy(self._observations[key].encode(view.array), mask))[0]
        return chosen


def evaluate(
    policy: Policy | Network | str | Bot,
    game: Game | str,
    against: Policy | Network | str | Bot = "hints",
    *,
    deals: int = 500,
    seed: int = 0,
    options: Sequence[str] = (),
    progress: Callable[[int], None] = lambda deals: None,
) -> Estimate:
    """What a policy gains a deal against a bot: its team's payoff less the mean of the others', as people count it.

    Args:
        policy: a function, a network, or a bot or its spec.
        game: by name, or with seats and options (``tefuda.load``).
        against: who plays the other seats, in the same way.
        deals: each played once for every team.
        seed: deck k is that of ``game.deal((seed, k))``.
        options: names of the game's options that observations tell too (``Observation``).
        progress: called with the number of deals of each finished block.

    Returns:
        the mean and its 95 % interval, from the deals.

    Raises:
        TefudaError: an unknown game or bot, something that is no policy, or an answer that is no legal action.
    """
    game = as_game(game)
    if type(deals) is not int or deals < 1:
        raise TefudaError(f"deals: {deals!r} is not a whole number from 1")
    players = [_player(each, game, options) for each in (policy, against)]
    weights, teams = gain_weights(game.template[0]), _teams(game)
    gains: list[NDArray[np.float64]] = []
    for first in range(0, deals, BLOCK):
        numbers = range(first, min(first + BLOCK, deals))
        dealt, rngs = numbered_deals(game, seed, numbers)
        block = Block(game, np.repeat(dealt, len(teams)), np.repeat(rngs, len(teams), axis=0))
        payoffs = block.play(players, np.tile(1 - teams, (len(numbers), 1)))
        won = (payoffs @ weights).reshape(len(numbers), *teams.shape)
        gains.append((won * teams).sum((1, 2)) / teams.sum())
        progress(len(numbers))
    return estimate(np.concatenate(gains) / game.description.rules.unit)


def _player(who: Policy | Network | str | Bot, game: Game, options: Sequence[str]) -> Player:
    if isinstance(who, str) and who in COMPILED:
        return CompiledPlayer(COMPILED[who])
    found = bot(who) if isinstance(who, str) else who
    if isinstance(found, NetBot):
        deal = game.deal(0)
        found = found.network(deal.view(deal.mover))
    if isinstance(found, Network):
        return NetworkPlayer(found)
    if hasattr(found, "choose"):
        return BotPlayer(cast(Bot, found))
    if not callable(found):
        raise TefudaError(
            f"{who!r} is no policy: give a function of observations and masks, a network, "
            "a bot (with a method choose), or a bot's name such as 'hints'"
        )
    return PolicyPlayer(found, Observation(game, options))


def _teams(game: Game) -> NDArray[np.int64]:
    """A row for each team, with a 1 at its seats; int64 of shape (teams, seats)."""
    teams = np.array(teams_of(game.template[0]))
    seated: NDArray[np.int64] = (teams == np.unique(teams)[:, None]).astype(np.int64)
    return seated


@rule
def look(states: Any, movers: Any, masks: Any, views: Any, legal: Any, payoffs: Any) -> int:
    """Write who is to act in every row, the legal actions and the view; score deals that have just ended.

    Args:
        states: records of shape (rows,).
        movers: int64 of shape (rows,), written: −1 where the deal is over.
        masks: bool of shape (rows, actions), written.
        views: records of shape (rows,), written.
        legal: int64 buffer.
        payoffs: int64 of shape (rows, seats), written.

    Returns:
        How many deals are not over.
    """
    running = 0
    for i in range(len(states)):
        seat = verbs.mover(states[i])
        n = verbs.legal(states[i], legal) if seat >= 0 else 0
        movers[i] = seat if n > 0 else -1
        if n == 0:
            verbs.payoff(states[i], payoffs[i])
            continue
        running += 1
        masks[i, :] = False
        for k in range(n):
            masks[i, legal[k]] = True
        observe(states[i], seat, views[i])
    return running


@rule
def make(states: Any, chosen: Any) -> None:
    """Make an action in every row; −1 for none."""
    for i in range(len(states)):
        if chosen[i] >= 0:
            verbs.apply(states[i], chosen[i])


@rule
def answer_all(states: Any, rngs: Any, rows: Any, policy: int, legal: Any, chosen: Any) -> None:
    """What ``random`` or ``hints`` does in these rows, as in ``engine.playout``.

    Args:
        states, rngs: of the block.
        rows: int64, indices.
        policy: RANDOM or HINTS.
        legal: int64 buffer.
        chosen: int64 of shape (len(rows),), written.
    """
    for k in range(len(rows)):
        i = rows[k]
        n = verbs.legal(states[i], legal)
        action = int(verbs.advise(states[i], rngs[i])) if policy == HINTS else legal[below(rngs[i], n)]
        if policy == HINTS and not is_among(action, legal, n):
            action = legal[below(rngs[i], n)]
        chosen[k] = action
