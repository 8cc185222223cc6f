"""The classes that OpenSpiel sees: a game, its states, and what observes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import prod

import numpy as np
import pyspiel
from numpy.typing import NDArray

from tefuda import games
from tefuda.engine.option import Value
from tefuda.engine.record import SPECTATOR, Visible
from tefuda.engine.texts import catalogue
from tefuda.research.openspiel.game_parameters import DIGIT, DIGITS, Rules, parameters, rules_of
from tefuda.research.openspiel.nodes import CHANCE, TERMINAL, DealNode, PlayNode, WorldsNode
from tefuda.table.view import View

PREFIX = "tefuda_"

RECALLED = 512  #: plays that an array of an information state tells: the latest ones. Few deals are longer.

_TENSORS = pyspiel.IIGObservationType(perfect_recall=False)


def short_name(name: str) -> str:
    """OpenSpiel's name of a game: ``gong-zhu`` is ``tefuda_gong_zhu``."""
    return PREFIX + name.replace("-", "_")


def game_type(name: str, *, zero_sum: bool = False) -> pyspiel.GameType:
    """OpenSpiel's description of a game before it is loaded."""
    description = games.description(name)
    utilities = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=short_name(name),
        long_name=catalogue(description.files.texts, "en")("title")
        + (f" ({name.removeprefix(description.miniature_of)[1:]})" if description.miniature_of else ""),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utilities.ZERO_SUM if zero_sum else utilities.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(description.seats),
        min_num_players=min(description.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters(description),
    )


def register(name: str) -> None:
    """Make a game known to OpenSpiel."""
    # A class of its own: OpenSpiel keeps what it is given until Python has ended, when only classes may be let go of.
    pyspiel.register_game(game_type(name), type(short_name(name), (OpenSpielGame,), {"name": name}))


Parameters = Mapping[str, object] | None


class OpenSpielGame(pyspiel.Game):
    """A game of Tefuda, loaded by ``pyspiel.load_game("tefuda_…", parameters)``.

    What players receive is their payoff of one deal, as people count it, or with ``reward=gain`` their gain. A deal
    begins with chance: three nodes for its random number and one for each card of the deck (``rules.DealNode``);
    everything that chance decides later follows from them. Errors are as of ``game_parameters.rules_of``. ``rules`` are
    the game with its seats and options, and how its deals begin."""

    name: str  #: of the game, such as ``gong-zhu``

    def __init__(self, given: Mapping[str, Value]) -> None:
        self.rules = rules = rules_of(self.name, given)
        bounds, unit = rules.bounds, rules.description.rules.unit
        worlds = len(rules.start.worlds) if isinstance(rules.start, WorldsNode) else 0
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.description.actions,
            max_chance_outcomes=worlds or max(DIGIT, len(rules.description.cards)),
            num_players=rules.game.seats,
            min_utility=bounds.least / unit,
            max_utility=bounds.most / unit,
            utility_sum=0.0 if bounds.zero_sum else None,
            max_game_length=bounds.actions,
        )
        super().__init__(game_type(self.name, zero_sum=bounds.zero_sum), info, rules.changed)

    def __reduce__(self) -> tuple[object, ...]:
        return _load, (str(self),)  # the class is known to OpenSpiel, and not by a name in a module

    def new_initial_state(self) -> OpenSpielState:
        """Nothing dealt, chance to begin."""
        return OpenSpielState(self, self.rules.start)

    def max_chance_nodes_in_history(self) -> int:
        """All of them come before the first action."""
        return 1 if isinstance(self.rules.start, WorldsNode) else DIGITS + len(self.rules.game.pack)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Parameters = None
    ) -> OpenSpielObserver:
        """Make an ``OpenSpielObserver``."""
        return OpenSpielObserver(self.rules, iig_obs_type or _TENSORS, params)


def _load(game: str) -> OpenSpielGame:
    """A game from its string, also in a process that has not registered any yet: to import this does."""
    loaded: OpenSpielGame = pyspiel.load_game(game)
    return loaded


class OpenSpielState(pyspiel.State):
    """A state of a game: OpenSpiel's methods over a node of ``nodes``."""

    def __init__(self, game: OpenSpielGame, node: DealNode | WorldsNode | PlayNode) -> None:
        super().__init__(game)
        self.node = node  # the only attribute: OpenSpiel copies a state by copying its attributes

    def current_player(self) -> int:
        """The seat that acts, or OpenSpiel's number for chance or the end."""
        return self.node.player

    def is_terminal(self) -> bool:
        """True if the deal is over."""
        return self.node.player == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Outcomes of the next chance node, with probabilities; ``ValueError`` if it is not chance's turn."""
        if isinstance(self.node, PlayNode):
            raise ValueError("chance has nothing to decide in this state")
        return self.node.outcomes()

    def _apply_action(self, action: int) -> None:
        self.node = self.node.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE and not isinstance(self.node, PlayNode):
            return self.node.outcome_name(action)
        word: str | None = None
        if isinstance(self.node, PlayNode) and player == self.node.player:
            word = self.node.rules.description.notation.word(self.node.states, [action])
        return word or self.node.rules.word(action)

    def returns(self) -> list[float]:
        """Each seat's reward at the end; 0 before."""
        return self.node.returns()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> OpenSpielState:
        """A state drawn at random from those that agree with all that the player knows.

        Its record is a world drawn by ``imagine``. It has no history of its own (``history()`` is empty): that of this
        state would give its cards away. ``sampler`` gives numbers from 0 to below 1, such as
        ``pyspiel.UniformProbabilitySampler(0.0, 1.0)``. ``ValueError`` if the cards are not dealt, or there is no such
        player."""
        if not isinstance(self.node, PlayNode):
            raise ValueError("the cards are not dealt: nobody knows anything yet")
        if not 0 <= player < self.num_players():
            raise ValueError(f"there is no player {player}; players are 0 to {self.num_players() - 1}")
        high, low = (int(sampler() * (1 << 31)) for _ in range(2))
        generator = np.array([(high | 1) << 32 | low], np.uint64)
        return OpenSpielState(self.get_game(), self.node.imagine(player, generator))

    def __str__(self) -> str:
        return str(self.node)


class OpenSpielObserver:
    """One player's observations, as arrays and as text; OpenSpiel's PyObserver interface.

    With perfect recall it is an information state: the string says everything that a seat has seen happen and a
    fingerprint of all it has seen besides. Without, it is what the seat sees now, as JSON; the game's options and the
    numbers of earlier deals, which no deal changes, are left out. ``ValueError`` for another kind, or parameters.

    Args:
        kind: perfect recall or not; what is public and the player's private information, or one of the two. Public
            information alone is what a spectator sees; private information alone, without recall, is what only the
            player sees now.

    Attributes:
        dict: arrays by name: ``player`` (one 1, at the seat), the planes of ``tefuda.table.planes``, seats counted
            from the player, and with perfect recall ``plays``, float32 of shape (plays, 2): for each of the latest
            actions made, 1 + its seat counted from the player and 1 + its number, or that of what others are shown of
            it; 0 after the last.
        tensor: all of them together, float32.
    """

    def __init__(self, rules: Rules, kind: pyspiel.IIGObservationType, params: Parameters) -> None:
        if params:
            raise ValueError(f"observers of {rules.name} take no parameters; {params} were given")
        private = pyspiel.PrivateInfoType
        self.rules, self.recalls = rules, bool(kind.perfect_recall)
        self.spectates, self.is_private = kind.private_info == private.NONE, not kind.public_info
        if kind.private_info == private.ALL_PLAYERS or (self.is_private and (self.spectates or self.recalls)):
            raise ValueError(
                f"{rules.name} shows what is public, with a single player's private information or none, "
                "or without recall a single player's private information alone"
            )
        planes = [plane for plane in rules.observation.planes if self._shows(plane.name.partition("[")[0])]
        self.observation = rules.observation.reading([(plane.name, plane.size) for plane in planes])
        sizes: list[tuple[str, tuple[int, ...]]] = [("player", (rules.game.seats,))]
        sizes += [(plane.name, (plane.size,)) for plane in self.observation.planes]
        if self.recalls:
            sizes.append(("plays", (min(rules.bounds.actions, RECALLED), 2)))
        ends = np.cumsum([prod(shape) for _, shape in sizes])
        self.tensor = np.zeros(ends[-1], np.float32)
        parts = zip(sizes, np.split(self.tensor, ends[:-1]), strict=True)
        self.dict: dict[str, NDArray[np.float32]] = {name: part.reshape(shape) for (name, shape), part in parts}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write what the player sees; all 0 while cards are being dealt."""
        self.tensor.fill(0)
        if not isinstance(state.node, PlayNode):
            return
        node, seats = state.node, self.rules.game.seats
        self.dict["player"][player] = 1
        planes = self.tensor[seats : seats + self.observation.size]
        self.observation.encode(node.view(self._viewer(player)), planes[None])
        if self.recalls and node.plays:
            plays = np.array(node.plays[-RECALLED:])
            movers, actions = np.divmod(plays, self.rules.description.actions)
            rows = self.dict["plays"][: len(plays)]
            rows[:, 0], rows[:, 1] = 1 + (movers - player) % seats, 1 + actions

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Text of what the player knows, or sees now."""
        node = state.node
        if not isinstance(node, PlayNode):
            return f"{player}| the cards are being dealt"
        if self.recalls:
            return node.knowledge(self._viewer(player))
        view = View(self.rules.description, node.states, self._viewer(player)).to_dict()
        told = (name for name in view if self._shows(name) and name not in self.rules.unchanging)
        return json.dumps({name: view[name] for name in told}, ensure_ascii=False)

    def _shows(self, field: str) -> bool:
        """True if a field is of the wanted kind."""
        return not self.is_private or self.rules.fields[field].visible is Visible.OWNER

    def _viewer(self, player: int) -> int:
        return SPECTATOR if self.spectates else player
