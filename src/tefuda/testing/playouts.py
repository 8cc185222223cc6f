"""Playouts for the checks: tables with every option, deals played to their end on them, and what games tell of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import rng, verbs
from tefuda.engine.description import Description
from tefuda.engine.option import Option, OptionError, Value
from tefuda.table.deal import Deal
from tefuda.table.game import Game

Options = dict[str, Value]
States = NDArray[np.void]

FEW_VALUES = 8
"""A number option with at most so many values is tried with each of them; else with the least and the most."""


def option_sets(description: Description, combinations: int = 8, seed: int = 0) -> list[tuple[int, Options]]:
    """List tables to test: the default for each number of seats; every other value alone; then random combinations.

    Values stand alone at tables of the usual and of the largest number of seats. What the game's exclusions forbid is
    left out."""
    alone = [{option.name: value} for option in description.rules.options for value in other_values(option)]
    varied = {description.seats[0], max(description.seats)}
    wanted = [(seats, options) for seats in description.seats for options in [{}, *(alone if seats in varied else [])]]
    found = [each for each in wanted if _allowed(description, *each)]
    generator = np.random.default_rng(seed)
    while combinations > 0:
        combination = _combination(description, generator)
        if _allowed(description, *combination):
            found.append(combination)
            combinations -= 1
    return found


def other_values(option: Option) -> list[Value]:
    """List the values of an option apart from its default."""
    if option.values or isinstance(option.default, bool):
        values: list[Value] = list(option.values) or [False, True]
    elif option.most - option.least < FEW_VALUES:
        values = list(range(option.least, option.most + 1))
    else:
        values = [option.least, option.most]
    return [value for value in values if value != option.default]


def _allowed(description: Description, seats: int, options: Mapping[str, Value]) -> bool:
    try:
        description.template(seats, options)
    except OptionError:
        return False
    return True


def _combination(description: Description, generator: np.random.Generator) -> tuple[int, Options]:
    seats = description.seats[generator.integers(len(description.seats))]
    chosen: Options = {}
    for option in description.rules.options:
        values = [option.default, *other_values(option)]
        chosen[option.name] = values[generator.integers(len(values))]
    return seats, chosen


@dataclass(frozen=True)
class Playout:
    """A deal played to its end, and every moment of it."""

    game: Game
    seed: tuple[int, ...]  #: of the deal and of all that is drawn at random about it
    deal: Deal
    states: States  #: the state before each decision; the last is the end; shape (decisions + 1,)
    actions: NDArray[np.int64]  #: shape (decisions,)
    movers: NDArray[np.int64]  #: shape (decisions + 1,); −1 at the end

    def again(self) -> Deal:
        """Deal the same cards again."""
        assert self.deal.before is not None
        chance = int(self.deal.before["chance"][0])
        return self.game.deal(0, deck=self.deal.deck, chance=chance, before=self.deal.before)

    def __str__(self) -> str:
        options = ", ".join(f"{name}={value}" for name, value in self.game.changed_options().items())
        return f"{self.game.name}, {self.game.seats} seats, {options or 'default options'}, deal {self.seed}"


def playouts(game: Game, deals: int, seed: int) -> Iterator[Playout]:
    """Yield deals played to their end: up to four of one game, then a new game; every third by the rule of thumb."""
    before = None
    for number in range(deals):
        played = play_out(game, (seed, number), before, hints=number % 3 == 2)
        yield played
        before = None if number % 4 == 3 or played.deal.facts()["over"] else played.deal.following()


def play_out(game: Game, seed: tuple[int, ...], before: States | None = None, *, hints: bool = False) -> Playout:
    """Play one deal to its end, at random or by the rule of thumb."""
    deal = game.deal(seed, before=before)
    generator = rng.generator((*seed, 1))
    states, actions, movers = [deal.state], [], [deal.mover]
    while not deal.over:
        legal = deal.legal_actions()
        assert legal, f"{game.name}, deal {seed}: seat {deal.mover} is to act and nothing is legal"
        chosen = int(verbs.advise(deal.state, generator)) if hints else legal[rng.below(generator, len(legal))]
        actions.append(chosen)
        deal.act(chosen)
        states.append(deal.state)
        movers.append(deal.mover)
    return Playout(game, seed, deal, stacked(states), np.array(actions, np.int64), np.array(movers, np.int64))


def stacked(states: Sequence[np.void]) -> States:
    """Copy records into an array, the bytes between their fields too."""
    return np.frombuffer(bytearray().join(state.tobytes() for state in states), states[0].dtype)


# Facts about a game for the suite


def public_history(played: Playout, moment: int, world: np.void) -> list[int]:
    """List the actions made before this moment, all of them public: they were the same in every world."""
    return [int(action) for action in played.actions[:moment]]


def dealt_hands(played: Playout, moment: int, world: np.void) -> Deal:
    """Deal the imagined hands, with the cards that have left each hand (everybody has seen them) put back."""
    first, now = played.states[0]["hands"], played.states[moment]["hands"]
    words, pack = played.game.description.cards, played.game.pack.tolist()
    if first.ndim == 2:  # counts of copies
        copies = world["hands"] + first - now
        texts = [" ".join(np.repeat(words, counts)) for counts in copies[: played.game.seats]]
    else:
        hands = [int(world["hands"][seat]) | int(first[seat] & ~now[seat]) for seat in range(played.game.seats)]
        texts = [" ".join(words[card] for card in pack if hand >> card & 1) for hand in hands]
    return played.game.deal(0, hands=texts, chance=int(world["chance"]), before=played.deal.before)


@dataclass(frozen=True)
class Hooks:
    """Facts about a game that the suite cannot know by itself; the defaults fit games of sets of cards, each once."""

    where_cards_are: tuple[str, ...] = ("hands", "trick", "won")
    """the fields (``Holds.CARDS``, ``Holds.CARD``, ``Holds.COUNTS``) that together hold the pack"""
    cards_of: Callable[[np.void], list[int]] | None = None
    """instead of ``where_cards_are``, all card numbers of a state, for games that hold cards otherwise"""
    redeal: Callable[[Playout, int, np.void], Deal] = dealt_hands
    """from a playout, a moment and a world imagined there: the deal of that world, before the first action"""
    actions_seen: Callable[[Playout, int, np.void], list[int]] = public_history
    """from the same, the actions that led there in that world: others than in the playout where some were hidden"""
    chance_in_play: Callable[[Playout, int, np.void], dict[int, Mapping[str, int]]] = lambda played, moment, world: {}
    """in a game in which chance decides something while it is played: from the same, its next decisions in that world,
    as values of hidden fields: by how many actions have been made when they are set"""


DEFAULTS = Hooks()
