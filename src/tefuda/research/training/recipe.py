"""What a training run does: a recipe, all of whose settings are kept with the run and in the network's model card."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tefuda.engine.errors import TefudaError
from tefuda.engine.option import Value
from tefuda.table.game import Game

DEVICES = ("cpu", "cuda")


@dataclass(frozen=True)
class Recipe:
    """How a network learns: it imitates what search found of every play, in rounds, each with more deals.

    Attributes:
        game, seats: what is learned.
        options: the options that vary, each with its values; the others have their defaults.
        deals: played by search in all rounds together.
        rounds: after each the network is fitted to all deals so far, and judged.
        simulations: of each decision of the search.
        temperature: in standard deviations of the gains: how much better a play must be to be wanted e times as much.
        hidden: numbers of hidden units.
        epochs: of each round; the last has ``last_epochs``, with a learning rate that falls to 0.
        batch: positions a step.
        rate: learning rate.
        judged: duplicate deals against ``hints``, and against the round before, after each round.
        seed: of everything.
    """

    game: str
    seats: int
    options: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    deals: int = 20_000
    rounds: int = 5
    simulations: int = 150
    temperature: float = 0.2
    hidden: tuple[int, ...] = (256, 128)
    epochs: int = 2
    last_epochs: int = 12
    batch: int = 1024
    rate: float = 1e-3
    judged: int = 500
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("deals", "rounds", "simulations", "epochs", "last_epochs", "batch", "judged"):
            if getattr(self, name) < 1:
                raise TefudaError(f"{name}: {getattr(self, name)} is below 1")
        if self.rounds > self.deals:
            raise TefudaError(f"rounds: {self.rounds} are more than the {self.deals} deals")

    def as_dict(self) -> dict[str, Any]:
        """As plain data for JSON."""
        return asdict(self) | {"hidden": list(self.hidden)}

    def epochs_of(self, number: int) -> int:
        """Epochs of a round, counted from 0."""
        return self.last_epochs if number == self.rounds - 1 else self.epochs


def varying(game: Game, names: Sequence[str]) -> dict[str, list[Value]]:
    """Options that vary, each with all its values, that of the game first.

    Raises:
        TefudaError: there is no such option, or it is a number and has no list of values.
    """
    found: dict[str, list[Value]] = {}
    for name in names:
        option = game.description.rules.option_by_name.get(name)
        if option is None:
            known = ", ".join(game.description.rules.option_by_name)
            raise TefudaError(f"{game.name} has no option {name!r}; it has {known}")
        values: list[Value] = [*option.values] or ([True, False] if isinstance(option.default, bool) else [])
        if not values:
            raise TefudaError(f"{name} is a number; only choices and switches can vary")
        now = option.word(int(game.template[name][0]))
        found[name] = [now, *(value for value in values if value != now)]
    return found
